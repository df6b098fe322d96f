import Display
import HLSStreaming
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import NetworkConditions
import Playback
import Sound
import TestSupport
import Testing

@Suite("Leaving an item that does not respond", .serialized)
@MainActor
struct LeavingTests {
    /// The resource that never arrives: the playlist, a variant's playlist, a key, or the segments.
    @Test(
        "takes no time, whichever resource is missing",
        arguments: ["/main.m3u8", "/low.m3u8", "/key", "/low*.ts", "/init.mp4"])
    func leaves(_ silent: String) throws {
        let script = OriginScript()
        script.put(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100000,RESOLUTION=160x90,CODECS=\"avc1.42c00b,mp4a.40.2\"\nlow.m3u8\n",
            at: "/main.m3u8")
        script.put(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:2
            #EXT-X-MAP:URI="init.mp4"
            #EXT-X-KEY:METHOD=AES-128,URI="key"
            #EXTINF:2,
            low0.ts
            #EXT-X-ENDLIST
            """, at: "/low.m3u8")
        script.put([UInt8](repeating: 0, count: 16), at: "/key")
        script.put([UInt8](repeating: 0, count: 100), at: "/init.mp4")
        script.put([UInt8](repeating: 0x47, count: 188 * 10), at: "/low0.ts")
        script.fail(silent == "/low*.ts" ? "/low0*" : silent, with: .silence)
        let loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        let origin = SimulatedOrigin(clock: clock, script: script)
        let codecs = FFmpegCodecs()
        let display = HeadlessDisplay(mode: DisplayMode(width: 64, height: 36, refresh: Ratio(50)), clock: clock)
        let player = try Player(
            services: PlaybackServices(
                clock: clock, loader: origin, codecs: codecs, display: display, sink: NullSink(clock: clock)
            ) {
                HLSSource(playlist: $1, screen: (64, 36), loader: origin, codecs: codecs, clock: clock)
            }.repeatable)
        defer { player.close() }

        player.replaceCurrentItem(with: PlayerItem(asset: Asset(url: "http://test/main.m3u8", services: player.services)))
        player.play()
        var isOver = false
        clock.schedule(after: .seconds(3), rank: .display) { isOver = true }
        loop.run(until: { isOver })
        let left = clock.now
        player.replaceCurrentItem(with: nil)
        // Joining a thread that waits for the network would block forever here, because the clock does not advance.
        #expect(clock.now == left && player.currentItem == nil)
        // Nothing arrives later either.
        var states = 0
        let listening = player.events.listen { if case .state = $0 { states += 1 } }
        defer { listening.cancel() }
        isOver = false
        clock.schedule(after: .seconds(60), rank: .display) { isOver = true }
        loop.run(until: { isOver })
        #expect(states == 0)
    }
}
