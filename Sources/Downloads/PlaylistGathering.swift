import HLSPlaylist
import MediaModel
import MediaTime
import URLReferences

/// The playlists of an asset, reduced to what is stored.
struct ChosenPresentation: Sendable {
    struct Media: Sendable {
        var role: PlaylistRole
        /// Where the first playlist says that it is.
        var address: String
        /// Where it was, after redirects. References in it are relative to this.
        var url: String
        var playlist: MediaPlaylist
        /// The bit rate of its segments in bits per second, if the first playlist states it.
        var bitRate: Int64?

        func resolve(_ reference: String) -> String {
            DownloadPlan.withoutFragment(URLReference.resolve(reference: reference, against: url))
        }
    }

    /// The address of the first playlist, after redirects.
    var url: String
    /// The first playlist with only what is stored; nil if it is a media playlist.
    var root: MultivariantPlaylist?
    /// The variant first.
    var media: [Media]
    /// The addresses of documents of EXT-X-SESSION-DATA.
    var sessionData: [String] = []
    var selection: [RenditionID] = []
}

/// Gathers the playlists of one download: the first one, then those of the stored variant and its options. A value: loaded playlists go in, the next
/// addresses come out.
struct PlaylistGathering: Sendable {
    struct Request: Sendable, Hashable {
        var role: PlaylistRole
        var url: String
    }

    private struct Root {
        var url: String
        var playlist: MultivariantPlaylist
        var variant: Int
        var iFrames: Int?
        var options: MediaSelectionPlan
    }

    private let configuration: AssetDownloadConfiguration
    private let options: [RenditionID]?
    private let address: String
    private var root: Root?
    private var requests: [Request]
    private var media: [ChosenPresentation.Media] = []
    private var rootURL = ""

    /// - Parameters:
    ///   - address: of the first playlist.
    ///   - options: the options to store; nil for the default selection.
    init(address: String, options: [RenditionID]?, configuration: AssetDownloadConfiguration) {
        self.address = address
        self.options = options
        self.configuration = configuration
        requests = [Request(role: .root, url: address)]
    }

    /// What is still to be loaded.
    var missing: [Request] { requests }

    /// The options that are wanted beside the chosen ones, in the order in which they are stored.
    var furtherOptions: [RenditionID] {
        guard let plan = root?.options else { return [] }
        return (plan.initial + plan.further).filter { !(options ?? plan.initial).contains($0) }
    }

    /// Everything, once nothing is missing.
    var presentation: ChosenPresentation? {
        guard requests.isEmpty, !media.isEmpty else { return nil }
        let roles: [PlaylistRole] = [.root, .variant] + chosen.map(PlaylistRole.rendition) + [.iFrames]
        let media: [ChosenPresentation.Media] = roles.compactMap { role in self.media.first { $0.role == role } }
        guard let root else { return ChosenPresentation(url: rootURL, root: nil, media: media) }
        let documents = root.playlist.sessionData.filter { $0.value == nil && $0.format == .json }.compactMap(\.uri)
        let hasIFrames = media.contains { $0.role == .iFrames }
        return ChosenPresentation(
            url: rootURL,
            root: root.playlist.keeping(
                variants: [root.variant], iFrameVariants: Set(hasIFrames ? [root.iFrames].compactMap { $0 } : []),
                renditions: { rendition in chosen.contains { $0.matches(rendition) } && rendition.type != .video },
                uris: { documents.contains($0) }),
            media: media, sessionData: documents.map { URLReference.resolve(reference: $0, against: rootURL) }, selection: chosen)
    }

    /// A playlist has been loaded.
    ///
    /// - Parameter url: its address after redirects.
    /// - Throws: `MediaError` when it cannot be used.
    mutating func take(_ role: PlaylistRole, _ bytes: [UInt8], url: String) throws(MediaError) {
        guard let index = requests.firstIndex(where: { $0.role == role }) else { return }
        let request = requests.remove(at: index)
        let parsed = PlaylistParser(importedVariables: root?.playlist.variables ?? [:], url: url).parse(bytes)
        switch (role, parsed.playlist) {
        case (.root, .multivariant(let playlist)):
            rootURL = url
            try choose(in: playlist)
        case (.root, .media(let playlist)):
            rootURL = url
            media.append(.init(role: .root, address: request.url, url: url, playlist: playlist))
        case (_, .media(let playlist)):
            media.append(.init(role: role, address: request.url, url: url, playlist: playlist, bitRate: bitRate(of: role)))
        case (_, .multivariant):
            throw MediaError(
                .sourceFormat, "Storing \(address) failed: \(url) lists variants where a media playlist was expected; correct it."
            )
        case (_, nil):
            throw MediaError(
                .sourceFormat,
                "Storing \(address) failed: the playlist \(url) was refused: \(parsed.errors.last.map(String.init(describing:)) ?? "it is empty")."
            )
        }
    }

    /// A playlist cannot be loaded.
    ///
    /// - Returns: whether the asset is complete without it.
    mutating func leaveOut(_ role: PlaylistRole) -> Bool {
        guard role == .iFrames else { return false }
        requests.removeAll { $0.role == role }
        return true
    }

    // MARK: Choice

    private var chosen: [RenditionID] { options ?? root?.options.initial ?? [] }

    private func bitRate(of role: PlaylistRole) -> Int64? {
        guard role == .variant, let root else { return nil }
        let variant = root.playlist.variants[root.variant]
        return variant.averageBandwidth ?? variant.bandwidth
    }

    private mutating func choose(in playlist: MultivariantPlaylist) throws(MediaError) {
        let rule = configuration.variants
        guard let index = rule.choose(from: playlist.variants, atLeast: configuration.minimumBitRate) else {
            throw MediaError(
                .decoderUnsupported,
                "Storing \(address) failed: none of its \(playlist.variants.count) variants can be played by this box; add one in H.264 with AAC."
            )
        }
        let variant = playlist.variants[index]
        let root = Root(
            url: rootURL, playlist: playlist, variant: index, iFrames: rule.chooseIFrames(from: playlist.iFrameVariants),
            options: MediaSelectionPlan(playlist, variant: variant, languages: configuration.languages))
        self.root = root
        try request(.variant, variant.uri)
        for option in chosen {
            guard let uri = playlist.renditions.first(where: option.matches)?.uri else {
                throw MediaError(
                    .sourceMissing, "Storing \(address) failed: it no longer has the option \(option.name); store it again.")
            }
            try request(.rendition(option), uri)
        }
        if let iFrames = root.iFrames { try request(.iFrames, playlist.iFrameVariants[iFrames].uri) }
    }

    /// - Throws: for an address that the playlist may not name.
    private mutating func request(_ role: PlaylistRole, _ uri: String) throws(MediaError) {
        let url = DownloadPlan.withoutFragment(URLReference.resolve(reference: uri, against: rootURL))
        let rule = NamingRule(origin: rootURL, plainHTTPHosts: configuration.plainHTTPHosts)
        if let refusal = rule.refusal(of: url) {
            throw MediaError(
                .sourceFormat, "Storing \(address) was refused: its playlist names \(url), and \(refusal.words)", fault: .refused)
        }
        requests.append(Request(role: role, url: url))
    }
}
