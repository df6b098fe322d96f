import MediaSources

/// A named set of resources that are stored together: a downloaded programme.
package struct StoredAsset: Sendable, Equatable {
    package let id: String
    /// What the layer above keeps with it; opaque to the store. At most `SegmentStore.longestMetadata` bytes.
    package var metadata: [UInt8]
    /// Whether eviction must leave it: the operator requires it.
    package var isRequired: Bool
    /// Whether it was completed and all its resources are still stored.
    package var isComplete: Bool
    /// Its resources, in the order in which they were added. Some may not be stored yet.
    package var members: [ResourceKey]
    /// Grows with each use of any asset: the asset with the lowest number was not used for the longest time.
    package var lastUse: UInt64
}

/// How much of an asset is stored.
package struct AssetSize: Sendable, Equatable {
    /// Bytes on the disk, including the durable parts of unfinished bodies. Bodies shared with other assets are included.
    package var bytes: Int64
    package var storedMembers: Int
    package var members: Int
}

/// What is known of a stored body beside its bytes.
package struct BodyDescription: Sendable, Hashable {
    /// The media type stated by the server.
    package var contentType: String?
    /// The address after redirects, if it differs from the requested one: the base of addresses in a playlist.
    package var url: String?
    /// What the server stated about the whole resource.
    package var version: ResourceVersion

    package init(contentType: String? = nil, url: String? = nil, version: ResourceVersion = ResourceVersion()) {
        self.contentType = contentType
        self.url = url
        self.version = version
    }
}

/// What is known of a body before it is loaded. It is checked before the body becomes visible.
package struct ExpectedBody: Sendable, Hashable {
    /// In bytes.
    package var length: Int64?
    /// 32 bytes.
    package var sha256: [UInt8]?
}

/// A body that is stored.
package struct StoredBody: Sendable, Hashable {
    package var length: Int64
    package var description: BodyDescription

    /// The response that the server gave.
    func response(to request: ByteRequest, _ bytes: [UInt8], _ duration: Duration) -> ByteResponse {
        var response = ByteResponse(
            bytes: bytes, url: description.url ?? request.url, status: request.range == nil ? 200 : 206,
            contentType: description.contentType, timeToFirstByte: duration, transferDuration: duration,
            version: description.version)
        response.isStored = true
        return response
    }
}

/// What the store holds, in bytes on the disk; shared bodies count once.
package struct StoreUsage: Sendable, Equatable {
    /// Of resources that belong to assets.
    package var assets: Int64 = 0
    /// Of resources that belong to none.
    package var cache: Int64 = 0
    /// Of bodies that are not finished.
    package var partials: Int64 = 0
    package var resources = 0
    package var total: Int64 { assets + cache + partials }
}

/// What was found when a store was opened.
package struct StoreReport: Sendable, Equatable {
    package var resources = 0
    package var assets = 0
    /// Files that nothing referred to and that were removed.
    package var orphansRemoved = 0
    /// Resources whose body was missing or had another length; they count as absent.
    package var bodiesMissing = 0
    /// Bytes of the journal's end that were not whole and were cut off.
    package var journalBytesCut: Int64 = 0
    /// Why everything counts as absent, or why nothing can be stored, in one sentence; nil if all is well.
    package var warning: StoreError?
}
