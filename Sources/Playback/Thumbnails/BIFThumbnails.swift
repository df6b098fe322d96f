import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import WireFormats

/// The thumbnails of a BIF file: its index is loaded once, each picture when it is requested.
@MainActor
package final class BIFThumbnails: ThumbnailProviding {
    /// Decodes a picture and scales it down to a size. Worker threads.
    package typealias Decode = @Sendable (_ bytes: [UInt8], _ width: Int, _ height: Int) -> PixelBuffer?

    private let url: String
    private let loader: any ByteLoading
    private let clock: any HostClock
    private let decode: Decode
    private let thread: WorkerThread
    private var index: BIFIndex?
    private var wishes = ThumbnailWishes()
    private var task: (any ByteTask)?
    private var isClosed = false

    /// - Parameters:
    ///   - url: the file's address.
    ///   - decode: decodes JPEG pictures.
    package init(url: String, loader: any ByteLoading, clock: any HostClock, decode: @escaping Decode) {
        self.url = url
        self.loader = loader
        self.clock = clock
        self.decode = decode
        thread = WorkerThread(name: "thumbnails", clock: clock)
    }

    /// See `ThumbnailProviding`.
    package func loadTimes(_ then: @escaping @MainActor @Sendable ([MediaTime]) -> Void) {
        load(0..<Int64(BIFFormat.headerLength)) { [weak self] header in
            guard let self, let header, let length = BIFIndex.length(header: header) else { return then([]) }
            self.load(0..<Int64(length)) { [weak self] bytes in
                self?.index = bytes.flatMap { BIFIndex($0) }
                then(self?.index?.entries.map(\.time) ?? [])
            }
        }
    }

    /// See `ThumbnailProviding`.
    package func loadThumbnail(
        at time: MediaTime, width: Int, height: Int, _ then: @escaping @MainActor @Sendable (LoadedPicture) -> Void
    ) {
        guard !isClosed else { return then(.dropped) }
        wishes.add(ThumbnailWishes.Wish(time: time, width: width, height: height, then: then))
        next()
    }

    /// See `ThumbnailProviding`.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        task?.cancel()
        thread.stop()
        wishes.giveUp()
    }

    private func next() {
        guard let wish = wishes.begin() else { return }
        guard let entry = index?.entry(at: wish.time) else { return finish(nil) }
        load(entry.range) { [weak self] bytes in
            guard let self, let bytes else { self?.finish(nil); return }
            let decode = self.decode
            self.clock.compute(on: self.thread, rank: .drawing) {
                decode(bytes, wish.width, wish.height)
            } then: { [weak self] pixels in
                self?.finish(pixels)
            }
        }
    }

    private func finish(_ pixels: PixelBuffer?) {
        guard !isClosed else { return }
        wishes.end(pixels)
        next()
    }

    /// A byte range of the file; nil if it cannot be loaded.
    private func load(_ range: Range<Int64>, _ then: @escaping @MainActor @Sendable ([UInt8]?) -> Void) {
        task = loader.load(ByteRequest(url: url, range: range)) { [weak self] result in
            guard let self, !self.isClosed else { return then(nil) }
            guard case .success(let response) = result else { return then(nil) }
            // A server without range support sends the whole file.
            let count = Int(range.upperBound - range.lowerBound)
            guard response.bytes.count > count else { return then(response.bytes) }
            let first = response.status == 206 ? 0 : Int(range.lowerBound)
            then(Array(response.bytes.dropFirst(first).prefix(count)))
        }
    }
}
