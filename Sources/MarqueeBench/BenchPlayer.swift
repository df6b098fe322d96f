import Display
import HLSStreaming
import LinuxSupport
import MediaCodec
import MediaSources
import NetworkConditions
import Playback
import Sound
import Transfer

/// A player with the box's engines, a screen in memory and no sound, without a box around it.
@MainActor
struct BenchPlayer {
    let loop: MainLoop
    let player: Player

    /// - Parameter network: a simulated network in front of the loader; nil for the machine's network.
    /// - Throws: `MediaError` if a part cannot be made.
    init(time: MainLoop.Time = .real, display choice: DisplayChoice, network: NetworkProfile? = nil) throws {
        loop = try MainLoop(time: time)
        let clock = loop.clock
        let transfer = CurlTransfer(clock: clock, version: "bench")
        let loader: any ByteLoading =
            network.map { SimulatedOrigin(clock: clock, script: OriginScript(), network: $0, backing: transfer) } ?? transfer
        let codecs = FFmpegCodecs()
        let display = try DisplayFactory.make(choice, mode: nil, asksAhead: time == .simulated, loop: loop)
        let memory = NetworkMemory()
        let services = PlaybackServices(
            clock: clock, loader: loader, codecs: codecs, display: display, sink: NullSink(clock: clock)
        ) { url, playlist in
            HLSSource(
                playlist: playlist, screen: (display.mode.width, display.mode.height), loader: loader, codecs: codecs,
                clock: clock, memory: memory)
        }
        player = try Player(
            services: time == .simulated ? services.repeatable : services, actionAtItemEnd: .advance)
    }

    /// Ends all threads.
    func close() { player.close() }
}
