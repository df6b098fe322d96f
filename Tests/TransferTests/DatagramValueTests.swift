import LinuxSupport
import Testing
import URLReferences

@testable import Transfer

/// Packets of a transport stream and of RTP, made byte by byte.
enum MadePackets {
    /// One packet of a PID with its counter; its number is in its payload.
    static func packet(_ number: Int, pid: UInt16 = 256, counter: UInt8? = nil) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xff, count: 188)
        bytes[0] = 0x47
        bytes[1] = UInt8(pid >> 8)
        bytes[2] = UInt8(pid & 0xff)
        bytes[3] = 0x10 | (counter ?? UInt8(truncatingIfNeeded: number)) & 0x0f
        for place in 0..<4 { bytes[4 + place] = UInt8(truncatingIfNeeded: number >> (8 * place)) }
        return bytes
    }

    /// The payload of a datagram: seven packets.
    static func seven(_ number: Int) -> [UInt8] { (0..<7).flatMap { packet(number * 7 + $0) } }

    static func rtp(
        _ number: UInt16, _ payload: [UInt8], type: UInt8 = 33, source: UInt32 = 0x1234_5678, first: UInt8 = 0x80,
        between: [UInt8] = [], behind: [UInt8] = []
    ) -> [UInt8] {
        [first, type, UInt8(number >> 8), UInt8(number & 0xff), 0, 0, 0, 0]
            + (0..<4).map { UInt8(truncatingIfNeeded: source >> (24 - 8 * $0)) } + between + payload + behind
    }

    static func sender(_ address: String = "10.0.0.1", _ port: UInt16 = 4000) -> DatagramSender {
        DatagramSender(address: NumericAddress(address)!, port: port)
    }
}

@Suite("Datagrams as values")
struct DatagramValueTests {
    private typealias Made = MadePackets

    private func after(_ milliseconds: Int) -> HostTime { .zero + .milliseconds(milliseconds) }

    @Test("the header of RTP: contributing sources, an extension and padding are no payload")
    func header() throws {
        let payload = Made.seven(1)
        func parsed(_ bytes: [UInt8]) -> [UInt8]? {
            bytes.withUnsafeBytes { bytes in RTPHeader(bytes).map { Array(bytes[$0.payload]) } }
        }
        #expect(parsed(Made.rtp(7, payload)) == payload)
        #expect(parsed(Made.rtp(7, payload, first: 0x82, between: [1, 2, 3, 4, 5, 6, 7, 8])) == payload)
        #expect(parsed(Made.rtp(7, payload, first: 0x90, between: [0xbe, 0xde, 0, 1, 9, 9, 9, 9])) == payload)
        #expect(parsed(Made.rtp(7, payload, first: 0xa0, behind: [0, 0, 3])) == payload)
        #expect(
            parsed(Made.rtp(7, payload, first: 0xb1, between: [1, 2, 3, 4, 0xbe, 0xde, 0, 1, 9, 9, 9, 9], behind: [0, 2]))
                == payload)
        let header = Made.rtp(0xfffe, payload, type: 0xa1, source: 9).withUnsafeBytes { RTPHeader($0) }
        #expect(header?.number == 0xfffe && header?.payloadType == 33 && header?.source == 9)
        let broken: [[UInt8]] = [
            [], [0x80], Array(Made.rtp(1, []).dropLast()), Made.rtp(1, payload, first: 0x47), Made.rtp(1, [], first: 0x8f),
            Made.rtp(1, [], first: 0x90, between: [0, 0, 0xff, 0xff]), Made.rtp(1, [], first: 0x90),
            Made.rtp(1, [9, 9, 0], first: 0xa0),
            Made.rtp(1, [9, 9, 200], first: 0xa0),
        ]
        for bytes in broken { #expect(parsed(bytes) == nil, "\(bytes.prefix(16))") }
        #expect(parsed(Made.rtp(1, [])) == [])
    }

    /// What comes of packets that a network has lost, doubled and swapped.
    private func travelled(_ count: Int, loss: Double, seed: UInt64) -> [Int] {
        var random = SeededGenerator(seed: seed)
        var arrivals: [(at: Double, number: Int)] = []
        for number in 0..<count where number == 0 || Double.random(in: 0..<1, using: &random) >= loss {
            arrivals.append((Double(number) + (number == 0 ? 0 : Double.random(in: 0..<6, using: &random)), number))
            if Double.random(in: 0..<1, using: &random) < 0.05 { arrivals.append((Double(number) + 6.5, number)) }
        }
        return arrivals.sorted { ($0.at, $0.number) < ($1.at, $1.number) }.map(\.number)
    }

    @Test(
        "packets come in the order of their numbers, each once, over the wrap; what did not come is counted",
        arguments: [0, 0.01, 0.1, 0.3])
    func order(loss: Double) {
        for seed in 1...5 {
            let arrivals = travelled(5000, loss: loss, seed: UInt64(seed))
            var order = RTPOrder()
            var delivered: [Int] = []
            func take(_ bytes: UnsafeRawBufferPointer) { delivered.append(Int(bytes.loadUnaligned(as: Int32.self))) }
            for (index, number) in arrivals.enumerated() {
                withUnsafeBytes(of: Int32(number)) {
                    order.take(UInt16(truncatingIfNeeded: 62_000 + number), $0, at: after(index), deliver: take)
                }
            }
            order.giveUp(at: after(arrivals.count), deliver: take)
            let sent = Set(arrivals)
            #expect(delivered == sent.sorted())
            #expect(order.lost == (sent.max() ?? 0) + 1 - sent.count)
            #expect(order.late == arrivals.count - sent.count)
        }
    }

    @Test("a sender that begins again with another number is followed; a single stray packet is not")
    func restart() {
        var order = RTPOrder()
        var delivered: [UInt8] = []
        func take(_ number: UInt16, _ mark: UInt8) {
            [mark].withUnsafeBytes { order.take(number, $0, at: .zero) { delivered.append($0[0]) } }
        }
        take(100, 1)
        take(40_000, 99)
        take(101, 2)
        take(20_000, 98)
        take(20_001, 3)
        take(20_002, 4)
        #expect(delivered == [1, 2, 3, 4] && order.lost == 0 && order.late == 2)
    }

    @Test("what is missing holds up the rest for a tenth of a second at most")
    func patience() {
        var order = RTPOrder()
        var delivered = 0
        for number in [0, 2, 3] {
            [UInt8(1)].withUnsafeBytes { order.take(UInt16(number), $0, at: .zero) { _ in delivered += 1 } }
        }
        #expect(delivered == 1)
        [UInt8(1)].withUnsafeBytes { order.take(4, $0, at: after(101)) { _ in delivered += 1 } }
        #expect(delivered == 4 && order.lost == 1)
    }

    /// What an intake makes of datagrams.
    private func intake(
        _ datagrams: [(bytes: [UInt8], sender: DatagramSender, at: Int)], from senders: [String] = []
    ) -> (bytes: [UInt8], intake: DatagramIntake) {
        var intake = DatagramIntake(from: senders.compactMap { NumericAddress($0) })
        var bytes: [UInt8] = []
        for datagram in datagrams {
            datagram.bytes.withUnsafeBytes { intake.take($0, from: datagram.sender, at: after(datagram.at)) { bytes += $0 } }
        }
        return (bytes, intake)
    }

    @Test("a transport stream is known by what it is: bare or in RTP, in whole packets or cut anywhere, with 188 or 204 bytes")
    func kinds() {
        let stream = (0..<40).flatMap { Made.seven($0) }
        func pieces(_ bytes: [UInt8], _ length: Int) -> [[UInt8]] {
            stride(from: 0, to: bytes.count, by: length).map { Array(bytes[$0..<min($0 + length, bytes.count)]) }
        }
        let one = Made.sender()
        for length in [188, 376, 1316, 1472, 1400, 8000] {
            let result = intake(pieces(stream, length).map { ($0, one, 0) })
            #expect(result.bytes == stream && result.intake.counts.foreign == 0, "\(length)")
            #expect(result.intake.counts.missingPackets == 0, "\(length)")
        }
        let coded = stride(from: 0, to: stream.count, by: 188).flatMap {
            stream[$0..<$0 + 188] + [UInt8](repeating: 5, count: 16)
        }
        #expect(intake(pieces(coded, 204 * 5).map { ($0, one, 0) }).bytes == coded)
        let wrapped = pieces(stream, 1316).enumerated().map { (Made.rtp(UInt16($0), $1, type: 33), one, 0) }
        #expect(intake(wrapped).bytes == stream)
        // Some senders number their payload themselves.
        let dynamic = pieces(stream, 1316).enumerated().map { (Made.rtp(UInt16($0), $1, type: 96), one, 0) }
        #expect(intake(dynamic).bytes == stream)
    }

    @Test("what is no transport stream is left out and counted, and does not disturb the stream between which it comes")
    func foreign() {
        let one = Made.sender()
        var random = SeededGenerator(seed: 4)
        let noise: [[UInt8]] = (0..<300).map { index in
            (0..<(index * 7)).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        let picture = Made.rtp(9, [0x65] + [UInt8](repeating: 1, count: 1200), type: 96)
        var datagrams: [(bytes: [UInt8], sender: DatagramSender, at: Int)] = []
        for number in 0..<300 {
            datagrams.append((Made.seven(number), one, 0))
            datagrams.append((noise[number], one, 0))
            datagrams.append((picture, one, 0))
        }
        let result = intake(datagrams)
        #expect(result.bytes == (0..<300).flatMap { Made.seven($0) })
        #expect(result.intake.counts.foreign == 600 && result.intake.counts.missingPackets == 0)
        let alone = intake([(picture, one, 0)])
        #expect(alone.bytes.isEmpty && alone.intake.foreignType == 96 && alone.intake.heard == nil)
    }

    @Test("of two senders one is heard; when it is silent for a second the other takes over")
    func senders() {
        let (one, two) = (Made.sender("10.0.0.1"), Made.sender("10.0.0.2"))
        var datagrams: [(bytes: [UInt8], sender: DatagramSender, at: Int)] = []
        for number in 0..<100 {
            datagrams.append((Made.rtp(UInt16(number), Made.seven(number)), one, number * 10))
            datagrams.append((Made.rtp(UInt16(5000 + number), Made.seven(9000 + number), source: 2), two, number * 10))
        }
        for number in 100..<250 {
            datagrams.append((Made.rtp(UInt16(5000 + number), Made.seven(9000 + number), source: 2), two, number * 10))
        }
        let result = intake(datagrams)
        #expect(result.bytes == (0..<100).flatMap { Made.seven($0) } + (199..<250).flatMap { Made.seven(9000 + $0) })
        #expect(result.intake.counts.changes == 1 && result.intake.counts.lost == 0 && result.intake.counts.fromOthers == 199)
        #expect(result.intake.sender == two)
        let chosen = intake(datagrams, from: ["10.0.0.2"])
        #expect(chosen.bytes == (0..<250).flatMap { Made.seven(9000 + $0) } && chosen.intake.counts.fromOthers == 100)
    }

    @Test(
        "without numbers, what is missing is known by the counters of the packets; repeated packets and announced jumps are no losses"
    )
    func counters() {
        let one = Made.sender()
        let kept = (0..<60).filter { ![10, 20, 21].contains($0) }
        #expect(intake(kept.map { (Made.packet($0), one, 0) }).intake.counts.missingPackets == 3)
        #expect(intake([0, 1, 1, 2].map { (Made.packet($0), one, 0) }).intake.counts.missingPackets == 0)
        var jump = Made.packet(7)
        (jump[3], jump[4], jump[5]) = (0x37, 1, 0x80)
        #expect(intake([(Made.packet(0), one, 0), (jump, one, 0), (Made.packet(8), one, 0)]).intake.counts.missingPackets == 0)
        let stuffing = (0..<9).map { (Made.packet($0, pid: 0x1fff, counter: 3), one, 0) }
        #expect(intake(stuffing).intake.counts.missingPackets == 0)
    }
}
