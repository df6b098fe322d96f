import Glibc
import MediaModel
import Testing

@testable import ChannelFeed

/// A file of the project's `docs` folder, as bytes; empty when it cannot be read.
func documentation(_ name: String, file: String = #filePath) -> [UInt8] {
    guard let real = realpath(file, nil) else { return [] }
    defer { free(real) }
    let root = String(cString: real).split(separator: "/").dropLast(3).joined(separator: "/")
    guard let handle = fopen("/\(root)/docs/\(name)", "r") else { return [] }
    defer { fclose(handle) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&buffer, 1, buffer.count, handle)
        if count == 0 { return bytes }
        bytes += buffer[..<count]
    }
}

extension JSONNode {
    static func parse(_ bytes: [UInt8]) throws -> JSONNode {
        var reader = JSONReader(bytes, maximumDepth: 64)
        return try reader.read()
    }

    var object: JSONObject? { if case .object(let object) = value { object } else { nil } }
    var array: [JSONNode]? { if case .array(let array) = value { array } else { nil } }
    var string: String? { if case .string(let string) = value { string } else { nil } }
    var number: Double? { if case .number(let text) = value { Double(text) } else { nil } }
    subscript(key: String) -> JSONNode? { object?[key] }
}

/// The part of JSON Schema 2020-12 that the published schema uses; an unknown keyword is an error in the schema.
struct SchemaChecker {
    let root: JSONNode

    /// The violations in a document, as pointers and keywords.
    func faults(_ node: JSONNode, _ schema: JSONNode, at path: String = "") -> [String] {
        if case .boolean(let isAllowed) = schema.value { return isAllowed ? [] : ["\(path): nothing is allowed here"] }
        var faults: [String] = []
        for member in schema.object?.members ?? [] { faults += self.faults(node, member.key, member.node, of: schema, at: path) }
        return faults
    }

    private func faults(_ node: JSONNode, _ keyword: String, _ value: JSONNode, of schema: JSONNode, at path: String) -> [String]
    {
        let fault = ["\(path): \(keyword) \(FeedText.value(value))"]
        switch keyword {
        case "$schema", "$id", "$defs", "title", "description", "examples", "then": return []
        case "$ref":
            guard let name = value.string?.split(separator: "/").last, let target = root["$defs"]?[String(name)] else {
                return ["no definition \(value)"]
            }
            return faults(node, target, at: path)
        case "type":
            let names = value.array?.compactMap(\.string) ?? [value.string ?? ""]
            return names.contains { isOf(type: $0, node) } ? [] : fault
        case "const": return same(node, value) ? [] : fault
        case "enum": return value.array?.contains { same(node, $0) } == true ? [] : fault
        case "anyOf": return value.array?.contains { faults(node, $0, at: path).isEmpty } == true ? [] : fault
        case "allOf": return value.array?.flatMap { faults(node, $0, at: path) } ?? fault
        case "if":
            guard let then = schema["then"], faults(node, value, at: path).isEmpty else { return [] }
            return faults(node, then, at: path)
        case "pattern":
            guard let text = node.string, let pattern = value.string else { return [] }
            guard let regex = try? Regex(pattern) else { return ["\(path): bad pattern \(pattern)"] }
            return text.contains(regex) ? [] : fault
        case "minLength": return node.string.map { Double($0.count) >= value.number ?? 0 } ?? true ? [] : fault
        case "minItems": return node.array.map { Double($0.count) >= value.number ?? 0 } ?? true ? [] : fault
        case "minProperties": return node.object.map { Double($0.members.count) >= value.number ?? 0 } ?? true ? [] : fault
        case "minimum": return node.number.map { $0 >= value.number ?? 0 } ?? true ? [] : fault
        case "exclusiveMinimum": return node.number.map { $0 > value.number ?? 0 } ?? true ? [] : fault
        case "maximum": return node.number.map { $0 <= value.number ?? 0 } ?? true ? [] : fault
        case "exclusiveMaximum": return node.number.map { $0 < value.number ?? 0 } ?? true ? [] : fault
        case "items": return node.array?.enumerated().flatMap { faults($1, value, at: "\(path)/\($0)") } ?? []
        case "required":
            return node.object.map { object in value.array?.allSatisfy { object[$0.string ?? ""] != nil } == true } ?? true
                ? [] : fault
        case "properties":
            return node.object?.members.flatMap { member in
                value[member.key].map { faults(member.node, $0, at: "\(path)/\(member.key)") } ?? []
            } ?? []
        case "propertyNames":
            return node.object?.members.flatMap { member in
                faults(JSONNode(value: .string(member.key), offset: 0), value, at: "\(path)/\(member.key)")
            } ?? []
        case "patternProperties": return value.object?.members.map(\.key) == ["^x-"] ? [] : ["only ^x- is known"]
        case "additionalProperties":
            return node.object?.members.filter { schema["properties"]?[$0.key] == nil && !$0.key.hasPrefix("x-") }
                .flatMap { faults($0.node, value, at: "\(path)/\($0.key)") } ?? []
        default: return ["the schema uses \(keyword), which this check does not know"]
        }
    }

    private func isOf(type: String, _ node: JSONNode) -> Bool {
        switch (type, node.value) {
        case ("null", .null), ("boolean", .boolean), ("number", .number), ("string", .string), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number(let text)): Int64(text) != nil
        default: false
        }
    }

    private func same(_ first: JSONNode, _ second: JSONNode) -> Bool {
        switch (first.value, second.value) {
        case (.string(let one), .string(let other)): one == other
        case (.number(let one), .number(let other)): Double(one) == Double(other)
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        default: false
        }
    }
}

@Suite("The published schema and documentation")
struct SchemaTests {
    private let schema: JSONNode

    init() throws { schema = try JSONNode.parse(documentation("channel-feed.schema.json")) }

    @Test("the full example and every feed of the documentation satisfies the schema and the reader")
    func examples() throws {
        let manual = String(decoding: documentation("channel-feed.md"), as: UTF8.self)
        let blocks = manual.split(separator: "```json\n").dropFirst().compactMap {
            $0.split(separator: "```").first.map(String.init)
        }
        #expect(blocks.count >= 2)
        for text in blocks + [fullExample] {
            #expect(SchemaChecker(root: schema).faults(try JSONNode.parse(Array(text.utf8)), schema) == [])
            #expect(read(text).exitCode == 0)
        }
        let documented = blocks.contains { $0.filter { !$0.isWhitespace } == fullExample.filter { !$0.isWhitespace } }
        #expect(documented, "the full example is in the documentation")
    }

    /// The keys that the reader knows, by the name of their definition in the schema.
    private static let definitions: [(name: String, keys: [String])] = [
        ("provider", SettingsParser.providerKeys), ("refresh", SettingsParser.refreshKeys),
        ("start", ReferenceResolver.startKeys), ("channel", ChannelParser.keys), ("stream", StreamParser.keys),
        ("audioHint", StreamParser.audioHintKeys), ("scheduleEntry", ReferenceResolver.scheduleEntryKeys),
        ("guide", ChannelParser.guideKeys), ("rating", RatingParser.keys), ("artwork", ArtworkParser.keys),
        ("picture", ArtworkParser.pictureKeys), ("window", WindowParser.keys), ("series", SeriesParser.keys),
        ("season", ReferenceResolver.seasonKeys), ("item", ItemParser.keys), ("subtitle", ItemParser.subtitleKeys),
        ("thumbnails", ItemParser.thumbnailsKeys), ("offline", ItemParser.offlineKeys), ("trim", ItemParser.trimKeys),
        ("marker", MarkerParser.keys),
        ("interstitial", InterstitialParser.keys), ("skip", InterstitialParser.skipKeys), ("proposal", ProposalParser.keys),
        ("row", ReferenceResolver.rowKeys), ("policy", SettingsParser.policyKeys), ("idle", SettingsParser.idleKeys),
    ]

    @Test("the schema lists exactly the keys of the reader")
    func keys() {
        #expect(schema["properties"]?.object?.members.map(\.key) == FeedParser.keys)
        for (name, keys) in Self.definitions {
            #expect(schema["$defs"]?[name]?["properties"]?.object?.members.map(\.key) == keys, "\(name)")
        }
    }

    @Test("the schema lists exactly the words of the reader")
    func words() {
        func words(_ definition: String, _ key: String) -> [String]? {
            schema["$defs"]?[definition]?["properties"]?[key]?["enum"]?.array?.compactMap(\.string)
        }
        #expect(words("channel", "kind") == Channel.Kind.allCases.map(\.rawValue))
        #expect(words("item", "type") == Item.Kind.allCases.map(\.rawValue))
        let priorities = schema["$defs"]?["offlinePriority"]?["enum"]?.array?.compactMap(\.string)
        #expect(priorities == Item.Offline.Priority.allCases.map(\.rawValue))
        #expect(words("item", "skipMode") == SkipMode.allCases.map(\.rawValue))
        #expect(words("subtitle", "kind") == SubtitleTrack.Kind.allCases.map(\.rawValue))
        #expect(words("marker", "kind") == NavigationMarker.Kind.allCases.map(\.rawValue))
        #expect(words("interstitial", "kind") == Interstitial.Kind.allCases.map(\.rawValue))
        #expect(words("interstitial", "repeat") == Interstitial.Repetition.allCases.map(\.rawValue))
        #expect(words("policy", "snapBack") == SnapBack.allCases.map(\.rawValue))
        #expect(words("policy", "metered") == Policy.Metered.allCases.map(\.rawValue))
    }

    @Test("the schema accepts the same times, dates and ids as the reader")
    func forms() throws {
        func allows(_ definition: String, _ json: String) throws -> Bool {
            let target = try #require(schema["$defs"]?[definition])
            return SchemaChecker(root: schema).faults(try JSONNode.parse(Array(json.utf8)), target).isEmpty
        }
        for text in [
            "600.500", "10:00", "1:10:00.5", "22m", "10:75", "1:60:00", "-1", "1e3", "1.", "1.0000000001", "1:2:3:4", "", "5:7",
        ] {
            #expect(try allows("time", "\"\(text)\"") == (FeedTime.parse(text) != nil), "\(text)")
            #expect(try allows("signedTime", "\"-\(text)\"") == (FeedTime.parse("-" + text, signed: true) != nil), "-\(text)")
        }
        for text in [
            "2026-11-20T10:00:00Z", "2026-11-20T10:00Z", "2026-11-20T10:00:00.5+01:00", "2026-11-20", "2026-11-20T10:00:00",
            "tomorrow",
        ] {
            #expect(try allows("date", "\"\(text)\"") == (FeedDate(text) != nil), "\(text)")
        }
        for rating in [("MPA", "PG-13"), ("MPA", "PG13"), ("FSK", "12"), ("TVPG", "PG")] {
            let isKnown = Rating(system: rating.0, value: rating.1).minimumAge != nil
            #expect(try allows("rating", "{\"system\": \"\(rating.0)\", \"value\": \"\(rating.1)\"}") == isKnown, "\(rating)")
        }
    }

    @Test("values that the reader refuses by their form are refused by the schema too")
    func mistakes() throws {
        for rule in itemRules + feedRules where rule.line.contains("FEED-002") || rule.line.contains("FEED-003") {
            #expect(
                !SchemaChecker(root: schema).faults(try JSONNode.parse(Array(rule.feed.utf8)), schema).isEmpty, "\(rule.line)")
        }
    }

    @Test("the documentation lists every rule and every rating with its age")
    func manual() {
        let manual = String(decoding: documentation("channel-feed.md"), as: UTF8.self)
        for code in FeedCode.allCases { #expect(manual.contains(code.rawValue), "\(code.rawValue)") }
        for system in RatingSystem.allCases where system != .age {
            let row = system.table.map { "\($0.value) \($0.minimumAge)" }.joined(separator: ", ")
            #expect(manual.contains("| \(system.rawValue) | \(row) |"), "| \(system.rawValue) | \(row) |")
        }
        for (name, keys) in Self.definitions + [("feed", FeedParser.keys)] {
            for key in keys { #expect(manual.contains("`\(key)`"), "\(name).\(key)") }
        }
    }
}
