import LinuxSupport
import MediaModel
import MediaTime

/// The engines that playback works with, handed in by the executable: `Playback` knows their protocols only.
@MainActor
package struct PlaybackServices {
    /// Time, and every timer.
    package var clock: any HostClock
    /// Brings bytes.
    package var loader: any ByteLoading
    /// Opens containers and decoders.
    package var codecs: any CodecFactory
    /// The screen: its allocator gives the decoder memory, its mode decides which variant is worth loading.
    package var display: any DisplayOutput
    /// Where sound goes.
    package var sink: any AudioSink
    /// The date in nanoseconds since the start of 1970, UTC, for the logs; nil while there is none that can be trusted.
    package var wallClock: @MainActor () -> Int64? = { nil }
    /// How much later than its picture the sound is to be heard; negative: earlier.
    package var soundDelay = Duration.zero
    /// Whether sound may leave the box as it was encoded, for a receiver that decodes it, where the sink is a `PassingSink` and takes it.
    package var passesSoundThrough = false
    /// Whether the screen's refresh rate follows that of what plays.
    package var matchesRefresh = false
    /// Whether what is loaded is paid for by the byte: for the logs.
    package var isMetered: @MainActor () -> Bool = { false }
    /// How sources and decoders that wait for room are resumed.
    package var buffering = BufferingPolicy.standard
    /// How often a player that plays on by itself is woken.
    package var wakes = WakePolicy.standard
    /// Names each playback session for its log.
    package var makeSessionID: @MainActor () -> String = SessionID.random
    /// Makes the source of an HLS presentation from the address of its playlist and the playlist's first bytes.
    package var makeHLSSource: @MainActor (_ url: String, _ playlist: ByteResponse) -> any MediaSource

    /// Joins the engines.
    package init(
        clock: any HostClock, loader: any ByteLoading, codecs: any CodecFactory, display: any DisplayOutput,
        sink: any AudioSink, makeHLSSource: @escaping @MainActor (_ url: String, _ playlist: ByteResponse) -> any MediaSource
    ) {
        self.clock = clock
        self.loader = loader
        self.codecs = codecs
        self.display = display
        self.sink = sink
        self.makeHLSSource = makeHLSSource
    }

    /// The same engines with policies by which every line of a dump stays where it is from run to run: for simulated time.
    package var repeatable: PlaybackServices {
        var services = self
        services.buffering = .immediate
        services.wakes = .steady
        services.makeSessionID = SessionID.counted()
        return services
    }
}
