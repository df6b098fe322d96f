import MediaModel

/// What the store holds: the sum of the journal's records. A value without disk, clock or thread.
struct StoreIndex: Sendable {
    /// Where the bytes of a resource are.
    enum Place: Sendable, Hashable {
        case stored(BodyDigest, BodyDescription)
        /// The durable first bytes.
        case partial(number: UInt64, length: Int64, BodyDescription)
    }
    private struct Resource {
        var place: Place?
        /// How many assets it belongs to.
        var owners: Int32 = 0
        /// For resources without an owner.
        var lastUse: UInt64 = 0
    }
    private struct Body {
        var length: Int64
        /// How many resources have it.
        var users: Int32
        /// How many of these belong to an asset.
        var ownedUsers: Int32
    }
    private struct Asset {
        var metadata: [UInt8]
        var isRequired: Bool
        /// Whether `completed` was recorded for exactly its members.
        var isCompleted = false
        var lastUse: UInt64 = 0
        var members: [ResourceKey] = []
    }
    /// Files that are needed no longer after a change.
    struct Leftovers: Sendable, Equatable {
        var bodies: [BodyDigest] = []
        var partials: [UInt64] = []
        var isEmpty: Bool { bodies.isEmpty && partials.isEmpty }
    }

    private var resources: [ResourceKey: Resource] = [:]
    private var bodies: [BodyDigest: Body] = [:]
    private var assetsByID: [String: Asset] = [:]
    /// The media types, each stored once.
    private var contentTypes: Set<String> = []
    private(set) var usage = StoreUsage()
    private(set) var lastUse: UInt64 = 0
    /// The number for the next partial: higher than any before.
    private(set) var nextPartial: UInt64 = 1

    // MARK: - Questions

    func place(of key: ResourceKey) -> Place? { resources[key]?.place }

    func body(of key: ResourceKey) -> (digest: BodyDigest, body: StoredBody)? {
        guard case .stored(let digest, let description) = resources[key]?.place, let body = bodies[digest] else { return nil }
        return (digest, StoredBody(length: body.length, description: description))
    }

    func hasOwner(_ key: ResourceKey) -> Bool { resources[key].map { $0.owners > 0 } ?? false }

    func length(of digest: BodyDigest) -> Int64? { bodies[digest]?.length }

    var digests: Dictionary<BodyDigest, Int64> { bodies.mapValues(\.length) }

    var keys: some Sequence<ResourceKey> { resources.keys }

    /// The resources with one of these bodies.
    func keys(of digests: Set<BodyDigest>) -> [ResourceKey] {
        resources.compactMap { key, resource in
            guard case .stored(let digest, _) = resource.place else { return nil }
            return digests.contains(digest) ? key : nil
        }
    }

    var partials: [(key: ResourceKey, number: UInt64, length: Int64)] {
        resources.compactMap { key, resource in
            guard case .partial(let number, let length, _) = resource.place else { return nil }
            return (key, number, length)
        }
    }

    func hasAsset(_ id: String) -> Bool { assetsByID[id] != nil }

    var assetIDs: [String] { assetsByID.keys.sorted() }

    func asset(_ id: String) -> StoredAsset? {
        assetsByID[id].map { asset in
            StoredAsset(
                id: id, metadata: asset.metadata, isRequired: asset.isRequired,
                isComplete: asset.isCompleted && asset.members.allSatisfy { isStored($0) }, members: asset.members,
                lastUse: asset.lastUse)
        }
    }

    func size(of id: String) -> AssetSize? {
        guard let asset = assetsByID[id] else { return nil }
        var size = AssetSize(bytes: 0, storedMembers: 0, members: asset.members.count)
        for key in asset.members {
            switch resources[key]?.place {
            case .stored(let digest, _):
                size.storedMembers += 1
                size.bytes += bodies[digest]?.length ?? 0
            case .partial(_, let length, _): size.bytes += length
            case nil: break
            }
        }
        return size
    }

    func isStored(_ key: ResourceKey) -> Bool {
        if case .stored = resources[key]?.place { true } else { false }
    }

    /// The stored resources without an owner, the longest unused first.
    var cacheEntries: [(key: ResourceKey, lastUse: UInt64)] {
        resources.compactMap { key, resource in
            resource.owners == 0 && resource.place != nil ? (key, resource.lastUse) : nil
        }.sorted { ($0.1, $0.0.name, $0.0.range?.lowerBound ?? -1) < ($1.1, $1.0.name, $1.0.range?.lowerBound ?? -1) }
    }

    /// About how many records that is.
    var recordEstimate: Int { resources.count + 4 * assetsByID.count }

    /// The records that lead to this index from nothing, for the rewriting of the journal.
    var records: [JournalRecord] {
        var records: [JournalRecord] = []
        for (id, asset) in assetsByID {
            records.append(.asset(id, metadata: asset.metadata, isRequired: asset.isRequired))
            for start in stride(from: 0, to: asset.members.count, by: Self.membersPerRecord) {
                records.append(.members(id, Array(asset.members[start...].prefix(Self.membersPerRecord))))
            }
            if asset.isCompleted { records.append(.completed(id, metadata: asset.metadata, members: asset.members.count)) }
            if asset.lastUse > 0 { records.append(.assetUsed(id, asset.lastUse)) }
        }
        for (key, resource) in resources {
            switch resource.place {
            case .stored(let digest, let description):
                records.append(.stored(key, digest, length: bodies[digest]?.length ?? 0, description))
            case .partial(let number, let length, let description):
                records.append(.partial(key, number: number, length: length, description))
            case nil: break
            }
            if resource.owners == 0, resource.lastUse > 0 { records.append(.resourceUsed(key, resource.lastUse)) }
        }
        return records
    }

    /// Keeps each record below the longest frame.
    static let membersPerRecord = 1000

    // MARK: - Changes

    /// Applies a record.
    ///
    /// - Returns: the files that nothing refers to any more.
    mutating func apply(_ record: JournalRecord) -> Leftovers {
        var leftovers = Leftovers()
        switch record {
        case .stored(let key, let digest, let length, let description):
            // Two bodies of one digest and two lengths cannot be: the later one is ignored.
            guard bodies[digest].map({ $0.length == length }) ?? true else { break }
            setPlace(of: key, .stored(digest, interned(description)), length: length, &leftovers)
        case .partial(let key, let number, let length, let description):
            nextPartial = max(nextPartial, number &+ 1)
            setPlace(of: key, .partial(number: number, length: length, interned(description)), length: length, &leftovers)
        case .removed(let key): setPlace(of: key, nil, length: 0, &leftovers)
        case .asset(let id, let metadata, let isRequired):
            assetsByID[id, default: Asset(metadata: metadata, isRequired: isRequired)].metadata = metadata
            assetsByID[id]?.isRequired = isRequired
        case .members(let id, let keys): addMembers(keys, to: id)
        case .completed(let id, let metadata, let members):
            // A record of members that was damaged leaves the asset incomplete.
            guard let asset = assetsByID[id], asset.members.count == members else { break }
            assetsByID[id]?.metadata = metadata
            assetsByID[id]?.isCompleted = true
        case .assetRemoved(let id): removeAsset(id, &leftovers)
        case .assetUsed(let id, let use):
            lastUse = max(lastUse, use)
            assetsByID[id]?.lastUse = use
        case .resourceUsed(let key, let use):
            lastUse = max(lastUse, use)
            resources[key]?.lastUse = use
        }
        return leftovers
    }

    /// Takes the number of a new partial.
    mutating func takePartialNumber() -> UInt64 {
        defer { nextPartial += 1 }
        return nextPartial
    }

    private mutating func addMembers(_ keys: [ResourceKey], to id: String) {
        guard var asset = assetsByID.removeValue(forKey: id) else { return }
        for key in keys {
            asset.members.append(key)
            changeOwners(of: key, by: 1)
        }
        asset.isCompleted = false
        assetsByID[id] = asset
    }

    private mutating func removeAsset(_ id: String, _ leftovers: inout Leftovers) {
        guard let asset = assetsByID.removeValue(forKey: id) else { return }
        for key in asset.members {
            changeOwners(of: key, by: -1)
            guard let resource = resources[key], resource.owners == 0 else { continue }
            if resource.place != nil { setPlace(of: key, nil, length: 0, &leftovers) }
            resources[key] = nil
        }
    }

    private mutating func changeOwners(of key: ResourceKey, by difference: Int32) {
        var resource = resources[key] ?? Resource()
        let wasOwned = resource.owners > 0
        resource.owners += difference
        let isOwned = resource.owners > 0
        resources[key] = resource
        guard wasOwned != isOwned, case .stored(let digest, _) = resource.place, var body = bodies[digest] else { return }
        count(body, -1)
        body.ownedUsers += isOwned ? 1 : -1
        count(body, 1)
        bodies[digest] = body
    }

    private mutating func setPlace(of key: ResourceKey, _ place: Place?, length: Int64, _ leftovers: inout Leftovers) {
        var resource = resources[key] ?? Resource()
        guard resource.place != place else { return }
        let isOwned = resource.owners > 0
        // The new body is counted first, so that one that stays does not become a leftover.
        if case .stored(let digest, _) = place { use(digest, length, isOwned) }
        if case .partial(_, let length, _) = place { usage.partials += length }
        switch resource.place {
        case .stored(let digest, _):
            release(digest, isOwned, &leftovers)
            usage.resources -= 1
        case .partial(let number, let length, _):
            usage.partials -= length
            var isContinued = false
            if case .partial(number, _, _) = place { isContinued = true }
            if !isContinued { leftovers.partials.append(number) }
        case nil: break
        }
        if case .stored = place { usage.resources += 1 }
        resource.place = place
        resources[key] = place == nil && !isOwned ? nil : resource
    }

    private mutating func use(_ digest: BodyDigest, _ length: Int64, _ isOwned: Bool) {
        var body = bodies[digest] ?? Body(length: length, users: 0, ownedUsers: 0)
        count(body, -1)
        body.users += 1
        body.ownedUsers += isOwned ? 1 : 0
        count(body, 1)
        bodies[digest] = body
    }

    private mutating func release(_ digest: BodyDigest, _ isOwned: Bool, _ leftovers: inout Leftovers) {
        guard var body = bodies[digest] else { return }
        count(body, -1)
        body.users -= 1
        body.ownedUsers -= isOwned ? 1 : 0
        count(body, 1)
        bodies[digest] = body.users > 0 ? body : nil
        if body.users == 0 { leftovers.bodies.append(digest) }
    }

    /// Adds a body to the usage, or takes it away.
    private mutating func count(_ body: Body, _ sign: Int64) {
        if body.ownedUsers > 0 {
            usage.assets += sign * body.length
        } else if body.users > 0 {
            usage.cache += sign * body.length
        }
    }

    private mutating func interned(_ description: BodyDescription) -> BodyDescription {
        guard let type = description.contentType else { return description }
        var description = description
        description.contentType = contentTypes.insert(type).memberAfterInsert
        return description
    }
}
