import LinuxSupport
import MediaModel
import MediaSources
import URLReferences

/// Loads bytes over HTTP with libcurl, from disk, and from datagrams: the one place where the scheme of an address decides.
///
/// One thread, "transfer", drives all connections (libcurl's multi interface) and reads files that are loaded whole. `load`
/// belongs to the main loop and never waits; streams wait on their reader's thread. Connections are kept and shared. In simulated
/// runs the thread holds a token of the ledger while transfers are active, so that a transfer takes no simulated time.
package final class CurlTransfer: ByteLoading {
    private let clock: any HostClock
    private let engine: TransferEngine

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - clock: measures durations; its simulated time waits for transfers.
    ///   - version: the program's version, sent to servers as `Marquee/<version>`.
    ///   - certificateAuthorities: a file of certificates to trust instead of the system's.
    ///   - options: the operator's network settings.
    ///   - isDateTrusted: asked on the transfer thread when a connection could not be made secure.
    package init(
        clock: any HostClock, version: String, certificateAuthorities: String? = nil,
        options: TransferOptions = TransferOptions(),
        isDateTrusted: @escaping @Sendable () -> Bool = { MachineDate.isTrusted() }
    ) {
        self.clock = clock
        engine = TransferEngine(
            clock: clock,
            identity: TransferIdentity(
                userAgent: "Marquee/\(version)", certificateAuthorities: certificateAuthorities ?? options.authorities,
                proxy: options.proxy, redirects: RedirectRule(plainHTTPHosts: options.plainHTTPHosts),
                takesRefusals: options.takesRefusals, isDateTrusted: isDateTrusted))
    }

    deinit { engine.stop() }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        let task = TransferTask(engine)
        let place = clock.reserve(rank: .transfer)
        let finish: @Sendable (Result<ByteResponse, MediaError>) -> Void = { result in
            place.fulfil {
                // Cancelled after its last byte had arrived: the result is not wanted any more.
                if !task.isCancelled { completion(result) }
            }
        }
        let location = Location(request.url)
        switch location {
        case .file(let path):
            engine.read(path, request.kind, request.range, task) { finish(UnlabelledGzip.unpacked($0, for: request)) }
        case .http: engine.start(request, task.id, BodySink(request, clock: clock, finish))
        case .datagrams(let address):
            finish(
                .failure(
                    MediaError(
                        .sourceFormat,
                        "Loading \(address) as a whole was refused: it is a stream without an end; play it as a channel.",
                        fault: .refused)))
        case .unknown(let scheme):
            finish(
                InlineBody(request.url).map { .success($0.response(to: request)) }
                    ?? .failure(Location.refusal(scheme, request.url)))
        }
        return task
    }

    @MainActor @discardableResult
    package func load(
        _ request: ByteRequest, progress: @escaping @MainActor @Sendable (ByteProgress) -> Void,
        _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        guard case .http = Location(request.url) else { return loadWhole(request, progress: progress, completion) }
        let task = TransferTask(engine)
        let place = clock.reserve(rank: .transfer)
        let relay = ProgressRelay(resume: task.resumeRefused) { if !task.isCancelled { progress($0) } }
        let bell = clock.makeDoorbell(rank: .transfer) { relay.handOver() }
        let held = HeldSink()
        let sink = BodySink(request, clock: clock, bell: bell) { result in
            // The transfer releases the sink now; its remaining bytes are handed over first.
            let sink = held.sink
            place.fulfil {
                relay.sink = sink
                guard !task.isCancelled else { return }
                // The last bytes come before the end, whichever of bell and end was queued first.
                relay.handOver()
                if !task.isCancelled { completion(result) }
            }
        }
        relay.sink = sink
        held.sink = sink
        engine.start(request, task.id, sink)
        return task
    }

    package func stream(_ url: String) -> any ByteStream {
        switch Location(url) {
        case .file(let path): FileByteStream(path)
        case .http: HTTPByteStream(url, engine: engine, clock: clock)
        case .datagrams(let address): DatagramStream(address, source: DatagramSocket(address), clock: clock)
        case .unknown(let scheme): FailedByteStream(name: Location.name(url), error: Location.refusal(scheme, url))
        }
    }
}

/// Gives a closure access to the sink that is made with it.
// Unchecked: set once, before the transfer begins that reads it.
private final class HeldSink: @unchecked Sendable {
    weak var sink: BodySink?
}

/// Passes a sink's progress to its observer, on the main loop.
@MainActor
private final class ProgressRelay {
    /// Weak: the sink holds the bell, whose handler holds this.
    weak var sink: BodySink?
    private let progress: @MainActor @Sendable (ByteProgress) -> Void
    /// Lets bytes come again that the sink has refused.
    private let resume: @Sendable () -> Void

    init(resume: @escaping @Sendable () -> Void, _ progress: @escaping @MainActor @Sendable (ByteProgress) -> Void) {
        self.resume = resume
        self.progress = progress
    }

    func handOver() {
        guard let sink, let part = sink.takeProgress() else { return }
        if sink.takeRefusal() { resume() }
        progress(part)
    }
}
