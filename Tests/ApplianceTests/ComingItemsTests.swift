import ChannelFeed
import Playback
import TestSupport
import Testing

@testable import Appliance

@Suite("The item that the player gets in advance")
@MainActor
struct ComingItemsTests {
    /// Makes items and keeps them.
    @MainActor
    private final class Maker {
        let rig: BoxRig
        private(set) var items: [(url: String, item: PlayerItem)] = []

        init() throws {
            rig = try BoxRig()
            rig.put(["a.mp4": FakeMedia(), "b.mp4": FakeMedia(), "c.mp4": FakeMedia()])
            rig.player.replaceCurrentItem(with: item("https://test/a.mp4"))
        }

        func item(_ url: String) -> PlayerItem { PlayerItem(asset: Asset(url: url, services: rig.parts.services)) }

        func make(_ programme: Programme, _ stream: Int) -> PlayerItem {
            let item = item(programme.streams[stream].name)
            items.append((programme.streams[stream].name, item))
            return item
        }
    }

    @Test("all its streams are tried, and only then it counts as unplayable; another item does not count at all")
    func skipped() throws {
        let maker = try Maker()
        defer { maker.rig.close() }
        let coming = ComingItems(maker.rig.parts)
        let members =
            #""items": [{"id": "b", "type": "movie", "title": "B", "streams": [{"url": "b.mp4"}, {"url": "c.mp4"}]}]"#
        let programme = Programme(.item(try #require(try feed(members).item("b"))))
        coming.give(programme, make: { maker.make($0, $1) })
        coming.give(programme, make: { maker.make($0, $1) })
        #expect(maker.items.map(\.url) == ["https://test/b.mp4"], "it is given once")
        #expect(coming.skipped(maker.item("https://test/x.mp4"), make: { maker.make($0, $1) }) == nil)
        #expect(coming.isGiven(maker.items[0].item) && !coming.isGiven(nil))
        #expect(coming.skipped(maker.items[0].item, make: { maker.make($0, $1) }) == nil)
        #expect(maker.items.map(\.url) == ["https://test/b.mp4", "https://test/c.mp4"])
        #expect(coming.skipped(maker.items[0].item, make: { maker.make($0, $1) }) == nil, "it was skipped already")
        #expect(coming.isGiven(maker.items[1].item))
        #expect(coming.skipped(maker.items[1].item, make: { maker.make($0, $1) }) == programme)
        #expect(!coming.isGiven(maker.items[1].item) && maker.items.count == 2)
    }

    @Test("an item that is no longer wanted leaves the player")
    func forgotten() throws {
        let maker = try Maker()
        defer { maker.rig.close() }
        let coming = ComingItems(maker.rig.parts)
        let (first, second) = (Programme(.url("https://test/b.mp4")), Programme(.url("https://test/c.mp4")))
        coming.give(first, make: { maker.make($0, $1) })
        #expect(maker.rig.player.items().dropFirst().map { ObjectIdentifier($0) } == [ObjectIdentifier(maker.items[0].item)])
        coming.give(second, make: { maker.make($0, $1) })
        #expect(maker.rig.player.items().dropFirst().map { ObjectIdentifier($0) } == [ObjectIdentifier(maker.items[1].item)])
        coming.give(nil, make: { maker.make($0, $1) })
        #expect(maker.rig.player.items().count == 1 && coming.take() == nil)
    }
}
