import CCurl
import LinuxSupport
import MediaModel
import Synchronization

/// Takes in what a transfer brings. All calls come from the transfer thread, in this order: `begin` once, `receive` any number of
/// times, `finish` once.
protocol TransferSink: AnyObject, Sendable {
    /// The head of the final response (redirects left out) is there.
    func begin(_ head: ResponseHead)
    /// Bytes of the body.
    func receive(_ bytes: UnsafeRawBufferPointer) -> TransferAnswer
    /// It is over. Not called once cancelled.
    func finish(_ failure: TransferFailure?)
    /// It was cancelled: whatever waits for it can be let go.
    func discard()
}

/// What a sink does with bytes.
enum TransferAnswer {
    /// They were taken.
    case taken
    /// The transfer rests until `TransferEngine.resume`; then the same bytes come again.
    case notNow
    /// Nothing more is wanted: the transfer ends.
    case enough
}

/// Why a transfer failed.
struct TransferFailure: Sendable {
    /// For whoever asked.
    let error: MediaError
    /// Whether the connection broke, so that going on from there may help.
    var isBroken = false
    /// Whether there is nothing at the range that was asked for, since the resource ends before it.
    var isBeyondEnd = false
}

/// What a response says of itself.
struct ResponseHead: Sendable {
    /// HTTP status, below 400.
    var status: Int
    /// After redirects.
    var url: String
    /// As stated by the server.
    var contentType: String?
    /// The length of the whole resource, from Content-Range; nil where the server does not serve ranges.
    var totalLength: Int64?
    /// The length of this body, where the server states it.
    var expectedLength: Int64?
    /// How old the body is (RFC 9111, 5.1).
    var age: Duration?
    /// How many seconds before its answer the server says that the resource was changed last; nil where it does not say.
    var sinceChange: Int?
    /// The server's address in numbers.
    var serverAddress: String?
}

/// What all requests have in common: who we say that we are, and whom we believe.
struct TransferIdentity: Sendable {
    var userAgent: String
    /// A file of certificates; nil: the system's.
    var certificateAuthorities: String?
    /// `http://HOST:PORT`; nil: none.
    var proxy: String?
}

/// Drives transfers on its thread. Any thread may give it commands; they are taken up in order.
final class TransferEngine: Sendable {
    typealias ID = UInt64
    private enum Command: Sendable {
        case start(ByteRequest, ID, any TransferSink)
        case resume(ID)
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

    /// Begins a transfer over HTTP.
    func start(_ request: ByteRequest, _ id: ID, _ sink: any TransferSink) {
        if !send(.start(request, id, sink)) { sink.discard() }
    }

    /// Lets a transfer go on whose bytes were not taken.
    func resume(_ id: ID) { send(.resume(id)) }

    /// Ends a transfer without a word to its sink but `discard`.
    func cancel(_ id: ID) { send(.cancel(id)) }

    /// Reads a whole file, or a range of it, on the transfer thread.
    func read(
        _ path: String, _ range: Range<Int64>?, _ task: TransferTask,
        _ finish: @escaping @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) {
        send(
            .job { [clock] in
                if task.isCancelled { return }
                let start = clock.now
                let result: Result<[UInt8], MediaError>
                do throws(MediaError) { result = .success(try FileByteStream.contents(path, range)) } catch {
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

    /// - Returns: false when the engine has been stopped and nothing will happen.
    @discardableResult
    private func send(_ command: Command) -> Bool {
        let isTaken = inbox.withLock { inbox in
            if inbox.isStopped { return false }
            inbox.commands.append(command)
            thread.perform { [self] in run() }
            return true
        }
        // Should the thread be waiting for sockets, it looks at its commands at once.
        if isTaken { multi.wake() }
        return isTaken
    }

    private func takeCommands() -> [Command] {
        inbox.withLock { inbox in
            defer { inbox.commands = [] }
            return inbox.commands
        }
    }

    /// Takes up commands and moves bytes until nothing moves any more. What rests holds no token: simulated time may go on.
    private func run() {
        repeat {
            for command in takeCommands() {
                switch command {
                case .start(let request, let id, let sink): loop.start(request, id, sink)
                case .resume(let id): loop.resume(id)
                case .cancel(let id): loop.cancel(id)
                case .job(let job): job()
                }
            }
            loop.step()
        } while loop.isMoving && !inbox.withLock(\.isStopped)
    }
}

/// A transfer or file read as its owner sees it.
final class TransferTask: ByteTask {
    private let engine: TransferEngine
    let id: TransferEngine.ID
    private let cancelled = Atomic(false)

    init(_ engine: TransferEngine) {
        self.engine = engine
        id = engine.makeID()
    }

    var isCancelled: Bool { cancelled.load(ordering: .sequentiallyConsistent) }

    func cancel() {
        if !cancelled.exchange(true, ordering: .sequentiallyConsistent) { engine.cancel(id) }
    }
}
