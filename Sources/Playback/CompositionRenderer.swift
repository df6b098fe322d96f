import Composition
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime

/// Renders edited programmes as they are played, as fast as the machine can; for exports. A value, any thread.
package struct CompositionRenderer: CompositionRendering {
    private let loader: any ByteLoading
    private let codecs: any CodecFactory
    private let compositor: any VideoCompositing
    /// For the times of decoders that hang.
    private let clock: any HostClock

    package init(loader: any ByteLoading, codecs: any CodecFactory, compositor: any VideoCompositing, clock: any HostClock) {
        self.loader = loader
        self.codecs = codecs
        self.compositor = compositor
        self.clock = clock
    }

    package func obstacle(to document: CompositionDocument) -> CompositionFinding? { document.obstacleToPlaying }

    package func openPictures(
        of document: CompositionDocument, in range: TimeRange, streams: OpenStreams
    ) throws(MediaError) -> any RenderedMedia<VideoFrame> {
        guard let video = document.videoComposition else {
            throw MediaError(.internal, "Composing pictures failed: the composition has no \"videoComposition\"; report this.")
        }
        let (reader, programme) = try open(document, .video, .pictures(video, compositor), document.composition.duration, streams)
        let decoder = ComposedPictureDecoder(
            programme, video, compositor, codecs: codecs, allocator: MemoryAllocator(), placesPictures: false)
        return try RenderedRange(reader, range) { sample throws(MediaError) in
            try decoder.decode(sample)
        } clip: {
            $0.clipped(to: $1)
        }
    }

    package func openSound(
        of document: CompositionDocument, in range: TimeRange, format: AudioFormat?, streams: OpenStreams
    ) throws(MediaError) -> any RenderedMedia<AudioBuffer> {
        let duration = ComposedProgramme.tracks(of: document, .audio).map(\.duration).max() ?? .zero
        let kind = ComposedProgramme.sound(of: document, [:])
        let (reader, programme) = try open(document, .audio, kind, duration, streams)
        guard case .sound(let gains, let taps) = kind else { preconditionFailure("sound is made of sound") }
        let found = try reader.describe().get()
        let decoder = ComposedSoundDecoder(
            programme, gains, taps, codecs: codecs,
            output: format ?? AudioFormat(sampleRate: found.sampleRate == 44_100 ? 44_100 : 48_000, channels: 2), processing: nil)
        return try RenderedRange(reader, range) { sample throws(MediaError) in
            try decoder.decode(sample)
        } clip: {
            $0.clipped(to: $1)
        }
    }

    private func open(
        _ document: CompositionDocument, _ type: MediaType, _ kind: ComposedProgramme.Kind, _ duration: MediaTime,
        _ streams: OpenStreams
    ) throws(MediaError) -> (ComposedReader, ComposedProgramme) {
        let tracks = ComposedProgramme.tracks(of: document, type)
        guard !tracks.isEmpty else {
            throw MediaError(
                .sourceFormat, "Rendering \(type.rawValue) of the composition failed: it has none; add segments with sources.")
        }
        let programme = ComposedProgramme(tracks, kind, duration: duration, clock: clock)
        let readers = tracks.map { PieceReader($0, gain: nil, loader: loader, codecs: codecs, streams: streams) }
        return (ComposedReader(programme, readers), programme)
    }
}

/// What a decoder makes of the bundles of a range. Confined to one thread at a time.
private final class RenderedRange<Media>: RenderedMedia {
    private let reader: ComposedReader
    private let range: TimeRange
    private let decode: (EncodedSample?) throws(MediaError) -> [Media]
    private let clip: (Media, TimeRange) -> Media?
    private var isDrained = false
    /// Whether the last bundle lacks samples that the range needs.
    private var isOwed = false

    /// - Parameters:
    ///   - decode: decodes a bundle, or with nil gives what is held back.
    ///   - clip: the part of a picture or of sound in a range.
    init(
        _ reader: ComposedReader, _ range: TimeRange, decode: @escaping (EncodedSample?) throws(MediaError) -> [Media],
        clip: @escaping (Media, TimeRange) -> Media?
    ) throws(MediaError) {
        self.reader = reader
        self.range = range
        self.decode = decode
        self.clip = clip
        try reader.begin(at: range.start)
    }

    func next() throws(MediaError) -> [Media]? {
        guard !isDrained else { return nil }
        var bundle = try reader.next()
        // What begins after the range is decoded only while it has samples that the range needs.
        if let position = bundle?.presentationTime, position >= range.end, !isOwed { bundle = nil }
        isOwed = (bundle?.payload as? ComposedBundle)?.owes(before: range.end) ?? false
        if bundle == nil { isDrained = true }
        return try decode(bundle).compactMap { clip($0, range) }
    }
}
