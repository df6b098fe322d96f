import Composition
import MediaModel
import MediaSources
import MediaTime
import Metadata
import TestSupport
import Testing

@testable import Appliance
@testable import Playback

@Suite("The metadata of the current stream")
@MainActor
struct StreamFactsTests {
    /// An item whose stream has told these metadata.
    private func item(_ rig: BoxRig, _ change: (inout StreamMetadata) -> Void = { _ in }) -> PlayerItem {
        let item = PlayerItem(asset: Asset(url: "https://test/a.m3u8", services: rig.parts.services))
        change(&item.metadata)
        return item
    }

    private func text(_ identifier: MetadataIdentifier, _ text: String, _ language: String? = nil) -> MetadataItem {
        MetadataItem(identifier, .text(text), extendedLanguageTag: language)
    }

    @Test("texts are used without chapters, and chapters without texts; a stream with neither has no metadata")
    func metadata() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        let title = text(.commonTitle, "Low Tide")
        let chapter = TimedMetadataGroup(timeRange: TimeRange(start: .zero, end: .seconds(5)), items: [title])
        let texts = KnownMetadata(item: item(rig) { $0.items = [title] }, languages: ["en"]).metadata
        #expect(texts?.items == [title] && texts?.chapters == [])
        let chapters = KnownMetadata(item: item(rig) { $0.chapters = [chapter] }, languages: ["en"]).metadata
        #expect(chapters?.items == [] && chapters?.chapters == [chapter])
        #expect(KnownMetadata(item: item(rig), languages: ["en"]).metadata == nil)
        #expect(KnownMetadata(item: nil, languages: ["en"]).metadata == nil)
    }

    @Test("the chapters of a composition's sources are read once and reach the panel, with the composition's times")
    func composition() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        // A Matroska file with two chapters of one second.
        func element(_ id: [UInt8], _ body: [UInt8]) -> [UInt8] { id + [UInt8(0x80 | body.count)] + body }
        func chapter(_ second: UInt8, _ title: String) -> [UInt8] {
            // Times in nanoseconds.
            func time(_ second: Int) -> [UInt8] { (0..<5).reversed().map { UInt8(second * 1_000_000_000 >> (8 * $0) & 255) } }
            let (start, end) = (element([0x91], time(Int(second))), element([0x92], time(Int(second) + 1)))
            let (text, language) = (element([0x85], Array(title.utf8)), element([0x43, 0x7C], Array("eng".utf8)))
            return element([0xB6], start + end + element([0x80], text + language))
        }
        let chapters = element([0x10, 0x43, 0xA7, 0x70], element([0x45, 0xB9], chapter(0, "One") + chapter(1, "Two")))
        let film = element([0x1A, 0x45, 0xDF, 0xA3], []) + element([0x18, 0x53, 0x80, 0x67], chapters)
        let source = SourceReference(url: "https://test/a.mkv")
        let segments = [
            CompositionTrackSegment(source, TimeRange(start: .milliseconds(500), duration: .seconds(1)), at: .zero)
        ]
        var services = rig.parts.services
        services.loader = OneFile(film)
        let asset = Asset(
            composition: Composition(tracks: [CompositionTrack(id: TrackID(1), type: .video, segments: segments)]),
            name: "pieces",
            services: services)
        let item = PlayerItem(asset: asset)
        let description = SourceDescription(
            kind: "composition", tracks: [], duration: .finite(.seconds(1)), seekableTimeRanges: [])
        item.description = description
        let facts = KnownMetadata(item: item, languages: ["en"])
        var isKnown = false
        facts.read { _, error in isKnown = error == nil }
        rig.loop.run(until: { isKnown })
        let metadata = try #require(facts.metadata)
        let groups = metadata.chapterGroups(bestMatching: ["en"], duration: .seconds(1)) { "\($0)" }
        #expect(groups.map { $0.items.first?.stringValue } == ["One", "Two"])
        #expect(
            groups.map(\.timeRange) == [
                TimeRange(start: .zero, end: .milliseconds(500)), TimeRange(start: .milliseconds(500), end: .seconds(1)),
            ])
        facts.read { _, _ in Issue.record("read twice") }
    }

    @Test("the line of the current song has artist and title in the viewer's language, as far as they are known")
    func presentedLine() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        let item = item(rig)
        let facts = KnownMetadata(item: item, languages: ["de", "en"])
        #expect(facts.presentedLine == nil)
        item.presentedMetadata = [text(.commonTitle, "Tide", "en"), text(.commonTitle, "Flut", "de")]
        #expect(facts.presentedLine == "Flut")
        item.presentedMetadata.append(text(.commonArtist, "The Coast"))
        #expect(facts.presentedLine == "The Coast · Flut")
    }

    @Test("what a stream tells about places and people does not enter a dump, which leaves the box")
    func privateMetadata() throws {
        let items = [
            text(.commonTitle, "Low Tide"), text(MetadataIdentifier(.id3, "PRIV"), "owner@example"),
            text(MetadataIdentifier(.quickTimeMetadata, "com.apple.quicktime.location.ISO6709"), "+48.1+011.6/"),
        ]
        let fact = try #require(DumpFact(PlayerEvent.metadata(.presented(items))))
        guard case .metadata(let shown) = fact else {
            Issue.record("\(fact)")
            return
        }
        #expect(shown.map(\.text) == ["Low Tide"])
    }
}
