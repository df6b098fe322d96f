import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Screens
import TestSupport
import Testing

@testable import Appliance
@testable import Playback

/// A film of numbers that is live until `end`, or never.
@MainActor
private final class Broadcast: LiveSource {
    let events = EventSource<SourceEvent>()
    private(set) var liveStatus: LiveStatus?
    private let file: FileSource

    init(_ services: PlaybackServices, isLive: Bool) {
        file = FileSource(
            stream: services.loader.stream("https://test/film.mp4"), captions: TrackCueStores(), codecs: services.codecs,
            clock: services.clock, buffering: services.buffering)
        liveStatus = LiveStatus(
            isLive: isLive, seekableTimeRange: TimeRange(start: .zero, duration: .seconds(10)), edge: .seconds(10),
            edgeInstant: services.clock.now.nanoseconds, recommendedTimeOffsetFromLive: .seconds(6), targetDuration: .seconds(2))
    }

    /// Its playlist has an end now (EXT-X-ENDLIST).
    func end() {
        liveStatus?.isLive = false
        liveStatus?.duration = .finite(.seconds(10))
        events.send(.liveStatusChanged(liveStatus!))
    }

    func prepare(_ completion: @escaping @MainActor @Sendable (Result<SourceDescription, MediaError>) -> Void) {
        file.prepare(completion)
    }
    func startReading(at time: MediaTime, tracks: [TrackID]) -> SampleBuffer { file.startReading(at: time, tracks: tracks) }
    func close() { file.close() }
}

@Suite("A channel has no end", .serialized)
@MainActor
struct LiveEndTests {
    private static let film = FakeMedia(frameCount: 250, soundDuration: .seconds(10))
    private static let url = "https://test/live.m3u8"

    private func channel(_ rig: BoxRig, isLive: Bool, others: String = "") throws -> () -> Broadcast {
        rig.put(["film.mp4": Self.film])
        rig.loader.put(Array("#EXTM3U".utf8), at: Self.url)
        var last: Broadcast?
        rig.streams[Self.url] = {
            last = Broadcast($0, isLive: isLive)
            return last!
        }
        try rig.apply(
            items: "[]",
            channels: #"[{"id": "c", "title": "c", "kind": "live", "streams": [{"url": "live.m3u8"}\#(others)]}]"#)
        rig.box.open(id: "c")
        #expect(rig.run(until: { !rig.frames.isEmpty }))
        return { last! }
    }

    @Test("when its stream ends it is opened again until it is live, with words and a countdown, and nothing is shown twice")
    func comesBack() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        let current = try channel(rig, isLive: true)
        rig.run(for: .seconds(1))
        current().end()
        #expect(rig.run(within: .seconds(12), until: { rig.state.card?.kind == .error }))
        #expect(rig.state.card?.buttons.first?.title == "Try Again (5)")
        let count = rig.frames.count
        // The encoder has not begun again.
        let ended = current()
        rig.streams[Self.url] = { Broadcast($0, isLive: false) }
        rig.run(for: .seconds(90))
        #expect(rig.frames.count <= count + 5, "a first picture for each try at most")
        #expect(rig.state.card?.kind == .error && rig.nowPlaying.state == .failed)
        var fresh: Broadcast?
        rig.streams[Self.url] = {
            fresh = Broadcast($0, isLive: true)
            return fresh!
        }
        #expect(rig.run(within: .seconds(25), until: { rig.nowPlaying.state == .playing }))
        rig.run(for: .seconds(2))
        #expect(fresh != nil && fresh !== ended && rig.state.card == nil && rig.frames.count > count + 40)
    }

    @Test("when it has another stream, that is played at once, from its own beginning")
    func otherStream() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        let current = try channel(rig, isLive: true, others: #", {"url": "b.m3u8"}"#)
        var other: Broadcast?
        rig.loader.put(Array("#EXTM3U".utf8), at: "https://test/b.m3u8")
        rig.streams["https://test/b.m3u8"] = {
            other = Broadcast($0, isLive: true)
            return other!
        }
        current().end()
        #expect(rig.run(within: .seconds(12), until: { other != nil }))
        rig.forget()
        rig.run(for: .seconds(2))
        #expect(rig.nowPlaying.state == .playing && rig.state.card == nil)
        #expect(rig.frames.first == 0, "at its own beginning, not where the other one ended")
    }

    @Test("a channel whose stream never was live ends with the card of an end")
    func film() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        _ = try channel(rig, isLive: false)
        #expect(rig.run(within: .seconds(15), until: { rig.state.card?.kind == .end }))
        rig.run(for: .seconds(60))
        #expect(rig.state.card?.kind == .end)
    }
}
