/// An asset that can be stored: its stream and the files that belong to it.
package struct DownloadableAsset: Sendable, Hashable, Codable {
    /// A location of its stream.
    package struct Stream: Sendable, Hashable, Codable {
        /// The address that is also opened to play it.
        package var url: String
        /// The SHA-256 of a file, in lower-case hexadecimal.
        package var sha256: String?

        package init(url: String, sha256: String? = nil) {
            self.url = url
            self.sha256 = sha256
        }
    }

    /// A file outside the stream. The asset plays without it.
    package struct Companion: Sendable, Hashable, Codable {
        package enum Kind: String, Sendable, Hashable, Codable {
            case artwork, thumbnails, captions
        }

        package var kind: Kind
        package var url: String

        package init(_ kind: Kind, url: String) {
            self.kind = kind
            self.url = url
        }
    }

    /// The id of the item in the feed.
    package var id: String
    /// Alternatives in case of failure, in order. One of them is stored.
    package var streams: [Stream]
    package var companions: [Companion]
    /// In bits per second: of the variants with at least this BANDWIDTH the lowest is stored; nil stores the one that playback would choose.
    package var minimumBitRate: Int64?

    package init(id: String, streams: [Stream], companions: [Companion] = [], minimumBitRate: Int64? = nil) {
        self.minimumBitRate = minimumBitRate
        self.id = id
        self.streams = streams
        self.companions = companions
    }

    /// Whether both name the same media in the same quality: addresses that differ only in their query are the same, because tokens change.
    func isSameContent(as other: DownloadableAsset) -> Bool {
        func paths(_ asset: DownloadableAsset) -> [String] {
            asset.streams.map { String($0.url.prefix { $0 != "?" && $0 != "#" }) }
        }
        return id == other.id && minimumBitRate == other.minimumBitRate && paths(self) == paths(other)
            && streams.map(\.sha256) == other.streams.map(\.sha256)
    }
}
