import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import Screens
import TestSupport
import Testing

@testable import Appliance

@Suite("The dump is a written schema")
struct DumpTests {
    // MARK: Lines

    @Test(
        "lines have their documented form",
        arguments: [
            (DumpFact.open(id: "e1"), "open e1"),
            (.open(id: "two words"), #"open "two words""#),
            (.next(id: "e2", isAutomatic: true), "next e2 automatic=true"),
            (.place(SavedPlace(time: .seconds(30), owedInterstitial: "a1")), "place time=30.000 owed=a1"),
            (.place(nil), "place none"),
            (.seek(to: .seconds(20), tolerance: .zero), "seek to=20.000 tolerance=zero"),
            (.didPresent(id: "a1", how: .completed), "did-present a1 completed"),
            (.key(.right, .press, device: "script"), "key right press script"),
            (.answer(.failed(.linear)), "answer failed(linear)"),
            (.command(.skip(.seconds(-10)), origin: "web"), "command skip(-10.000) from=web"),
            (.interruptionEnded(.heat, mayResume: false), "interruption ended heat resume=false"),
            (.speak("He said \"no\".\nTwice."), #"speak "He said \"no\".\nTwice.""#),
            (.interstitials([.init(id: "a=1", time: .seconds(20))]), #"interstitials "a=1"=20.000"#),
            (
                .metadata([.init(identifier: "id3/TIT2", text: "data"), .init(identifier: "id3/APIC", text: nil)]),
                #"metadata id3/TIT2="data" id3/APIC=data"#
            ),
            (
                .state(
                    .init(
                        item: .failed(.sourceMissing), timeControl: .waitingToPlayAtSpecifiedRate(.seeking), rate: .one,
                        isAtEnd: false,
                        isReadyForDisplay: true, stallCount: 2, seekableRevision: 0)),
                "state itemStatus=failed(SRC-404) timeControlStatus=waitingToPlayAtSpecifiedRate(seeking) rate=1 "
                    + "isAtEnd=false isReadyForDisplay=true stallCount=2 seekableRevision=0"
            ),
            (
                .frame(
                    .init(
                        asset: .milliseconds(40), scheduled: HostTime(nanoseconds: 66_666_666),
                        flip: HostTime(nanoseconds: 66_666_666),
                        sync: 7, hash: 0xd2)),
                "frame asset=0.040 scheduled=0.066666666 flip=0.066666666 sync=7ms hash=d2"
            ),
            (.interface(.card, .nothing), "interface card -"),
            (
                .interface(
                    .proposal,
                    .record([
                        DumpField("title", .text("Low Tide")), DumpField("facts", .list([.text("Drama"), .text("TV-PG")])),
                        DumpField("focus", .tagged("button", .word("0"))),
                    ])), #"interface proposal {title="Low Tide" facts=["Drama", "TV-PG"] focus=button(0)}"#
            ),
        ])
    func form(_ fact: DumpFact, _ words: String) throws {
        let line = DumpLine(time: HostTime(nanoseconds: 1_500_000_000), fact: fact)
        #expect(line.description == "1.500000000 " + words)
        #expect(try #require(DumpLine(line.description)) == line)
    }

    @Test("reading a written line restores the fact", arguments: DumpFact.Kind.allCases)
    func roundTrip(_ kind: DumpFact.Kind) throws {
        var random = FactMaker(seed: kind.rawValue.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
        for _ in 0..<300 {
            let line = DumpLine(time: random.instant(), fact: random.fact(kind))
            let written = line.description
            #expect(line.fact.written.kind == kind)
            #expect(!written.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{2028}" })
            #expect(DumpLine(written) == line, "\(written)")
        }
    }

    @Test(
        "a line that does not follow the schema is refused",
        arguments: [
            "", "1.0", "now open e1", "1.0 dance", "1.0 open", "1.0 next e2", "1.0 frame asset=0.000", "1.0 state rate=1",
            "1.0 seek to=soon tolerance=zero", "1.0 key fly press script", "1.0 answer failed(linear", "1.0 speak \"unfinished",
            "1.0 interface shelf -", "1.0 interface card {title=}", "1.0 interface bar {focus=action(a=1 2)}",
            "1.0 speak \"\\u{110000}\"",
            "1.0 interface card " + String(repeating: "[", count: 1000),
        ])
    func refused(_ line: String) {
        #expect(DumpLine(line) == nil)
    }

    @Test("an address is written as its last part")
    func withoutPlace() {
        #expect("https://test:8080/pictures/poster.jpg?x=1".dumpValue == .text("poster.jpg?x=1"))
        #expect("/home/films/one.mp4".dumpValue == .text("one.mp4"))
        #expect("Skip in 0:05".dumpValue == .text("Skip in 0:05"))
    }

    // MARK: The documentation

    private static let page = Fixtures.text(Fixtures.root + "/docs/dump.md") ?? ""

    /// The first cells of the rows of a table with the names in code font of the cells after it.
    private static func table(under heading: String) -> [String: Set<String>] {
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "## \(heading)") else { return [:] }
        var rows: [String: Set<String>] = [:]
        for line in lines[(start + 1)...].prefix(while: { !$0.hasPrefix("## ") }) where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map(String.init)
            let names = names(in: cells[0])
            for name in names { rows[name] = Set(cells.dropFirst().flatMap(Self.names)) }
        }
        return rows
    }

    private static func names(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
            .map { String($0.element) }
    }

    /// The words that name a kind on lines.
    private static func words(_ kind: DumpFact.Kind) -> [String] {
        kind == .task ? BoxTask.allCases.map(\.rawValue) : [kind.rawValue]
    }

    @Test("every kind of fact is documented with its fields, and no other")
    func documentedFacts() {
        let table = Self.table(under: "Facts")
        #expect(Set(table.keys) == Set(DumpFact.Kind.allCases.flatMap(Self.words)))
        var random = FactMaker(seed: 11)
        for kind in DumpFact.Kind.allCases where ![.interstitials, .metadata, .settings].contains(kind) {
            let fields = Set((0..<60).flatMap { _ in random.fact(kind).written.content.fields.map(\.name) })
            for word in Self.words(kind) {
                let documented = table[word]?.filter { $0.hasSuffix("=") }.map { String($0.dropLast()) }
                #expect(documented.map { Set($0) } == fields, "\(word)")
            }
        }
    }

    @Test("every part of the interface is documented, and no other")
    func documentedParts() {
        #expect(Set(Self.table(under: "Parts of the interface").keys) == Set(InterfacePart.allCases.map(\.rawValue)))
    }

    @Test("every property of the presentation state is a part, and no other")
    func parts() {
        let properties = Mirror(reflecting: PresentationState()).children.compactMap(\.label)
        #expect(Set(properties) == Set(InterfacePart.allCases.map(\.rawValue)))
    }

    @Test("every record is documented with its fields, and no other")
    func documentedRecords() {
        let records = Dictionary(
            uniqueKeysWithValues: Self.records.map { name, type in (name, Set(Self.fieldNames(type))) })
        #expect(Self.table(under: "Records") == records)
    }

    private static func fieldNames<Record: DumpRecord>(_ type: Record.Type) -> [String] { type.dumpFields.map(\.name) }

    private static var records: [(String, any DumpRecord.Type)] {
        [
            ("rectangle", PixelRect.self), ("video", VideoPlacement.self), ("captions", CaptionPlacement.self),
            ("style", CaptionStyle.self), ("appearance", Appearance.self), ("poster", PosterView.self),
            ("overlay", ScreenOverlay.self), ("crop", OverlayCrop.self),
            ("presence", LayerPresence.self), ("title", TitleView.self),
            ("action", ContextualActionView.self), ("spinner", SpinnerView.self), ("refusal", RefusalView.self),
            ("button", ButtonView.self), ("bar", TransportBarView.self), ("dot", TransportBarView.Dot.self),
            ("span", TransportBarView.Span.self), ("scrub", TransportBarView.Scrub.self), ("proposal", ProposalView.self),
            ("card", CardView.self), ("channelBanner", ChannelBannerView.self), ("numberEntry", NumberEntryView.self),
            ("volume", VolumeView.self), ("notice", NoticeView.self), ("paused", PausedView.self),
            ("audioOnly", AudioOnlyView.self),
            ("panel", PanelView.self),
            ("tab", PanelView.TabTitle.self), ("info", InfoView.self), ("chapter", ChapterView.self), ("menu", MenuView.self),
            ("menu row", MenuView.Row.self), ("preview", CaptionPreviewView.self), ("home", HomeView.self),
            ("content", HomeContent.self), ("row", HomeContent.Row.self), ("entry", HomeContent.Entry.self),
            ("settings", SettingsView.self), ("search", SearchView.self), ("search key", SearchView.Key.self),
            ("recents", SearchView.Recents.self), ("related", RelatedView.self),
            ("guide", GuideView.self), ("tick", GuideView.Tick.self), ("guide row", GuideView.Row.self),
            ("cell", GuideView.Cell.self), ("pin", PINView.self), ("longText", LongTextView.self),
            ("programme", ProgrammeView.self), ("series", SeriesView.self), ("season", SeriesView.Season.self),
            ("episode", SeriesView.Episode.self), ("channels", ChannelListView.self), ("channel", ChannelListView.Row.self),
            ("delay", DelayView.self), ("passphrase", PassphraseView.self),
            ("testPicture", TestPictureView.self), ("screenSaver", ScreenSaverView.self),
            ("setUp", SetUpView.self),
            ("fact", SetUpView.Fact.self), ("verdict", VerdictView.self),
        ]
    }
}
