import Composition
import LinuxSupport
import MediaModel
import MediaTime

/// One export to a file: reads the pieces, copies or encodes their samples, and writes them in the order of their times.
///
/// Runs on one thread, which waits for bytes, the processor and the disk.
final class MovieExport {
    /// What is being written under a temporary name.
    private enum Draft {
        case file(any OutputFile)
        case folder(any OutputFolderDraft)

        func discard() {
            switch self {
            case .file(let file): file.discard()
            case .folder(let folder): folder.discard()
            }
        }
    }
    private enum Writer {
        case file(AssetWriter)
        case hls(HLSWriter)

        func append(_ written: WrittenSample, to track: Int) throws(MediaError) {
            switch self {
            case .file(let writer): try writer.append(written.sample, to: track)
            case .hls(let writer): try writer.append(written, to: track)
            }
        }

        func finish(edits: [[MovieEdit]], captions: [TextLane]) throws(MediaError) {
            switch self {
            case .file(let writer): try writer.finish(edits: edits)
            case .hls(let writer): try writer.finish(captions: captions.map { ($0.track, $0.cues) })
            }
        }
    }
    /// What gives lanes their media.
    private enum Feeder {
        /// Reads the pieces of tracks; their lanes, in its order.
        case pieces(PieceSequence, lanes: [(number: Int, lane: any PieceLane)])
        case rendering(any RenderedLane, number: Int)

        /// The time of the export up to which it has read.
        var position: MediaTime {
            switch self {
            case .pieces(let sequence, _): sequence.position
            case .rendering(let lane, _): lane.position
            }
        }

        var numbers: [Int] {
            switch self {
            case .pieces(_, let lanes): lanes.map(\.number)
            case .rendering(_, let number): [number]
            }
        }
    }
    private let settings: ExportSettings
    private let input: ExportInput
    private let services: ExportServices
    private let control: ExportControl
    private let onProgress: () -> Void
    private var lanes: [any ExportLane] = []
    /// The numbers of the lanes that the others wait for: captions are rare.
    private var steady: [Int] = []
    /// What is ready to be written, of each lane.
    private var waiting: [SampleQueue] = []
    private var isOver: [Bool] = []
    /// The track of each lane in the file; nil for lanes without a sample.
    private var trackNumbers: [Int?] = []
    /// The time of the export from which progress is reported again.
    private var reported = MediaTime.zero
    private var writer: Writer?

    /// A source that ends this much before its segment is too short; the tracks of a film seldom end together.
    private static let tolerance = MediaTime.milliseconds(500)
    /// No more samples wait for those of a track that has none for a while.
    private static let mostWaiting = 6000

    init(
        _ input: ExportInput, _ settings: ExportSettings, _ services: ExportServices, _ control: ExportControl,
        onProgress: @escaping () -> Void
    ) {
        self.input = input
        self.settings = settings
        self.services = services
        self.control = control
        self.onProgress = onProgress
    }

    /// Exports. Nothing is left under the final name if it fails or is cancelled.
    ///
    /// - Returns: false when it was cancelled.
    /// - Throws: why it failed. A cancelled source looks truncated.
    func run() throws(MediaError) -> Bool {
        var (plan, first) = try makePlan()
        try checkOutput(plan)
        try takeChapters(&plan)
        if control.isCancelled { return false }
        control.remarks = plan.remarks
        let draft: Draft =
            settings.fileType == .hls
            ? .folder(try services.folder.makeFolder(settings.output))
            : .file(try services.folder.makeFile(settings.output, replaces: settings.replaces))
        defer { draft.discard() }
        return try write(plan, first, to: draft)
    }

    // MARK: The plan

    private func open(_ url: String) throws(MediaError) -> AssetReader {
        try AssetReader(url: url, loader: services.loader, codecs: services.codecs, streams: control.streams)
    }

    private func makePlan() throws(MediaError) -> (ExportPlan, AssetReader?) {
        switch input {
        case .asset(let url):
            let reader = try open(url)
            return (try ExportPlan(reader, range: settings.range, preset: settings.preset, fileType: settings.fileType), reader)
        case .composition(let document, let name):
            return (try ExportPlan(document, name: name, range: settings.range, preset: settings.preset), nil)
        }
    }

    /// The chapters of a programme are those of its sources, each of which is opened for them.
    private func takeChapters(_ plan: inout ExportPlan) throws(MediaError) {
        guard case .composition(let document, _) = input, let part = plan.part else { return }
        var found: [String: SourceFacts] = [:]
        for url in plan.sources.sorted() {
            if control.isCancelled { return }
            found[url] = try open(url).facts
        }
        plan.takeChapters(document.composition.chapters(of: found), in: part, settings.fileType)
    }

    private func checkOutput(_ plan: ExportPlan) throws(MediaError) {
        for url in plan.sources.sorted()
        where SameFile.isSame(url, settings.output) {
            throw MediaError(
                .storage,
                "Writing \(settings.output) was refused: it is the source \(url), which is never changed; use another name.")
        }
        let types = Set(plan.tracks.map(\.type)).union(plan.rendering?.types ?? [])
        if let refusal = ExportOffer.refusal(of: settings.preset, settings.fileType, types, services.writers) { throw refusal }
        if settings.fileType.container == .fragmentedMP4, settings.preset == .passthrough,
            plan.tracks.contains(where: { $0.segments.count > 1 })
        {
            throw MediaError(
                .sourceFormat,
                "Exporting \(input.name) was refused: copied pieces need edits that \(settings.fileType.rawValue) cannot state; "
                    + "use mp4, or a preset that encodes.")
        }
    }

    private func makeLane(_ track: CompositionTrack, _ plan: ExportPlan) throws(MediaError) -> any PieceLane {
        if track.type == .text {
            let id = track.segments.first?.source?.track
            guard let found = plan.captions.first(where: { $0.id == id }), let lane = TextLane(found, writers: services.writers)
            else {
                throw MediaError(
                    .internal, "Exporting \(input.name) failed: its captions were planned and cannot be read; report this.")
            }
            return lane
        }
        let duration = plan.duration ?? ExportPlan.openEnd
        if settings.preset == .passthrough {
            return CopyLane(track, name: input.name, container: settings.fileType.container ?? .mp4, writers: services.writers)
        }
        if track.type == .video {
            return PictureLane(settings, duration: duration, codecs: services.codecs, writers: services.writers)
        }
        return SoundLane(
            settings, duration: duration, volume: plan.volumes[track.id], codecs: services.codecs, writers: services.writers)
    }

    private func makeLanes(_ rendering: PlannedRendering) throws(MediaError) -> [any RenderedLane] {
        guard let renderer = services.renderer else {
            throw MediaError(
                .sourceFormat,
                "Exporting \(input.name) was refused: nothing renders compositions here; remove \"videoComposition\", or export one sound track at its own speed."
            )
        }
        try checkSources(of: rendering)
        let (document, range, streams) = (rendering.document, rendering.range, control.streams)
        var made: [any RenderedLane] = []
        if rendering.types.contains(.video), let video = document.videoComposition {
            made.append(
                RenderedPictureLane(
                    try renderer.openPictures(of: document, in: range, streams: streams), frameDuration: video.frameDuration,
                    range: range, settings, writers: services.writers))
        }
        if rendering.types.contains(.audio) {
            made.append(
                RenderedSoundLane(
                    try renderer.openSound(of: document, in: range, format: nil, streams: streams), range: range, settings,
                    writers: services.writers))
        }
        return made
    }

    /// Playback continues with the last picture where a source has ended; a file that is kept should not.
    private func checkSources(of rendering: PlannedRendering) throws(MediaError) {
        var durations: [String: MediaTime?] = [:]
        for source in rendering.sources {
            if control.isCancelled { return }
            let duration: MediaTime?
            if let known = durations[source.url] { duration = known } else { duration = try open(source.url).duration }
            durations[source.url] = .some(duration)
            if let duration, source.end - duration > Self.tolerance {
                throw tooShort(source.segment, source.track, missing: source.end - duration)
            }
        }
    }

    private func tooShort(_ segment: Int, _ track: TrackID, missing: MediaTime) -> MediaError {
        MediaError(
            .sourceFormat,
            "Exporting \(input.name) failed: the source of segment \(segment) of track \(track) ends \(missing) s before its range; shorten it."
        )
    }

    // MARK: The work

    /// - Returns: false when it was cancelled.
    private func write(_ plan: ExportPlan, _ first: AssetReader?, to draft: Draft) throws(MediaError) -> Bool {
        var feeders = try makeFeeders(plan, first)
        waiting = lanes.map { _ in SampleQueue() }
        isOver = lanes.map { _ in false }
        trackNumbers = lanes.map { _ in nil }
        while let index = feeders.indices.min(by: { feeders[$0].position < feeders[$1].position }) {
            if control.isCancelled { return false }
            if try !advance(feeders[index], plan) {
                for lane in feeders[index].numbers {
                    waiting[lane] += try lanes[lane].finish()
                    isOver[lane] = true
                }
                feeders.remove(at: index)
            }
            try pass(plan, draft)
        }
        if control.isCancelled { return false }
        try pass(plan, draft)
        guard let writer else {
            throw MediaError(
                .sourceFormat, "Exporting \(input.name) failed: there is nothing in the range; use another one.")
        }
        try writer.finish(
            edits: lanes.indices.filter { trackNumbers[$0] != nil }.map { lanes[$0].edits },
            captions: lanes.compactMap { $0 as? TextLane })
        return true
    }

    /// Makes the lanes, and what feeds them.
    private func makeFeeders(_ plan: ExportPlan, _ first: AssetReader?) throws(MediaError) -> [Feeder] {
        let pieces = try plan.tracks.map { track throws(MediaError) in try makeLane(track, plan) }
        let rendered = try plan.rendering.map { rendering throws(MediaError) in try makeLanes(rendering) } ?? []
        // Pictures come first.
        let leading = rendered.count { $0.type == .video }
        lanes = Array(rendered[..<leading]) + pieces + Array(rendered[leading...])
        steady = lanes.indices.filter { lanes[$0].type != .text }
        var opened = first
        let sequences = PieceSequence.groups(of: plan.tracks).map { group in
            PieceSequence(group, of: plan.tracks) { [self] url throws(MediaError) in
                // The source was opened to plan the export.
                if let reader = opened, reader.url == url {
                    opened = nil
                    return reader
                }
                return try open(url)
            }
        }
        return sequences.map { sequence in
            .pieces(sequence, lanes: sequence.lanes.map { (leading + $0, pieces[$0]) })
        }
            + rendered.enumerated().map { index, lane in
                .rendering(lane, number: index < leading ? index : pieces.count + index)
            }
    }

    /// - Returns: false after its last piece.
    private func advance(_ feeder: Feeder, _ plan: ExportPlan) throws(MediaError) -> Bool {
        switch feeder {
        case .rendering(let lane, let number):
            guard let samples = try lane.advance() else { return false }
            waiting[number] += samples
            return true
        case .pieces(let sequence, let fed): return try advance(sequence, fed, plan)
        }
    }

    private func advance(
        _ sequence: PieceSequence, _ fed: [(number: Int, lane: any PieceLane)], _ plan: ExportPlan
    ) throws(MediaError) -> Bool {
        switch try sequence.next() {
        case .begin(let mapping, let found):
            for (fed, description) in zip(fed, found) { try fed.lane.begin(mapping, description) }
        case .sample(let lane, let sample): try fed[lane].lane.take(sample, into: &waiting[fed[lane].number])
        case .end(let segment):
            // A cancelled source looks as if it had ended.
            if control.isCancelled { return true }
            for (index, fed) in fed.enumerated() {
                let (samples, missing) = try fed.lane.end()
                waiting[fed.number] += samples
                if plan.isEdited, missing > Self.tolerance {
                    throw tooShort(segment, plan.tracks[sequence.lanes[index]].id, missing: missing)
                }
            }
        case .gap(let range): for fed in fed { try fed.lane.gap(range) }
        case nil: return false
        }
        return true
    }

    // MARK: The file

    /// Writes what is ready, in the order of time.
    private func pass(_ plan: ExportPlan, _ draft: Draft) throws(MediaError) {
        let isFull = waitingCount > Self.mostWaiting
        if writer == nil {
            // The header states all tracks.
            guard isNextKnown, waiting.contains(where: { !$0.isEmpty }) else { return }
            try openWriter(plan, draft)
        }
        while isFull || isNextKnown {
            guard let lane = earliestLane, let written = waiting[lane].popFirst() else { return }
            if let number = trackNumbers[lane] {
                try writer?.append(written, to: number)
            }
            if let duration = plan.duration, duration > .zero { report(written.order, of: duration) }
            if isFull, waitingCount < Self.mostWaiting / 2 { return }
        }
    }

    private var waitingCount: Int { waiting.reduce(0) { $0 + $1.count } }

    /// Whether no lane can bring a sample that comes before those that wait.
    private var isNextKnown: Bool { steady.allSatisfy { isOver[$0] || !waiting[$0].isEmpty } }

    /// The lane with the earliest sample that waits, the first one of equals; nil if none waits. It is asked for with each sample, so it copies none.
    private var earliestLane: Int? {
        var found: (lane: Int, order: MediaTime)?
        for lane in waiting.indices {
            guard let order = waiting[lane].firstOrder else { continue }
            if let earliest = found?.order, earliest <= order { continue }
            found = (lane, order)
        }
        return found?.lane
    }

    private func report(_ position: MediaTime, of duration: MediaTime) {
        // A sample is much shorter than what is worth telling.
        guard position >= reported else { return }
        reported = position + .milliseconds(max(duration.milliseconds / 200, 1))
        let fraction = Double(position.milliseconds) / Double(max(duration.milliseconds, 1))
        if control.reach(fraction) { onProgress() }
    }

    private func openWriter(_ plan: ExportPlan, _ draft: Draft) throws(MediaError) {
        var tracks: [WrittenTrack] = []
        var known: Set<MediaType> = []
        for (index, lane) in lanes.enumerated() {
            guard let parameters = lane.parameters, settings.fileType != .hls || lane.type != .text else { continue }
            trackNumbers[index] = tracks.count
            tracks.append(WrittenTrack(parameters: parameters, isDefault: known.insert(lane.type).inserted))
        }
        switch draft {
        case .file(let file): writer = .file(try makeFileWriter(plan, file, tracks))
        case .folder(let folder):
            try checkStart()
            // What comes first is at zero.
            let first = lanes.indices.filter { trackNumbers[$0] != nil }.compactMap { waiting[$0].first?.order }.min() ?? .zero
            writer = .hls(
                try HLSWriter(
                    folder, tracks: tracks, types: lanes.indices.filter { trackNumbers[$0] != nil }.map { lanes[$0].type },
                    origin: -min(first, .zero), factory: services.writers))
        }
    }

    private func makeFileWriter(
        _ plan: ExportPlan, _ file: any OutputFile, _ tracks: [WrittenTrack]
    ) throws(MediaError) -> AssetWriter {
        let isFragmented = settings.fileType == .fragmentedMP4
        let duration = plan.duration ?? ExportPlan.openEnd
        return try AssetWriter(
            file, container: settings.fileType.container ?? .mp4, tracks: tracks,
            facts: WrittenFacts(tags: ExportTags.kept(plan.tags, settings.metadata), chapters: plan.chapters),
            edits: isFragmented ? lanes.indices.filter { trackNumbers[$0] != nil }.map { lanes[$0].expectedEdits(duration) } : [],
            pacing: lanes.indices.first { lanes[$0].type == .video && trackNumbers[$0] != nil }.flatMap { trackNumbers[$0] } ?? 0,
            factory: services.writers)
    }

    /// HLS has no edit lists: copied pictures before the range would be shown.
    private func checkStart() throws(MediaError) {
        guard settings.preset == .passthrough, let lane = lanes.indices.first(where: { lanes[$0].type == .video }),
            let first = waiting[lane].first
        else { return }
        let shown = first.order + (first.sample.presentationTime - first.sample.decodeTime)
        guard shown < -.milliseconds(2) else { return }
        let start = settings.range?.start ?? .zero
        throw MediaError(
            .sourceFormat,
            "Exporting \(input.name) was refused: HLS has no edit lists, and there is no key picture at \(start) s; begin at \(start + shown) s, or use a preset that encodes."
        )
    }
}
