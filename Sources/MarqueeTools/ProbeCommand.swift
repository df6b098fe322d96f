import ArgumentParser
import BoxAssembly
import BoxModel
import CommandSupport
import Display
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Metadata
import Playback
import WireFormats

/// `marquee probe`: an asset as the player loads it.
struct ProbeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe", abstract: CommandName.probe.abstract)

    @Argument(help: "A file or address of media or of an HLS playlist.", completion: .file())
    var url: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let (description, metadata) = try MainActor.assumeIsolated { try load() }
        Console.write((json ? Self.json(description, metadata).text : Self.words(description, metadata)) + "\n")
    }

    @MainActor
    private func load() throws -> (SourceDescription, MediaMetadata) {
        let plan = BoxPlan(display: .headless(DisplayChoice.defaultHeadlessMode), audio: .null)
        let box = try Box(plan)
        defer { box.close() }
        let asset = Asset(url: url, services: box.player.services)
        defer { asset.close() }
        var result: Result<SourceDescription, MediaError>?
        asset.load { result = $0 }
        box.loop.run(until: { result != nil })
        switch result! {
        case .success(let description):
            guard ["file", "composition"].contains(description.kind) else { return (description.forSharing, MediaMetadata()) }
            var metadata: Result<MediaMetadata, MediaError>?
            asset.loadMetadata { metadata = $0 }
            box.loop.run(until: { metadata != nil })
            var found = try metadata!.mapError { CommandFault($0.sentence) }.get()
            found.items = found.items.filteredForSharing()
            var shared = description.forSharing
            // A composition states its chapters only here.
            if shared.chapters.isEmpty {
                shared.chapters = found.chapterGroups(bestMatching: [], duration: description.duration.time) { _ in "" }.map {
                    group in
                    ChapterDescription(range: group.timeRange, title: group.items.first?.stringValue)
                }
            }
            return (shared, found)
        case .failure(let error): throw CommandFault(error.sentence)
        }
    }

    private static func json(_ source: SourceDescription, _ metadata: MediaMetadata) -> JSONText {
        .object([
            ("kind", .string(source.kind)),
            ("duration", source.duration.time.map { .number($0.description) } ?? .null),
            ("live", .bool(source.duration == .live)),
            ("tracks", .array(source.tracks.map(json))),
            // A file may have a tag several times.
            ("metadata", .grouped(source.tags.map { ($0.key, .string($0.value)) })),
            ("metadataItems", .array(metadata.items.map(json))),
            ("chapterLanguages", .array(metadata.availableChapterLanguages.map { .string($0) })),
            ("artwork", .array(source.artwork.map { .number(String($0.count)) })),
            (
                "chapters",
                .array(
                    source.chapters.map { chapter in
                        .object([
                            ("start", .number(chapter.range.start.description)), ("end", .number(chapter.range.end.description)),
                            ("title", .optional(chapter.title)),
                        ])
                    })
            ),
            ("selectionGroups", .array(MediaType.allCases.compactMap { group($0, source) })),
            ("splices", .array(source.discontinuities.map { .number($0.description) })),
        ])
    }

    private static func json(_ item: MetadataItem) -> JSONText {
        .object([
            ("identifier", .string(item.identifier.description)), ("common", .optional(item.commonIdentifier?.key)),
            ("language", .optional(item.extendedLanguageTag)), ("value", .optional(item.stringValue)),
            ("bytes", .optional(item.dataValue?.count)), ("type", .optional(item.dataType)),
        ])
    }

    private static func words(_ item: MetadataItem) -> String {
        let value = item.stringValue ?? "\(item.dataValue?.count ?? 0) bytes" + (item.dataType.map { " of \($0)" } ?? "")
        return [item.identifier.description, item.extendedLanguageTag.map { "(\($0))" }, value].compactMap(\.self).joined(
            separator: " ")
    }

    /// Tracks of one kind between which a viewer can choose.
    private static func group(_ type: MediaType, _ source: SourceDescription) -> JSONText? {
        let tracks = source.tracks.filter { $0.type == type }
        guard type != .metadata, tracks.count > 1 else { return nil }
        return .object([
            ("type", .string(type.rawValue)), ("options", .array(tracks.map { .number($0.id.description) })),
            ("default", (tracks.first(where: \.isDefault) ?? tracks.first).map { .number($0.id.description) } ?? .null),
        ])
    }

    private static func json(_ track: TrackDescription) -> JSONText {
        .object([
            ("id", .number(track.id.description)), ("type", .string(track.type.rawValue)), ("codec", .string(track.codec)),
            ("language", .optional(track.languageTag)), ("name", .optional(track.name)), ("width", .optional(track.width)),
            ("height", .optional(track.height)), ("frameRate", .optional(track.frameRate?.description)),
            ("sampleRate", .optional(track.sampleRate)), ("channels", .optional(track.channels)),
            ("bitRate", .optional(track.bitRate)), ("default", .bool(track.isDefault)), ("forced", .bool(track.isForced)),
            ("characteristics", .array(track.characteristics.map { .string($0) })),
        ])
    }

    private static func words(_ source: SourceDescription, _ metadata: MediaMetadata) -> String {
        var lines = ["\(source.kind), \(source.duration.time.map { "\($0) s" } ?? "\(source.duration)")"]
        for track in source.tracks {
            var parts = ["track \(track.id)", track.type.rawValue, track.codec]
            if let language = track.languageTag { parts.append(language) }
            if let name = track.name { parts.append("\"\(name)\"") }
            if let width = track.width, let height = track.height { parts.append("\(width)x\(height)") }
            if let rate = track.frameRate { parts.append("\(rate) fps") }
            if let rate = track.sampleRate { parts.append("\(rate) Hz") }
            if let channels = track.channels { parts.append("\(channels) channels") }
            if track.isDefault { parts.append("default") }
            lines.append(parts.filter { !$0.isEmpty }.joined(separator: " "))
        }
        // FFmpeg's list of a file's tags repeats the same data in fewer words.
        lines += metadata.items.isEmpty ? source.tags.map { "\($0.key): \($0.value)" } : metadata.items.map(words)
        lines += source.artwork.map { "artwork of \($0.count) bytes" }
        lines += source.chapters.map { "chapter \($0.range.start) \($0.title ?? "")" }
        if !source.discontinuities.isEmpty {
            lines.append("splices at " + source.discontinuities.map(\.description).joined(separator: ", "))
        }
        return lines.map(JSONText.line).joined(separator: "\n")
    }
}

extension SourceDescription {
    /// Without tags that say where, by whom or whose: what the command prints goes into reports and tickets.
    fileprivate var forSharing: SourceDescription {
        var description = self
        description.tags.removeAll { MediaMetadata.isPersonal(key: $0.key) }
        return description
    }
}
