import LinuxSupport
import MediaModel
import MediaTime

/// What the demuxing thread of a rendition does in one run of reading: a demuxer for each run of segments, stamps turned into asset time.
final class DemuxWorker: @unchecked Sendable {
    // Unchecked: made on the main loop, then used by one job of one worker thread only.
    private let codecs: any CodecFactory
    private let timeline: StreamTimeline
    private let outlets: [RenditionReader.Outlet]
    private let isPrimary: Bool
    private let session: Int
    private var runNumber = 0

    init(
        codecs: any CodecFactory, timeline: StreamTimeline, outlets: [RenditionReader.Outlet], isPrimary: Bool, session: Int
    ) {
        self.codecs = codecs
        self.timeline = timeline
        self.outlets = outlets
        self.isPrimary = isPrimary
        self.session = session
    }

    func run(_ runs: BoundedQueue<RenditionReader.RunPlan>, into buffer: SampleBuffer) {
        while let plan = runs.pop() {
            do throws(MediaError) {
                guard try demux(plan, into: buffer) else { return }
                runNumber += 1
            } catch {
                if isPrimary { timeline.leave(plan.sequence) }
                return buffer.fail(error)
            }
        }
        if !buffer.isCancelled { outlets.forEach { buffer.finish($0.track) } }
    }

    /// - Returns: false once the buffer is cancelled.
    private func demux(_ plan: RenditionReader.RunPlan, into buffer: SampleBuffer) throws(MediaError) -> Bool {
        let demuxer = try codecs.openDemuxer(plan.stream, hint: plan.container)
        let tracks = demuxer.description.tracks
        var map: [TrackID: TrackID] = [:]
        for outlet in outlets {
            if let track = tracks.first(where: { $0.type == outlet.type }) { map[track.id] = outlet.track }
        }
        // A kind of sample that the first segments do not have is not waited for.
        for outlet in outlets where runNumber == 0 && !map.values.contains(outlet.track) { buffer.finish(outlet.track) }
        demuxer.select(Set(map.keys))
        // The stamps of pictures rule; sound that comes first in the file is held until they have spoken.
        let ruling = tracks.first { map[$0.id] != nil && $0.type == .video }?.id ?? tracks.first { map[$0.id] != nil }?.id
        var offset: MediaTime?
        var held: [EncodedSample] = []
        while let sample = try demuxer.nextSample() {
            guard let track = map[sample.track] else { continue }
            if offset == nil {
                if sample.track == ruling {
                    guard let fixed = fix(plan, stamp: sample.presentationTime) else { return false }
                    offset = fixed
                    for early in held { guard buffer.append(place(early, map[early.track]!, fixed)) else { return false } }
                    held = []
                } else {
                    held.append(sample)
                    continue
                }
            }
            guard buffer.append(place(sample, track, offset!)) else { return false }
        }
        if isPrimary, offset == nil { timeline.leave(plan.sequence) }
        return !buffer.isCancelled
    }

    private func fix(_ plan: RenditionReader.RunPlan, stamp: MediaTime) -> MediaTime? {
        guard ContainerSniffer.hasSharedStamps(plan.container) else { return plan.start - stamp }
        if isPrimary { return timeline.fix(plan.sequence, stamp: stamp, segmentStart: plan.start) }
        return timeline.offset(of: plan.sequence, session: session, ownStamp: stamp, segmentStart: plan.start)
    }

    private func place(_ sample: EncodedSample, _ track: TrackID, _ offset: MediaTime) -> EncodedSample {
        var sample = sample
        sample.track = track
        sample.presentationTime += offset
        sample.decodeTime += offset
        sample.run = runNumber
        return sample
    }
}
