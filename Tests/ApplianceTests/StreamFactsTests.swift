import MediaModel
import MediaTime
import Metadata
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
        let texts = StreamFacts(item: item(rig) { $0.items = [title] }, languages: ["en"]).metadata
        #expect(texts?.items == [title] && texts?.chapters == [])
        let chapters = StreamFacts(item: item(rig) { $0.chapters = [chapter] }, languages: ["en"]).metadata
        #expect(chapters?.items == [] && chapters?.chapters == [chapter])
        #expect(StreamFacts(item: item(rig), languages: ["en"]).metadata == nil)
        #expect(StreamFacts(item: nil, languages: ["en"]).metadata == nil)
    }

    @Test("the line of the current song has artist and title in the viewer's language, as far as they are known")
    func presentedLine() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        let item = item(rig)
        let facts = StreamFacts(item: item, languages: ["de", "en"])
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
