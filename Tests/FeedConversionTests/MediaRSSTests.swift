import ChannelFeed
import Testing

@testable import FeedConversion

@Suite("Conversion from Media RSS")
struct MediaRSSTests {
    private func rss(_ content: String, namespace: String = "xmlns:media=\"http://search.yahoo.com/mrss/\"") -> String {
        "<?xml version=\"1.0\"?><rss version=\"2.0\" \(namespace)><channel><title>Films</title><link>https://h.example</link>"
            + "<description>d</description>\(content)</channel></rss>"
    }

    @Test("a group is one item with its forms as alternatives, the default one first")
    func group() throws {
        let result = convert(
            rss(
                """
                <item><guid>g1</guid><title>One &amp; Only</title><media:group>
                <media:content url="https://h.example/low.mp4" type="video/mp4" bitrate="300" duration="61" lang="en"/>
                <media:content url="https://h.example/high.mp4" type="video/mp4" bitrate="900"/>
                <media:content url="https://h.example/a.m3u8" type="application/x-mpegURL"/>
                <media:content url="https://h.example/default.mp4" type="video/mp4" isDefault="true" duration="61.5"/>
                <media:content url="https://h.example/a.jpg" medium="image"/>
                </media:group><media:thumbnail url="https://h.example/t.jpg"/></item>
                """))
        let item = try #require(try feed(result).items.first)
        #expect(item.id == "g1")
        #expect(item.title?.best(for: []) == "One & Only")
        #expect(
            item.streams.map(\.location.name)
                == ["default.mp4", "a.m3u8", "high.mp4", "low.mp4"].map { "https://h.example/" + $0 })
        #expect(item.duration.map { "\($0)" } == "61.500")
        #expect(item.artwork?.poster == "https://h.example/t.jpg")
        #expect(result.places == ["warning /rss/channel[1]/item[1]/media:group[1]/media:content[4]"])
    }

    @Test("elements are inherited from the channel, the item and the group, and the nearest counts")
    func inheritance() throws {
        let result = convert(
            rss(
                """
                <media:rating scheme="urn:mpaa">g</media:rating><media:keywords>all, of them</media:keywords>
                <item><guid>a</guid><title>Item</title><media:rating scheme="urn:mpaa">pg</media:rating>
                 <media:group><media:title>Group</media:title><media:rating scheme="urn:mpaa">r</media:rating>
                  <media:content url="https://h.example/a.mp4"><media:rating scheme="urn:mpaa">nc-17</media:rating></media:content></media:group></item>
                <item><guid>b</guid><title>Item</title><media:rating scheme="urn:v-chip">tv-y7</media:rating>
                 <media:content url="https://h.example/b.mp4"><media:title>Own</media:title></media:content></item>
                <item><guid>c</guid><title>Item</title><media:content url="https://h.example/c.mp4"/></item>
                """))
        let items = try feed(result).items
        #expect(items.map { $0.rating?.value } == ["NC-17", "TV-Y7", "G"])
        #expect(items.map { $0.title?.best(for: []) } == ["Group", "Own", "Item"])
        #expect(items.map(\.tags) == Array(repeating: ["all", "of them"], count: 3))
    }

    @Test("objects without a group are items of their own, and ids do not depend on the order of the items")
    func separate() throws {
        let two = """
            <item><guid>https://h.example/?p=1</guid><media:content url="https://h.example/a.mp4"/><media:content url="https://h.example/b.mp4"/></item>
            """
        let other =
            "<item><guid>https://h.example/?p=2</guid><enclosure url=\"https://h.example/c.mp3\" type=\"audio/mpeg\" length=\"9\"/></item>"
        let first = try feed(convert(rss(two + other))).items
        let second = try feed(convert(rss(other + two))).items
        #expect(first.count == 3)
        #expect(Set(first.map(\.id)) == Set(second.map(\.id)))
        #expect(first.last?.type == .music)
        for item in first { #expect(second.first { $0.id == item.id }?.streams == item.streams) }
    }

    @Test("scenes, captions, validity, status and HTML in descriptions are taken over")
    func parts() throws {
        let result = convert(
            rss(
                """
                <item><guid>a</guid><title>A</title><description>&lt;p&gt;First &amp;amp; &lt;b&gt;second&lt;/b&gt;&lt;/p&gt;</description>
                <dcterms:valid>start=2026-01-01T00:00+01:00; end=2026-06-01; scheme=W3C-DTF</dcterms:valid>
                <media:content url="https://h.example/a.mp4" duration="100"/>
                <media:subTitle type="text/vtt" lang="en-us" href="https://h.example/a.vtt"/>
                <media:scenes><media:scene><sceneTitle>One</sceneTitle><sceneStartTime>00:00</sceneStartTime></media:scene>
                <media:scene><sceneTitle>Two</sceneTitle><sceneStartTime>00:50</sceneStartTime></media:scene></media:scenes>
                <media:status state="blocked"/><media:restriction relationship="allow" type="country">au us</media:restriction></item>
                """, namespace: "xmlns:media='http://search.yahoo.com/mrss' xmlns:dcterms='http://purl.org/dc/terms/'"))
        let item = try #require(try feed(result).items.first)
        #expect(item.description?.best(for: []) == "First & second")
        #expect(item.window?.from == FeedDate("2025-12-31T23:00:00Z"))
        #expect(item.window?.to == FeedDate("2026-06-01T00:00:00Z"))
        #expect(item.markers.map(\.start) == [.zero, .seconds(50)])
        #expect(item.subtitles.map(\.language) == ["en-us"])
        #expect(item.withdrawn)
        #expect(result.places.contains("warning /rss/channel[1]/item[1]/media:restriction[1]"))
    }

    @Test("other prefixes and namespaces without a declaration are recognised", arguments: ["m", "media"])
    func prefixes(_ prefix: String) throws {
        let namespace = prefix == "media" ? "" : "xmlns:m='HTTP://search.yahoo.com/mrss/'"
        let result = convert(
            rss("<item><guid>a</guid><\(prefix):content url='https://h.example/a.mp4'/></item>", namespace: namespace))
        #expect(try feed(result).items.count == 1)
    }

    @Test("a source without media is refused with the way on: repair what is wrong, or give another source")
    func withoutMedia() {
        let words = { (text: String) in convert(self.rss(text)).findings.filter { $0.severity == .refusal }.map(\.description) }
        #expect(
            words("<item><guid>a</guid><title>Words only</title></item>") == [
                "refusal: source: nothing in the source can be played. Give a source with films, recordings or streams."
            ])
        #expect(
            words("<item><guid>a</guid><media:content url=\"http://h.example/a.mp4\"/></item>") == [
                "refusal: source: nothing in the source can be played. Repair the errors above."
            ])
    }

    @Test("an item with a player for browsers only is left out with a warning")
    func player() {
        let result = convert(rss("<item><guid>a</guid><media:player url='https://h.example/player'/></item>"))
        #expect(result.exitCode == 1)
        #expect(result.places.contains("warning /rss/channel[1]/item[1]"))
    }
}
