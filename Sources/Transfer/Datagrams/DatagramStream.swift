import LinuxSupport
import MediaModel
import URLReferences

/// A stream in datagrams as a byte stream without an end: the transport stream of one sender, in order.
///
/// The sender does not wait for the reader. Unread bytes stay in a bounded buffer. When it is full they are dropped, and the reader continues at
/// the live edge. A stream that brings nothing fails as one over HTTP does: after 10 s without a beginning, or 5 s without more. The item is then
/// opened again.
package final class DatagramStream: ByteStream, TransferRecording {
    private struct State {
        var intake: DatagramIntake
        var pipe = Pipe()
        var isOpen = false
        var isCancelled = false
        var failure: MediaError?
        /// Since when nothing has come.
        var quietSince = HostTime.zero
        /// When losses are told next; nil while there is nothing to tell.
        var report: HostTime?
        var told = DatagramCounts()
    }

    /// Bytes on their way to the reader.
    private struct Pipe {
        /// Bytes that have not been read; those before `head` have been.
        private var buffer: [UInt8] = []
        private var head = 0
        /// How many bytes have come.
        private(set) var total: Int64 = 0

        var count: Int { buffer.count - head }

        mutating func store(_ bytes: UnsafeRawBufferPointer) {
            buffer.append(contentsOf: bytes)
            total += Int64(bytes.count)
        }

        mutating func take(into target: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(target.count, count)
            buffer.withUnsafeBytes { target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[head..<head + count])) }
            head += count
            if head == buffer.count {
                buffer.removeAll(keepingCapacity: buffer.count <= mostBuffered / 8)
                head = 0
            } else if head > mostBuffered / 2 {
                buffer.removeFirst(head)
                head = 0
            }
            return count
        }

        mutating func discard() { (buffer, head) = ([], 0) }
    }
    private let address: DatagramAddress
    private let source: any DatagramSource
    private let clock: any HostClock
    /// It is one request as long as it lasts, and has the losses.
    package let record = TransferRecord()
    private let monitor: Monitor<State>
    package let name: String
    private let words: DatagramWords

    /// Six seconds of 10 Mbit/s.
    static let mostBuffered = 8 << 20
    /// The limits of a transfer over HTTP (docs/errors.md, SRC-TIMEOUT).
    private static let firstLimit = Duration.seconds(10)
    private static let stallLimit = Duration.seconds(5)
    /// Losses come in crowds: the first of them are told soon, the others once a minute.
    private static let firstReport = Duration.seconds(2)
    private static let nextReport = Duration.seconds(60)
    /// A stream is one request.
    private static let request: TransferEngine.ID = 1

    package init(_ address: DatagramAddress, source: any DatagramSource, clock: any HostClock) {
        self.address = address
        self.source = source
        self.clock = clock
        // Once: losses are looked for with each datagram.
        name = "\(address)"
        words = DatagramWords(name: name, isRTP: address.isRTP, isMulticast: address.isMulticast)
        monitor = Monitor(State(intake: DatagramIntake(from: address.senders)), ledger: clock.ledger)
    }

    deinit { source.close() }

    package var length: Int64? { nil }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(MediaError) -> Int {
        guard buffer.count > 0 else { return 0 }
        try openIfNeeded()
        let result = monitor.wait { state -> Result<Int, MediaError>? in
            if state.isCancelled { return .success(0) }
            if state.pipe.count > 0 { return .success(state.pipe.take(into: buffer)) }
            return state.failure.map { .failure($0) }
        }
        return try result.get()
    }

    package func seek(to offset: Int64) throws(MediaError) {
        throw MediaError(.internal, "Seeking to byte \(offset) of \(name) failed: it is only received as it is sent.")
    }

    package func cancel() {
        monitor.update { $0.isCancelled = true }
        source.close()
        record.ended(Self.request, at: clock.now)
    }

    private func openIfNeeded() throws(MediaError) {
        let now = clock.now
        let isFirst = monitor.update { state in
            guard !state.isOpen, !state.isCancelled else { return false }
            (state.isOpen, state.quietSince) = (true, now)
            return true
        }
        guard isFirst else { return }
        record.began(Self.request, at: now)
        do throws(MediaError) {
            try source.open(
                DatagramReceiver(
                    take: { [weak self] in self?.take($0, $1) }, rest: { [weak self] in self?.rest() },
                    fail: { [weak self] in self?.fail($0) }))
        } catch {
            fail(error)
        }
        // Closed while it was opened.
        if monitor.read({ $0.isCancelled }) { source.close() }
    }
}

// Called by the source.
extension DatagramStream {
    private func take(_ datagram: UnsafeRawBufferPointer, _ sender: DatagramSender) {
        let now = clock.now
        let (count, isFirst) = monitor.update { state -> (Int, Bool) in
            let before = state.pipe.total
            Self.take(datagram, from: sender, at: now, &state.intake, &state.pipe)
            return (settle(&state, since: before, at: now), before == 0 && state.pipe.total > 0)
        }
        if isFirst {
            record.answered(
                Self.request, ResponseHead(status: 200, url: name, lastingURL: name, serverAddress: "\(sender.address)"), at: now)
        }
        if count > 0 { record.received(count, Self.request, at: now) }
    }

    private func rest() {
        let now = clock.now
        let count = monitor.update { state -> Int in
            let before = state.pipe.total
            Self.rest(at: now, &state.intake, &state.pipe)
            return settle(&state, since: before, at: now)
        }
        if count > 0 { record.received(count, Self.request, at: now) }
    }

    private func fail(_ error: MediaError) { monitor.update { $0.failure = $0.failure ?? error } }

    private static func take(
        _ datagram: UnsafeRawBufferPointer, from sender: DatagramSender, at now: HostTime, _ intake: inout DatagramIntake,
        _ pipe: inout Pipe
    ) {
        intake.take(datagram, from: sender, at: now) { pipe.store($0) }
    }

    private static func rest(at now: HostTime, _ intake: inout DatagramIntake, _ pipe: inout Pipe) {
        intake.rest(at: now) { pipe.store($0) }
    }

    /// After each event: bounds the buffer, and judges silence and losses.
    ///
    /// - Returns: how many bytes have come.
    private func settle(_ state: inout State, since before: Int64, at now: HostTime) -> Int {
        let count = Int(state.pipe.total - before)
        if state.pipe.count > Self.mostBuffered {
            // What comes next fits to nothing in the buffer.
            state.pipe.discard()
            state.intake.jumped()
        }
        if count > 0 {
            state.quietSince = now
        } else if now - state.quietSince >= (state.pipe.total == 0 ? Self.firstLimit : Self.stallLimit), state.failure == nil {
            state.failure = words.silence(state.intake, after: state.pipe.total)
            source.close()
        }
        let counts = state.intake.counts
        guard words.isTold(counts, since: state.told) else { return count }
        let due = state.report ?? now + Self.firstReport
        state.report = due
        if now >= due {
            record.note(words.losses(counts, since: state.told))
            (state.told, state.report) = (counts, now + Self.nextReport)
        }
        return count
    }
}
