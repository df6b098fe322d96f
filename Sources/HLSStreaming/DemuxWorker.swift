import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// The work of a rendition's demuxing thread in one reading run: a demuxer for each run of segments, timestamps mapped to asset
/// time.
// Unchecked: made on the main loop, then used by one job of one worker thread only.
final class DemuxWorker: @unchecked Sendable {
    /// One run whose samples are delivered.
    private struct Run {
        let plan: RunPlan
        let tracks: RunTracks
        /// The track by which the primary rendition reports how far it is.
        let ruling: TrackID?
        /// Up to where each track was shown by the run that this one continues. A snapshot: pictures of this run come in decoding order.
        let shown: [TrackID: MediaTime]
    }

    private let codecs: any CodecFactory
    private let timeline: StreamTimeline
    private let isPrimary: Bool
    private let session: Int
    /// Receives the ID3 tags of transport streams.
    private let tags: MetadataRelay?
    private var offsets: RunOffsets
    private var samples: SampleOutlets
    private var lastSequence: Int64?
    private var isFirstRun = true
    /// The asset time that was reported last.
    private var reported: MediaTime?
    private static let reportStep = MediaTime.milliseconds(250)

    init(
        codecs: any CodecFactory, timeline: StreamTimeline, outlets: [TrackOutlet], isPrimary: Bool, session: Int,
        tags: MetadataRelay? = nil, notices: Relay<AbsenceWatch.Absence>? = nil
    ) {
        self.codecs = codecs
        self.timeline = timeline
        self.isPrimary = isPrimary
        self.session = session
        self.tags = tags
        offsets = RunOffsets(timeline, session: session, isPrimary: isPrimary)
        samples = SampleOutlets(outlets, notices: notices)
    }

    func run(_ runs: BoundedQueue<RunPlan>, into buffer: SampleBuffer) {
        defer { if isPrimary { timeline.endMeasuring(session: session) } }
        while let plan = runs.pop() {
            do throws(MediaError) {
                // Samples of one sequence share a mapping, whichever variant they come from: sound that continues there is not
                // cut.
                if let lastSequence, lastSequence != plan.sequence { samples.passDiscontinuities(1) }
                let isContinuation = lastSequence == plan.sequence
                lastSequence = plan.sequence
                guard try demux(plan, isContinuation, into: buffer) else { return }
                plan.check?.take(.fits)
                isFirstRun = false
            } catch {
                plan.check?.take(.fits)
                if isPrimary { timeline.leave(plan.sequence) }
                return buffer.fail(error)
            }
        }
        if !buffer.isCancelled { samples.outlets.forEach { buffer.finish($0.track) } }
    }

    /// - Returns: false once the buffer is cancelled.
    private func demux(
        _ plan: RunPlan, _ isContinuation: Bool, into buffer: SampleBuffer
    ) throws(MediaError) -> Bool {
        if let cut = plan.replacesFrom { samples.remove(from: cut, of: buffer) }
        let demuxer = try codecs.openDemuxer(plan.stream, hint: plan.container)
        let tracks = RunTracks(demuxer.description.tracks, outlets: samples.outlets, takesTags: tags != nil)
        // A track that is absent from the first segments is not waited for, but it can come with others, or with other tables of the same.
        if isFirstRun, !plan.hasOthers, plan.container != .transportStream { tracks.lacking.forEach { buffer.finish($0) } }
        samples.beginRun(lacking: tracks.lacking)
        demuxer.offerNewTracks { tracks.offer($0) }
        demuxer.select(tracks.selection)
        if let duration = plan.keyFrameDuration {
            let run = Run(plan: plan, tracks: tracks, ruling: tracks.ruling, shown: isContinuation ? samples.ends : [:])
            return try deliverPicture(run, lasting: duration, from: demuxer, into: buffer)
        }
        var entry = RunEntry(plan, tracks)
        switch try enter(&entry, plan, tracks, from: demuxer) {
        case .entered(let offset):
            let run = Run(plan: plan, tracks: tracks, ruling: entry.ruling, shown: isContinuation ? samples.ends : [:])
            return try deliver(run, offset: offset, &entry, from: demuxer, into: buffer)
        case .refused: return !buffer.isCancelled
        case .cancelled: return false
        // There was nothing in it.
        case .waits:
            if isPrimary { timeline.leave(plan.sequence) }
            return !buffer.isCancelled
        }
    }

    /// Reads up to where it is known whether and where the run is delivered.
    private func enter(
        _ entry: inout RunEntry, _ plan: RunPlan, _ tracks: RunTracks, from demuxer: any Demuxing
    ) throws(MediaError) -> RunEntry.Step {
        let lastEnd = samples.ends.values.max()
        while let sample = try demuxer.nextSample() {
            guard tracks.isRead(sample.track) else { continue }
            let step = entry.take(sample, startTime: demuxer.description.startTime) {
                offsets.fix(plan, stamp: $0, after: lastEnd)
            }
            if case .waits = step { continue }
            return step
        }
        return entry.end(startTime: demuxer.description.startTime) { offsets.fix(plan, stamp: $0, after: lastEnd) }
    }

    /// Delivers all samples of a run.
    ///
    /// - Parameters:
    ///   - offset: what its first sample adds to time stamps.
    ///   - entry: has the samples that were read already.
    private func deliver(
        _ run: Run, offset: MediaTime, _ entry: inout RunEntry, from demuxer: any Demuxing, into buffer: SampleBuffer
    ) throws(MediaError) -> Bool {
        var splices = StampSplices(offset: offset, segment: run.plan.stream.segment.map { $0.end - $0.start })
        defer {
            if splices.count > 0 {
                samples.passDiscontinuities(splices.count)
                offsets.jump(run.plan.sequence, to: splices.lastOffset)
            }
        }
        for early in entry.takeHeld() { guard deliver(early, of: run, &splices, into: buffer) else { return false } }
        while let sample = try demuxer.nextSample() {
            guard deliver(sample, of: run, &splices, into: buffer) else { return false }
        }
        return !buffer.isCancelled
    }

    private func deliver(
        _ sample: EncodedSample, of run: Run, _ splices: inout StampSplices, into buffer: SampleBuffer
    ) -> Bool {
        guard let outlet = run.tracks.outlet(of: sample.track) else {
            if run.tracks.isTagged(sample.track) {
                tags?.add(sample, at: sample.presentationTime + splices.lastOffset, sequence: run.plan.sequence)
            }
            return true
        }
        let segment = run.plan.stream.segment
        let jumps = splices.count
        let place = splices.place(sample, before: segment?.end ?? run.plan.start)
        if isPrimary {
            // Packed audio counts from zero: its offset is not that of the stream.
            if splices.count > jumps, ContainerSniffer.hasSharedStamps(run.plan.container) {
                timeline.measure(run.plan.sequence, offset: place.offset, from: sample.decodeTime + place.offset)
            }
            if sample.track == run.ruling { report(sample.decodeTime + place.offset) }
        }
        return samples.deliver(
            sample, to: outlet, at: place, shown: run.shown[outlet.track], segment: segment?.start ?? run.plan.start,
            into: buffer)
    }

    /// Delivers the one picture of a run of an I-frame playlist.
    private func deliverPicture(
        _ run: Run, lasting duration: MediaTime, from demuxer: any Demuxing, into buffer: SampleBuffer
    ) throws(MediaError) -> Bool {
        while let sample = try demuxer.nextSample() {
            guard sample.track == run.ruling, let outlet = run.tracks.outlet(of: sample.track) else { continue }
            var picture = sample
            picture.duration = duration
            picture.isSync = true
            let isDelivered = samples.deliver(
                picture, to: outlet, at: (run.plan.start - sample.presentationTime, 0), shown: run.shown[outlet.track],
                segment: run.plan.stream.segmentStart ?? run.plan.start, into: buffer)
            guard isDelivered else { return false }
            run.plan.stream.drop()
            return !buffer.isCancelled
        }
        if isPrimary { timeline.leave(run.plan.sequence) }
        return !buffer.isCancelled
    }

    /// The primary rendition has come to this asset time. Told four times a second of media: captions wait for it.
    private func report(_ time: MediaTime) {
        if let reported, time < reported + Self.reportStep { return }
        reported = time
        timeline.reach(time, session: session)
    }
}
