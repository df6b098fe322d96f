import MediaTime
import Testing

@testable import Captions

@Suite("Captions of other projects", .enabled(if: Corpus.folder != nil, "the folder shared/corpus is not beside the package"))
struct CorpusTests {
    /// Compares a cue with the corpus's, after mapping names that have changed since then.
    private func differences(_ cue: CaptionCue, _ expected: Expectation.Cue, regions: [CaptionRegion]) -> [String] {
        var found: [String] = []
        func compare<Value: Equatable>(_ name: String, _ value: Value, _ wanted: Value) {
            if value != wanted { found.append("\(name) is \(value), not \(wanted)") }
        }
        func old(_ word: String) -> String {
            word == "center" ? "middle" : word == "line-left" ? "start" : word == "line-right" ? "end" : word
        }
        compare("id", cue.id, expected.id)
        compare("start", cue.start, .milliseconds(Int64((expected.startTime * 1000).rounded())))
        compare("end", cue.end, .milliseconds(Int64((expected.endTime * 1000).rounded())))
        compare("text", cue.source, expected.text)
        compare("vertical", cue.settings.vertical.rawValue, expected.vertical)
        switch cue.settings.line {
        case .auto: compare("line", .word("auto"), expected.line)
        case .number(let number): compare("line", .number(Double(number)), expected.line)
        case .percentage(let percentage):
            compare("line", .number(percentage), expected.line)
            compare("snapToLines", false, expected.snapToLines)
        }
        compare("lineAlign", old(cue.settings.lineAlignment.rawValue), expected.lineAlign)
        compare("position", cue.settings.position.map { .number($0) } ?? .word("auto"), expected.position)
        compare("positionAlign", old(cue.settings.effectivePositionAlignment.rawValue), expected.positionAlign)
        compare("size", cue.settings.size, expected.size)
        compare("align", old(cue.settings.alignment.rawValue), expected.align)
        let region = cue.settings.region.flatMap { id in regions.first { $0.id == id } }.map { Expectation.Region($0) }
        if case .region(let wanted) = expected.region {
            compare("region", region, wanted)
        } else {
            compare("region", region, nil)
        }
        return found
    }

    @Test("a cue right after a line with invalid times is kept, as the standard says, although the corpus's player drops it")
    func brokenTimes() throws {
        let bytes = try #require(Corpus.bytes("mozilla-vttjs/integration/id.vtt"))
        #expect(try CaptionDocument.read(bytes).cues.map(\.id) == ["1", "Random", "12*AS& Over ...", "", "ja88120 aa"])
    }

    /// For files without an expectation: the expectation that their folder shares among files of a kind.
    private func shared(_ path: String) -> String? {
        let parts = path.split(separator: "/")
        let folder = parts.dropLast().joined(separator: "/")
        let name = parts.last?.dropLast(4) ?? ""
        switch (folder.split(separator: "/").dropFirst().joined(separator: "/"), name) {
        case ("cue-times", "missing-separator"): return "\(folder)/bad-data.json"
        case ("cue-times", _): return "\(folder)/with-data.json"
        case ("file-layout", "webvtt-no-bom"), ("file-layout", "webvtt-with-bom"), ("file-layout", "webvtt-space"),
            ("file-layout", "webvtt-tab"):
            return "\(folder)/with-data.json"
        // The standard keeps cues right below the signature.
        case ("file-layout", "header-no-new-line"): return nil
        case ("file-layout", _): return "\(folder)/no-output.json"
        case ("regions", "no-line-break"), ("regions", "no-space-after-delimiter"): return "\(folder)/good-region.json"
        case ("cue-settings/line", _): return "\(folder)/bad-line.json"
        case ("cue-settings/position", _): return "\(folder)/bad-position.json"
        default:
            return Corpus.files(folder).first {
                $0.split(separator: "/").count == parts.count && $0.contains("/bad-") && $0.hasSuffix(".json")
            }
        }
    }

    @Test(
        "a file with an error is parsed as its folder expects for its kind",
        arguments: Corpus.files("mozilla-vttjs").filter { $0.hasSuffix(".vtt") && Corpus.bytes($0.dropLast(4) + ".json") == nil })
    func mistakes(_ path: String) throws {
        guard let json = shared(path) else { return }
        check(path, try #require(try Expectation.read(json)))
    }

    @Test(
        "every other file is parsed to the number of cues counted by hand",
        arguments: [
            ("androidx-media/typical", 2), ("androidx-media/typical_with_comments", 2), ("androidx-media/with_bad_cue_header", 2),
            ("androidx-media/with_bom", 2), ("androidx-media/with_consecutive_cues", 2),
            ("androidx-media/with_overlapping_timestamps", 4),
            ("androidx-media/with_rubies", 4), ("ttconv/alignment.vtt", 9), ("ttconv/font.vtt", 3), ("ttconv/position.vtt", 4),
            ("ttconv/style.vtt", 1),
        ])
    func others(_ path: String, _ count: Int) throws {
        let bytes = try #require(Corpus.bytes(path))
        #expect(try CaptionDocument.read(bytes).cues.count == count)
    }

    @Test("a file without signature is refused in one sentence")
    func signature() throws {
        let bytes = try #require(Corpus.bytes("ttconv-invalid/bad-signature.vtt"))
        let error = #expect(throws: CaptionError.self) { try CaptionDocument.read(bytes) }
        #expect(
            error?.description
                == "cannot read captions that begin with \"vtt\": they are neither WebVTT, TTML, ASS nor SubRip; serve one of these"
        )
    }

    @Test("a segment's timestamp map is parsed, beyond 33 bits")
    func timestampMap() throws {
        let document = try CaptionDocument.read(try #require(Corpus.bytes("androidx-media/with_x-timestamp-map_header")))
        #expect(document.timestampMap == TimestampMap(mpegTS: 384_879_885, local: .milliseconds(4_276_443)))
        #expect(document.cues.map(\.start) == [.milliseconds(958_715_679), .milliseconds(958_717_433)])
    }

    private func check(_ path: String, _ expected: Expectation) {
        let document = Corpus.bytes(path).flatMap { try? CaptionDocument.read($0) } ?? CaptionDocument(cues: [])
        // The corpus lists cues in file order; a stable sort of files in order gives the same.
        #expect(document.cues.count == expected.cues.count, "\(path)")
        for (cue, wanted) in zip(
            document.cues,
            expected.cues.enumerated().sorted { ($0.element.startTime, $0.offset) < ($1.element.startTime, $1.offset) })
        {
            #expect(differences(cue, wanted.element, regions: document.regions) == [], "\(path)")
        }
        #expect(document.regions.map { Expectation.Region($0) } == expected.regions, "\(path)")
    }

    @Test(
        "every file with its own expectation is parsed as expected",
        arguments: Corpus.files("mozilla-vttjs").filter { $0.hasSuffix(".json") })
    func expectations(_ json: String) throws {
        let path = json.dropLast(5) + ".vtt"
        guard Corpus.bytes(String(path)) != nil, json != "mozilla-vttjs/integration/id.json" else { return }
        check(String(path), try #require(try Expectation.read(json)))
    }
}

extension Expectation.Region {
    init(_ region: CaptionRegion) {
        self.init(
            width: region.width, lines: region.lines, regionAnchorX: region.regionAnchor.x, regionAnchorY: region.regionAnchor.y,
            viewportAnchorX: region.viewportAnchor.x, viewportAnchorY: region.viewportAnchor.y,
            scroll: region.scrollsUp ? "up" : "")
    }
}
