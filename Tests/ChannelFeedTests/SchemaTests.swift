import MediaModel
import TestSupport
import Testing
import WireFormats

@testable import ChannelFeed

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
        ("scheduleRule", ScheduleParser.keys),
        ("guide", ChannelParser.guideKeys), ("rating", RatingParser.keys), ("artwork", ArtworkParser.keys),
        ("picture", ArtworkParser.pictureKeys), ("window", WindowParser.keys), ("series", SeriesParser.keys),
        ("season", ReferenceResolver.seasonKeys), ("item", ItemParser.keys), ("subtitle", ItemParser.subtitleKeys),
        ("thumbnails", ItemParser.thumbnailsKeys), ("offline", ItemParser.offlineKeys), ("trim", ItemParser.trimKeys),
        ("marker", MarkerParser.keys), ("zoom", MotionParser.rampKeys), ("pan", MotionParser.rampKeys),
        ("place", MotionParser.placeKeys),
        ("frame", FrameParser.keys), ("overlay", OverlayParser.keys), ("overlayText", OverlayWordsParser.keys),
        ("crop", OverlayParser.cropKeys),
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
        #expect(words("frame", "anchor") == ScreenOverlay.Anchor.allCases.map(\.rawValue))
        #expect(words("overlay", "anchor") == ScreenOverlay.Anchor.allCases.map(\.rawValue))
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
        // Which encodings there are is known to iconv alone.
        let rules = (itemRules + feedRules).filter { !$0.line.contains("/charset: unknown encoding") }
        for rule in rules where rule.line.contains("FEED-002") || rule.line.contains("FEED-003") {
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
