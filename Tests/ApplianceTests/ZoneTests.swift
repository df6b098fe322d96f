import ChannelFeed
import MediaModel
import MediaTime
import Screens
import TestSupport
import Testing

@testable import Appliance

@Suite("A part of the screen for the video")
@MainActor
struct ZoneTests {
    private let channels = """
        [{"id": "list", "title": "L", "kind": "playlist", "items": ["a", "b"], "frame": {"width": 75, "height": 75}},
         {"id": "live", "title": "V", "streams": [{"url": "a.mp4"}], "frame": {"anchor": "right", "width": 50, "height": 50}},
         {"id": "plain", "title": "P", "streams": [{"url": "a.mp4"}]},
         {"id": "day", "title": "D", "kind": "schedule", "frame": {"width": 40, "height": 40}, "rules": [{"when": "daily 00:00-24:00", "channel": "plain"}],
          "overlays": [{"image": "bug.png"}]},
         {"id": "night", "title": "N", "kind": "schedule", "frame": {"width": 40, "height": 40},
          "rules": [{"when": "daily 00:00-24:00", "channel": "live"}]}]
        """
    private let items = """
        [{"id": "a", "streams": [{"url": "a.mp4"}], "interstitials": [{"id": "ad", "start": 2, "duration": 2, "kind": "ad"}]},
         {"id": "b", "streams": [{"url": "b.mp4"}], "frame": {}}]
        """

    private func makeRig() throws -> BoxRig {
        let rig = try BoxRig(wallClock: { FeedDate("2026-11-20T10:00:00Z") })
        rig.put(["a.mp4": FakeMedia(frameCount: 200), "b.mp4": FakeMedia(frameCount: 100)])
        try rig.apply(items: items, channels: channels)
        return rig
    }

    /// The part of the screen whose pixels are within 2 of 255 of the grey of the film, if all others are black; nil otherwise.
    private func grey(on rig: BoxRig) -> PixelRect? {
        var answer: ScreenPicture??
        rig.display.readScreen { answer = .some($0) }
        guard rig.run(until: { answer != nil }), let pixels = answer??.pixels else { return nil }
        return pixels.withBytes { bytes in
            func value(_ x: Int, _ y: Int) -> [Int] {
                let place = pixels.planes[0].offset + y * pixels.planes[0].stride + x * 4
                return (0..<3).map { Int(bytes[place + $0]) }
            }
            // Luma 0x80 of a limited range.
            func isGrey(_ x: Int, _ y: Int) -> Bool { value(x, y).allSatisfy { abs($0 - 130) <= 2 } }
            let rows = (0..<pixels.height).filter { y in stride(from: 0, to: pixels.width, by: 3).contains { isGrey($0, y) } }
            guard let top = rows.first, let bottom = rows.last else { return nil }
            let columns = (0..<pixels.width).filter { isGrey($0, top) }
            guard let left = columns.first, let right = columns.last else { return nil }
            let found = PixelRect(x: left, y: top, width: right + 1 - left, height: bottom + 1 - top)
            for y in 0..<pixels.height {
                for x in 0..<pixels.width {
                    let isInside = left...right ~= x && top...bottom ~= y
                    guard isInside ? isGrey(x, y) : value(x, y).allSatisfy({ $0 <= 2 }) else { return nil }
                }
            }
            return found
        }
    }

    @Test("the video of a playlist is in its frame, advertisements and an item that says so have the whole screen")
    func pixels() throws {
        let rig = try makeRig()
        defer { rig.close() }
        #expect(rig.box.open(id: "list"))
        #expect(rig.run(until: { rig.frames.last ?? 0 > 1000 }))
        #expect(grey(on: rig) == PixelRect(x: 0, y: 0, width: 1440, height: 810))
        #expect(rig.run(until: { rig.frames.last ?? 0 > 2500 }))
        #expect(grey(on: rig) == Metrics.screen)
        #expect(rig.run(until: { rig.frames.last ?? 0 > 5000 }))
        #expect(grey(on: rig) == PixelRect(x: 0, y: 0, width: 1440, height: 810))
        #expect(rig.run(until: { rig.opened.contains("b") && 1000..<3000 ~= rig.frames.last ?? 0 }))
        #expect(grey(on: rig) == Metrics.screen)
    }

    @Test(
        "live channels and schedules have frames too; that of the channel which a rule shows comes before the schedule's",
        arguments: [
            ("live", PixelRect(x: 960, y: 270, width: 960, height: 540)), ("plain", Metrics.screen),
            ("day", PixelRect(x: 0, y: 0, width: 768, height: 432)),
            ("night", PixelRect(x: 960, y: 270, width: 960, height: 540)),
        ])
    func channels(id: String, place: PixelRect) throws {
        let rig = try makeRig()
        defer { rig.close() }
        #expect(rig.box.open(id: id))
        #expect(rig.run(until: { rig.frames.last ?? 0 > 1000 }))
        #expect(rig.state.video.frame == place)
        #expect(rig.state.overlays.compactMap(\.image) == (id == "day" ? ["https://test/bug.png"] : []))
    }
}
