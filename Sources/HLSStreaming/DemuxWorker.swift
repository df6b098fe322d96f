import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// The work of a rendition's demuxing thread in one reading run: a demuxer for each run of segments, timestamps mapped to asset
/// time.
// Unchecked: made on the main loop, then used by one job of one worker thread only.
final class DemuxWorker: @unchecked Sendable {
    private let codecs: any CodecFactory
    private let timeline: StreamTimeline
    private let outlets: [RenditionReader.Outlet]
    private let isPrimary: Bool
    private let session: Int
    /// Receives the ID3 tags of transport streams.
    private let tags: MetadataRelay?
    private var runs = RunNumbers()
    private var lastSequence: Int64?
    private var isFirstRun = true
    /// The offsets of sequences whose shared one is not that of their timestamps: the server used a sequence number twice, or the timestamps have jumped.
    private var ownOffsets: [Int64: MediaTime] = [:]
    /// Asset time up to which each track has been delivered. When a run starts before the end of the previous one, as another
    /// variant's does, no sound is delivered and no picture shown twice.
    private var ends: [TrackID: MediaTime] = [:]
    /// The asset time that was reported last.
    private var reported: MediaTime?
    private var absences: AbsenceWatch
    /// Receives what is missing.
    private let notices: Relay<AbsenceWatch.Absence>?
    private static let reportStep = MediaTime.milliseconds(250)
    /// Of shorter segments several are read ahead: sound is held for pictures at least this long.
    private static let shortestSegment = MediaTime.seconds(2)
    /// Sound that begins by more before the pictures is not due to the interleaving.
    private static let longestLead = MediaTime.milliseconds(500)
    /// At the beginning of a programme on demand nothing is interleaved with what comes before. Less is the reordering of an encoder.
    private static let longestFirstLead = MediaTime.milliseconds(250)

    init(
        codecs: any CodecFactory, timeline: StreamTimeline, outlets: [RenditionReader.Outlet], isPrimary: Bool, session: Int,
        tags: MetadataRelay? = nil, notices: Relay<AbsenceWatch.Absence>? = nil
    ) {
        self.codecs = codecs
        self.timeline = timeline
        self.outlets = outlets
        self.isPrimary = isPrimary
        self.session = session
        self.tags = tags
        self.notices = notices
        absences = AbsenceWatch(tracks: outlets.map(\.track))
    }

    func run(_ runs: BoundedQueue<RunPlan>, into buffer: SampleBuffer) {
        defer { if isPrimary { timeline.endMeasuring(session: session) } }
        while let plan = runs.pop() {
            do throws(MediaError) {
                // Samples of one sequence share a mapping, whichever variant they come from: sound that continues there is not
                // cut.
                if let lastSequence, lastSequence != plan.sequence { self.runs.add(1) }
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
        if !buffer.isCancelled { outlets.forEach { buffer.finish($0.track) } }
    }

    /// - Returns: false once the buffer is cancelled.
    private func demux(
        _ plan: RunPlan, _ isContinuation: Bool, into buffer: SampleBuffer
    ) throws(MediaError) -> Bool {
        if let cut = plan.replacesFrom {
            let taken = buffer.remove(outlets.map(\.track), from: cut)
            for (outlet, taken) in zip(outlets, taken) {
                ends[outlet.track] = ends[outlet.track].map { min($0, max(cut, taken ?? cut)) }
            }
        }
        let demuxer = try codecs.openDemuxer(plan.stream, hint: plan.container)
        let tracks = demuxer.description.tracks
        var map: [TrackID: (track: TrackID, type: MediaType)] = [:]
        for outlet in outlets {
            if let track = tracks.first(where: { $0.type == outlet.type }) { map[track.id] = (outlet.track, outlet.type) }
        }
        let lacking = outlets.filter { outlet in !map.values.contains { $0.track == outlet.track } }
        // A track that is absent from the first segments is not waited for, but it can come with others, or with other tables of the same.
        for outlet in lacking where isFirstRun && !plan.hasOthers && plan.container != .transportStream {
            buffer.finish(outlet.track)
        }
        absences.beginRun(lacking: lacking.map(\.track))
        var tagged = tags == nil ? [] : Set(tracks.filter { $0.type == .metadata }.map(\.id))
        demuxer.offerNewTracks { [outlets, tags] track in
            if track.type == .metadata, tags != nil {
                tagged.insert(track.id)
                return true
            }
            guard let outlet = outlets.first(where: { $0.type == track.type }),
                !map.values.contains(where: { $0.track == outlet.track })
            else { return false }
            map[track.id] = (outlet.track, outlet.type)
            return true
        }
        demuxer.select(Set(map.keys).union(tagged))
        // The pictures' timestamps decide; sound that comes first in the file is held until they are known, or do not come.
        var ruling = tracks.first { map[$0.id] != nil && $0.type == .video }?.id ?? tracks.first { map[$0.id] != nil }?.id
        // A snapshot: pictures of this run come in decoding order.
        let before = isContinuation ? ends : [:]
        var splices: StampSplices?
        var held: [EncodedSample] = []
        var heldSegment: MediaTime?
        var firstHeld: EncodedSample? { held.first { map[$0.track] != nil } }
        /// The first sample that was held, if the pictures do not come: a whole segment had none.
        func overdue(_ sample: EncodedSample) -> EncodedSample? {
            guard let first = firstHeld, plan.stream.segmentStart != heldSegment,
                sample.presentationTime - first.presentationTime >= Self.shortestSegment
            else { return nil }
            return first
        }
        func deliver(_ sample: EncodedSample, _ place: StampSplices.Place) -> Bool {
            guard let outlet = map[sample.track] else { return true }
            var placed = placing(sample, outlet.track, place)
            let end = placed.presentationTime + (placed.duration ?? .zero)
            if let before = before[outlet.track], placed.presentationTime + (placed.duration ?? .zero) / 2 < before {
                guard outlet.type == .video else { return true }
                // Later pictures depend on it: it is decoded, but not shown a second time.
                placed.doesNotDisplay = true
            }
            ends[outlet.track] = max(ends[outlet.track] ?? end, end)
            guard buffer.append(placed) else { return false }
            if outlets.count > 1 {
                let segment = plan.stream.segmentStart ?? plan.start
                for absence in absences.take(outlet.track, from: placed.decodeTime, to: end, in: segment) {
                    buffer.pass(absence.track, until: absence.until)
                    if absence.isNew { notices?.add(absence) }
                }
            }
            return true
        }
        func pass(_ sample: EncodedSample) -> Bool {
            if tagged.contains(sample.track) {
                tags?.add(sample, at: sample.presentationTime + splices!.lastOffset, sequence: plan.sequence)
                return true
            }
            let jumps = splices!.count
            let place = splices!.place(sample, before: plan.stream.segment?.end ?? plan.start)
            if isPrimary {
                // Packed audio counts from zero: its offset is not that of the stream.
                if splices!.count > jumps, ContainerSniffer.hasSharedStamps(plan.container) {
                    timeline.measure(plan.sequence, offset: place.offset, from: sample.decodeTime + place.offset)
                }
                if sample.track == ruling { report(sample.decodeTime + place.offset) }
            }
            return deliver(sample, place)
        }
        var isRefused = false
        /// What its first sample adds to time stamps.
        var offset: MediaTime?
        /// The place of the run is known by its first sample.
        ///
        /// - Returns: false if nothing more of it is wanted.
        func begin(with first: EncodedSample) -> Bool {
            ruling = first.track
            // Pictures may begin long after the sound: then the segment begins with the sound. A fragment may have its sound behind all its pictures,
            // and says in its table when it begins.
            let stated = plan.container == .fragmentedMP4 && map.count > 1 ? demuxer.description.startTime : nil
            let earliest = [firstHeld?.presentationTime, stated].compactMap { $0 }.min()
            let isBeginning = plan.window == nil && plan.start == .zero
            let longest = isBeginning ? Self.longestFirstLead : Self.longestLead
            let stamp = earliest.flatMap { first.presentationTime - $0 > longest ? $0 : nil }
            guard let fixed = fix(plan, stamp: stamp ?? first.presentationTime) else { return false }
            offset = fixed
            if let check = plan.check, let tolerance = check.tolerance {
                let difference = (stamp ?? first.presentationTime) + fixed - plan.start
                isRefused = difference.magnitude > tolerance
                // Another segment of its playlist is the next one.
                if isRefused { check.take(.elsewhere(by: difference)) }
            }
            return !isRefused
        }
        var hasPicture = false
        /// Whether the run can be delivered is known by its samples up to the first key frame: then what was held is.
        ///
        /// - Returns: false if nothing more of it is wanted.
        func enter(with sample: EncodedSample?, _ offset: MediaTime) -> Bool {
            if let check = plan.check, let sample, map.values.contains(where: { $0.type == .video }) {
                let isPicture = map[sample.track]?.type == .video
                guard
                    let answer = check.answer(by: sample, isPicture: isPicture, isFirst: !hasPicture, offset: offset)
                else {
                    // Of pictures before the key frame nothing can be made.
                    if isPicture { held.removeLast() }
                    hasPicture = hasPicture || isPicture
                    return true
                }
                check.take(answer)
                isRefused = answer != .fits
                if isRefused { return false }
            }
            plan.check?.take(.fits)
            splices = StampSplices(offset: offset, segment: plan.stream.segment.map { $0.end - $0.start })
            for early in held { guard pass(early) else { return false } }
            held = []
            return true
        }
        defer {
            if let splices, splices.count > 0 {
                runs.add(splices.count)
                ownOffsets[plan.sequence] = splices.lastOffset
            }
        }
        while let sample = try demuxer.nextSample() {
            guard map[sample.track] != nil || tagged.contains(sample.track) else { continue }
            if let duration = plan.keyFrameDuration {
                guard sample.track == ruling else { continue }
                var picture = sample
                picture.duration = duration
                picture.isSync = true
                guard deliver(picture, (plan.start - sample.presentationTime, 0)) else { return false }
                plan.stream.drop()
                return !buffer.isCancelled
            }
            guard splices == nil else {
                guard pass(sample) else { return false }
                continue
            }
            if held.isEmpty { heldSegment = plan.stream.segmentStart }
            if offset == nil, let first = sample.track == ruling ? sample : overdue(sample) {
                guard begin(with: first) else { return !buffer.isCancelled && isRefused }
            }
            held.append(sample)
            if let offset, !enter(with: sample, offset) { return !buffer.isCancelled && isRefused }
        }
        // A whole run without a key frame has pictures of an earlier one.
        if splices == nil, hasPicture {
            plan.check?.take(.lacksKeyFrame)
            return !buffer.isCancelled
        }
        if splices == nil, let first = firstHeld {
            guard offset != nil || begin(with: first) else { return !buffer.isCancelled && isRefused }
            guard enter(with: nil, offset!) else { return false }
        }
        if isPrimary, splices == nil { timeline.leave(plan.sequence) }
        return !buffer.isCancelled
    }

    /// The primary rendition has come to this asset time. Told four times a second of media: captions wait for it.
    private func report(_ time: MediaTime) {
        if let reported, time < reported + Self.reportStep { return }
        reported = time
        timeline.reach(time, session: session)
    }

    /// The offset that maps the timestamps of a run to asset time; nil once reading is cancelled.
    private func fix(_ plan: RunPlan, stamp: MediaTime) -> MediaTime? {
        if ContainerSniffer.hasSharedStamps(plan.container) {
            return measured(shared(plan, stamp: stamp, mayWrap: plan.container == .transportStream), plan, stamp: stamp)
        }
        // Packed audio starts at zero; its tag gives the corresponding timestamp.
        guard let first = plan.firstStamp else { return plan.start - stamp }
        return measured(shared(plan, stamp: first, mayWrap: true), plan, stamp: first).map { $0 + first - stamp }
    }

    /// Reports the offset of a run's beginning: behind a jump it is not that of its sequence.
    private func measured(_ offset: MediaTime?, _ plan: RunPlan, stamp: MediaTime) -> MediaTime? {
        if isPrimary, let offset { timeline.measure(plan.sequence, offset: offset, from: stamp + offset) }
        return offset
    }

    private func shared(_ plan: RunPlan, stamp: MediaTime, mayWrap: Bool) -> MediaTime? {
        let offset: MediaTime
        if isPrimary {
            offset = timeline.fix(plan.sequence, stamp: stamp, segmentStart: plan.start)
        } else {
            guard let known = timeline.offset(of: plan.sequence, session: session, ownStamp: stamp, segmentStart: plan.start)
            else {
                return nil
            }
            offset = known
        }
        func unwrapped(_ offset: MediaTime) -> MediaTime {
            // The timestamps of this run may have wrapped since the offset was fixed, or not yet.
            mayWrap ? offset + StampPeriod.shift(of: stamp + offset, toward: plan.start) : offset
        }
        let believable = [offset, ownOffsets[plan.sequence]].compactMap { $0 }.map(unwrapped).filter {
            isBelievable(stamp + $0, plan)
        }
        if let nearest = believable.min(by: { (stamp + $0 - plan.start).magnitude < (stamp + $1 - plan.start).magnitude }) {
            return nearest
        }
        ownOffsets[plan.sequence] = plan.start - stamp
        return plan.start - stamp
    }

    /// A segment is at most so far from where it is expected.
    private static let longestShift = MediaTime.seconds(10)
    /// The durations in a playlist may be wrong by one part in this many, because they are rounded.
    private static let roundedParts = 10

    /// Whether the segment at the start of a run may be at this asset time. If not, the timestamps have jumped before it.
    private func isBelievable(_ time: MediaTime, _ plan: RunPlan) -> Bool {
        if let window = plan.window { return window.contains(time) }
        if let end = ends.values.max(), (time - end).magnitude <= Self.longestShift { return true }
        let distance = timeline.anchor(of: plan.sequence).map { (plan.start - $0).magnitude } ?? .zero
        return (time - plan.start).magnitude <= max(Self.longestShift, distance / Self.roundedParts)
    }

    private func placing(_ sample: EncodedSample, _ track: TrackID, _ place: StampSplices.Place) -> EncodedSample {
        let run = runs.number(of: sample, track, offset: place.offset, jumps: place.stretch)
        var sample = sample
        sample.track = track
        sample.presentationTime += place.offset
        sample.decodeTime += place.offset
        sample.run = run
        return sample
    }
}
