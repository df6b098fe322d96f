import MediaTime

/// A playlist of either kind (RFC 8216bis 4).
package enum Playlist: Sendable, Equatable {
    /// Lists variants and renditions.
    case multivariant(MultivariantPlaylist)
    /// Lists segments.
    case media(MediaPlaylist)

    /// The multivariant playlist, if it is one.
    package var multivariant: MultivariantPlaylist? { if case .multivariant(let playlist) = self { playlist } else { nil } }

    /// The media playlist, if it is one.
    package var media: MediaPlaylist? { if case .media(let playlist) = self { playlist } else { nil } }
}

/// What a parse gave: the playlist unless it was refused, and everything found on the way.
package struct ParsedPlaylist: Sendable, Equatable {
    /// The playlist; nil where it was refused, and then `errors` says why.
    package let playlist: Playlist?
    /// Breaches of RFC 8216bis that were repaired, or that led to the refusal (then the last is the one that decided).
    package let errors: [PlaylistDiagnostic]
    /// What costs a player nothing.
    package let warnings: [PlaylistDiagnostic]
}

/// EXT-X-START: where to begin to play.
package struct StartPoint: Sendable, Hashable {
    /// From the start of the playlist, or from its end where negative.
    package let timeOffset: MediaTime
    /// Whether samples before the point are not to be shown.
    package let isPrecise: Bool
}

/// EXT-X-DEFINE: a variable of the playlist.
package struct Definition: Sendable, Hashable {
    /// Where a value comes from.
    package enum Source: String, Sendable, Hashable {
        /// NAME and VALUE.
        case value
        /// IMPORT: from the multivariant playlist.
        case `import`
        /// QUERYPARAM: from the URL of the playlist.
        case queryParameter = "queryparam"
    }

    /// The name between `{$` and `}`.
    package let name: String
    /// What it stands for.
    package let value: String
    /// Where the value comes from.
    package let source: Source
}
