import MediaTime
import Synchronization

/// Converts the cues of the WebVTT segments of one HLS rendition to asset time (RFC 8216bis section 3.1.4). Any thread.
///
/// The header's `X-TIMESTAMP-MAP` places them. Many packagers omit it, and mean different things: then the rendition's cues show which, by lying in
/// their segments. What is meant is decided once, at the first segment that tells it, because a cue of two segments must be placed once.
package final class WebVTTPlacing: Sendable {
    /// What cue times without a map count from.
    enum Meaning: CaseIterable, Sendable {
        /// The start of the presentation, as in the file that was cut into segments. ffmpeg writes that, and its stamps begin at 1.4 s: where both
        /// meanings are possible, this one is more likely, since a packager that counts by stamps says so with a map.
        case presentation
        /// Time stamp zero of the stream, as the standard has it.
        case stamps
        /// The start of their segment.
        case segment
    }
    private let decided = Mutex<Meaning?>(nil)

    package init() {}

    /// Places the cues of a segment.
    ///
    /// - Parameters:
    ///   - range: the segment's range according to its playlist, in asset time.
    ///   - offset: what is added to the stamps at which a cue begins and ends, to give asset time.
    package func cues(
        of document: CaptionDocument, segment range: TimeRange, offset: (_ start: MediaTime, _ end: MediaTime) -> MediaTime
    ) -> [CaptionCue] {
        let written = document.resolved()
        if let map = document.timestampMap { return Self.shifted(written, by: map.offset, offset) }
        guard !written.isEmpty else { return [] }
        func placed(_ meaning: Meaning) -> [CaptionCue] {
            switch meaning {
            case .presentation: written
            case .stamps: Self.shifted(written, by: .zero, offset)
            case .segment: written.map { $0.shifted(by: range.start) }
            }
        }
        if let meaning = decided.withLock({ $0 }) { return placed(meaning) }
        let candidates = Meaning.allCases.map { meaning in
            let cues = placed(meaning)
            return (meaning: meaning, cues: cues, fit: Self.fit(of: cues, in: range))
        }
        let shown = candidates.map(\.fit.shown).max() ?? 0
        guard shown > 0 else { return placed(.stamps) }
        let fitting = candidates.filter { $0.fit.shown == shown }
        // A cue that goes on from the segment before may begin in its segment if it is counted from there. That tells nothing.
        let likely = fitting.contains { $0.meaning != .segment } ? fitting.filter { $0.meaning != .segment } : fitting
        let begun = likely.map(\.fit.begun).max() ?? 0
        let best = likely.filter { $0.fit.begun == begun }
        if best.count == 1, likely.count == fitting.count { decided.withLock { $0 = best[0].meaning } }
        return best[0].cues
    }

    private static func shifted(
        _ cues: [CaptionCue], by shift: MediaTime, _ offset: (_ start: MediaTime, _ end: MediaTime) -> MediaTime
    ) -> [CaptionCue] {
        cues.map { $0.shifted(by: shift + offset($0.start + shift, $0.end + shift)) }
    }

    /// How many cues begin in a range, and how many are shown in it.
    private static func fit(of cues: [CaptionCue], in range: TimeRange) -> (begun: Int, shown: Int) {
        (
            cues.count { $0.start >= range.start && $0.start < range.end },
            cues.count { $0.end > range.start && $0.start < range.end }
        )
    }
}
