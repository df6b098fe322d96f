import LinuxSupport
import MediaModel

/// Brings bytes over HTTP by libcurl, and from the disk.
///
/// One thread, "transfer", drives all connections (libcurl's multi interface) and reads files that are loaded whole. `load`
/// belongs to the main loop and never waits; streams wait on the thread that reads them. Connections are kept and shared. In
/// simulated runs
/// the thread holds a token of the ledger while anything moves, so that a transfer takes no simulated time.
public final class CurlTransfer: ByteLoading {
    private let clock: any HostClock
    private let engine: TransferEngine

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - clock: what durations are taken from, and whose simulated time waits for transfers.
    ///   - version: of the program, told to servers as `Marquee/<version>`.
    public init(clock: any HostClock, version: String) {
        self.clock = clock
        engine = TransferEngine(clock: clock, userAgent: "Marquee/\(version)")
    }

    deinit { engine.stop() }

    @MainActor @discardableResult
    public func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        let task = TransferTask(engine)
        let place = clock.reserve(rank: .transfer)
        let finish: @Sendable (Result<ByteResponse, MediaError>) -> Void = { result in
            place.fulfil {
                // Cancelled after its last byte had come: nobody wants it any more.
                if !task.isCancelled { completion(result) }
            }
        }
        let location = Location(request.url)
        switch location {
        case .file(let path): engine.read(path, request.range, task, finish)
        case .http: engine.start(request, task.id, BodySink(request, clock: clock, finish))
        case .unknown(let scheme):
            finish(.failure(Location.refusal(scheme, request.url)))
        }
        return task
    }

    public func stream(_ url: String) -> any ByteStream {
        switch Location(url) {
        case .file(let path): FileByteStream(path)
        case .http: HTTPByteStream(url, engine: engine, clock: clock)
        case .unknown(let scheme): FailedByteStream(name: Location.name(url), error: Location.refusal(scheme, url))
        }
    }
}
