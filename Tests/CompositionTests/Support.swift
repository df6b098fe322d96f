import LinuxSupport
import MediaModel
import MediaTime

@testable import Composition

extension SeededGenerator {
    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func one<Element>(of elements: [Element]) -> Element { elements.randomElement(using: &self)! }

    /// A time of any size: extreme, of odd timescales, or ordinary.
    mutating func wildTime() -> MediaTime {
        let values: [Int64] = [
            0, 1, -1, 2, 25, 90_000, .max, .min, .max - 1, .min + 1, 1 << 32, -1 << 32, 99_999_999, 100_000_000,
            Int64.random(in: .min ... .max, using: &self), Int64.random(in: -1000...100_000, using: &self),
        ]
        let scales: [Int32] = [1, 25, 1001, 30_000, 48_000, 90_000, 1_000_000_000, .max, .max - 1, 2_147_483_629]
        return MediaTime(one(of: values), one(of: scales))
    }

    mutating func wildRange() -> TimeRange { TimeRange(start: wildTime(), duration: wildTime().magnitude) }
}

/// Frame `number` at 25 frames a second.
func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }

/// `count` frames from `start`.
func frames(_ start: Int, _ count: Int) -> TimeRange { TimeRange(start: frame(start), duration: frame(count)) }

/// A segment of a source at its own speed.
func segment(_ url: String, _ source: TimeRange, at start: MediaTime, codec: String? = nil) -> CompositionTrackSegment {
    CompositionTrackSegment(SourceReference(url: url, codec: codec), source, at: start)
}

/// A composition of one video track.
func video(_ segments: [CompositionTrackSegment]) -> Composition {
    Composition(tracks: [CompositionTrack(id: TrackID(1), type: .video, segments: segments)])
}

/// The errors and warnings as `reason pointer`.
func places(_ findings: [CompositionFinding]) -> [String] { findings.map { "\($0.reason.rawValue) \($0.pointer)" } }
