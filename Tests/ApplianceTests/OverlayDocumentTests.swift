import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime
import NetworkConditions
import TestSupport
import Testing

@testable import Appliance

@Suite("Documents with the words of overlays")
@MainActor
struct OverlayDocumentTests {
    private static let url = "https://news.example/lines.json"
    private static let path = "/lines.json"

    private static func overlay(every seconds: Int64 = 60, _ url: String = url) -> ScreenOverlay {
        ScreenOverlay(
            .words(OverlayWords(.document(url: url, refresh: .seconds(seconds)))), anchor: .bottom,
            box: PixelRect(x: 192, y: 900, width: 1536, height: 100))
    }

    /// The fetching alone, from a scripted server.
    @MainActor
    private final class Desk {
        let rig: BoxRig
        let script = OriginScript()
        let documents: OverlayDocuments
        private(set) var changes = 0

        init() throws {
            rig = try BoxRig()
            var parts = rig.parts
            parts.services.loader = SimulatedOrigin(clock: rig.clock, script: script)
            documents = OverlayDocuments(parts)
            documents.onChange = { [weak self] in self?.changes += 1 }
        }

        var lines: [String]? { documents.lines[OverlayDocumentTests.url]?.map { $0.best(for: ["en"]) ?? "" } }
        var said: [String] { rig.parts.log.tail(50).filter { $0.contains("overlay:") } }
    }

    @Test("lines are fetched at once, asked for again with their ETag, and told when they have changed")
    func change() throws {
        let desk = try Desk()
        defer { desk.rig.close() }
        desk.script.put(#"["One"]"#, at: Self.path)
        desk.documents.follow([Self.overlay()])
        desk.rig.run(for: .seconds(30))
        #expect(desk.lines == ["One"] && desk.changes == 1 && desk.script.requests.count == 1)
        desk.rig.run(for: .seconds(60))
        #expect(desk.changes == 1 && desk.script.requests.map { $0.headers.contains(#"If-None-Match: "1""#) } == [false, true])
        desk.script.put(#"["Two"]"#, at: Self.path)
        desk.rig.run(for: .seconds(60))
        #expect(desk.lines == ["Two"] && desk.changes == 2 && desk.said.isEmpty)
        // The same lines with another ETag are no news.
        desk.script.put(#"{"lines": ["Two"]}"#, at: Self.path)
        desk.rig.run(for: .seconds(60))
        #expect(desk.changes == 2)
    }

    @Test(
        "what cannot be had or read changes nothing, and the log says it once",
        arguments: [
            OriginFault.status(503), .refusal, .silence, .stall(after: 3), .body(Array("<html>".utf8)), .body([0xFF, 0xFE]),
            .body([UInt8](repeating: 0x20, count: 70_000)), .body(Array("[5]".utf8)),
        ])
    func faults(fault: OriginFault) throws {
        let desk = try Desk()
        defer { desk.rig.close() }
        desk.script.put(#"["One"]"#, at: Self.path)
        desk.documents.follow([Self.overlay()])
        desk.rig.run(for: .seconds(10))
        desk.script.put(#"["Two"]"#, at: Self.path)
        desk.script.fail(Self.path, with: fault)
        desk.rig.run(for: .seconds(400))
        #expect(desk.lines == ["One"] && desk.changes == 1 && desk.said.count == 1, "\(desk.said)")
        #expect(desk.said.first?.contains("the last good lines stay") == true && desk.script.requests.count <= 8)
        desk.script.heal()
        desk.rig.run(for: .seconds(130))
        #expect(desk.lines == ["Two"] && desk.changes == 2 && desk.said.count == 2)
    }

    @Test("what is not shown is not fetched; shown again, it has its last lines at once, and is fetched when it is old enough")
    func hidden() throws {
        let desk = try Desk()
        defer { desk.rig.close() }
        desk.script.put(#"["One"]"#, at: Self.path)
        desk.documents.follow([Self.overlay()])
        desk.rig.run(for: .seconds(30))
        desk.documents.follow([])
        desk.rig.run(for: .seconds(300))
        #expect(desk.script.requests.count == 1 && desk.lines == ["One"])
        desk.documents.follow([Self.overlay(every: 600)])
        desk.rig.run(for: .seconds(200))
        #expect(desk.script.requests.count == 1)
        // Two overlays with one document ask for it as often as the one that asks more often.
        desk.documents.follow([Self.overlay(every: 600), Self.overlay(every: 100)])
        desk.rig.run(for: .seconds(90))
        #expect(desk.script.requests.count == 2)
        // A request that is under way when it is no longer shown changes nothing.
        desk.script.put(#"["Two"]"#, at: Self.path)
        desk.script.fail(Self.path, with: .latency(.seconds(5)))
        desk.rig.run(for: .seconds(12))
        desk.documents.follow([])
        desk.rig.run(for: .seconds(60))
        #expect(desk.lines == ["One"])
    }

    @Test("a box shows the lines of the feed and of a document in the viewer's language, and follows the document")
    func shown() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        let film = FakeMedia(frameCount: 2500)
        rig.put(["a.mp4": film])
        let address = "https://cdn.example/lines.json"
        rig.loader.put(Array(#"[{"en": "Rain", "fr": "Pluie"}]"#.utf8), at: address)
        try rig.apply(
            items: """
                [{"id": "a", "streams": [{"url": "a.mp4"}], "overlays": [{"text": "clock"}, {"text": {"lines": [{"fr": "Bonjour", "en": "Hello"}]}},
                  {"text": {"url": "\(address)", "refresh": 20}, "anchor": "bottom"}]}]
                """)
        #expect(rig.box.open(id: "a"))
        rig.run(for: .seconds(5))
        func lines() -> [[String]] { rig.drawing.states.last?.overlays.compactMap { $0.words?.lines } ?? [] }
        #expect(lines() == [["Hello"], ["Rain"]])
        rig.box.tellWallClock(secondsSinceMidnight: 3600)
        #expect(lines() == [["01:00"], ["Hello"], ["Rain"]])
        rig.loader.put(Array(#"["Sun"]"#.utf8), at: address)
        rig.run(for: .seconds(21))
        #expect(lines() == [["01:00"], ["Hello"], ["Sun"]])
        #expect(rig.loader.requests.filter { $0 == address }.count == 2)
    }
}
