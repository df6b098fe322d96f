import MediaModel
import MediaTime
import SegmentStore
import URLReferences

/// One resource of an asset, or a byte range of one.
package struct DownloadResource: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// EXT-X-KEY.
        case key
        /// EXT-X-MAP.
        case initialization
        /// A media segment.
        case segment
        /// EXT-X-SESSION-DATA.
        case sessionData
        /// A file that is not HLS, or a piece of one.
        case file
        case artwork, thumbnails, captions

        /// What bounds its body.
        var body: BodyKind {
            switch self {
            case .key: .key
            case .initialization, .segment, .file, .thumbnails: .media
            case .sessionData: .document
            case .artwork: .artwork
            case .captions: .captions
            }
        }
    }

    /// Where a playlist names a resource. It stays the same when the playlist is loaded again with other tokens in its addresses.
    struct Place: Sendable, Hashable {
        var role: PlaylistRole
        var kind: Kind
        /// The media sequence number of a segment, the first byte of a piece; 0 for others.
        var sequence: Int64
        /// The path of the address, without host and query.
        var path: String
        var range: Range<Int64>?
    }

    package let kind: Kind
    /// The address under which the player asks for it, and the store keeps it: the one of the first playlist that named it. Without fragment.
    package internal(set) var name: String
    /// The address to load it from.
    package internal(set) var url: String
    /// The bytes of the resource; nil for all of it.
    package let range: Range<Int64>?
    /// The parts of the asset's timeline that it covers, in order: several if the asset repeats it.
    package internal(set) var timeRanges: [TimeRange]
    /// Its size in bytes according to byte range or bit rate; nil if unknown.
    package internal(set) var expectedBytes: Int64?
    let place: Place

    /// Whether the asset plays without it: a failure leaves it out.
    package var isOptional: Bool {
        switch kind {
        case .key, .initialization, .segment, .file: place.role == .iFrames
        case .sessionData, .artwork, .thumbnails, .captions: true
        }
    }

    /// The key under which the player asks for it.
    func key(_ matching: ResourceMatching) -> ResourceKey { matching.key(for: name, range: range) }

    init(
        kind: Kind, url: String, range: Range<Int64>? = nil, role: PlaylistRole, sequence: Int64 = 0, timeRange: TimeRange? = nil
    ) {
        self.kind = kind
        name = url
        self.url = url
        self.range = range
        timeRanges = timeRange.map { [$0] } ?? []
        place = Place(role: role, kind: kind, sequence: sequence, path: URLReference(url).path, range: range)
    }
}

/// The playlist that names a resource, by its part in the asset.
package enum PlaylistRole: Sendable, Hashable, Codable {
    /// The first playlist, or the file itself.
    case root
    /// The media playlist of the stored variant.
    case variant
    /// Key frames for scanning.
    case iFrames
    case rendition(RenditionID)
    /// What the feed names beside the stream.
    case companion
}
