import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// The result of one pass over a stretch of an asset.
struct PassReport: Sendable {
    /// Asset time of the earliest delivered frame; nil if there was none.
    var first: MediaTime?
    /// The number of delivered frames.
    var count = 0
    /// The number of frames in the stretch, delivered or not.
    var passed = 0
    /// Why the pass failed.
    var failure: Decoded<VideoFrame>?
    /// It was cancelled.
    var isCancelled = false
}

extension DecodeWorker where Media == VideoFrame {
    /// Decodes sync samples only, in the order in which they arrive.
    ///
    /// - Parameters:
    ///   - after: frames at or before this asset time are skipped; nil skips none.
    ///   - most: the maximum number of frames; nil for no limit.
    func runKeyFrames(
        _ buffer: SampleBuffer, _ track: TrackID, after: MediaTime?, most: Int?, _ push: (Decoded<VideoFrame>) -> Bool
    ) -> PassReport {
        var report = PassReport()
        guard !buffer.isCancelled else {
            report.isCancelled = true
            return report
        }
        begin()
        func deliver(_ failure: Decoded<VideoFrame>) -> Bool {
            if case .media = failure { return push(failure) }
            report.failure = failure
            return false
        }
        reading(deliver) { () throws(DecodeFailure) -> Bool in
            switch buffer.next(track) {
            case .sample(let sample):
                guard sample.isSync, after.map({ sample.presentationTime > $0 }) ?? true else { return true }
                _ = try prepare(for: sample)
                guard let frame = (try decode(sample) + drain()).last else { return true }
                guard push(.media(frame)) else {
                    report.isCancelled = true
                    return false
                }
                report.first = frame.time
                report.count += 1
                return most.map { report.count < $0 } ?? true
            case .gap: return true
            case .end: return false
            case .failed(let error): throw .reading(error)
            case .cancelled:
                report.isCancelled = true
                return false
            }
        }
        return report
    }

    /// Decodes from the sync sample at which reading began up to a position, and delivers the last frames before it, latest first.
    ///
    /// - Parameters:
    ///   - until: frames at or after this asset time are omitted.
    ///   - from: frames that end at or before this are omitted.
    ///   - byteLimit: the maximum size of the delivered frames. Earlier ones are left to the next pass, which decodes the beginning again.
    ///   - isThinned: whether only reference frames are decoded.
    func runBackward(
        _ buffer: SampleBuffer, _ track: TrackID, until: MediaTime, from: MediaTime, byteLimit: Int, isThinned: Bool,
        _ push: (Decoded<VideoFrame>) -> Bool
    ) -> PassReport {
        var report = PassReport()
        var latest = LatestFrames(byteLimit: byteLimit)
        guard !buffer.isCancelled else {
            report.isCancelled = true
            return report
        }
        begin()
        var cut = SampleCut(at: until)
        // Whether the last sample lacks others that a picture before the position needs.
        var isOwed = false
        func keep(_ frames: [VideoFrame]) {
            for frame in frames where frame.time < until {
                kind.onPiece?(frame)
                report.passed += 1
                guard frame.end > from else { continue }
                latest.add(frame)
            }
        }
        func tell(_ failure: Decoded<VideoFrame>) -> Bool {
            report.failure = failure
            return false
        }
        reading(tell) { () throws(DecodeFailure) -> Bool in
            switch buffer.next(track) {
            case .sample(let sample):
                var needed: [EncodedSample] = []
                if isOwed {
                    needed = [sample]
                } else if sample.isBeyond(until) || !cut.take(sample, into: &needed) {
                    keep(try drain())
                    return false
                }
                for sample in needed {
                    keep(try prepare(for: sample))
                    setHaste(isThinned)
                    keep(try decode(sample))
                    isOwed = (sample.payload as? ComposedBundle)?.owes(before: until) ?? false
                }
                return true
            case .gap: return true
            case .end:
                keep(try drain())
                return false
            case .failed(let error): throw .reading(error)
            case .cancelled:
                report.isCancelled = true
                return false
            }
        }
        guard !report.isCancelled else { return report }
        while let frame = latest.takeLast() {
            guard push(.media(frame)) else {
                report.isCancelled = true
                return report
            }
            report.first = frame.time
            report.count += 1
        }
        return report
    }
}

/// The last of the frames that come, as many as fit into a number of bytes, but one at least. A frame that is dropped is released at once, because its
/// memory is needed.
private struct LatestFrames {
    private let byteLimit: Int
    private var frames: [VideoFrame?] = []
    /// Those before are dropped.
    private var head = 0
    private var bytes = 0

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    mutating func add(_ frame: VideoFrame) {
        frames.append(frame)
        bytes += frame.byteCount
        while bytes > byteLimit, head < frames.count - 1 {
            bytes -= frames[head]?.byteCount ?? 0
            frames[head] = nil
            head += 1
        }
        if head > 16 {
            frames.removeFirst(head)
            head = 0
        }
    }

    /// The latest one, which is no longer kept.
    mutating func takeLast() -> VideoFrame? { frames.count > head ? frames.removeLast() : nil }
}

extension EncodedSample {
    /// Whether neither it nor any later sample is needed for what is presented before a time.
    fileprivate func isBeyond(_ time: MediaTime) -> Bool {
        // Bundles come in the order of their pictures.
        if payload is ComposedBundle { return presentationTime >= time }
        // The next piece begins at the time at the earliest, and has samples before its beginning.
        return presentedRange.map { $0.start >= time } ?? false
    }
}
