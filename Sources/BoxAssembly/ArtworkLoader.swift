import Appliance
import Drawing
import KeptArtwork
import LinuxSupport
import MediaModel
import MediaSources
import StatusModel

/// Loads posters and artwork for the screen: from the cache, from the current stream, from its thumbnails. Decodes and scales them with `MediaCodec` on a
/// separate thread.
@MainActor
package final class ArtworkLoader: ImageLoading {
    /// The picture inside the current stream.
    var embedded: [UInt8]?
    /// The source of thumbnails of the current item.
    var thumbnails: (any ThumbnailProviding)?
    /// Called with the name of a picture of which there is a newer one.
    var onNewer: (@MainActor (String) -> Void)?
    let cache: ArtworkCache
    private let clock: any HostClock
    private let log: LogBook
    private let thread: WorkerThread
    private var listening: Subscription?
    private var isClosed = false

    /// - Parameters:
    ///   - loader: loads what is shown; it may have it on this machine.
    ///   - network: asks servers.
    ///   - files: where artwork is kept; nil for nowhere.
    package init(
        clock: any HostClock, loader: any ByteLoading, network: any ByteLoading, files: ArtworkFiles? = nil, log: LogBook
    ) {
        self.clock = clock
        self.log = log
        thread = WorkerThread(name: "artwork", clock: clock)
        cache = ArtworkCache(
            loader: loader, network: network, files: files, clock: clock, log: log, thread: thread, check: Artworks.fault)
        listening = cache.changes.listen { [weak self] in self?.onNewer?($0) }
    }

    package func load(_ reference: String, width: Int, height: Int, then: @escaping @MainActor @Sendable (LoadedPicture) -> Void)
    {
        if reference == Appliance.embeddedArtwork {
            guard let embedded else { return then(.missing) }
            return decode(embedded, reference, width, height, then)
        }
        if let time = Appliance.thumbnailTime(reference) {
            guard let thumbnails else { return then(.dropped) }
            return thumbnails.loadThumbnail(at: time, width: width, height: height, then)
        }
        cache.load(reference) { [weak self] result in
            guard let self, !self.isClosed else { return }
            switch result {
            case .success(let bytes): self.decode(bytes, reference, width, height, then)
            case .failure: then(.missing)
            }
        }
    }

    package func use(_ reference: String) { cache.use(reference) }

    package func close() {
        guard !isClosed else { return }
        isClosed = true
        thumbnails?.close()
        cache.close()
        thread.stop()
    }

    private func decode(
        _ bytes: [UInt8], _ reference: String, _ width: Int, _ height: Int,
        _ then: @escaping @MainActor @Sendable (LoadedPicture) -> Void
    ) {
        clock.compute(on: thread, rank: .drawing) {
            Artworks.decode(bytes, width: width, height: height)
        } then: { [weak self] result in
            switch result {
            case .success(let pixels): then(.picture(pixels))
            case .failure(let error):
                self?.log.note("artwork \(reference): \(error.sentence)")
                then(.missing)
            }
        }
    }
}
