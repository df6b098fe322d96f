import MediaSources
import MediaTime
import Testing

@Suite("Time stamps of captions to asset time")
struct StampPlacementTests {
    private func range(_ start: Int64, _ length: Int64) -> TimeRange {
        TimeRange(start: .seconds(start), duration: .seconds(length))
    }

    /// Two stretches: up to a time the offset is zero, then it changes.
    private func jump(of seconds: Int64, at time: Int64) throws -> StampPlacement {
        try #require(
            StampPlacement([
                .init(start: .seconds(time), offset: .seconds(-seconds)), .init(start: .zero, offset: .zero),
            ]))
    }

    /// The asset time of a cue of a second.
    private func place(_ stamp: Int64, _ placement: StampPlacement, _ segment: TimeRange, wraps: Bool = true) -> MediaTime {
        let start = MediaTime.seconds(stamp)
        return start + placement.offset(from: start, to: start + .seconds(1), in: segment, wraps: wraps)
    }

    @Test("one offset places everything, wherever its segment is")
    func plain() {
        let placement = StampPlacement(offset: .seconds(-10))
        #expect(place(15, placement, range(4, 2)) == .seconds(5))
        #expect(place(15, placement, range(400, 2)) == .seconds(5))
        #expect(StampPlacement([]) == nil)
    }

    @Test("33-bit stamps map to the time nearest to their segment; decode times of fragments do not wrap")
    func wraps() {
        let stamp = MediaTime((100_001 * 90_000) & (1 << 33 - 1), 90_000)
        func place(_ wraps: Bool) -> MediaTime {
            stamp + StampPlacement(offset: .zero).offset(from: stamp, to: stamp, in: range(100_000, 6), wraps: wraps)
        }
        #expect(place(true) == .seconds(100_001))
        #expect(place(false) == stamp)
    }

    @Test("segments before and after a jump have the offsets of their sides", arguments: [-2, -20, 12, 5000])
    func sides(_ seconds: Int64) throws {
        let placement = try jump(of: seconds, at: 100)
        #expect(place(98, placement, range(98, 2)) == .seconds(98))
        #expect(place(99, placement, range(98, 2)) == .seconds(99))
        #expect(place(100 + seconds, placement, range(100, 2)) == .seconds(100))
        #expect(place(101 + seconds, placement, range(100, 2)) == .seconds(101))
    }

    @Test("a segment that contains the jump has cues of both sides", arguments: [-20, 12, 5000])
    func both(_ seconds: Int64) throws {
        let placement = try jump(of: seconds, at: 100)
        for second in Int64(95)..<105 {
            let stamp = second < 100 ? second : second + seconds
            #expect(place(stamp, placement, range(95, 10)) == .seconds(second))
        }
    }

    @Test("a long cue that a later segment repeats stays where it began")
    func long() throws {
        let placement = try jump(of: 12, at: 100)
        let start = MediaTime.seconds(92)
        #expect(placement.offset(from: start, to: .seconds(103), in: range(100, 4), wraps: true) == .zero)
    }

    @Test("after a jump stamps wrap as before it")
    func wrapsAfterJump() throws {
        let placement = try jump(of: 12, at: 100)
        let stamp = MediaTime.seconds(213) - StampPeriod.length
        #expect(stamp + placement.offset(from: stamp, to: stamp, in: range(200, 2), wraps: true) == .seconds(201))
    }
}
