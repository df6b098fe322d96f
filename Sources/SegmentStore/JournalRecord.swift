import MediaSources
import WireFormats

/// A change of the store's index, as the journal records it.
enum JournalRecord: Equatable, Sendable {
    /// The body of a resource is stored. Its partial, if any, is gone.
    case stored(ResourceKey, BodyDigest, length: Int64, BodyDescription)
    /// The first bytes of a resource are durable in the partial with this number.
    case partial(ResourceKey, number: UInt64, length: Int64, BodyDescription)
    /// A resource is no longer stored, neither whole nor in part. Its asset still has it as a member.
    case removed(ResourceKey)
    /// An asset was made or changed.
    case asset(String, metadata: [UInt8], isRequired: Bool)
    /// Resources were added to an asset.
    case members(String, [ResourceKey])
    /// An asset is complete.
    /// `members` is how many it has, so that a lost record of members is noticed.
    case completed(String, metadata: [UInt8], members: Int)
    case assetRemoved(String)
    /// An asset was used.
    case assetUsed(String, UInt64)
    /// A resource that belongs to no asset was used.
    case resourceUsed(ResourceKey, UInt64)
}

extension JournalRecord {
    private enum Kind: UInt8 {
        case stored = 1, partial, removed, asset, members, completed, assetRemoved, assetUsed, resourceUsed
    }

    var encoded: [UInt8] {
        var out = FieldWriter()
        switch self {
        case .stored(let key, let digest, let length, let description):
            out.put(Kind.stored.rawValue)
            out.put(key)
            out.put(fixed: digest.bytes)
            out.put(length)
            out.put(description)
        case .partial(let key, let number, let length, let description):
            out.put(Kind.partial.rawValue)
            out.put(key)
            out.put(number)
            out.put(length)
            out.put(description)
        case .removed(let key):
            out.put(Kind.removed.rawValue)
            out.put(key)
        case .asset(let id, let metadata, let isRequired):
            out.put(Kind.asset.rawValue)
            out.put(id)
            out.put(metadata)
            out.put(UInt8(isRequired ? 1 : 0))
        case .members(let id, let keys):
            out.put(Kind.members.rawValue)
            out.put(id)
            out.put(UInt64(keys.count))
            keys.forEach { out.put($0) }
        case .completed(let id, let metadata, let members):
            out.put(Kind.completed.rawValue)
            out.put(id)
            out.put(metadata)
            out.put(UInt64(members))
        case .assetRemoved(let id):
            out.put(Kind.assetRemoved.rawValue)
            out.put(id)
        case .assetUsed(let id, let use):
            out.put(Kind.assetUsed.rawValue)
            out.put(id)
            out.put(use)
        case .resourceUsed(let key, let use):
            out.put(Kind.resourceUsed.rawValue)
            out.put(key)
            out.put(use)
        }
        return out.bytes
    }

    /// nil when the bytes are not exactly one record.
    init?(_ bytes: ArraySlice<UInt8>) {
        var fields = FieldReader(bytes)
        guard let record = Self.read(&fields), fields.isEmpty else { return nil }
        self = record
    }

    private static func read(_ fields: inout FieldReader) -> JournalRecord? {
        guard let kind = fields.byte().flatMap(Kind.init) else { return nil }
        switch kind {
        case .stored:
            guard let key = fields.key(), let digest = fields.fixed(32).map({ BodyDigest($0) }), let length = fields.length(),
                let description = fields.description()
            else { return nil }
            return .stored(key, digest, length: length, description)
        case .partial:
            guard let key = fields.key(), let number = fields.number(), let length = fields.length(),
                let description = fields.description()
            else { return nil }
            return .partial(key, number: number, length: length, description)
        case .removed: return fields.key().map { .removed($0) }
        case .asset:
            guard let id = fields.text(), let metadata = fields.bytes(), let required = fields.byte(), required <= 1 else {
                return nil
            }
            return .asset(id, metadata: metadata, isRequired: required == 1)
        case .members:
            guard let id = fields.text(), let count = fields.number() else { return nil }
            var keys: [ResourceKey] = []
            for _ in 0..<count {
                guard let key = fields.key() else { return nil }
                keys.append(key)
            }
            return .members(id, keys)
        case .completed:
            guard let id = fields.text(), let metadata = fields.bytes(),
                let members = fields.number().flatMap({ Int(exactly: $0) })
            else { return nil }
            return .completed(id, metadata: metadata, members: members)
        case .assetRemoved: return fields.text().map { .assetRemoved($0) }
        case .assetUsed:
            guard let id = fields.text(), let use = fields.number() else { return nil }
            return .assetUsed(id, use)
        case .resourceUsed:
            guard let key = fields.key(), let use = fields.number() else { return nil }
            return .resourceUsed(key, use)
        }
    }
}

/// Writes fields of a record: numbers in 8 bytes, little endian; texts and byte strings with their length in front.
private struct FieldWriter {
    private(set) var bytes: [UInt8] = []

    mutating func put(_ byte: UInt8) { bytes.append(byte) }
    mutating func put(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
    mutating func put(_ number: Int64) { put(UInt64(bitPattern: number)) }
    mutating func put(fixed: [UInt8]) { bytes += fixed }

    mutating func put(_ text: [UInt8]) {
        put(UInt64(text.count))
        bytes += text
    }

    mutating func put(_ text: String) { put(Array(text.utf8)) }

    mutating func put(_ text: String?) {
        put(UInt8(text == nil ? 0 : 1))
        if let text { put(text) }
    }

    mutating func put(_ key: ResourceKey) {
        put(key.name)
        put(UInt8(key.range == nil ? 0 : 1))
        if let range = key.range {
            put(range.lowerBound)
            put(range.upperBound)
        }
    }

    mutating func put(_ description: BodyDescription) {
        put(description.contentType)
        put(description.url)
        put(description.version.validator)
        put(description.version.length ?? -1)
    }
}

/// Reads what `FieldWriter` wrote. Each function returns nil for bytes that it cannot have written.
private struct FieldReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isEmpty: Bool { rest.isEmpty }

    mutating func fixed(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func byte() -> UInt8? { rest.popFirst() }

    mutating func number() -> UInt64? { fixed(8)?.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

    mutating func signed() -> Int64? { number().map { Int64(bitPattern: $0) } }

    /// A length that is not negative.
    mutating func length() -> Int64? { signed().flatMap { $0 >= 0 ? $0 : nil } }

    mutating func bytes() -> [UInt8]? { number().flatMap { Int(exactly: $0) }.flatMap { fixed($0) }.map { Array($0) } }

    mutating func text() -> String? {
        guard let count = number().flatMap({ Int(exactly: $0) }), let bytes = fixed(count) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    mutating func optionalText() -> String?? {
        switch byte() {
        case 0: .some(nil)
        case 1: text().map { .some($0) }
        default: nil
        }
    }

    mutating func key() -> ResourceKey? {
        guard let name = text(), let hasRange = byte() else { return nil }
        guard hasRange == 1 else { return hasRange == 0 ? ResourceKey(name: name) : nil }
        guard let lower = length(), let upper = length(), lower <= upper else { return nil }
        return ResourceKey(name: name, range: lower..<upper)
    }

    mutating func description() -> BodyDescription? {
        guard let type = optionalText(), let url = optionalText(), let validator = optionalText(), let length = signed() else {
            return nil
        }
        return BodyDescription(
            contentType: type, url: url, version: ResourceVersion(validator: validator, length: length < 0 ? nil : length))
    }
}
