import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Appliance

@Suite("Pictures of the feed over the video")
@MainActor
struct OverlayTests {
    private let channel = """
        [{"id": "c", "title": "C", "kind": "playlist", "items": ["a", "b"], "overlays": [{"image": "bug.png", "inInterstitials": true}]}]
        """
    private let items = """
        [{"id": "a", "streams": [{"url": "a.mp4"}], "interstitials": [{"id": "ad", "start": 2, "duration": 2, "kind": "ad"}],
          "overlays": [{"image": "name.png", "start": 1, "end": 6, "fadeIn": 1}]},
         {"id": "b", "streams": [{"url": "b.mp4"}]}]
        """

    @Test("the channel's are over each of its items, an item's own above them; in an advertisement only those that may be")
    func course() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 200), "b.mp4": FakeMedia(frameCount: 100)])
        try rig.apply(items: items, channels: channel)
        #expect(rig.box.open(id: "c"))
        #expect(rig.run(until: { rig.opened.contains("b") && rig.frames.last ?? 0 > 1000 && rig.frames.count > 220 }))
        var course: [[String]] = []
        for state in rig.drawing.states {
            let names = state.overlays.map { String($0.image?.split(separator: "/").last ?? "") }
            if course.last != names { course.append(names) }
        }
        #expect(course == [[], ["bug.png", "name.png"], ["bug.png"], ["bug.png", "name.png"], ["bug.png"]])
        // Fades are not states: between its changes the interface stands.
        let changes = rig.told(.interface).compactMap { fact -> DumpValue? in
            if case .interface(.overlays, let value) = fact { value } else { nil }
        }
        #expect(changes.count == course.count)
        let presence = changes.dropFirst().first?.elements?.last?["presence"]
        #expect(presence?["start"]?.time == .seconds(1) && presence?["end"]?.time == .seconds(6))
        #expect(presence?["fadeIn"]?.time == .seconds(1))
    }
}
