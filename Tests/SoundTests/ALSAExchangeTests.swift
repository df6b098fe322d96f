import LinuxSupport
import Testing

@testable import Sound

@Suite("The ring between the main loop and the sound thread")
struct ALSAExchangeTests {
    @Test("frames pass between the threads in order and unchanged, through many rounds of the ring, and reports are never torn")
    @MainActor
    func crossing() throws {
        let loop = try MainLoop(time: .real)
        let exchange = ALSAExchange(channels: 2)
        let total = 10 * ALSAExchange.capacity + 4321
        let thread = WorkerThread(name: "consumer", clock: loop.clock)
        let isInOrder = BoundedQueue<Bool>(capacity: 1, ledger: nil)
        thread.perform { _ = isInOrder.push(Self.consume(exchange, total)) }
        var next = 0
        var hasTornReport = false
        while next < total {
            let frames = min(ALSAExchange.capacity - (next - exchange.kept.load(ordering: .acquiring)), total - next, 1000)
            let samples = (next..<next + frames).flatMap { [Float($0), Float(-$0)] }
            samples.withUnsafeBufferPointer { exchange.write($0) }
            next += frames
            let report = exchange.report()
            hasTornReport = hasTornReport || report.end != 2 * report.frame || report.nanoseconds != Int64(3 * report.frame)
        }
        thread.stop()
        #expect(isInOrder.tryPop() == true)
        #expect(!hasTornReport)
    }

    private nonisolated static func consume(_ exchange: ALSAExchange, _ total: Int) -> Bool {
        var frame = 0
        var isInOrder = true
        while frame < total {
            let written = exchange.written.load(ordering: .acquiring)
            while frame < written {
                let (samples, _) = exchange.read(frame)
                // Continue in any case, because the other side waits for room.
                isInOrder = isInOrder && samples[0] == Float(frame) && samples[1] == Float(-frame)
                frame += 1
            }
            exchange.publish(ALSAExchange.Report(frame: frame, nanoseconds: Int64(3 * frame), end: 2 * frame))
            exchange.kept.store(frame, ordering: .releasing)
        }
        return isInOrder
    }

    @Test("samples are converted to the device's format, clipped and never wrapped")
    func encodings() {
        let samples: [Float] = [0, 1, -1, 2, -2, 0.5]
        func stored<Number>(_ encoding: SampleEncoding, as type: Number.Type) -> [Number] {
            withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { memory in
                encoding.store(samples, samples.count, in: memory.baseAddress!)
                return Array(memory.bindMemory(to: type).prefix(samples.count))
            }
        }
        #expect(stored(.signed16, as: Int16.self) == [0, 32767, -32767, 32767, -32767, 16384])
        #expect(stored(.signed32, as: Int32.self) == [0, .max, -.max, .max, -.max, 1_073_741_823])
        #expect(stored(.float, as: Float.self) == [0, 1, -1, 1, -1, 0.5])
    }
}

@Suite("The device's contents")
struct ALSAContentsTests {
    @Test("adjoining stretches are merged; a frame of the device is found again")
    func lookUp() {
        var contents = ALSAContents()
        contents.append(100, ring: 0, isSound: false)
        contents.append(50, ring: 0, isSound: true)
        contents.append(50, ring: 50, isSound: true)
        contents.append(10, ring: 100, isSound: false)
        contents.append(20, ring: 100, isSound: true)
        #expect(contents.end == 230)
        #expect(contents.lookUp(150).here == ALSAContents.Stretch(device: 100, ring: 0, count: 100, isSound: true))
        #expect(contents.lookUp(205).nextSound?.ring == 100)
        #expect(contents.lookUp(230).here == nil)
    }

    @Test("the first of the frames that were taken back is the next to be played")
    func takeBack() {
        var contents = ALSAContents()
        contents.append(100, ring: 7, isSound: false)
        contents.append(50, ring: 7, isSound: true)
        contents.append(30, ring: 57, isSound: false)
        #expect(contents.endsInSound(before: 57) == false)
        let inSilence = contents.takeBack(10)
        let inSound = contents.takeBack(40)
        #expect(inSilence == 57)
        #expect(inSound == 37)
        #expect(contents.endsInSound(before: 37) == true)
        let beforeSound = contents.takeBack(40)
        #expect(beforeSound == 7)
        #expect(contents.end == 90)
    }

    @Test("the list drops the oldest stretches and keeps the newest")
    func overflow() {
        var contents = ALSAContents()
        for index in 0..<1000 { contents.append(10, ring: index / 2 * 10, isSound: index % 2 == 1) }
        #expect(contents.lookUp(9995).here?.ring == 4990)
        #expect(contents.lookUp(5).here == nil)
        #expect(contents.end == 10_000)
    }
}
