import MediaTime
import Screens
import StatusModel
import Testing

@testable import Simulation

@Suite("Invariants")
struct InvariantTests {
    private func sight(at seconds: Int, _ change: (inout Invariants.Sight) -> Void = { _ in }) -> Invariants.Sight {
        var sight = Invariants.Sight(
            now: .seconds(seconds), isRunning: true, canBeSeen: true, hasWords: { false }, isCovered: { false },
            state: { .playing },
            position: { nil }, picture: nil, healthySince: nil, lastKey: nil)
        change(&sight)
        return sight
    }

    /// The second of the first breach.
    private func breach(
        in seconds: ClosedRange<Int>, isKiosk: Bool = true, _ change: (inout Invariants.Sight, Int) -> Void
    ) -> Int? {
        var invariants = Invariants(isKiosk: isKiosk)
        return seconds.first { second in invariants.check(sight(at: second) { change(&$0, second) }) != nil }
    }

    @Test("A screen without picture and words is a breach after three seconds")
    func nothing() {
        #expect(breach(in: 0...20) { _, _ in } == 4)
    }

    @Test("Words are enough, and so is a moving picture")
    func something() {
        #expect(breach(in: 0...20) { sight, _ in sight.hasWords = { true } } == nil)
        #expect(breach(in: 0...20) { sight, second in sight.picture = .seconds(second / 2 * 2) } == nil)
    }

    @Test("A picture that stops without words is a breach; one that the viewer has paused is not")
    func still() {
        #expect(breach(in: 5...30) { sight, second in sight.picture = .seconds(min(second, 10)) } == 16)
        #expect(
            breach(in: 5...30, isKiosk: false) { sight, second in
                sight.picture = .seconds(min(second, 10))
                sight.state = { .paused }
            } == nil)
    }

    @Test("Without power, and without a television, nothing is shown")
    func dark() {
        #expect(breach(in: 0...20) { sight, _ in sight.isRunning = false } == nil)
        #expect(breach(in: 0...20) { sight, _ in sight.canBeSeen = false } == nil)
    }

    @Test("A box that waits for more than thirty seconds after the last fault is a breach, whatever its words")
    func recovery() {
        for state in [NowPlaying.State.loading, .buffering, .failed] {
            let late = breach(in: 0...200) { sight, second in
                (sight.hasWords, sight.state) = ({ true }, { state })
                sight.healthySince = second < 100 ? nil : .seconds(100)
            }
            #expect(late == 131)
        }
    }

    @Test("A kiosk that was sent to standby waits for nothing; one at Home waits for its programme")
    func asleep() {
        func late(_ state: NowPlaying.State) -> Int? {
            breach(in: 0...60) { sight, _ in
                (sight.hasWords, sight.healthySince, sight.state) = ({ true }, .zero, { state })
            }
        }
        #expect(late(.standby) == nil && late(.home) == 31)
    }

    @Test("Behind a page that covers the picture only the position shows that it plays; elsewhere it does not count")
    func covered() {
        func late(isCovered: Bool, movesUntil last: Int) -> Int? {
            breach(in: 0...200, isKiosk: false) { sight, second in
                (sight.hasWords, sight.healthySince, sight.isCovered) = ({ true }, .zero, { isCovered })
                sight.position = { .seconds(Int64(min(second, last))) }
            }
        }
        #expect(late(isCovered: true, movesUntil: 200) == nil)
        #expect(late(isCovered: true, movesUntil: 100) == 131, "it stopped behind the page")
        #expect(late(isCovered: false, movesUntil: 200) == 31, "there is no picture where one could be")
    }

    @Test("A viewer may leave the box at Home; a kiosk may not stay there")
    func home() {
        func late(_ isKiosk: Bool) -> Int? {
            breach(in: 0...200, isKiosk: isKiosk) { sight, _ in
                (sight.hasWords, sight.state, sight.healthySince) = ({ true }, { .home }, .zero)
            }
        }
        #expect(late(false) == nil)
        #expect(late(true) == 31)
    }
}

@Suite("Rules about content")
struct ContentRuleTests {
    /// The first breach in pictures of a stream, one every two seconds.
    ///
    /// - Parameter scanned: the pictures that are shown during a scan.
    private func breach(
        _ times: [Int64], of stream: UInt32 = SimulatedServer.film, withdrawnSince: Int? = nil, scanned: Set<Int64> = []
    ) -> Int64? {
        var rules = ContentRules()
        return times.enumerated().first { number, time in
            rules.check(
                ContentRules.Sight(
                    now: .seconds(1000 + number * 2), stream: stream, time: .seconds(time),
                    filmWithdrawnSince: withdrawnSince.map { .seconds($0) }, isPlayed: !scanned.contains(time),
                    healthySince: .zero)) != nil
        }?.element
    }

    @Test("The locked film is never shown")
    func locked() { #expect(breach([0], of: SimulatedServer.lockedFilm) == 0) }

    @Test("A picture of the film later than two seconds after its withdrawal is a breach")
    func withdrawn() {
        #expect(breach([0, 2, 4, 6, 8], withdrawnSince: 1001) == 4)
        #expect(breach([0, 2, 4, 6, 8], of: 0, withdrawnSince: 1001) == nil)
    }

    @Test("The film goes on only after its advertisement")
    func advertisement() {
        #expect(breach(stride(from: 50, to: 120, by: 2).map { $0 }) == nil)
        #expect(breach([50, 52, 100]) == 100)
        #expect(breach([50, 52, 60, 62, 80]) == 80)
        #expect(breach(stride(from: 60, to: 82, by: 2).map { $0 } + [0, 100]) == nil, "once watched, it may be jumped over")
    }

    @Test("A scan shows the film behind its advertisement, and does not count as watching it")
    func scan() {
        let advertisement = stride(from: Int64(60), to: 80, by: 2).map { $0 }
        #expect(breach([50, 84, 100] + advertisement + [80], scanned: [84, 100]) == nil)
        #expect(breach([50] + advertisement + [84, 86], scanned: Set(advertisement)) == 84)
        #expect(breach([50, 84, 86], scanned: [84]) == 86)
    }

    @Test("An advertisement that was heard behind a page is watched, one of which a part was missed is not")
    func covered() {
        func goesOn(after heard: ClosedRange<Int64>) -> Bool {
            var rules = ContentRules()
            for second in heard { rules.playsCovered(at: MediaTime(second * 10 + 3, 10)) }
            return rules.check(
                ContentRules.Sight(now: .seconds(1000), stream: SimulatedServer.film, time: .seconds(80), healthySince: .zero))
                == nil
        }
        #expect(goesOn(after: 58...79) && !goesOn(after: 40...59) && !goesOn(after: 74...90))
    }
}

@Suite("What is due on a schedule")
struct ScheduleWatchTests {
    /// What the box does in a second.
    private typealias Second = (due: String?, playing: String?, isOver: Bool)

    /// A watch that was told the same for some seconds, one after the other.
    private func watch(_ spans: [(seconds: Int, Second)]) -> (watch: ScheduleWatch, now: Duration) {
        var watch = ScheduleWatch()
        var now = Duration.zero
        for (seconds, second) in spans {
            for _ in 0..<seconds {
                watch.note(at: now, due: second.due, playing: second.playing, isOver: second.isOver)
                now += .seconds(1)
            }
        }
        return (watch, now)
    }

    @Test("A programme is opened while it is due, and goes on when the next one begins")
    func goesOn() {
        var (watch, now) = watch([(10, ("a", "a", false)), (500, ("b", "a", false))])
        #expect(watch.mayBeShown("a", at: now) && watch.mayBeShown("b", at: now) && !watch.mayBeShown("c", at: now))
        (watch, now) = self.watch([(10, ("a", nil, false)), (500, ("b", nil, false)), (1, ("b", "a", false))])
        #expect(!watch.mayBeShown("a", at: now))
    }

    @Test("After its end it is opened only while it is due")
    func ended() {
        let (watch, now) = watch([
            (10, ("a", "a", false)), (50, ("b", "a", false)), (1, ("b", "a", true)), (1, ("b", "a", false)),
        ])
        #expect(!watch.mayBeShown("a", at: now) && watch.mayBeShown("b", at: now))
    }

    @Test(
        "The box has half a minute from the beginning of the schedule and from the end of a programme, and nothing to play before it"
    )
    func delay() {
        #expect(watch([(10, (nil, nil, false))]).watch.since == nil)
        #expect(watch([(10, (nil, nil, false)), (90, ("a", nil, false))]).watch.since == .seconds(41))
        #expect(watch([(100, ("a", "a", false)), (90, ("b", "a", true))]).watch.since == .seconds(131))
        #expect(watch([(100, ("a", "a", false)), (90, (nil, "a", false))]).watch.since == nil)
    }

    @Test("A picture of a programme outside of its time is a breach")
    func picture() {
        func breach(_ stream: UInt32, isScheduled: Bool) -> String? {
            var rules = ContentRules()
            return rules.check(
                ContentRules.Sight(now: .zero, stream: stream, time: .zero, isScheduled: isScheduled, healthySince: .zero))
        }
        #expect(breach(SimulatedServer.firstScheduled + 3, isScheduled: false) != nil)
        #expect(breach(SimulatedServer.firstScheduled, isScheduled: true) == nil && breach(7, isScheduled: false) == nil)
    }
}

@Suite("The rule about the stored position")
struct PlaceRuleTests {
    private let rule = PlaceRule(film: .seconds(620), advertisement: TimeRange(start: .seconds(60), duration: .seconds(20)))

    private func isBreach(stored: Int64?, picture: Int64, age: Duration = .zero) -> Bool {
        rule.check(stored: stored.map { .seconds($0) }, picture: .seconds(picture), age: age) != nil
    }

    @Test("Five seconds may be lost, and as much as the picture is old")
    func limit() {
        #expect(!isBreach(stored: 200, picture: 205) && isBreach(stored: 200, picture: 206))
        #expect(!isBreach(stored: 205, picture: 200) && isBreach(stored: 206, picture: 200))
        #expect(!isBreach(stored: 202, picture: 196, age: .seconds(1)))
        #expect(!isBreach(stored: nil, picture: 5) && isBreach(stored: nil, picture: 6))
    }

    @Test("All of the advertisement is one position, stored as its end")
    func advertisement() {
        #expect(!isBreach(stored: 80, picture: 62) && !isBreach(stored: 56, picture: 78) && !isBreach(stored: 58, picture: 82))
        #expect(isBreach(stored: 50, picture: 62) && isBreach(stored: 90, picture: 62))
    }

    @Test("A film that is watched has no position, and any other has one")
    func watched() {
        #expect(!isBreach(stored: nil, picture: 600) && isBreach(stored: nil, picture: 580))
    }
}
