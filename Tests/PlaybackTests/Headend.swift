import LinuxSupport
import MediaModel
import MediaSources
import Synchronization
import Transfer
import URLReferences

/// A sender of datagrams on the simulated clock, and a loader whose streams receive them.
@MainActor
final class Headend {
    /// A datagram and when it arrives, from the start of the sending.
    struct Arrival {
        var at: Duration
        var bytes: [UInt8]
        var sender = DatagramSender(address: NumericAddress("10.0.0.1")!, port: 4000)
    }

    private let clock: any HostClock
    private var arrivals: [Arrival] = []
    private var next = 0
    private var began = HostTime.zero
    private var lastGiven = HostTime.zero
    let loader: HeadendLoader

    init(clock: any HostClock) {
        self.clock = clock
        loader = HeadendLoader(clock: clock)
        tick()
    }

    /// Begins to send now.
    func send(_ arrivals: [Arrival]) {
        (self.arrivals, next, began) = (arrivals.sorted { $0.at < $1.at }, 0, clock.now)
        sendNext()
    }

    var isDone: Bool { next == arrivals.count }

    private func sendNext() {
        guard next < arrivals.count else { return }
        clock.schedule(at: began + arrivals[next].at, rank: .transfer) { [weak self] in
            guard let self, self.next < self.arrivals.count else { return }
            let arrival = self.arrivals[self.next]
            self.next += 1
            self.lastGiven = self.clock.now
            for source in self.loader.sources { source.give(arrival) }
            self.sendNext()
        }
    }

    /// As the socket does when nothing comes.
    private func tick() {
        clock.schedule(after: .seconds(1), rank: .transfer) { [weak self] in
            guard let self else { return }
            if self.clock.now - self.lastGiven >= .seconds(1) { for source in self.loader.sources { source.rest() } }
            self.tick()
        }
    }

    // MARK: - What is sent

    /// A file of MPEG-TS with a constant rate, in datagrams of seven packets at their times.
    nonisolated static func plain(_ stream: [UInt8], length: Duration, from start: Duration = .zero) -> [Arrival] {
        let count = (stream.count + 1315) / 1316
        return (0..<count).map { number in
            Arrival(
                at: start + length * number / count, bytes: Array(stream[number * 1316..<min(stream.count, number * 1316 + 1316)])
            )
        }
    }

    /// The same in RTP.
    nonisolated static func rtp(
        _ stream: [UInt8], length: Duration, from start: Duration = .zero, first: UInt16 = 65_400, source: UInt8 = 7
    ) -> [Arrival] {
        plain(stream, length: length, from: start).enumerated().map { index, arrival in
            let number = first &+ UInt16(truncatingIfNeeded: index)
            var arrival = arrival
            arrival.bytes = [0x80, 33, UInt8(number >> 8), UInt8(number & 0xff), 0, 0, 0, 0, 0, 0, 0, source] + arrival.bytes
            return arrival
        }
    }
}

/// Streams that receive what a headend sends.
final class HeadendLoader: ByteLoading {
    /// A socket that is open, or was.
    final class Source: DatagramSource {
        private let receiver = Mutex<DatagramReceiver?>(nil)
        func open(_ receiver: DatagramReceiver) throws(MediaError) { self.receiver.withLock { $0 = receiver } }
        func close() { receiver.withLock { $0 = nil } }
        var isOpen: Bool { receiver.withLock { $0 != nil } }
        fileprivate func give(_ arrival: Headend.Arrival) {
            let receiver = receiver.withLock { $0 }
            arrival.bytes.withUnsafeBytes { receiver?.take($0, arrival.sender) }
        }
        fileprivate func rest() { receiver.withLock { $0 }?.rest() }
    }
    private let made = Mutex<[Source]>([])
    private let clock: any HostClock

    init(clock: any HostClock) { self.clock = clock }

    var sources: [Source] { made.withLock { $0 } }

    @MainActor func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask { preconditionFailure("a stream is never loaded as a whole") }

    func stream(_ url: String) -> any ByteStream {
        guard case .datagrams(let address) = Location(url) else { preconditionFailure("\(url) is no stream in datagrams") }
        let source = Source()
        made.withLock { $0.append(source) }
        return DatagramStream(address, source: source, clock: clock)
    }
}
