import FoundationEssentials
import SegmentStore

/// How a download is kept in the segment store: an asset with what is recorded of it as metadata, and the playlists of its plan as a resource.
struct StoredDownload: Sendable, Hashable, Codable {
    let item: String
    /// The option that this download adds; nil for the default selection.
    let option: RenditionID?
    /// Without playlists, which may be longer than metadata may be.
    let record: DownloadRecord

    init(_ id: DownloadID, _ record: DownloadRecord) {
        item = id.item
        option = id.option
        var record = record
        record.playlists = []
        self.record = record
    }

    /// Reads metadata; nil if it is not that of a download.
    init?(metadata: [UInt8]) {
        guard let read = try? JSONDecoder().decode(Self.self, from: Data(metadata)) else { return nil }
        self = read
    }

    var id: DownloadID { DownloadID(item: item, option: option) }

    var metadata: [UInt8] { Self.encoded(self) }

    /// Nothing in these values can fail to be encoded.
    private static func encoded(_ value: some Encodable) -> [UInt8] { (try? JSONEncoder().encode(value)).map { Array($0) } ?? [] }

    static func encoded(playlists: [PlaylistText]) -> [UInt8] { encoded(playlists) }

    static func playlists(_ bytes: [UInt8]) -> [PlaylistText]? {
        try? JSONDecoder().decode([PlaylistText].self, from: Data(bytes))
    }
}

extension DownloadID {
    /// The id of the asset in the store. No item has a line break in its id (docs/channel-feed.md).
    var storeID: String { option.map { "\(item)\n\($0.characteristic.rawValue)\n\($0.groupID)\n\($0.name)" } ?? item }

    /// The resource with the playlists of the plan.
    var planKey: ResourceKey { ResourceKey(name: "plan:" + storeID) }
}
