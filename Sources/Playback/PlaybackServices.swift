import LinuxSupport
import MediaModel
import MediaTime

/// The engines that playback works with, handed in by the executable: `Playback` knows their protocols only.
@MainActor
public struct PlaybackServices {
    /// Time, and every timer.
    public var clock: any HostClock
    /// Brings bytes.
    public var loader: any ByteLoading
    /// Opens containers and decoders.
    public var codecs: any CodecFactory
    /// The screen: its allocator gives the decoder memory, its mode decides which variant is worth loading.
    public var display: any DisplayOutput
    /// Where sound goes.
    public var sink: any AudioSink
    /// The date in nanoseconds since the start of 1970, UTC, for the logs; nil while there is none that can be trusted.
    public var wallClock: @MainActor () -> Int64? = { nil }
    /// How much later than its picture the sound is to be heard; negative: earlier.
    public var soundDelay = Duration.zero
    /// Whether sound may leave the box as it was encoded, for a receiver that decodes it, where the sink is a `PassingSink` and takes it.
    public var passesSoundThrough = false
    /// Whether the screen's refresh rate follows that of what plays.
    public var matchesRefresh = false
    /// Whether what is loaded is paid for by the byte: for the logs.
    public var isMetered: @MainActor () -> Bool = { false }
    /// Makes the source of an HLS presentation from the address of its playlist and the playlist's first bytes.
    public var makeHLSSource: @MainActor (_ url: String, _ playlist: ByteResponse) -> any MediaSource

    /// Joins the engines.
    public init(
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
}
