import LinuxSupport
import MediaModel
import Synchronization
import Testing
import URLReferences

@testable import Transfer

/// Datagrams that a test gives by hand.
private final class HandDatagrams: DatagramSource {
    private let state = Mutex<(receiver: DatagramReceiver?, isClosed: Bool)>((nil, false))
    private let refusal: MediaError?

    init(refusal: MediaError? = nil) { self.refusal = refusal }

    var isOpen: Bool { state.withLock { $0.receiver != nil && !$0.isClosed } }
    var isClosed: Bool { state.withLock(\.isClosed) }
    private var receiver: DatagramReceiver? { state.withLock { $0.isClosed ? nil : $0.receiver } }

    func open(_ receiver: DatagramReceiver) throws(MediaError) {
        if let refusal { throw refusal }
        state.withLock { $0.receiver = receiver }
    }
    func close() { state.withLock { $0.isClosed = true } }

    func give(_ bytes: [UInt8]) { bytes.withUnsafeBytes { receiver?.take($0, MadePackets.sender()) } }
    func rest() { receiver?.rest() }
}

/// Counts what was given.
@MainActor
private final class Numbers {
    private(set) var last = 0
    func next() -> Int {
        last += 1
        return last
    }
}

@Suite("Streams in datagrams")
@MainActor
struct DatagramStreamTests {
    private let loop: MainLoop
    private let worker: WorkerThread

    init() throws {
        loop = try MainLoop(time: .simulated)
        worker = WorkerThread(name: "reader", clock: loop.clock)
    }

    private func stream(_ source: HandDatagrams, _ url: String = "udp://@239.1.1.1:5000") throws -> DatagramStream {
        DatagramStream(try DatagramAddress(URLReference(url)), source: source, clock: loop.clock)
    }

    /// Reads until there are so many bytes, or the stream ends, while a source gives something every second.
    private func read(
        _ count: Int, of stream: DatagramStream, seconds: Int = 100,
        giving: @escaping @MainActor @Sendable (_ second: Int) -> Void
    ) -> Result<[UInt8], MediaError> {
        for second in 0..<seconds { loop.clock.schedule(after: .seconds(second) + .milliseconds(1)) { giving(second) } }
        var result: Result<[UInt8], MediaError>?
        loop.clock.computeWaiting(on: worker, rank: .media) { () -> Result<[UInt8], MediaError> in
            do throws(MediaError) { return .success(try stream.read(count: count)) } catch { return .failure(error) }
        } then: {
            result = $0
        }
        loop.run(until: { result != nil })
        return result!
    }

    private func failure(_ result: Result<[UInt8], MediaError>) -> MediaError? {
        if case .failure(let error) = result { error } else { nil }
    }

    @Test("silence ends a stream with one sentence: after 10 s without a beginning, 5 s after more; the group is left")
    func silence() throws {
        let source = HandDatagrams()
        let error = failure(read(1, of: try stream(source)) { _ in source.rest() })
        #expect(error?.code == .sourceTimeout && error?.sentence.contains("got no datagram within 10 s") == true)
        #expect(loop.clock.now - .zero < .seconds(12) && source.isClosed)
        let second = HandDatagrams()
        let began = loop.clock.now
        let stalled = failure(
            read(2_000_000, of: try stream(second)) { if $0 < 20 { second.give(MadePackets.seven($0)) } else { second.rest() } })
        #expect(
            stalled?.code == .sourceTimeout
                && stalled?.sentence.contains("stalled: no MPEG-TS for 5 s after 26320 bytes") == true,
            "\(stalled?.sentence ?? "")")
        #expect((Duration.seconds(23)...Duration.seconds(26)).contains(loop.clock.now - began))
        worker.stop()
    }

    @Test("what is no MPEG-TS is told as that, with the payload type of RTP, although datagrams keep coming")
    func foreign() throws {
        let source = HandDatagrams()
        let picture = MadePackets.rtp(1, [0x65] + [UInt8](repeating: 3, count: 900), type: 96)
        let error = failure(read(1, of: try stream(source, "rtp://@239.1.1.1:5000")) { _ in source.give(picture) })
        #expect(error?.code == .sourceFormat && error?.sentence.contains("none holds MPEG-TS (RTP of payload type 96)") == true)
        worker.stop()
    }

    @Test("a source that cannot be opened fails the reader; one that is left lets it go")
    func refusedAndCancelled() throws {
        let refusal = MediaError(.networkDown, "No network.")
        #expect(failure(read(1, of: try stream(HandDatagrams(refusal: refusal))) { _ in }) == refusal)
        let source = HandDatagrams()
        let stream = try stream(source)
        #expect(try read(1, of: stream) { if $0 == 3 { stream.cancel() } }.get() == [])
        #expect(source.isClosed)
        worker.stop()
    }

    @Test("a reader that stops reading finds the live edge later, and the buffer stays bounded")
    func behind() throws {
        let source = HandDatagrams()
        let stream = try stream(source)
        let numbers = Numbers()
        // A datagram opens the stream, then 30 MB come that nobody reads.
        #expect(try read(1316, of: stream) { if $0 == 1 { source.give(MadePackets.seven(0)) } }.get() == MadePackets.seven(0))
        while numbers.last < 24_000 { source.give(MadePackets.seven(numbers.next())) }
        let rest = try read(DatagramStream.mostBuffered, of: stream, seconds: 200) { _ in
            for _ in 0..<100 { source.give(MadePackets.seven(numbers.next())) }
        }.get()
        let first = rest.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: 4, as: Int32.self)) }
        #expect(first > 7 * 17_000 && first % 7 == 0)
        #expect(
            rest
                == (first / 7..<first / 7 + rest.count / 1316 + 1).flatMap { MadePackets.seven($0) }.prefix(rest.count).map { $0 }
        )
        let remarks = stream.record.takeRemarks()
        #expect(remarks.contains { $0.sentence.contains("too far behind") }, "\(remarks)")
        worker.stop()
    }

    @Test("losses are told while the stream goes on: the first soon, then once a minute; what comes is one request")
    func losses() throws {
        let source = HandDatagrams()
        let stream = try stream(source, "rtp://@239.1.1.1:5000")
        let result = read(1316 * 180, of: stream, seconds: 200) { second in
            for part in 0..<2 where second % 10 != 4 || part == 0 {
                let number = second * 2 + part
                source.give(MadePackets.rtp(UInt16(number), MadePackets.seven(number)))
            }
        }
        #expect(try result.get().count == 1316 * 180)
        let remarks = stream.record.takeRemarks()
        #expect(remarks.count == 2 && remarks.allSatisfy { $0.code == .networkSlow }, "\(remarks)")
        #expect(
            remarks.first?.sentence.contains("1 were lost") == true && remarks.last?.sentence.contains("6 were lost") == true,
            "\(remarks)")
        let told = try #require(stream.record.take().first)
        #expect(told.request.serverAddress == "10.0.0.1" && told.request.byteCount >= 1316 * 180 && !told.isOver)
        stream.cancel()
        #expect(stream.record.take().first?.isOver == true)
        worker.stop()
    }
}
