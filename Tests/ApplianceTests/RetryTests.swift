import LinuxSupport
import MediaModel
import MediaTime
import Playback
import Screens
import TestSupport
import Testing

@testable import Appliance

@Suite("What cannot be played yet is tried again without a key", .serialized)
@MainActor
struct RetryTests {
    private static let short = FakeMedia(frameCount: 50, soundDuration: .seconds(2))

    @Test("an item whose stream is missing at first plays as soon as a try succeeds, and words count down until then")
    func missingAtFirst() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.box.open(Programme(.url("https://test/a.mp4")))
        #expect(rig.run(until: { rig.state.card?.kind == .error }))
        #expect(rig.state.card?.buttons.first?.title == "Try Again (5)")
        rig.run(for: .seconds(120))
        #expect(rig.frames.isEmpty && rig.nowPlaying.state != .home)
        rig.put(["a.mp4": Self.short])
        #expect(rig.run(within: .seconds(21), until: { rig.frames.count == 50 }))
        #expect(rig.state.card?.kind != .error)
    }

    @Test("all streams of an item are tried at each retry, in their order")
    func streams() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        try rig.apply(
            items: #"[{"id": "x", "type": "movie", "title": "x", "streams": [{"url": "a.mp4"}, {"url": "b.mp4"}]}]"#)
        rig.box.open(id: "x")
        rig.run(for: .seconds(60))
        rig.put(["b.mp4": Self.short])
        #expect(rig.run(within: .seconds(21), until: { rig.frames.count == 50 }))
    }

    @Test("when the network returns, the next try is made at once")
    func networkReturns() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.box.open(Programme(.url("https://test/a.mp4")))
        rig.run(for: .seconds(60))
        rig.put(["a.mp4": Self.short])
        rig.box.networkChanged(isConnected: true)
        #expect(rig.run(within: .seconds(1), until: { !rig.frames.isEmpty }))
    }

    @Test("nothing is tried again after the viewer has left")
    func left() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.box.open(Programme(.url("https://test/a.mp4")))
        #expect(rig.run(until: { rig.state.card?.kind == .error }))
        rig.press(.back)
        rig.put(["a.mp4": Self.short])
        rig.box.networkChanged(isConnected: true)
        rig.run(for: .seconds(60))
        #expect(rig.frames.isEmpty && rig.nowPlaying.state == .home)
    }
}
