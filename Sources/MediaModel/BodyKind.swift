/// What a whole body is: this bounds its size and the time that it may take.
package enum BodyKind: Sendable, Hashable, CaseIterable {
    /// A media segment, an initialization section, thumbnails. A slow network may take as long as it needs.
    case media
    /// An HLS playlist.
    case playlist
    /// A channel feed or its signature.
    case feed
    /// A programme guide (XMLTV).
    case guide
    /// A picture.
    case artwork
    /// Captions in a file of their own.
    case captions
    /// A key of AES-128, which has 16 bytes.
    case key
    /// A small document: an asset list, a steering manifest, chapters, the answer to a report.
    case document

    /// The most bytes of a body, after decompression.
    package var longest: Int {
        switch self {
        case .media: 256 << 20
        case .playlist: 8 << 20
        case .feed: 16 << 20
        case .guide: 64 << 20
        case .artwork: 8 << 20
        case .captions: 4 << 20
        case .key: 64
        case .document: 4 << 20
        }
    }

    /// Whether it is text, which compression makes much shorter.
    package var isText: Bool {
        switch self {
        case .playlist, .feed, .guide, .captions, .document: true
        case .media, .artwork, .key: false
        }
    }

    /// The most bytes, for sentences.
    package var longestWords: String { longest >= 1 << 20 ? "\(longest >> 20) MiB" : "\(longest) bytes" }

    /// The longest time from the request to the last byte; nil for media, which only has a slowest rate.
    package var longestTime: Duration? {
        switch self {
        case .media: nil
        case .playlist, .artwork, .captions, .document: .seconds(60)
        case .key: .seconds(30)
        case .feed: .seconds(120)
        case .guide: .seconds(300)
        }
    }
}
