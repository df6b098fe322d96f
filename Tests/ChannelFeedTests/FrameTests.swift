import MediaModel
import Testing

@testable import ChannelFeed

@Suite("The frame of the video of items and channels")
struct FrameTests {
    private func frame(_ parts: String) throws -> ScreenFrame? {
        let verdict = read(itemFeed(#""frame": {\#(parts)}"#))
        #expect(verdict.findings.map(\.description) == [])
        return try #require(verdict.feed?.item("m1")).screen.frame
    }

    @Test("without one the video has the whole screen; an empty one is the whole screen, on black")
    func defaults() throws {
        #expect(try #require(read(itemFeed("")).feed?.item("m1")).screen.frame == nil)
        #expect(try frame("") == ScreenFrame(box: PixelRect(x: 0, y: 0, width: 1920, height: 1080)))
    }

    @Test(
        "it is measured from the upper left, or from the edges of its anchor, and its edges are even",
        arguments: [
            (#""width": 75, "height": 75"#, PixelRect(x: 0, y: 0, width: 1440, height: 810)),
            (#""x": 5, "y": 10, "width": 50, "height": 50"#, PixelRect(x: 96, y: 108, width: 960, height: 540)),
            (
                #""anchor": "bottomRight", "x": 5, "y": 10, "width": 50, "height": 50"#,
                PixelRect(x: 864, y: 432, width: 960, height: 540)
            ),
            (#""anchor": "centre", "width": 10, "height": 10"#, PixelRect(x: 864, y: 486, width: 192, height: 108)),
            // 3.2, 1.4, 1270.3 and 714.6 pixels.
            (#""x": 0.17, "y": 0.13, "width": 66.16, "height": 66.17"#, PixelRect(x: 4, y: 2, width: 1268, height: 714)),
            (#""x": 25, "width": 75"#, PixelRect(x: 480, y: 0, width: 1440, height: 1080)),
        ])
    func places(parts: String, box: PixelRect) throws { #expect(try frame(parts)?.box == box) }

    @Test("it has a colour and a picture around it; an empty text is no picture")
    func ground() throws {
        let found = try #require(try frame(##""colour": "#1020fF", "background": "wall.jpg", "inInterstitials": true"##))
        #expect(found.colour == OpaqueColour(red: 0x10, green: 0x20, blue: 0xFF))
        #expect(found.background == "https://cdn.example/wall.jpg" && found.isKeptInInterstitials)
        #expect(try frame(#""background": """#)?.background == nil)
    }

    @Test("live channels, playlists and schedules of rules have one; for a schedule of entries it is reported")
    func channels() {
        func codes(_ kind: String) -> [String] {
            let verdict = read(
                """
                {"feedVersion": 1, "channels": [{"id": "c", "title": "C", \(kind), "frame": {"width": 75, "height": 75}}],
                 "items": [{"id": "m", "streams": [{"url": "m.mp4"}]}]}
                """)
            #expect(verdict.feed?.channel("c")?.screen.frame?.box == PixelRect(x: 0, y: 0, width: 1440, height: 810))
            return verdict.findings.map { "\($0.code.rawValue) \($0.pointer)" }
        }
        #expect(codes(#""streams": [{"url": "c.m3u8"}]"#) == [])
        #expect(codes(#""kind": "playlist", "items": ["m"]"#) == [])
        #expect(codes(#""kind": "schedule", "rules": [{"when": "mon-fri 08:00-18:00", "items": ["m"]}]"#) == [])
        #expect(
            codes(#""kind": "schedule", "entries": [{"at": "2026-11-20T20:00:00Z", "item": "m"}]"#) == [
                "FEED-004 /channels/0/frame"
            ])
    }
}
