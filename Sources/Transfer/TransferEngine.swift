import CCurl
import Glibc
import LinuxSupport
import MediaModel
import MediaSources
import Synchronization

/// Receives the bytes of a transfer. All calls come from the transfer thread, in this order: `begin` once, `receive` and `rest` any number
/// of times, `finish` once.
protocol TransferSink: AnyObject, Sendable {
    /// The header of the final response (after redirects) has arrived.
    func begin(_ head: ResponseHead)
    func receive(_ bytes: UnsafeRawBufferPointer) -> TransferAnswer
    /// After bytes were received: there are no more of them now.
    func rest()
    /// The transfer has ended. Not called after a cancellation.
    func finish(_ failure: TransferFailure?)
    /// It was cancelled: releases anything that waits for it.
    func discard()
}

/// A sink's response to bytes.
enum TransferAnswer {
    case taken
    /// The transfer pauses until `TransferEngine.resume`; then the same bytes come again.
    case notNow
    /// Nothing more is wanted: the transfer ends.
    case enough
}

/// Why a transfer failed.
struct TransferFailure: Sendable {
    /// The error for the caller.
    let error: MediaError
    /// Whether the connection broke, so that resuming may help.
    var isBroken = false
    /// Whether the requested range is empty because the resource ends before it.
    var isBeyondEnd = false
}

/// The header of a response.
struct ResponseHead: Sendable {
    /// HTTP status, below 400.
    var status: Int
    /// After redirects.
    var url: String
    /// After the permanent redirects that came before the first temporary one: where to ask again.
    var lastingURL: String
    /// As stated by the server.
    var contentType: String?
    /// The length of the whole resource, from Content-Range; nil when the server does not support ranges.
    var totalLength: Int64?
    /// The length of the whole resource, however it is known.
    var resourceLength: Int64?
    /// The strong ETag or else the Last-Modified date, if stated.
    var validator: String?
    /// The ETag, weak or strong, if stated.
    var entityTag: String?
    /// How many bytes come, if stated.
    var expectedLength: Int64?
    /// How old the body is (RFC 9111, 5.1).
    var age: Duration?
    /// How long it may be kept, if stated.
    var cacheControl: CacheControl?
    /// Seconds between the last modification and the response, according to the server; nil if unknown.
    var sinceChange: Int?
    /// After how many bytes of sound the title of a radio programme follows (`icy-metaint`); nil if there are none.
    var titleInterval: Int?
    /// The server's numeric address.
    var serverAddress: String?
}

/// What all requests share: the user agent, the trusted certificates and the rule for redirects.
struct TransferIdentity: Sendable {
    var userAgent: String
    /// A file of certificates; nil: the system's.
    var certificateAuthorities: String?
    /// `http://HOST:PORT`; nil: none.
    var proxy: String?
    var redirects = RedirectRule()
    /// Whether an answer with a status from 400 on is no failure.
    var takesRefusals = false
    /// Whether the machine's date, by which certificates are checked, can be believed.
    var isDateTrusted: @Sendable () -> Bool = { true }

    /// Whether requests may go through a proxy, which then connects to their servers.
    var usesProxy: Bool { proxy != nil || Self.environmentNamesProxy }

    /// libcurl obeys these variables.
    private static let environmentNamesProxy = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains {
        (name: String) in
        getenv(name) != nil
    }
}

/// Drives transfers on its thread. Any thread may send it commands; they run in order.
final class TransferEngine: Sendable {
    typealias ID = UInt64
    private enum Command: Sendable {
        case start(ByteRequest, ID, any TransferSink)
        case resume(ID)
        case goOn(ID)
        case hold(ID)
        case cancel(ID)
        case job(@Sendable () -> Void)
    }
    private struct Inbox {
        var commands: [Command] = []
        var isStopped = false
    }
    private let clock: any HostClock
    private let thread: WorkerThread
    private let inbox = Mutex(Inbox())
    private let lastID = Atomic<ID>(0)
    private let multi: MultiHandle
    private let loop: TransferLoop

    init(clock: any HostClock, identity: TransferIdentity) {
        self.clock = clock
        multi = MultiHandle()
        loop = TransferLoop(multi: multi, identity: identity)
        thread = WorkerThread(name: "transfer", clock: clock)
    }

    /// Ends everything and joins the thread. Not from the thread itself.
    func stop() {
        inbox.withLock { $0.isStopped = true }
        multi.wake()
        thread.stop()
        for command in takeCommands() {
            if case .start(_, _, let sink) = command { sink.discard() }
        }
        loop.cancelAll()
    }

    func makeID() -> ID { lastID.add(1, ordering: .relaxed).newValue }

    /// Starts a transfer over HTTP.
    func start(_ request: ByteRequest, _ id: ID, _ sink: any TransferSink) {
        if !send(.start(request, id, sink)) { sink.discard() }
    }

    /// Refuses the further bytes of a transfer until it is resumed.
    func hold(_ id: ID) { send(.hold(id)) }

    /// Resumes a transfer that is held, or whose bytes were refused.
    func resume(_ id: ID) { send(.resume(id)) }

    /// Resumes a transfer whose bytes were refused, unless it is held.
    func goOn(_ id: ID) { send(.goOn(id)) }

    /// Cancels a transfer; its sink gets only `discard`.
    func cancel(_ id: ID) { send(.cancel(id)) }

    /// Reads a whole file, or a range of it, on the transfer thread.
    func read(
        _ path: String, _ kind: BodyKind, _ range: Range<Int64>?, _ task: TransferTask,
        _ finish: @escaping @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) {
        send(
            .job { [clock] in
                if task.isCancelled { return }
                let start = clock.now
                let result: Result<[UInt8], MediaError>
                do throws(MediaError) { result = .success(try FileByteStream.contents(path, kind, range)) } catch {
                    result = .failure(error)
                }
                let length = clock.now - start
                finish(
                    result.map {
                        ByteResponse(
                            bytes: $0, url: path, status: 200, contentType: nil, timeToFirstByte: length, transferDuration: length
                        )
                    })
            })
    }

    /// - Returns: false when the engine has stopped and nothing will happen.
    @discardableResult
    private func send(_ command: Command) -> Bool {
        let isTaken = inbox.withLock { inbox in
            if inbox.isStopped { return false }
            inbox.commands.append(command)
            thread.perform { [self] in run() }
            return true
        }
        // If the thread is waiting for sockets, wake it for its commands.
        if isTaken { multi.wake() }
        return isTaken
    }

    private func takeCommands() -> [Command] {
        inbox.withLock { inbox in
            defer { inbox.commands = [] }
            return inbox.commands
        }
    }

    /// Runs commands and moves bytes until all transfers are idle. Paused transfers hold no token: simulated time may advance.
    private func run() {
        repeat {
            for command in takeCommands() {
                switch command {
                case .start(let request, let id, let sink): loop.start(request, id, sink)
                case .resume(let id): loop.resume(id)
                case .goOn(let id): loop.goOn(id)
                case .hold(let id): loop.hold(id)
                case .cancel(let id): loop.cancel(id)
                case .job(let job): job()
                }
            }
            loop.step()
        } while loop.isMoving && !inbox.withLock(\.isStopped)
    }
}

/// A transfer or file read, as seen by its owner.
final class TransferTask: ByteTask {
    private let engine: TransferEngine
    let id: TransferEngine.ID
    private let cancelled = Atomic(false)

    init(_ engine: TransferEngine) {
        self.engine = engine
        id = engine.makeID()
    }

    var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

    func setHeld(_ isHeld: Bool) { if isHeld { engine.hold(id) } else { engine.resume(id) } }

    /// Goes on after its sink has refused bytes, unless its owner holds it.
    func resumeRefused() { engine.goOn(id) }

    func cancel() {
        if !cancelled.exchange(true, ordering: .sequentiallyConsistent) { engine.cancel(id) }
    }
}
