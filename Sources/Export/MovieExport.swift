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

        func finish(edits: [[MovieEdit]]) throws(MediaError) {
            switch self {
            case .file(let writer): try writer.finish(edits: edits)
            case .hls(let writer): try writer.finish()
            }
        }
    }
    private let settings: ExportSettings
    private let input: ExportInput
    private let services: ExportServices
    private let control: ExportControl
    private let onProgress: () -> Void
    private var lanes: [any ExportLane] = []
    /// What is ready to be written, of each lane.
    private var waiting: [ArraySlice<WrittenSample>] = []
    private var isOver: [Bool] = []
    /// The track of each lane in the file; nil for lanes without a sample.
    private var places: [Int?] = []
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
        let (plan, first) = try makePlan()
        try checkOutput(plan)
        if control.isCancelled { return false }
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
            return (try ExportPlan(reader, range: settings.range, preset: settings.preset), reader)
        case .composition(let document, let name):
            return (try ExportPlan(document, name: name, range: settings.range, preset: settings.preset), nil)
        }
    }

    private func checkOutput(_ plan: ExportPlan) throws(MediaError) {
        for url in Set(plan.tracks.flatMap(\.segments).compactMap { $0.source?.url }).sorted()
        where SameFile.isSame(url, settings.output) {
            throw MediaError(
                .storage,
                "Writing \(settings.output) was refused: it is the source \(url), which is never changed; use another name.")
        }
        let types = Set(plan.tracks.map(\.type))
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

    private func makeLane(_ track: CompositionTrack, _ plan: ExportPlan) -> any ExportLane {
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

    // MARK: The work

    /// - Returns: false when it was cancelled.
    private func write(_ plan: ExportPlan, _ first: AssetReader?, to draft: Draft) throws(MediaError) -> Bool {
        lanes = plan.tracks.map { makeLane($0, plan) }
        waiting = lanes.map { _ in [] }
        isOver = lanes.map { _ in false }
        places = lanes.map { _ in nil }
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
        while let sequence = sequences.filter({ !$0.isDone }).min(by: { $0.place < $1.place }) {
            if control.isCancelled { return false }
            try advance(sequence, plan)
            try pass(plan, draft)
        }
        if control.isCancelled { return false }
        try pass(plan, draft)
        guard let writer else {
            throw MediaError(
                .sourceFormat, "Exporting \(input.name) failed: there is nothing in the range; use another one.")
        }
        try writer.finish(edits: lanes.indices.filter { places[$0] != nil }.map { lanes[$0].edits })
        return true
    }

    private func advance(_ sequence: PieceSequence, _ plan: ExportPlan) throws(MediaError) {
        switch try sequence.next() {
        case .begin(let mapping, let found):
            for (lane, description) in zip(sequence.lanes, found) { try lanes[lane].begin(mapping, description) }
        case .sample(let lane, let sample): waiting[lane] += try lanes[lane].take(sample)
        case .end(let segment):
            // A cancelled source looks as if it had ended.
            if control.isCancelled { return }
            for lane in sequence.lanes {
                let (samples, missing) = try lanes[lane].end()
                waiting[lane] += samples
                if plan.isEdited, missing > Self.tolerance {
                    throw MediaError(
                        .sourceFormat,
                        "Exporting \(input.name) failed: the source of segment \(segment) of track \(plan.tracks[lane].id) ends \(missing) s before its range; shorten it."
                    )
                }
            }
        case .gap(let range): for lane in sequence.lanes { try lanes[lane].gap(range) }
        case nil:
            for lane in sequence.lanes {
                waiting[lane] += try lanes[lane].finish()
                isOver[lane] = true
            }
        }
    }

    // MARK: The file

    /// Writes what is ready, in the order of time.
    private func pass(_ plan: ExportPlan, _ draft: Draft) throws(MediaError) {
        let isFull = waiting.reduce(0) { $0 + $1.count } > Self.mostWaiting
        if writer == nil {
            // The header states all tracks.
            let isKnown = lanes.indices.allSatisfy { isOver[$0] || !waiting[$0].isEmpty }
            guard isKnown, waiting.contains(where: { !$0.isEmpty }) else { return }
            try openWriter(plan, draft)
        }
        while isFull || lanes.indices.allSatisfy({ isOver[$0] || !waiting[$0].isEmpty }) {
            let next = lanes.indices.filter { !waiting[$0].isEmpty }.min { waiting[$0].first!.order < waiting[$1].first!.order }
            guard let lane = next, let written = waiting[lane].popFirst() else { return }
            if let place = places[lane] { try writer?.append(written, to: place) }
            if let duration = plan.duration, duration > .zero { report(written.order, of: duration) }
            if isFull, waiting.reduce(0, { $0 + $1.count }) < Self.mostWaiting / 2 { return }
        }
    }

    private func report(_ place: MediaTime, of duration: MediaTime) {
        let fraction = Double(place.milliseconds) / Double(max(duration.milliseconds, 1))
        if control.reach(fraction) { onProgress() }
    }

    private func openWriter(_ plan: ExportPlan, _ draft: Draft) throws(MediaError) {
        var tracks: [WrittenTrack] = []
        var known: Set<MediaType> = []
        for (index, lane) in lanes.enumerated() {
            guard let parameters = lane.parameters else { continue }
            places[index] = tracks.count
            tracks.append(WrittenTrack(parameters: parameters, isDefault: known.insert(lane.type).inserted))
        }
        switch draft {
        case .file(let file): writer = .file(try makeFileWriter(plan, file, tracks))
        case .folder(let folder):
            try checkStart()
            // What comes first is at zero.
            let first = lanes.indices.filter { places[$0] != nil }.compactMap { waiting[$0].first?.order }.min() ?? .zero
            writer = .hls(
                try HLSWriter(
                    folder, tracks: tracks, types: lanes.indices.filter { places[$0] != nil }.map { lanes[$0].type },
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
            tags: ExportTags.kept(plan.tags, settings.metadata),
            edits: isFragmented ? lanes.indices.filter { places[$0] != nil }.map { lanes[$0].expectedEdits(duration) } : [],
            pacing: lanes.indices.first { lanes[$0].type == .video && places[$0] != nil }.flatMap { places[$0] } ?? 0,
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
