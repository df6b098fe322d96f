import LinuxSupport
import MediaModel
import MediaTime
import Testing

@Suite("Interstitials")
struct InterstitialTests {
    private func ad(_ id: String, _ start: Int64, _ length: Int64 = 10, repetition: Interstitial.Repetition = .once)
        -> Interstitial
    {
        Interstitial(id: id, range: TimeRange(start: .seconds(start), duration: .seconds(length)), repetition: repetition)
    }

    private func event(
        _ id: String, _ time: Int64, cue: Interstitial.Cue = [],
        restrictions: Interstitial.Restrictions = .constrainsSeekingForwardInPrimaryContent
    ) -> Interstitial {
        Interstitial(
            id: id, event: .init(time: .seconds(time), cue: cue, assets: .asset(url: id)), restrictions: restrictions)
    }

    @Test(
        "a spliced one is linear by default if it is an advertisement or a legal notice, and may never be jumped over by itself")
    func defaults() {
        for kind in Interstitial.Kind.allCases {
            let range = TimeRange(start: .zero, duration: .seconds(1))
            let interstitial = Interstitial(id: "a", range: range, kind: kind)
            #expect(interstitial.isLinear == (kind == .ad || kind == .legal))
            #expect(interstitial.restrictions.contains(.constrainsSeekingForwardInPrimaryContent))
            #expect(Interstitial(id: "a", range: range, kind: kind, isLinear: true).isLinear)
            #expect(!Interstitial(id: "a", range: range, kind: kind, isLinear: false).isLinear)
        }
    }

    @Test("one beside the stream takes no asset time, and displayed time only if it fills the timeline")
    func occupancy() {
        let interstitial = event("a", 20)
        #expect(interstitial.time == .seconds(20) && interstitial.range.isEmpty)
        var event = Interstitial.Event(time: .seconds(20), assets: .asset(url: "a"), plannedDuration: .seconds(30))
        #expect(event.occupiedDuration == .zero)
        event.timelineOccupancy = .fill
        #expect(event.occupiedDuration == .seconds(30))
        event.playoutLimit = .seconds(12)
        #expect(event.occupiedDuration == .seconds(12))
        event.playoutLimit = nil
        event.plannedDuration = nil
        #expect(event.occupiedDuration == .zero)
    }

    @Test("one that plays once is spent after it was watched; an unspent one is owed if it must not be skipped")
    func owed() {
        let (once, always) = (ad("a", 0), ad("a", 0, repetition: .always))
        #expect(once.isOwed(watched: []) && !once.isSpent(watched: ["b"]))
        #expect(!once.isOwed(watched: ["a"]) && once.isSpent(watched: ["a"]))
        #expect(always.isOwed(watched: ["a"]) && !always.isSpent(watched: ["a"]))
        #expect(!event("a", 0, restrictions: .requiresPlaybackAtPreferredRateForAdvancement).isOwed(watched: []))
    }

    @Test("skipping is offered from its offset on, for its duration or to the end; until then the time is counted down")
    func skip() {
        let (bounded, open) = (
            Interstitial.SkipControl(offset: .seconds(5), duration: .seconds(3)), Interstitial.SkipControl(offset: .seconds(5))
        )
        let nearly = MediaTime.milliseconds(4999)
        #expect(!bounded.isOffered(at: nearly) && bounded.timeUntilOffer(at: nearly) == .milliseconds(1))
        #expect(bounded.isOffered(at: .seconds(5)) && bounded.timeUntilOffer(at: .seconds(5)) == nil)
        #expect(bounded.isOffered(at: .milliseconds(7999)) && !bounded.isOffered(at: .seconds(8)))
        #expect(bounded.timeUntilOffer(at: .seconds(8)) == nil)
        #expect(open.isOffered(at: .seconds(500)))
        #expect(bounded.timeUntilOffer(at: .zero) == .seconds(5))
    }

    // MARK: Breaks

    @Test(
        "interstitials that touch are one break: spliced ones end to start, those beside the stream by place or by where the film resumes"
    )
    func breaks() {
        func replacing(_ id: String, _ time: Int64, _ length: Int64) -> Interstitial {
            Interstitial(
                id: id, event: .init(time: .seconds(time), assets: .asset(url: id), resumptionOffset: .seconds(length)))
        }
        func ids(_ interstitials: [Interstitial]) -> [[String]] {
            InterstitialBreak.breaks(of: interstitials).map { $0.interstitials.map(\.id) }
        }
        #expect(ids([ad("a", 20), ad("b", 30), ad("c", 40), ad("d", 51)]) == [["a", "b", "c"], ["d"]])
        #expect(ids([ad("a", 20), ad("b", 30, 0), ad("c", 30)]) == [["a", "c"]], "an empty one is never shown")
        #expect(ids([event("a", 20), event("b", 20), event("c", 21)]) == [["a", "b"], ["c"]])
        #expect(ids([replacing("a", 20, 15), replacing("b", 35, 15), replacing("c", 51, 15)]) == [["a", "b"], ["c"]])
        #expect(ids([event("a", 20), event("p", 20, cue: .joinCue), event("b", 20)]) == [["a", "b"], ["p"]])
    }

    @Test("a jump over a break leads to the first of it that plays, and then through all of it", arguments: SnapBack.allCases)
    func pod(_ snapBack: SnapBack) {
        let policy = SnapBackPolicy(snapBack)
        let pod = [ad("a", 20), ad("b", 30), ad("c", 40)]
        let beside = [event("a", 20), event("b", 20, restrictions: []), event("c", 20)]
        for pod in [pod, beside] {
            #expect(walked(policy, pod, from: 10, to: 60, watched: []) == ["a", "b", "c"])
        }
        #expect(walked(policy, pod, from: 10, to: 60, watched: ["a"]) == ["b", "c"])
        #expect(walked(policy, pod, from: 10, to: 60, watched: ["b"]) == ["a", "c"])
        #expect(walked(policy, pod, from: 10, to: 60, watched: ["a", "b", "c"]) == [])
        #expect(walked(policy, pod, from: 25, to: 60, watched: []) == ["b", "c"], "from inside the first")
        #expect(
            walked(policy, pod, from: 10, to: 35, watched: []) == ["a", "b", "c"], "to the end of the break, not to the target")
        #expect(walked(policy, pod, from: 60, to: 10, watched: []) == [])
        let two = pod + [ad("d", 100), ad("e", 110)]
        let expected: [String] =
            switch snapBack {
            case .first: ["a", "b", "c"]
            case .last: ["d", "e"]
            case .all: ["a", "b", "c", "d", "e"]
            }
        #expect(walked(policy, two, from: 10, to: 130, watched: []) == expected)
    }

    /// The ids of those that a viewer watches before the target.
    private func walked(
        _ policy: SnapBackPolicy, _ interstitials: [Interstitial], from origin: Int64, to target: Int64, watched: Set<String>
    ) -> [String] {
        var watched = watched
        var played: [String] = []
        let target = MediaTime.seconds(target)
        var next = policy.interstitialToWatch(from: .seconds(origin), to: target, among: interstitials, watched: watched)
        while let current = next, played.count < 20 {
            played.append(current.id)
            watched.insert(current.id)
            next = policy.interstitialToWatch(after: current, before: target, among: interstitials, watched: watched)
        }
        return played
    }

    // MARK: What must be watched first

    @Test("a jump skips a spliced one with its whole range, and one beside the stream before the target, but not at the target")
    func edges() {
        let policy = SnapBackPolicy()
        func answer(_ interstitial: Interstitial, _ origin: Int64, _ target: Int64) -> String? {
            policy.interstitialToWatch(from: .seconds(origin), to: .seconds(target), among: [interstitial], watched: [])?.id
        }
        #expect(answer(ad("a", 20), 20, 30) == "a" && answer(ad("a", 20), 21, 30) == nil)
        #expect(answer(ad("a", 20), 10, 25) == "a", "the target is inside")
        #expect(answer(ad("a", 20), 22, 25) == nil, "it was entered before")
        #expect(answer(ad("a", 20, 0), 10, 30) == nil, "an empty range is never shown")
        #expect(answer(event("a", 20), 20, 21) == "a" && answer(event("a", 20), 21, 30) == nil)
        #expect(answer(event("a", 20), 10, 20) == nil, "it plays at the target anyway")
        #expect(answer(event("a", 20, cue: .joinCue), 10, 30) == nil && answer(event("a", 20, cue: .leaveCue), 10, 30) == nil)
        #expect(answer(event("a", 20, restrictions: []), 10, 30) == nil)
    }

    @Test(
        "the answer is in a break with one that is owed on the way; without an answer nothing on the way is owed",
        arguments: 0..<300)
    func answers(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let interstitials = randomInterstitials(&random)
        let watched = Set(interstitials.map(\.id).filter { _ in random.next() % 3 == 0 })
        let snapBack = SnapBack.allCases[Int(random.next() % 3)]
        let policy = SnapBackPolicy(snapBack, canSkipInterstitials: random.next() % 6 == 0)
        for _ in 0..<40 {
            let origin = MediaTime.milliseconds(Int64(random.next() % 200_000))
            let target = MediaTime.milliseconds(Int64(random.next() % 200_000))
            let owed = interstitials.filter { $0.isOwed(watched: watched) }
            let crossed = owed.filter { isCrossed($0, origin, target) }
            let entered = owed.filter { $0.range.contains(target) && $0.time >= origin }
            let answer = policy.interstitialToWatch(from: origin, to: target, among: interstitials, watched: watched)
            if policy.canSkipInterstitials || target <= origin {
                #expect(answer == nil)
            } else if crossed.isEmpty {
                #expect(answer == entered.first)
            } else {
                let wanted = snapBack == .last ? crossed.last : crossed.first
                let pod = wanted.flatMap { InterstitialBreak.of($0, among: interstitials) }
                let plays = pod?.interstitials.filter { isCrossed($0, origin, target) && !$0.isSpent(watched: watched) }
                #expect(answer != nil && answer == plays?.first)
            }
        }
    }

    @Test("with `all`, they are watched one after another in order, each break to its end", arguments: 0..<200)
    func walk(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed + 1000)
        let interstitials = randomInterstitials(&random).filter { $0.event == nil }
        let (origin, target) = (MediaTime.zero, MediaTime.milliseconds(Int64(random.next() % 200_000)))
        var watched: Set<String> = []
        var played: [Interstitial] = []
        let policy = SnapBackPolicy(.all)
        var next = policy.interstitialToWatch(from: origin, to: target, among: interstitials, watched: watched)
        while let current = next, played.count <= interstitials.count {
            #expect(played.last.map { $0.range.end <= current.time } ?? true)
            played.append(current)
            watched.insert(current.id)
            next = policy.interstitialToWatch(after: current, before: target, among: interstitials, watched: watched)
        }
        let breaks = InterstitialBreak.breaks(of: interstitials)
        let wanted = breaks.filter { $0.interstitials.contains { isCrossed($0, origin, target) } }.flatMap(\.interstitials)
        if wanted.isEmpty {
            #expect(played.first.map { $0.range.contains(target) } ?? true)
        } else {
            #expect(played == wanted)
        }
        for other in [SnapBack.first, .last] {
            let single = SnapBackPolicy(other)
            for one in played {
                let next = single.interstitialToWatch(after: one, before: target, among: interstitials, watched: [])
                let pod = breaks.first { $0.contains(one.id) }
                #expect(next == pod?.next(after: one.id, watched: []), "no further break")
            }
        }
    }

    private func isCrossed(_ interstitial: Interstitial, _ origin: MediaTime, _ target: MediaTime) -> Bool {
        guard let event = interstitial.event else {
            return TimeRange(start: origin, end: max(origin, target)).contains(interstitial.range)
        }
        return event.cue.isEmpty && origin <= event.time && event.time < target
    }

    /// Ordered by time; spliced ones do not overlap, some touch.
    private func randomInterstitials(_ random: inout SeededGenerator) -> [Interstitial] {
        var start = Int64(random.next() % 20_000)
        return (0..<Int(random.next() % 7)).map { index in
            let length = Int64(random.next() % 15_000) + 1
            defer { start += length + (random.next() % 3 == 0 ? 0 : Int64(random.next() % 30_000)) }
            let repetition: Interstitial.Repetition = random.next() % 3 == 0 ? .always : .once
            guard random.next() % 3 == 0 else {
                return Interstitial(
                    id: "s\(index)", range: TimeRange(start: .milliseconds(start), duration: .milliseconds(length)),
                    repetition: repetition)
            }
            return Interstitial(
                id: "b\(index)",
                event: .init(
                    time: .milliseconds(start), cue: random.next() % 5 == 0 ? .joinCue : [], assets: .asset(url: "b\(index)")),
                restrictions: random.next() % 4 == 0 ? [] : .constrainsSeekingForwardInPrimaryContent, repetition: repetition)
        }
    }
}
