import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Synchronization

/// Thumbnails of an asset, made from its key pictures: the counterpart of `AVAssetImageGenerator`.
///
/// It opens the asset a second time for the first request, so that playback is not disturbed, and makes one picture at a time on a separate thread.
/// With HLS the source uses its I-frame playlists if it has any. Lives on the main loop.
@MainActor
package final class AssetImageGenerator: ThumbnailProviding {
    /// Makes an `argb8888` picture that fits a size from a decoded frame. Worker threads.
    package typealias Scale = @Sendable (_ frame: VideoFrame, _ width: Int, _ height: Int) -> PixelBuffer?

    /// The interval of the times from `loadTimes`.
    package static let spacing = MediaTime.seconds(10)
    /// The maximum number of times; for longer assets the interval is larger.
    package static let mostTimes = 2000

    private let asset: Asset
    private let duration: MediaTime
    private let worker: ThumbnailWorker
    private let thread: WorkerThread
    private var bell: Doorbell!
    private var source: (any MediaSource)?
    private var track: TrackID?
    private var hasLoaded = false
    private var reading: SampleBuffer?
    private var wishes = ThumbnailWishes()
    private var isClosed = false

    /// - Parameters:
    ///   - asset: an asset of its own, which is loaded for the first request.
    ///   - duration: its duration.
    ///   - scale: scales frames down.
    package init(_ asset: Asset, duration: MediaTime, services: PlaybackServices, scale: @escaping Scale) {
        self.asset = asset
        self.duration = duration
        worker = ThumbnailWorker(codecs: services.codecs, scale: scale)
        thread = WorkerThread(name: "thumbnails", clock: services.clock)
        bell = services.clock.makeDoorbell(rank: .drawing) { [weak self] in self?.takeResult() }
    }

    /// See `ThumbnailProviding`. Every position has a picture, so the times are known at once: one per `spacing`.
    package func loadTimes(_ then: @escaping @MainActor @Sendable ([MediaTime]) -> Void) {
        guard duration > .zero else { return then([]) }
        let seconds = max(Self.spacing.unitsRoundedDown(of: 1), duration.unitsRoundedDown(of: 1) / Int64(Self.mostTimes) + 1)
        then(
            stride(from: 0, to: max(duration.unitsRoundedDown(of: 1), 1), by: Int64.Stride(seconds)).map { MediaTime.seconds($0) }
        )
    }

    /// See `ThumbnailProviding`.
    package func loadThumbnail(
        at time: MediaTime, width: Int, height: Int, _ then: @escaping @MainActor @Sendable (LoadedPicture) -> Void
    ) {
        guard !isClosed else { return then(.dropped) }
        wishes.add(ThumbnailWishes.Wish(time: time, width: width, height: height, then: then))
        guard hasLoaded else { return open() }
        next()
    }

    /// See `ThumbnailProviding`.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        reading?.cancel()
        source?.close()
        asset.close()
        thread.stop()
        wishes.giveUp()
    }

    private func open() {
        guard case .notYetLoaded = asset.status else { return }
        asset.load { [weak self] result in
            guard let self, !self.isClosed else { return }
            self.hasLoaded = true
            if case .success(let description) = result {
                self.track = description.tracks.first { $0.type == .video }?.id
                self.source = self.asset.takeSource()
            }
            self.next()
        }
    }

    private func next() {
        guard let wish = wishes.begin() else { return }
        guard let source, let track else { return finish(nil) }
        let keys = KeyFrameReading(start: wish.time, direction: .backward, step: .seconds(1))
        let buffer = source.startReadingKeyFrames(keys, track: track) ?? source.startReading(at: wish.time, tracks: [track])
        reading = buffer
        let worker = self.worker
        let bell = self.bell!
        // No position in the order of events is reserved for the result, because the thread waits for bytes that the main loop must deliver.
        thread.perform {
            worker.make(from: buffer, track: track, width: wish.width, height: wish.height)
            bell.ring()
        }
    }

    private func takeResult() {
        guard let made = worker.takeMade() else { return }
        reading?.cancel()
        finish(made.pixels)
    }

    private func finish(_ pixels: PixelBuffer?) {
        guard !isClosed else { return }
        reading = nil
        wishes.end(pixels)
        next()
    }
}

/// The work of the generator's thread: decodes one key picture and scales it.
// Unchecked: after `init` its decoder is used only by the jobs of one worker thread, which run one after another; the result is behind a lock.
private final class ThumbnailWorker: @unchecked Sendable {
    private let codecs: any CodecFactory
    private let scale: AssetImageGenerator.Scale
    private var decoder: (any VideoDecoding)?
    private var parameters: (any CodecParameters)?

    init(codecs: any CodecFactory, scale: @escaping AssetImageGenerator.Scale) {
        self.codecs = codecs
        self.scale = scale
    }

    /// The last picture, until it is taken.
    struct Made: Sendable { var pixels: PixelBuffer? }
    private let made = Mutex<Made?>(nil)

    /// Makes a picture and stores it.
    func make(from buffer: SampleBuffer, track: TrackID, width: Int, height: Int) {
        let pixels = picture(from: buffer, track: track, width: width, height: height)
        made.withLock { $0 = Made(pixels: pixels) }
    }

    /// Takes the result. Main loop.
    func takeMade() -> Made? {
        made.withLock { made in
            defer { made = nil }
            return made
        }
    }

    private func picture(from buffer: SampleBuffer, track: TrackID, width: Int, height: Int) -> PixelBuffer? {
        guard case .sample(let sample) = buffer.next(track), let decoder = decoder(for: sample) else { return nil }
        do throws(MediaError) {
            // A decoder outputs delayed frames when it is drained, and can be used again after a flush.
            var frames = try decoder.decode(sample)
            if frames.isEmpty { frames = try decoder.decode(nil) }
            decoder.flush()
            return frames.first.flatMap { scale($0, width, height) }
        } catch {
            // A picture that cannot be decoded is skipped; the next may be valid.
            self.decoder = nil
            return nil
        }
    }

    private func decoder(for sample: EncodedSample) -> (any VideoDecoding)? {
        if let decoder, parameters?.canContinue(as: sample.parameters) == true { return decoder }
        decoder = nil
        parameters = sample.parameters
        do throws(MediaError) {
            decoder = try codecs.openVideoDecoder(sample.parameters, allocator: MemoryAllocator())
        } catch {
            return nil
        }
        return decoder
    }
}
