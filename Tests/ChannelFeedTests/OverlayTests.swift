import MediaModel
import MediaTime
import Testing

@testable import ChannelFeed

@Suite("Overlays of items and channels")
struct OverlayTests {
    private func overlays(_ parts: String) throws -> [ScreenOverlay] {
        let verdict = read(itemFeed(parts))
        #expect(verdict.findings.map(\.description) == [])
        return try #require(verdict.feed?.item("m1")).screen.overlays
    }

    private func codes(_ text: String) -> [String] { read(text).findings.map { "\($0.code.rawValue) \($0.pointer)" } }

    @Test("a picture without further keys is at the upper right, inside what every television shows, for the whole item")
    func defaults() throws {
        let overlay = try #require(try overlays(#""overlays": [{"image": "bug.png"}]"#).first)
        #expect(
            overlay
                == ScreenOverlay(
                    .picture("https://cdn.example/bug.png"), anchor: .topRight,
                    box: PixelRect(x: 1920 - 96 - 288, y: 54, width: 288, height: 162)))
    }

    @Test(
        "the box is measured from the edges of the anchor",
        arguments: [
            ("topLeft", PixelRect(x: 192, y: 216, width: 480, height: 54)),
            ("bottomLeft", PixelRect(x: 192, y: 810, width: 480, height: 54)),
            ("bottomRight", PixelRect(x: 1248, y: 810, width: 480, height: 54)),
        ])
    func places(anchor: String, box: PixelRect) throws {
        let text = #"{"image": "a.png", "anchor": "\#(anchor)", "x": 10, "y": 20, "width": 25, "height": 5}"#
        #expect(try overlays(#""overlays": [\#(text)]"#).map(\.box) == [box])
    }

    @Test("in the middle of a direction there is no distance, and one that is stated is reported")
    func middle() throws {
        let plain = try overlays(#""overlays": [{"image": "a.png", "anchor": "bottom", "y": 0, "width": 50, "height": 10}]"#)
        #expect(plain.map(\.box) == [PixelRect(x: 480, y: 972, width: 960, height: 108)])
        #expect(
            codes(itemFeed(#""overlays": [{"image": "a.png", "anchor": "centre", "x": 3}]"#)) == [
                "FEED-004 /items/0/overlays/0/x"
            ])
    }

    @Test("boxes stay inside the screen, and together no larger than it")
    func bounds() {
        #expect(
            codes(itemFeed(#""overlays": [{"image": "a.png", "x": 90, "width": 10.5}]"#)) == ["FEED-003 /items/0/overlays/0/x"])
        let half = #"{"image": "a.png", "anchor": "centre", "width": 75, "height": 75}"#
        #expect(codes(itemFeed(#""overlays": [\#(half)]"#)) == [])
        #expect(codes(itemFeed(#""overlays": [\#(half), \#(half)]"#)) == ["FEED-003 /items/0/overlays"])
    }

    @Test("times are converted with the item's other times, and ramps have the edges that they need")
    func times() throws {
        let spliced = #""timeline": "content", "duration": 100, "interstitials": [{"start": 10, "duration": 30}], "#
        let found = try overlays(
            spliced
                + #""overlays": [{"image": "a.png", "start": 10, "end": 20}, {"image": "b.png", "end": 10, "fadeIn": 1}, {"image": "c.png", "fadeOut": 0.5}]"#
        )
        #expect(
            found.map(\.presence) == [
                LayerPresence(start: .seconds(40), end: .seconds(50)),
                LayerPresence(start: .zero, end: .seconds(10), fadeIn: .seconds(1)),
                LayerPresence(end: .seconds(130), fadeOut: .milliseconds(500)),
            ])
    }

    @Test("a fade at an end that is not known is reported")
    func endless() {
        #expect(codes(itemFeed(#""overlays": [{"image": "a.png", "fadeOut": 1}]"#)) == ["FEED-004 /items/0/overlays/0/fadeOut"])
    }

    @Test("those of a channel have no times, and those of a schedule of entries no effect")
    func channels() throws {
        func feed(_ kind: String, _ overlay: String) -> String {
            """
            {"feedVersion": 1, "channels": [{"id": "c", "title": "C", \(kind), "overlays": [\(overlay)]}],
             "items": [{"id": "m", "streams": [{"url": "m.mp4"}]}]}
            """
        }
        let live = #""streams": [{"url": "c.m3u8"}]"#
        let plain = read(feed(live, #"{"image": "bug.png", "opacity": 60, "inInterstitials": true}"#))
        #expect(plain.findings.isEmpty)
        let overlay = try #require(plain.feed?.channel("c")?.screen.overlays.first)
        #expect(overlay.opacityPercent == 60 && overlay.isShownInInterstitials && overlay.presence == LayerPresence())
        let timed = feed(live, #"{"image": "bug.png", "start": 5, "fadeIn": 1}"#)
        #expect(codes(timed) == ["FEED-004 /channels/0/overlays/0/start", "FEED-004 /channels/0/overlays/0/fadeIn"])
        #expect(read(timed).feed?.channel("c")?.screen.overlays.map(\.presence) == [LayerPresence()])
        let schedule = #""kind": "schedule", "entries": [{"at": "2026-11-20T20:00:00Z", "item": "m"}]"#
        #expect(codes(feed(schedule, #"{"image": "bug.png"}"#)) == ["FEED-004 /channels/0/overlays"])
    }

    @Test("words are a clock, a date, or lines in the languages of the feed; what is no word is left out")
    func words() throws {
        let verdict = read(
            itemFeed(
                #"""
                "overlays": [{"text": "clock"}, {"image": "a.png"}, {"text": "date", "anchor": "top"},
                             {"text": {"lines": ["Breakfast until 10", {"en": "Dinner", "fr": "Dîner"}], "ticker": true}, "start": 5}]
                """#))
        #expect(verdict.findings.isEmpty)
        let item = try #require(verdict.feed?.item("m1"))
        #expect(
            item.screen.overlays.map(\.content) == [
                .words(OverlayWords(.clock)), .picture("https://cdn.example/a.png"), .words(OverlayWords(.date)),
                .words(OverlayWords(.feed("item 3"), isTicker: true)),
            ])
        #expect(item.overlayLines.mapValues { $0.map { $0.best(for: ["fr"]) } } == ["item 3": ["Breakfast until 10", "Dîner"]])
        #expect(item.screen.overlays[3].presence.start == .seconds(5))
        #expect(
            codes(itemFeed(#""overlays": [{"text": "clok"}, {"text": "clock", "crop": {"left": 5}}]"#)) == [
                "FEED-002 /items/0/overlays/0/text", "FEED-004 /items/0/overlays/1/crop",
            ])
        #expect(codes(itemFeed(#""overlays": [{"text": "clock", "image": "a.png"}]"#)) == ["FEED-003 /items/0/overlays/0/text"])
    }

    @Test("a picture may be small, and one that is too large is reported")
    func pictureSize() {
        #expect(codes(itemFeed(#""overlays": [{"image": {"url": "a.png", "width": 64, "height": 64}}]"#)) == [])
        #expect(
            codes(itemFeed(#""overlays": [{"image": {"url": "a.png", "width": 5000, "height": 64}}]"#)) == [
                "FEED-063 /items/0/overlays/0/image"
            ])
        #expect(codes(itemFeed(#""overlays": [{"image": ""}]"#)) == ["FEED-003 /items/0/overlays/0/image"])
    }
}
