import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Viewing

@Suite struct SnapBackTests {
    let ranges = [Items.ad("a1", 20), Items.ad("a2", 60), Items.ad("a3", 100)]

    @Test(
        arguments: [
            (15, 18, SnapBack.first, 18), (15, 30, .first, 20), (15, 90, .first, 20), (15, 90, .last, 60), (15, 90, .all, 20),
            (15, 25, .first, 20), (35, 65, .first, 60), (90, 15, .first, 15), (30, 60, .first, 60), (30, 59, .first, 59),
            (25, 50, .first, 50), (20, 30, .first, 20),
        ] as [(Int64, Int64, SnapBack, Int64)])
    func answer(_ old: Int64, _ target: Int64, _ snapBack: SnapBack, _ expected: Int64) {
        let policy = StandardNavigationPolicy(snapBack: SnapBackPolicy(snapBack))
        let navigation = UserNavigation(from: .seconds(old), to: .seconds(target), interstitials: ranges, watched: [])
        #expect(policy.timeToSeekAfterUserNavigated(navigation) == .seconds(expected))
    }

    @Test func watchedRangesAreNotEnforcedUnlessTheyAlwaysRepeat() {
        let policy = StandardNavigationPolicy()
        #expect(
            policy.timeToSeekAfterUserNavigated(
                .init(from: .seconds(15), to: .seconds(90), interstitials: ranges, watched: ["a1"]))
                == .seconds(60))
        let always = [Items.ad("a1", 20, repetition: .always)]
        #expect(
            policy.timeToSeekAfterUserNavigated(
                .init(from: .seconds(15), to: .seconds(90), interstitials: always, watched: ["a1"]))
                == .seconds(20))
    }

    @Test(arguments: 0..<200) func theAnswerIsTheTargetOrTheStartOfARangeOnTheWay(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let ranges = random.ranges(count: random.next(upTo: 6))
        let snapBack = SnapBack.allCases[random.next(upTo: 3)]
        let policy = StandardNavigationPolicy(
            snapBack: SnapBackPolicy(snapBack, canSkipInterstitials: random.next(upTo: 5) == 0))
        let watched = Set(ranges.filter { _ in random.next(upTo: 3) == 0 }.map(\.id))
        for _ in 0..<50 {
            let old = MediaTime.milliseconds(Int64(random.next(upTo: 400_000)))
            let target = MediaTime.milliseconds(Int64(random.next(upTo: 400_000)))
            let answer = policy.timeToSeekAfterUserNavigated(
                .init(from: old, to: target, interstitials: ranges, watched: watched))
            guard answer != target else { continue }
            let range = ranges.first { $0.range.start == answer }
            #expect(range != nil && target > old)
            #expect(range.map { $0.range.start >= old && ($0.range.end <= target || $0.range.contains(target)) } == true)
            #expect(range.map { !watched.contains($0.id) || $0.repetition == .always } == true)
        }
    }

    @Test(arguments: 0..<100) func contentTimeIsMonotoneAndItsInverseNeverInsideARange(_ seed: Int) {
        var random = SeededRandom(seed: UInt64(seed) + 1000)
        let ranges = random.ranges(count: random.next(upTo: 6))
        let total = MediaTime.seconds(400)
        let trim = MediaTime.milliseconds(Int64(random.next(upTo: 20_000)))
        let item = ItemPresentation(id: "x") {
            $0.duration = total
            $0.interstitials = ranges
            $0.trimStart = trim
        }
        let clock = ContentClock(item, duration: nil)
        let spliced = ranges.compactMap { $0.range.intersection(TimeRange(start: trim, end: total)) }.reduce(MediaTime.zero) {
            $0 + $1.duration
        }
        #expect(clock.total == total - trim - spliced)
        var last = MediaTime.zero
        var place = MediaTime.zero
        while place < total {
            let content = clock.content(at: place)
            #expect(content >= last)
            last = content
            if place >= trim {
                let back = clock.asset(of: content)
                #expect(back == total || !ranges.contains { $0.range.contains(back) })
                #expect(clock.content(at: back) == content)
                let before = clock.assetBefore(content)
                #expect(
                    before <= back && (before == total || !ranges.contains { $0.range.contains(before) && $0.range.start > trim })
                )
            }
            place += .milliseconds(Int64(random.next(upTo: 4000)) + 1)
        }
    }
}

/// Pseudo-random test data, the same for the same seed.
struct SeededRandom {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 1) }

    mutating func next() -> UInt64 { generator.next() }

    /// A number in 0..<bound.
    mutating func next(upTo bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// Ranges within 400 s, in order, some adjacent.
    mutating func ranges(count: Int) -> [Interstitial] {
        var start = Int64(next(upTo: 3) == 0 ? 0 : next(upTo: 30_000))
        return (0..<count).map { index in
            let length = Int64(next(upTo: 15_000)) + 1000
            defer { start += length + (next(upTo: 3) == 0 ? 0 : Int64(next(upTo: 50_000))) }
            return Interstitial(
                id: "r\(index)", range: TimeRange(start: .milliseconds(start), duration: .milliseconds(length)),
                kind: Interstitial.Kind.allCases[next(upTo: 5)],
                skip: next(upTo: 4) == 0 ? .init(offset: .seconds(1), duration: next(upTo: 2) == 0 ? nil : .seconds(3)) : nil,
                repetition: next(upTo: 3) == 0 ? .always : .once)
        }
    }
}
