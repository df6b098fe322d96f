import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// The engines of playback, passed in by the executable: `Playback` knows only their protocols.
@MainActor
package struct PlaybackServices {
    /// The clock, which creates every timer.
    package var clock: any HostClock
    /// Loads bytes.
    package var loader: any ByteLoading
    /// Opens containers and decoders.
    package var codecs: any CodecFactory
    /// The screen: its allocator provides the decoder's memory, and its mode limits the variants to load.
    package var display: any DisplayOutput
    /// The audio output.
    package var sink: any AudioSink
    /// Composes the pictures of compositions with a video composition; nil if there is none, and they are refused.
    package var compositor: (any VideoCompositing)?
    /// The date in nanoseconds since the start of 1970, UTC, for the logs; nil while there is no trusted one.
    package var wallClock: @MainActor () -> Int64? = { nil }
    /// How much later than its picture the sound is heard; negative means earlier.
    package var soundDelay = Duration.zero
    /// Whether encoded sound may be passed through to a receiver, if the sink is a `PassingSink` that accepts it.
    package var passesSoundThrough = false
    /// Whether hardware decoders are tried before those in software.
    package var decodesInHardware = false
    /// Whether the screen's refresh rate follows the current item's.
    package var matchesRefresh = false
    /// Whether items in a high dynamic range are signalled to a screen that can show them.
    package var showsHighRange = false
    /// Whether the network is metered, for the logs.
    package var isMetered: @MainActor () -> Bool = { false }
    /// How waiting sources and decoders are resumed.
    package var buffering = BufferingPolicy.standard
    /// How often the player is woken during undisturbed playback.
    package var wakes = WakePolicy.standard
    /// Tells a decoder that hangs from one that has no processor.
    package var processorTimes: any ProcessorTimes = NoProcessorTimes()
    /// Finds what reads the requests of a stream, since it was called last; nil for a stream that makes none. Any thread.
    package var streamRequests: (@Sendable (any ByteStream) -> (@Sendable () -> StreamNews)?)?
    /// The last good pictures of assets whose picture is fetched again.
    package var pictures = KeptPictures()
    /// Makes the id of each playback session for its log.
    package var makeSessionID: @MainActor () -> String = SessionID.random
    /// Makes the source of an HLS presentation from the address of its playlist and the playlist's first bytes.
    package var makeHLSSource: @MainActor (_ url: String, _ playlist: ByteResponse) -> any MediaSource

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

    /// The same engines for simulated time, with which every dump is identical.
    package var repeatable: PlaybackServices {
        var services = self
        services.decodesInHardware = false
        services.wakes = .steady
        services.processorTimes = NoProcessorTimes()
        services.makeSessionID = SessionID.counted()
        return services
    }
}
