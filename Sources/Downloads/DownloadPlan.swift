import HLSPlaylist
import MediaModel
import MediaTime
import SegmentStore
import URLReferences

/// A playlist of an asset.
package struct PlaylistText: Sendable, Hashable, Codable {
    package let role: PlaylistRole
    /// Its address. References in the text are relative to it.
    package let url: String
    package let text: String
}

/// How a file that is not HLS is stored.
package enum FileLayout: Sendable, Hashable {
    /// Its length is not known yet: the answer to the request for its first piece states it.
    case firstPiece
    /// In pieces (`FilePieces`), so that it is continued after each of them.
    case pieces(length: Int64)
    /// In one request, because its server does not serve ranges.
    case whole
}

/// Everything that one download needs, in the order of playback.
package struct DownloadPlan: Sendable, Hashable {
    package private(set) var resources: [DownloadResource]
    /// The playlists of the stored copy, the first one last. They list what the plan contains and nothing else, with absolute addresses.
    package private(set) var playlists: [PlaylistText]
    /// The duration of the asset; nil for a file.
    package let duration: MediaTime?
    /// How a file that is not HLS is divided; nil for a presentation.
    package let layout: FileLayout?
    /// The options stored beside the variant.
    package let selection: [RenditionID]
    package var isFile: Bool { layout != nil }
    /// The length of a file, if it is known.
    package var fileLength: Int64? { if case .pieces(let length) = layout { length } else { nil } }
    /// The sum of the sizes that are known beforehand.
    package let expectedBytes: Int64

    /// The plan for a file that is loaded whole.
    package init(file stream: DownloadableAsset.Stream, of asset: DownloadableAsset, layout: FileLayout) {
        let name = Self.withoutFragment(stream.url)
        let ranges: [Range<Int64>?] =
            switch layout {
            case .firstPiece: [FilePieces.key(name, at: 0).range]
            case .pieces(let length): FilePieces.keys(name, total: length).map(\.range)
            case .whole: [nil]
            }
        let pieces = ranges.map { range in
            var piece = DownloadResource(kind: .file, url: name, range: range, role: .root, sequence: range?.lowerBound ?? 0)
            if case .pieces(let length) = layout, let range {
                piece.expectedBytes = min(range.upperBound, length) - range.lowerBound
            }
            return piece
        }
        // Pictures and captions come first: they are small, and wanted before the film is complete.
        resources = (layout == .firstPiece ? [] : Self.companions(of: asset)) + pieces
        self.layout = layout
        expectedBytes = Self.sum(resources)
        playlists = []
        duration = nil
        selection = []
    }

    /// The plan for a presentation.
    ///
    /// - Parameters:
    ///   - presentation: its playlists.
    ///   - asset: the asset that they belong to.
    ///   - address: the address under which the player opens the asset.
    ///   - previous: an earlier plan of the same asset: what both have keeps its name.
    /// - Throws: `MediaError` for a live or protected presentation, and for one beyond the limits.
    init(
        _ presentation: ChosenPresentation, of asset: DownloadableAsset, address: String, previous: DownloadPlan? = nil,
        limits: DownloadLimits, plainHTTPHosts: Set<String> = []
    ) throws(MediaError) {
        layout = nil
        var builder = PlanBuilder(previous: previous)
        for media in presentation.media { try builder.add(media) }
        builder.add(sessionData: presentation.sessionData)
        resources = builder.resources + Self.companions(of: asset)
        expectedBytes = Self.sum(resources)
        duration = presentation.media.first?.playlist.totalDuration
        selection = presentation.selection
        playlists = builder.playlists(of: presentation, address: Self.withoutFragment(address))
        let rule = NamingRule(origin: presentation.url, plainHTTPHosts: plainHTTPHosts)
        for resource in builder.resources {
            guard let refusal = rule.refusal(of: resource.url) else { continue }
            throw MediaError(
                .sourceFormat,
                "Storing \(address) was refused: a playlist from \(rule.host) names \(resource.url), and \(refusal.words)",
                fault: .refused)
        }
        guard resources.count <= limits.resources else {
            throw MediaError(
                .sourceFormat,
                "Storing \(address) was refused: it has \(resources.count) resources and at most \(limits.resources) are stored; use longer segments."
            )
        }
        guard expectedBytes <= limits.bytes else {
            throw MediaError(
                .sourceFormat,
                "Storing \(address) was refused: it has about \(expectedBytes >> 20) MiB and at most \(limits.bytes >> 20) MiB are stored; offer a smaller variant."
            )
        }
    }

    private static func sum(_ resources: [DownloadResource]) -> Int64 {
        resources.reduce(0) { $0.addingReportingOverflow($1.expectedBytes ?? 0).overflow ? .max : $0 + ($1.expectedBytes ?? 0) }
    }

    private static func companions(of asset: DownloadableAsset) -> [DownloadResource] {
        asset.companions.map { companion in
            let kind: DownloadResource.Kind =
                switch companion.kind {
                case .artwork: .artwork
                case .thumbnails: .thumbnails
                case .captions: .captions
                }
            return DownloadResource(kind: kind, url: withoutFragment(companion.url), role: .companion)
        }
    }

    static func withoutFragment(_ url: String) -> String { String(url.prefix { $0 != "#" }) }

    /// The names of resources and playlists by where they are named.
    var names: [DownloadResource.Place: String] {
        Dictionary(resources.map { ($0.place, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Collects the resources of a plan.
private struct PlanBuilder {
    /// What identifies bytes.
    private struct Bytes: Hashable {
        var url: String
        var range: Range<Int64>?
    }

    private let names: [DownloadResource.Place: String]
    private let previousPlaylists: [PlaylistRole: String]
    private var places: [Bytes: Int] = [:]
    private var all: [DownloadResource] = []
    /// Where resources come in the order of playback: keys and initialization sections before the segments that need them.
    private var order: [(time: MediaTime, rank: Int)] = []
    /// The names of addresses that differ from them.
    private var renamed: [String: String] = [:]

    init(previous: DownloadPlan?) {
        names = previous?.names ?? [:]
        previousPlaylists = Dictionary(
            previous?.playlists.map { ($0.role, $0.url) } ?? [], uniquingKeysWith: { first, _ in first })
    }

    /// In the order of playback; key frames for scanning come last.
    var resources: [DownloadResource] {
        all.indices.sorted {
            (order[$0].rank, order[$0].time, $0) < (order[$1].rank, order[$1].time, $1)
        }.map { all[$0] }
    }

    mutating func add(_ media: ChosenPresentation.Media) throws(MediaError) {
        try Self.check(media)
        let rank = media.role == .iFrames ? 2 : 0
        for segment in media.playlist.segments where !segment.isGap {
            if let map = segment.map { addInitialization(map, media, at: segment.startTime, rank) }
            addKeys(segment.keys, media, at: segment.startTime, rank)
            // Each byte range is stored for itself, because the player asks for exactly this range.
            var resource = DownloadResource(
                kind: .segment, url: media.resolve(segment.uri), range: segment.byteRange.map { $0.offset..<$0.end },
                role: media.role,
                sequence: segment.mediaSequence, timeRange: segment.timeRange)
            resource.expectedBytes = segment.byteRange?.length ?? Self.estimate(segment, media.bitRate)
            append(resource, at: segment.startTime, rank)
        }
    }

    mutating func add(sessionData urls: [String]) {
        for url in urls { append(DownloadResource(kind: .sessionData, url: url, role: .root), at: .zero, 1) }
    }

    /// The texts of the stored copy.
    func playlists(of presentation: ChosenPresentation, address: String) -> [PlaylistText] {
        var texts: [PlaylistText] = []
        var playlistNames: [String: String] = [:]
        for media in presentation.media where media.role != .root {
            let name = name(of: media)
            playlistNames[media.address] = name
            texts.append(PlaylistText(role: media.role, url: name, text: text(of: media)))
        }
        if let root = presentation.root {
            let writer = PlaylistWriter { [playlistNames, renamed] in
                let url = DownloadPlan.withoutFragment(URLReference.resolve(reference: $0, against: presentation.url))
                return playlistNames[url] ?? renamed[url] ?? url
            }
            texts.append(PlaylistText(role: .root, url: address, text: writer.text(of: root)))
        } else if let media = presentation.media.first {
            texts.append(PlaylistText(role: .root, url: address, text: text(of: media)))
        }
        return texts
    }

    private func name(of media: ChosenPresentation.Media) -> String {
        guard let previous = previousPlaylists[media.role], URLReference(previous).path == URLReference(media.address).path else {
            return media.address
        }
        return previous
    }

    private func text(of media: ChosenPresentation.Media) -> String {
        PlaylistWriter { [renamed] in
            let url = media.resolve($0)
            return renamed[url] ?? url
        }.text(of: media.playlist)
    }

    // MARK: Rules

    private static func check(_ media: ChosenPresentation.Media) throws(MediaError) {
        guard media.playlist.isOnDemand else {
            throw MediaError(
                .sourceFormat,
                "Storing \(media.address) was refused: it is live, because the playlist has no EXT-X-ENDLIST; store it when it has ended."
            )
        }
        let keys = media.playlist.segments.lazy.flatMap { $0.keys + ($0.map?.keys ?? []) }
        if let key = keys.first(where: { !$0.isPlayable }) {
            throw MediaError(
                .protected,
                "Storing \(media.address) was refused: its segments are protected with \(key.methodName) and the key format \(key.keyFormat), and this box has no DRM; offer it without, or with AES-128."
            )
        }
    }

    /// From EXT-X-BITRATE, otherwise from the bit rate of the variant.
    private static func estimate(_ segment: MediaSegment, _ bitRate: Int64?) -> Int64? {
        guard let rate = segment.bitrate.map({ $0.multipliedReportingOverflow(by: 1000).partialValue }) ?? bitRate else {
            return nil
        }
        return segment.duration.scaled(by: Ratio(rate)).units(of: 1) / 8
    }

    private mutating func addInitialization(
        _ map: MediaInitialization, _ media: ChosenPresentation.Media, at time: MediaTime, _ rank: Int
    ) {
        addKeys(map.keys, media, at: time, rank)
        append(
            DownloadResource(
                kind: .initialization, url: media.resolve(map.uri), range: map.byteRange.map { $0.offset..<$0.end },
                role: media.role),
            at: time, rank)
    }

    private mutating func addKeys(_ keys: [EncryptionKey], _ media: ChosenPresentation.Media, at time: MediaTime, _ rank: Int) {
        for case let uri? in keys.filter(\.isPlayable).map(\.uri) {
            append(DownloadResource(kind: .key, url: media.resolve(uri), role: media.role), at: time, rank)
        }
    }

    /// Bytes that are needed more than once are stored once.
    private mutating func append(_ resource: DownloadResource, at time: MediaTime, _ rank: Int) {
        let bytes = Bytes(url: resource.url, range: resource.range)
        if let known = places[bytes] {
            all[known].timeRanges += resource.timeRanges
            return
        }
        var resource = resource
        if let name = names[resource.place] { resource.name = name }
        if resource.name != resource.url { renamed[resource.url] = resource.name }
        places[bytes] = all.count
        all.append(resource)
        order.append((time, rank))
    }
}
