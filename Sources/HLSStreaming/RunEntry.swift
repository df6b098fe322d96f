import MediaModel
import MediaTime

/// The beginning of a run, from its first sample until it is known where the run is in asset time and whether it is wanted. The samples until then are
/// held: sound may come first in a file, and the time stamps of the pictures decide.
struct RunEntry {
    /// What a sample has shown.
    enum Step {
        /// More samples are needed.
        case waits
        /// The run is delivered.
        ///
        /// - Parameter offset: what its first sample adds to time stamps.
        case entered(offset: MediaTime)
        /// Nothing of it is wanted: it is elsewhere than assumed, or lacks a key frame.
        case refused
        /// Reading is cancelled.
        case cancelled
    }

    /// Of shorter segments several are read ahead: sound is held for pictures at least this long.
    private static let shortestSegment = MediaTime.seconds(2)
    /// Sound that begins by more before the pictures is not due to the interleaving.
    private static let longestLead = MediaTime.milliseconds(500)
    /// At the beginning of a programme on demand nothing is interleaved with what comes before. Less is the reordering of an encoder.
    private static let longestFirstLead = MediaTime.milliseconds(250)

    private let plan: RunPlan
    private let tracks: RunTracks
    /// The track of the sample that has decided.
    private(set) var ruling: TrackID?
    private var held: [EncodedSample] = []
    /// The segment of the first one.
    private var heldSegment: MediaTime?
    /// Known by the first sample of the ruling track.
    private var offset: MediaTime?
    private var hasPicture = false

    init(_ plan: RunPlan, _ tracks: RunTracks) {
        self.plan = plan
        self.tracks = tracks
        ruling = tracks.ruling
    }

    private var firstHeld: EncodedSample? { held.first { tracks.outlet(of: $0.track) != nil } }

    /// Takes the next sample.
    ///
    /// - Parameters:
    ///   - startTime: when the media begins, as the container says.
    ///   - fix: the offset of the run whose first sample has a time stamp; nil once reading is cancelled.
    mutating func take(_ sample: EncodedSample, startTime: MediaTime?, _ fix: (MediaTime) -> MediaTime?) -> Step {
        if held.isEmpty { heldSegment = plan.stream.segmentStart }
        if offset == nil, let first = sample.track == ruling ? sample : overdue(sample) {
            if let end = place(by: first, startTime: startTime, fix) { return end }
        }
        held.append(sample)
        guard let offset else { return .waits }
        return step(with: sample, offset)
    }

    /// The run has ended.
    mutating func end(startTime: MediaTime?, _ fix: (MediaTime) -> MediaTime?) -> Step {
        // A whole run without a key frame has pictures of an earlier one.
        if hasPicture {
            plan.check?.take(.lacksKeyFrame)
            return .refused
        }
        guard let first = firstHeld else { return .waits }
        if offset == nil, let end = place(by: first, startTime: startTime, fix) { return end }
        plan.check?.take(.fits)
        return .entered(offset: offset!)
    }

    /// The samples that were held, which are no longer.
    mutating func takeHeld() -> [EncodedSample] {
        defer { held = [] }
        return held
    }

    /// The first sample that was held, if the pictures do not come: a whole segment had none.
    private func overdue(_ sample: EncodedSample) -> EncodedSample? {
        guard let first = firstHeld, plan.stream.segmentStart != heldSegment,
            sample.presentationTime - first.presentationTime >= Self.shortestSegment
        else { return nil }
        return first
    }

    /// The place of the run is known by its first sample.
    ///
    /// - Returns: nil if the run is where it was assumed.
    private mutating func place(
        by first: EncodedSample, startTime: MediaTime?, _ fix: (MediaTime) -> MediaTime?
    ) -> Step? {
        ruling = first.track
        // Pictures may begin long after the sound: then the segment begins with the sound. A fragment may have its sound behind all its pictures,
        // and says in its table when it begins.
        let stated = plan.container == .fragmentedMP4 && tracks.areSeveral ? startTime : nil
        let earliest = [firstHeld?.presentationTime, stated].compactMap { $0 }.min()
        let isBeginning = plan.window == nil && plan.start == .zero
        let longest = isBeginning ? Self.longestFirstLead : Self.longestLead
        let stamp = earliest.flatMap { first.presentationTime - $0 > longest ? $0 : nil } ?? first.presentationTime
        guard let fixed = fix(stamp) else { return .cancelled }
        offset = fixed
        guard let check = plan.check, let tolerance = check.tolerance else { return nil }
        let difference = stamp + fixed - plan.start
        guard difference.magnitude > tolerance else { return nil }
        // Another segment of its playlist is the next one.
        check.take(.elsewhere(by: difference))
        return .refused
    }

    /// Whether the run can be delivered is known by its samples up to the first key frame.
    private mutating func step(with sample: EncodedSample, _ offset: MediaTime) -> Step {
        if let check = plan.check, tracks.hasPictures {
            let isPicture = tracks.outlet(of: sample.track)?.type == .video
            guard let answer = check.answer(by: sample, isPicture: isPicture, isFirst: !hasPicture, offset: offset) else {
                // Of pictures before the key frame nothing can be made.
                if isPicture { held.removeLast() }
                hasPicture = hasPicture || isPicture
                return .waits
            }
            check.take(answer)
            if answer != .fits { return .refused }
        }
        plan.check?.take(.fits)
        return .entered(offset: offset)
    }
}
