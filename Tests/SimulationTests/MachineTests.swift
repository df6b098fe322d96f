import ChannelFeed
import LinuxSupport
import MediaModel
import Testing

@testable import Simulation

@Suite("The machine of a simulated box")
@MainActor
struct MachineTests {
    private func fault(_ kind: Fault.Kind, at start: Int, for length: Int) -> Fault {
        Fault(number: start, kind: kind, start: .seconds(start), length: .seconds(length))
    }

    @Test("The date is true, wrong by hours, or counts from 1970; the fault that began last decides")
    func date() throws {
        let loop = try MainLoop(time: .simulated)
        let machine = SimulatedMachine(
            clock: loop.clock,
            faults: [fault(.wrongDate(hours: -1), at: 10, for: 30), fault(.noDate, at: 20, for: 10)])
        let expected = [
            (0, "2026-01-01T00:00:00Z"), (15, "2025-12-31T23:00:15Z"), (25, "1970-01-01T00:00:05Z"),
            (35, "2025-12-31T23:00:35Z"), (40, "2026-01-01T00:00:40Z"),
        ]
        for (second, text) in expected {
            loop.clock.schedule(at: .zero + .seconds(second), rank: .timer) {
                #expect(machine.date.description == text)
            }
        }
        loop.run(until: { loop.clock.now >= .zero + .seconds(40) })
    }

    @Test("A sound card plays, is lost with what it holds, and goes on where it was")
    func sound() throws {
        let loop = try MainLoop(time: .simulated)
        let socket = SoundSocket(clock: loop.clock)
        let sink = socket.makeSink()
        var changes: [AudioDeviceChange] = []
        let listening = sink.deviceChanges.listen { changes.append($0) }
        defer { listening.cancel() }
        #expect(sink.enqueue([Float](repeating: 0, count: 1500)[...]) == 1500)
        sink.play(at: loop.clock.now)
        var heard: [(Int64?, Bool)] = []
        let steps: [(Double, @MainActor @Sendable () -> Void)] = [
            (0.5, { socket.plug(false) }), (5.0, { socket.plug(true) }), (5.25, { socket.stall(true) }),
            (6.0, { socket.stall(false) }), (6.25, {}), (7.0, {}),
        ]
        for (second, action) in steps {
            loop.clock.schedule(at: .zero + .seconds(second), rank: .timer) {
                heard.append((sink.timing()?.frame, socket.isHeard))
                action()
            }
        }
        loop.run(until: { heard.count == 6 })
        #expect(heard.map(\.0) == [500, 500, 750, 750, 1000, 1500])
        #expect(heard.map(\.1) == [true, false, true, false, true, false])
        #expect(changes == [.lost, .returned])
    }

    @Test("A sound card that is not there is found later")
    func absent() throws {
        let loop = try MainLoop(time: .simulated)
        let socket = SoundSocket(clock: loop.clock)
        socket.plug(false)
        let sink = socket.makeSink()
        var changes: [AudioDeviceChange] = []
        let listening = sink.deviceChanges.listen { changes.append($0) }
        defer { listening.cancel() }
        _ = sink.enqueue([0, 0])
        loop.clock.schedule(at: .zero + .seconds(5), rank: .timer) { socket.plug(true) }
        loop.run(until: { changes.contains(.found) || loop.clock.now > .zero + .seconds(60) })
        #expect(changes == [.absent, .found])
    }
}

@Suite("The rule about sound")
struct SoundRuleTests {
    private func breach(_ seconds: ClosedRange<Int>, _ sight: (Int) -> (isHeard: Bool, isDue: Bool)) -> Int? {
        var rule = SoundRule()
        return seconds.first { second in
            let sight = sight(second)
            return rule.check(.init(now: .seconds(second), isHeard: sight.isHeard, isDue: sight.isDue)) != nil
        }
    }

    @Test("Half a minute of silence is a breach while sound is due")
    func silence() {
        #expect(breach(0...100) { (isHeard: $0 < 20, isDue: true) } == 50)
        #expect(breach(0...100) { _ in (isHeard: false, isDue: false) } == nil)
        #expect(breach(0...100) { (isHeard: false, isDue: $0 >= 40) } == 70)
        #expect(breach(0...100) { (isHeard: $0 % 25 == 0, isDue: true) } == nil)
    }
}

@Suite("The window of the first channel")
struct OfferWatchTests {
    /// The seconds of the first moment at which the channel may not be shown any more.
    private func end(window: Range<Int>, plays: (Int) -> Bool, date: (Int) -> FeedDate? = { WorldDate.at(.seconds($0)) }) -> Int?
    {
        var watch = OfferWatch(window: .seconds(window.lowerBound)..<(.seconds(window.upperBound)))
        return (0...400).first { second in
            watch.note(at: .seconds(second), date: date(second), isPlaying: plays(second))
            return second >= window.lowerBound && !watch.mayBeShown(at: .seconds(second))
        }
    }

    @Test("What plays at the end goes on; what was closed after it may not be opened again")
    func end() {
        #expect(end(window: 0..<100) { _ in true } == nil)
        #expect(end(window: 0..<100) { $0 < 200 } == 200)
        #expect(end(window: 0..<100) { $0 != 50 && $0 != 150 } == 150)
        #expect(end(window: 0..<100) { _ in false } == 131, "the box looks every half minute")
    }

    @Test("Before the window nothing may be shown, and a box without a date may play")
    func start() {
        var watch = OfferWatch(window: .seconds(100)..<(.seconds(200)))
        watch.note(at: .seconds(10), date: WorldDate.at(.seconds(10)), isPlaying: true)
        #expect(!watch.mayBeShown(at: .seconds(10)) && watch.since == nil)
        watch.note(at: .seconds(11), date: nil, isPlaying: true)
        #expect(watch.mayBeShown(at: .seconds(11)) && watch.since == .seconds(42))
        #expect(end(window: 0..<100, plays: { _ in false }, date: { _ in nil }) == nil)
    }

    @Test("Without a window the channel is always offered")
    func always() {
        let watch = OfferWatch(window: nil)
        #expect(watch.mayBeShown(at: .seconds(5)) && watch.since == .zero)
    }
}
