import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Testing
import WireFormats

@testable import Playback

@Suite("Thumbnails by position")
@MainActor
struct ThumbnailTests {
    private func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) } }

    /// A BIF file whose pictures are their own numbers, three bytes each.
    private func file(times: [UInt32], unit: UInt32 = 1000, version: UInt32 = 0) -> [UInt8] {
        var bytes = BIFFormat.magic + word(version) + word(UInt32(times.count)) + word(unit)
        bytes += [UInt8](repeating: 0, count: BIFFormat.headerLength - bytes.count)
        let first = UInt32(BIFFormat.headerLength + (times.count + 1) * 8)
        for (index, time) in times.enumerated() { bytes += word(time) + word(first + UInt32(index) * 3) }
        bytes += word(.max) + word(first + UInt32(times.count) * 3)
        for index in times.indices { bytes += [UInt8](repeating: UInt8(index), count: 3) }
        return bytes
    }

    @Test("an index gives the time and the byte range of each picture; a separation of 0 is a second")
    func index() throws {
        let index = try #require(BIFIndex(file(times: [0, 2, 5], unit: 500)))
        #expect(index.entries.map(\.time) == [.zero, .seconds(1), MediaTime(5, 2)])
        #expect(index.entries.map(\.range) == [96..<99, 99..<102, 102..<105])
        #expect(index.entry(at: MediaTime(24, 10))?.time == .seconds(1))
        #expect(index.entry(at: .seconds(100))?.time == MediaTime(5, 2))
        #expect(try #require(BIFIndex(file(times: [0, 3], unit: 0))).entries.last?.time == .seconds(3))
    }

    @Test("a file that is not BIF, is truncated, or has descending entries is refused")
    func damaged() {
        let good = file(times: [0, 1, 2])
        #expect(BIFIndex(good) != nil)
        #expect(BIFIndex(Array(good.prefix(80))) == nil)
        #expect(BIFIndex([0] + good.dropFirst()) == nil)
        #expect(BIFIndex(file(times: [0, 1], version: 1)) == nil)
        #expect(BIFIndex(file(times: [0, 2, 1])) == nil)
        #expect(BIFIndex([]) == nil)
        // The largest time is 2^32 - 1 units; a unit has at most a day.
        #expect(BIFIndex(file(times: [0, .max], unit: 86_400_000))?.entries.last?.time == .seconds(Int64(UInt32.max) * 86_400))
        #expect(
            BIFIndex(file(times: [0, .max], unit: 86_400_001)) == nil && BIFIndex(file(times: [0, .max], unit: .max)) == nil)
    }

    @Test("the newest request is served first, one at a time; the oldest of too many is dropped, which is not missing")
    func wishes() {
        var wishes = ThumbnailWishes()
        let answers = Answers()
        for number in 0..<(ThumbnailWishes.most + 2) {
            wishes.add(
                .init(time: .seconds(Int64(number)), width: 1, height: 1) { answer in
                    if case .dropped = answer { answers.dropped.append(number) } else { answers.given.append(number) }
                })
        }
        #expect(answers.dropped == [0, 1])
        #expect(wishes.begin()?.time == .seconds(Int64(ThumbnailWishes.most + 1)))
        #expect(wishes.begin() == nil)
        wishes.end(nil)
        #expect(answers.given == [ThumbnailWishes.most + 1])
        wishes.giveUp()
        #expect(answers.given.count == 1 && answers.dropped.count == ThumbnailWishes.most + 1)
        #expect(wishes.count == 0)
    }

    @Test("a file's index is loaded once, and each picture by its byte range", arguments: [true, false])
    func file(knowsRanges: Bool) throws {
        let loop = try MainLoop(time: .simulated)
        let loader = RangeLoader(file(times: [0, 10, 20]), knowsRanges: knowsRanges)
        let thumbnails = BIFThumbnails(url: "a.bif", loader: loader, clock: loop.clock) { bytes, width, height in
            // The picture's number is its width.
            try? MemoryAllocator().makeBuffer(format: .argb8888, width: Int(bytes[0]) + 1, height: bytes.count)
        }
        defer { thumbnails.close() }
        let answers = Answers()
        thumbnails.loadTimes { answers.times = $0 }
        #expect(answers.times == [.zero, .seconds(10), .seconds(20)])
        var isDone = false
        thumbnails.loadThumbnail(at: .seconds(15), width: 100, height: 100) { answer in
            if case .picture(let pixels) = answer { answers.given.append(pixels.width * 100 + pixels.height) }
        }
        loop.clock.schedule(after: .seconds(1), rank: .display) { isDone = true }
        loop.run(until: { isDone })
        #expect(answers.given == [203])
        #expect(loader.ranges.last == 99..<102)
    }
}

/// The delivered results.
@MainActor
private final class Answers {
    var given: [Int] = []
    var dropped: [Int] = []
    var times: [MediaTime] = []
}

/// Has one file, and answers at once.
// Unchecked: used only on the main loop.
private final class RangeLoader: ByteLoading, @unchecked Sendable {
    private let bytes: [UInt8]
    private let knowsRanges: Bool
    private(set) var ranges: [Range<Int64>] = []

    init(_ bytes: [UInt8], knowsRanges: Bool) {
        self.bytes = bytes
        self.knowsRanges = knowsRanges
    }

    private final class Task: ByteTask {
        func cancel() {}
    }

    @MainActor @discardableResult
    func load(
        _ request: ByteRequest, _ completion: @escaping @MainActor @Sendable (Result<ByteResponse, MediaError>) -> Void
    ) -> any ByteTask {
        if let range = request.range { ranges.append(range) }
        let part = request.range.map { Int($0.lowerBound)..<min(Int($0.upperBound), bytes.count) } ?? 0..<bytes.count
        completion(
            .success(
                ByteResponse(
                    bytes: knowsRanges ? Array(bytes[part]) : bytes, url: request.url, status: knowsRanges ? 206 : 200,
                    contentType: nil,
                    timeToFirstByte: .zero, transferDuration: .zero)))
        return Task()
    }

    func stream(_ url: String) -> any ByteStream { fatalError("nothing is read as a stream here") }
}
