import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing
import WireFormats

@testable import Composition

@Suite("The JSON of compositions")
struct DocumentTests {
    private let schema: JSONNode
    private let example: String

    init() throws {
        schema = try JSONNode.parse(documentation("composition.schema.json"))
        let manual = String(decoding: documentation("composition.md"), as: UTF8.self)
        example =
            manual.split(separator: "```json\n").dropFirst().first.flatMap { $0.split(separator: "```").first.map(String.init) }
            ?? ""
    }

    private func read(_ text: String, base: String = "https://cdn.example/programmes/a.json") -> CompositionVerdict {
        CompositionReader.read(Array(text.utf8), baseURL: base)
    }

    /// A document of one video track with these segments.
    private static func document(_ segments: String, more: String = "") -> String {
        #"{"compositionVersion": 1, "tracks": [{"id": 1, "type": "video", "segments": ["# + segments + "]}]" + more + "}"
    }

    private func faults(_ text: String) throws -> [String] {
        SchemaChecker(root: schema).faults(try JSONNode.parse(Array(text.utf8)), schema)
    }

    @Test("the example of the documentation satisfies schema and reader, and is what it says")
    func documented() throws {
        #expect(try faults(example) == [])
        let verdict = read(example)
        #expect(verdict.findings == [])
        let document = try #require(verdict.document)
        let segments = document.composition.tracks[0].segments
        #expect(
            segments.map(\.target) == [
                TimeRange(start: .zero, duration: .seconds(5)), TimeRange(start: .seconds(5), duration: .milliseconds(12_500)),
                TimeRange(start: .milliseconds(17_500), duration: .seconds(2)),
                TimeRange(start: .milliseconds(19_500), duration: .seconds(20)),
            ])
        #expect(
            segments[1].content
                == .media(
                    SourceReference(url: "https://cdn.example/programmes/film.mp4", track: TrackID(0), codec: "h264"),
                    TimeRange(start: MediaTime(1001, 30_000), duration: .milliseconds(12_500))))
        #expect(segments.map(\.rate) == [.one, .one, nil, Ratio(1, 2)])
        #expect(document.composition.tracks[1].languageTag == "en")
        let picture = try #require(document.videoComposition?.picture(at: .milliseconds(500)))
        #expect(picture.layers.map(\.opacity) == [0.5])
        let second = TrackID(2)
        #expect(document.audioMix?.volume(of: second, at: .milliseconds(4250)) == 0.75)
        #expect(CompositionReader.read(Array(document.json.text.utf8), baseURL: "/x").document == document)
        #expect(try faults(document.json.text) == [])
    }

    @Test("the schema lists exactly the keys and words of the reader")
    func keys() {
        #expect(schema["properties"]?.object?.members.map(\.key) == CompositionReader.keys)
        for (name, keys) in [
            ("track", CompositionReader.trackKeys), ("segment", CompositionReader.segmentKeys),
            ("sourceRange", CompositionReader.rangeKeys), ("targetRange", CompositionReader.rangeKeys),
            ("videoComposition", CompositionReader.videoKeys), ("renderSize", CompositionReader.sizeKeys),
            ("instruction", CompositionReader.instructionKeys), ("layer", CompositionReader.layerKeys),
            ("ramp", CompositionReader.rampKeys), ("transform", CompositionReader.transformKeys),
            ("crop", CompositionReader.cropKeys), ("audioMix", CompositionReader.mixKeys),
            ("parameters", CompositionReader.parametersKeys),
        ] {
            #expect(schema["$defs"]?[name]?["properties"]?.object?.members.map(\.key) == keys, "\(name)")
        }
        let types = schema["$defs"]?["track"]?["properties"]?["type"]?["enum"]?.array?.compactMap(\.string)
        #expect(types == CompositionReader.types.map(\.rawValue))
        let manual = String(decoding: documentation("composition.md"), as: UTF8.self)
        for reason in CompositionFinding.Reason.allCases { #expect(manual.contains("`\(reason.rawValue)`"), "\(reason)") }
    }

    static let segment = #"{"url": "a.mp4", "source": {"start": 0, "duration": 4}}"#

    static let broken: [(String, String, String)] = [
        ("no JSON", "{", "form "),
        ("a list", "[]", "form "),
        ("no version", #"{"tracks": []}"#, "form "),
        ("another version", #"{"compositionVersion": 2, "tracks": []}"#, "form /compositionVersion"),
        ("no tracks", #"{"compositionVersion": 1}"#, "form "),
        ("an unknown key", #"{"compositionVersion": 1, "tracks": [], "track": 1}"#, "key /track"),
        ("a key twice", #"{"compositionVersion": 1, "tracks": [], "tracks": []}"#, "key /tracks"),
        (
            "a track of text", #"{"compositionVersion": 1, "tracks": [{"id": 1, "type": "text", "segments": []}]}"#,
            "track /tracks/0/type"
        ),
        (
            "a track without number", #"{"compositionVersion": 1, "tracks": [{"type": "video", "segments": []}]}"#,
            "form /tracks/0"
        ),
        (
            "a fraction as number", #"{"compositionVersion": 1, "tracks": [{"id": 1.5, "type": "video", "segments": []}]}"#,
            "form /tracks/0/id"
        ),
        (
            "a huge number",
            #"{"compositionVersion": 1, "tracks": [{"id": 99999999999999999999, "type": "video", "segments": []}]}"#,
            "form /tracks/0/id"
        ),
    ]

    static let brokenSegments: [(String, String, String)] = [
        ("nothing", "{}", "form /tracks/0/segments/0"),
        ("no source", #"{"url": "a.mp4"}"#, "form /tracks/0/segments/0"),
        ("no start", #"{"url": "a.mp4", "source": {"duration": 4}}"#, "form /tracks/0/segments/0/source"),
        (
            "negative", #"{"url": "a.mp4", "source": {"start": 0, "duration": -4}}"#,
            "negative /tracks/0/segments/0/source/duration"
        ),
        (
            "negative start", #"{"url": "a.mp4", "source": {"start": "-1/25", "duration": 4}}"#,
            "negative /tracks/0/segments/0/source/start"
        ),
        (
            "no length", #"{"url": "a.mp4", "source": {"start": 0, "duration": 0}, "target": {"duration": 1}}"#,
            "empty /tracks/0/segments/0/source/duration"
        ),
        (
            "an exponent", #"{"url": "a.mp4", "source": {"start": 0, "duration": 1e3}}"#,
            "form /tracks/0/segments/0/source/duration"
        ),
        (
            "a fraction by zero", #"{"url": "a.mp4", "source": {"start": 0, "duration": "1/0"}}"#,
            "form /tracks/0/segments/0/source/duration"
        ),
        (
            "a fraction by too much", #"{"url": "a.mp4", "source": {"start": 0, "duration": "1/2147483648"}}"#,
            "form /tracks/0/segments/0/source/duration"
        ),
        (
            "a huge time", #"{"url": "a.mp4", "source": {"start": 0, "duration": "9223372036854775807/1"}}"#,
            "form /tracks/0/segments/0/source/duration"
        ),
        (
            "a list as time", #"{"url": "a.mp4", "source": {"start": 0, "duration": [1]}}"#,
            "form /tracks/0/segments/0/source/duration"
        ),
        ("a track of nothing", #"{"track": 1, "target": {"duration": 4}}"#, "form /tracks/0/segments/0/track"),
        (
            "a negative track", #"{"url": "a.mp4", "track": -1, "source": {"start": 0, "duration": 4}}"#,
            "track /tracks/0/segments/0/track"
        ),
        ("an empty address", #"{"url": "", "source": {"start": 0, "duration": 4}}"#, "url /tracks/0/segments/0/url"),
        ("itself", #"{"url": "a.json#x", "source": {"start": 0, "duration": 4}}"#, "url /tracks/0/segments/0/url"),
        ("a file", #"{"url": "file:///etc/passwd", "source": {"start": 0, "duration": 4}}"#, "url /tracks/0/segments/0/url"),
        (
            "a gap", #"{"url": "a.mp4", "source": {"start": 0, "duration": 4}, "target": {"start": 1}}"#,
            "gap /tracks/0/segments/0/target"
        ),
        ("an overlap", segment + #", {"target": {"start": 3, "duration": 1}}"#, "overlap /tracks/0/segments/1/target"),
        (
            "too fast", #"{"url": "a.mp4", "source": {"start": 0, "duration": 4}, "target": {"duration": "0.1"}}"#,
            "rate /tracks/0/segments/0"
        ),
    ]

    @Test(
        "what is wrong is refused with reason and place", arguments: broken + brokenSegments.map { ($0.0, document($0.1), $0.2) })
    func refused(_ name: String, _ text: String, _ wanted: String) throws {
        let verdict = read(text)
        #expect(verdict.document == nil)
        #expect(places(verdict.findings) == [wanted])
        #expect(verdict.findings.allSatisfy { $0.location != nil && $0.remedy.hasSuffix(".") && !$0.message.hasSuffix(".") })
        #expect(!verdict.findings[0].description.contains("\n"))
    }

    @Test("what the reader refuses by its form is refused by the schema too")
    func schemaRefuses() throws {
        for (name, segment, reason) in Self.brokenSegments
        where reason.hasPrefix("form") && name != "a track of nothing" && !name.contains("too much") && name != "a huge time"
            && name != "an exponent"
        {
            #expect(try !faults(Self.document(segment)).isEmpty, "\(name)")
        }
        #expect(try faults(Self.document(Self.segment)) == [])
        #expect(
            try !faults(
                Self.document(Self.segment, more: #", "audioMix": {"tracks": [{"track": 1, "volume": [{"start": 0, "to": 2}]}]}"#)
            ).isEmpty)
        #expect(
            try !faults(
                Self.document(
                    Self.segment, more: #", "audioMix": {"tracks": [{"track": 1, "volume": [{"start": 0, "from": 1, "to": 0}]}]}"#
                )
            ).isEmpty)
    }

    @Test("findings have line and column, and come in the order of the text")
    func locations() {
        let text = """
            {"compositionVersion": 1,
             "tracks": [
               {"id": 1, "type": "video", "segments": [
                 {"url": "a.mp4", "source": {"start": 0, "duration": 4}, "target": {"start": 2}},
                 {"url": "a.mp4", "source": {"start": 0, "duration": 4}, "target": {"start": 5}}]},
               {"id": 1, "type": "audio", "segments": []}]}
            """
        let findings = read(text).findings
        #expect(
            places(findings) == ["gap /tracks/0/segments/0/target", "overlap /tracks/0/segments/1/target", "track /tracks/1/id"])
        #expect(findings.map { $0.location?.line } == [4, 5, 6])
        #expect(findings[2].location?.column == 11)
    }

    @Test("addresses are resolved on the document's own")
    func addresses() {
        func url(_ base: String, _ address: String) -> String? {
            let text = Self.document(#"{"url": "\#(address)", "source": {"start": 0, "duration": 4}}"#)
            return read(text, base: base).document?.composition.sourceURLs.first
        }
        #expect(url("https://cdn.example/x/a.json", "b.mp4") == "https://cdn.example/x/b.mp4")
        #expect(url("https://cdn.example/x/a.json", "https://other.example/b.mp4") == "https://other.example/b.mp4")
        #expect(url("https://cdn.example/x/a.json", "/etc/passwd") == "https://cdn.example/etc/passwd")
        #expect(url("/media/a.json", "films/b.mp4") == "/media/films/b.mp4")
        #expect(url("/media/a.json", "file:///b.mp4") == "file:///b.mp4")
        #expect(url("/media/a.json", "file:///media/a%2Ejson") == nil)
        #expect(url("/media/a.json", "https://cdn.example/b.m3u8") == "https://cdn.example/b.m3u8")
    }

    @Test("mixes are read, checked and written without a change")
    func mixes() throws {
        let text = Self.document(
            Self.segment,
            more: """
                , "videoComposition": {"renderSize": {"width": 640, "height": 360}, "frameDuration": "1001/30000", "background": "#0a0B0c",
                "instructions": [{"range": {"start": 0, "duration": 4}, "background": "#ffffff", "layers": [{"track": 1,
                "opacity": [{"start": 0, "duration": "1/3", "from": 0.1, "to": 0.30000000000000004}, {"start": 2, "to": 1e-3}]}]}]},
                "audioMix": {"tracks": []}
                """)
        let verdict = read(text)
        #expect(verdict.findings == [])
        let document = try #require(verdict.document)
        #expect(document.videoComposition?.background == 0x0A0B0C)
        #expect(document.videoComposition?.picture(at: .seconds(3))?.layers[0].opacity == 0.001)
        #expect(read(document.json.text).document == document)
        #expect(read(document.json.indentedText).document == document)
        let wrong = read(
            Self.document(
                Self.segment,
                more: """
                    , "videoComposition": {"renderSize": {"width": 640}, "frameDuration": 1, "background": "red",
                    "instructions": [{"range": {"start": 0, "duration": 4}, "layers": [{"track": 1, "crop": [{"start": 0, "to": {"x": 0}}]}]}]},
                    "audioMix": {"tracks": [{"track": 1, "volume": [{"start": 0, "duration": 0, "from": 0, "to": 1e999}]}]}
                    """))
        #expect(
            Set(places(wrong.findings)) == [
                "form /videoComposition/renderSize", "form /videoComposition/background",
                "form /videoComposition/instructions/0/layers/0/crop/0/to", "form /audioMix/tracks/0/volume/0/to",
            ])
        let unnamed = read(Self.document(Self.segment, more: #", "audioMix": {"tracks": [{"track": 1, "volume": []}]}"#))
        #expect(places(unnamed.findings) == ["track /audioMix/tracks/0/track"])
    }

    @Test("damaged documents are refused and never trap")
    func damaged() {
        var chance = SeededGenerator(seed: 21)
        let whole = Array(example.utf8)
        let pieces = [
            "9", "-", "1e9", "/0", "\"", "{", "]", "null", "99999999999999999999", "\u{0}", "9223372036854775807/2147483647",
        ]
        var refused = 0
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<chance.number(1...4) {
                let place = chance.number(0...bytes.count - 1)
                switch chance.number(0...2) {
                case 0: bytes.remove(at: place)
                case 1: bytes.insert(contentsOf: Array(chance.one(of: pieces).utf8), at: place)
                default: bytes[place] = UInt8(chance.number(0...255))
                }
            }
            let verdict = CompositionReader.read(bytes, baseURL: "/a.json")
            #expect((verdict.document == nil) == verdict.findings.contains { $0.severity == .error })
            refused += verdict.document == nil ? 1 : 0
        }
        #expect(refused > 1000)
        let long = [UInt8](repeating: 0x20, count: CompositionLimits.document + 1)
        #expect(places(CompositionReader.read(long, baseURL: "/a").findings) == ["limit "])
    }

    @Test("findings of a probe come at their places in the text, and an error refuses the composition")
    func probed() throws {
        let bytes = Array(Self.document(Self.segment + ", " + Self.segment).utf8)
        let verdict = CompositionReader.read(bytes, baseURL: "/x/a.json")
        let url = "/x/a.mp4"
        let failed = try #require(verdict.document).composition.validate(against: [url: .failed("It is gone.")])
        let refused = CompositionReader.adding(failed, to: verdict, of: bytes)
        #expect(refused.document == nil && places(refused.findings) == ["source /tracks/0/segments/0/url"])
        #expect(refused.findings[0].location != nil && refused.findings[0].message == "It is gone")
        let facts = SourceFacts(
            tracks: [SourceFacts.Track(id: TrackID(0), type: .video, codec: "h264")], duration: .seconds(3))
        let short = try #require(verdict.document).composition.validate(against: [url: .found(facts)])
        let warned = CompositionReader.adding(short, to: verdict, of: bytes)
        #expect(warned.document == verdict.document)
        #expect(places(warned.findings) == ["source /tracks/0/segments/0/source", "source /tracks/0/segments/1/source"])
    }

    @Test("a composition is told from other JSON")
    func recognized() {
        #expect(CompositionReader.isComposition(Array(example.utf8)))
        #expect(CompositionReader.isComposition(Array(#"{"compositionVersion": 9}"#.utf8)))
        for text in [#"{"feedVersion": 1}"#, "[]", "{", "", #"{"x-a": {"compositionVersion": 1}}"#] {
            #expect(!CompositionReader.isComposition(Array(text.utf8)))
        }
    }

    @Test("the report names sources, segments, speeds and edges, without secrets")
    func report() throws {
        let text = Self.document(
            #"{"url": "https://user:secret@cdn.example/a.mp4?token=secret", "track": 2, "source": {"start": 1, "duration": 4}, "target": {"duration": 2}}, {"target": {"duration": 1}}"#
        )
        let report = CompositionReport(try #require(read(text).document))
        #expect(
            report.text == """
                composition of 3.000 s: 1 track, 2 segments, 1 edge
                source https://cdn.example/a.mp4?token=REDACTED
                track 1 video
                  [0.000, 2.000) [1.000, 5.000) of https://cdn.example/a.mp4?token=REDACTED track 2 at 2 times its speed
                  [2.000, 3.000) empty
                """)
        let json = try JSONNode.parse(Array(report.json.text.utf8))
        #expect(json["edges"]?.array?.compactMap(\.string) == ["2.000"])
        #expect(json["tracks"]?.array?[0]["segments"]?.array?[0]["rate"]?.string == "2")
        #expect(json["chapters"]?.array?.isEmpty == true)
        #expect(!report.json.text.contains("secret"))
    }

    @Test("the report has the chapters of sources that were opened, in the time of the composition")
    func chapters() throws {
        let text = Self.document(#"{"url": "a.mp4", "source": {"start": 10, "duration": 20}, "target": {"duration": 10}}"#)
        let document = try #require(read(text).document)
        let url = try #require(document.composition.sourceURLs.first)
        let facts = SourceFacts(
            tracks: [], duration: .seconds(60),
            chapters: [
                ChapterDescription(range: TimeRange(start: .zero, end: .seconds(16)), title: "One"),
                ChapterDescription(range: TimeRange(start: .seconds(16), end: .seconds(60)), title: nil),
            ])
        let report = CompositionReport(document, sources: [url: facts])
        #expect(report.text.hasSuffix("\nchapter [0.000, 3.000) One\nchapter [3.000, 10.000) "))
        let json = try JSONNode.parse(Array(report.json.text.utf8))
        let chapters = json["chapters"]?.array ?? []
        #expect(chapters.map { $0["start"]?.string } == ["0.000", "3.000"])
        #expect(chapters.map { $0["end"]?.string } == ["3.000", "10.000"])
        #expect(chapters.map { $0["title"]?.string } == ["One", nil])
    }
}
