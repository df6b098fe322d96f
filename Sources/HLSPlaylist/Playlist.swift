import MediaTime

/// A playlist of either kind (RFC 8216bis 4).
package enum Playlist: Sendable, Equatable {
    /// A playlist of variants and renditions.
    case multivariant(MultivariantPlaylist)
    /// A playlist of segments.
    case media(MediaPlaylist)

    /// The multivariant playlist, if it is one.
    package var multivariant: MultivariantPlaylist? { if case .multivariant(let playlist) = self { playlist } else { nil } }

    /// The media playlist, if it is one.
    package var media: MediaPlaylist? { if case .media(let playlist) = self { playlist } else { nil } }
}

/// The result of a parse: the playlist unless it was refused, and all diagnostics.
package struct ParsedPlaylist: Sendable, Equatable {
    /// The playlist; nil when it was refused for the reason in `errors`.
    package let playlist: Playlist?
    /// Violations of RFC 8216bis that were repaired, or that led to the refusal (then the last one is the cause).
    package let errors: [PlaylistDiagnostic]
    /// Violations that do not affect playback.
    package let warnings: [PlaylistDiagnostic]
}

/// EXT-X-START: the preferred start position.
package struct StartPoint: Sendable, Hashable {
    /// Relative to the start of the playlist, or to its end when negative.
    package let timeOffset: MediaTime
    /// Whether samples before the position are hidden.
    package let isPrecise: Bool
}

/// EXT-X-DEFINE: a variable of the playlist.
package struct Definition: Sendable, Hashable {
    /// The source of a value.
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
    package let value: String
    package let source: Source
}
