import Testing

@testable import WireFormats

/// Tables of transport streams, made byte by byte (ISO/IEC 13818-1, 2.4.4).
@Suite("Program tables")
struct ProgramTablesTests {
    /// The checksum as the specification draws it: a shift register, bit by bit.
    private func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var register = [Bool](repeating: true, count: 32)
        for byte in bytes {
            for place in 0..<8 {
                let bit = byte >> UInt8(7 - place) & 1 == 1
                let carry = register.removeFirst() != bit
                register.append(false)
                for power in [0, 1, 2, 4, 5, 7, 8, 10, 11, 12, 16, 22, 23, 26] where carry { register[31 - power].toggle() }
            }
        }
        return stride(from: 0, to: 32, by: 8).map { start in
            register[start..<start + 8].reduce(0 as UInt8) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    private func section(_ table: UInt8, _ number: Int, version: UInt8 = 0, isCurrent: Bool = true, _ body: [UInt8]) -> [UInt8] {
        let length = body.count + 9
        let head = [
            table, 0xB0 | UInt8(length >> 8), UInt8(length & 0xFF), UInt8(number >> 8), UInt8(number & 0xFF),
            0xC0 | version << 1 | (isCurrent ? 1 : 0), 0, 0,
        ]
        return head + body + checksum(head + body)
    }

    private func association(_ programs: [Int: Int], version: UInt8 = 0) -> [UInt8] {
        var body: [UInt8] = []
        for (program, pid) in programs.sorted(by: { $0.key < $1.key }) {
            body += [UInt8(program >> 8), UInt8(program & 0xFF), 0xE0 | UInt8(pid >> 8), UInt8(pid & 0xFF)]
        }
        return section(0, 1, version: version, body)
    }

    private func program(
        _ tracks: [(UInt8, Int, [UInt8])], number: Int = 1, version: UInt8 = 0, isCurrent: Bool = true
    ) -> [UInt8] {
        var body: [UInt8] = [0xE1, 0x00, 0xF0, 0x00]
        for (type, pid, descriptors) in tracks {
            body += [type, 0xE0 | UInt8(pid >> 8), UInt8(pid & 0xFF)]
            body += [0xF0 | UInt8(descriptors.count >> 8), UInt8(descriptors.count & 0xFF)]
            body += descriptors
        }
        return section(2, number, version: version, isCurrent: isCurrent, body)
    }

    /// The packets of sections.
    private func packets(_ pid: Int, _ sections: [UInt8]..., counter: UInt8 = 0) -> [[UInt8]] {
        var rest = [0] + sections.flatMap(\.self)
        var packets: [[UInt8]] = []
        while !rest.isEmpty {
            let start: UInt8 = packets.isEmpty ? 0x40 : 0
            let next: UInt8 = (counter + UInt8(packets.count)) & 0x0F
            let head: [UInt8] = [0x47, start | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x10 | next]
            let part = Array(rest.prefix(184))
            rest.removeFirst(part.count)
            packets.append(head + part + [UInt8](repeating: 0xFF, count: 184 - part.count))
        }
        return packets
    }

    private func take(_ packets: [[UInt8]], _ reader: inout ProgramTableReader) -> [ProgramTableReader.Finding] {
        packets.map { packet in packet.withUnsafeBytes { reader.take($0) } }
    }

    private func isChange(_ finding: ProgramTableReader.Finding?) -> Bool {
        if case .changed = finding { return true }
        return false
    }

    private let film: [(UInt8, Int, [UInt8])] = [(0x1B, 0x100, []), (0x0F, 0x101, [0x0A, 4, 0x65, 0x6E, 0x67, 0])]

    private func reader() -> ProgramTableReader {
        var reader = ProgramTableReader()
        _ = take(packets(0, association([1: 0x1000])) + packets(0x1000, program(film)), &reader)
        return reader
    }

    @Test("the tables of ffmpeg's multiplexer are read")
    func known() {
        // Its checksum is ffmpeg's.
        let section: [UInt8] = [
            0x00, 0xB0, 0x0D, 0x00, 0x01, 0xC1, 0x00, 0x00, 0x00, 0x01, 0xF0, 0x00, 0x2A, 0xB1, 0x04, 0xB2,
        ]
        #expect(section == association([1: 0x1000]))
        let reader = reader()
        #expect(reader.isComplete && reader.tables.pids == [0x100, 0x101])
        #expect(reader.tables.programs[1]?.map(\.type) == [0x1B, 0x0F])
    }

    @Test(
        "a codec, a PID, a track or a language more is a change; another version, another descriptor and the same again are none")
    func changes() {
        let (video, sound) = (film[0], film[1])
        let changes: [[(UInt8, Int, [UInt8])]] = [
            [video], [video, (0x81, 0x101, sound.2)], [video, (0x0F, 0x102, sound.2)], film + [(0x0F, 0x102, [])], [],
            [video, (0x0F, 0x101, [0x0A, 4, 0x64, 0x65, 0x75, 0])],
        ]
        for tracks in changes {
            var reader = reader()
            let found = take(packets(0x1000, program(tracks)), &reader).last
            #expect(isChange(found), "\(tracks)")
            guard case .changed(var next) = found else { continue }
            // What follows knows them; what was before does not.
            #expect(reader.tables.pids == [0x100, 0x101] && next.tables.pids == Set(tracks.map(\.1)))
            #expect(next.tables.areEmpty == tracks.isEmpty && next.packets.count == 2 * 188)
            #expect(!isChange(take(packets(0x1000, program(tracks, version: 7)), &next).last))
            #expect(isChange(take(packets(0x1000, program(film)), &next).last))
        }
        let same: [[(UInt8, Int, [UInt8])]] = [film, film.reversed(), [(0x1B, 0x100, [0x52, 1, 3]), sound]]
        for tracks in same {
            var reader = reader()
            guard case .same = take(packets(0x1000, program(tracks, version: 3)), &reader).last else {
                Issue.record("\(tracks) are the same")
                continue
            }
        }
    }

    @Test("a table that is damaged, not valid yet, of another table or unlisted is passed over")
    func passedOver() {
        let other = program([(0x81, 0x101, [])])
        for at in other.indices.dropFirst(3) {
            var damaged = other
            damaged[at] ^= 0x10
            var reader = reader()
            let found = take(packets(0x1000, damaged), &reader)
            #expect(found.allSatisfy { !isChange($0) }, "byte \(at)")
        }
        var reader = reader()
        let passed =
            packets(0x1000, program([], isCurrent: false)) + packets(0x1001, other) + packets(0x1000, program([], number: 2))
            + packets(0x1000, section(0xC0, 1, [1, 2, 3, 4]))
        var broken = packets(0x1000, other)
        broken[0][1] |= 0x80
        #expect(take(passed + broken, &reader).allSatisfy { !isChange($0) })
        #expect(isChange(take(packets(0x1000, other), &reader).last))
    }

    @Test("a table in several packets is read; a lost packet costs one table, a repeated one nothing")
    func severalPackets() {
        let english: [UInt8] = [0x0A, 4, 0x65, 0x6E, 0x67, 0]
        let many: [(UInt8, Int, [UInt8])] = film + (0..<60).map { (0x06, 0x200 + $0, english) }
        let sent = packets(0x1000, program(many))
        #expect(sent.count == 4)
        var reader = reader()
        let found = take(sent, &reader)
        #expect(found.dropLast().allSatisfy { !isChange($0) } && isChange(found.last))
        if case .changed(let next) = found.last { #expect(next.tables.pids.count == 62 && next.packets.count == 5 * 188) }
        var lossy = self.reader()
        #expect(take([sent[0], sent[1], sent[3]], &lossy).allSatisfy { !isChange($0) })
        #expect(isChange(take([sent[0], sent[1], sent[1], sent[2], sent[3]], &lossy).last))
        // A jump ends what was unfinished.
        var jumping = self.reader()
        _ = take(Array(sent[..<2]), &jumping)
        jumping.jump()
        #expect(take(Array(sent[2...]), &jumping).allSatisfy { !isChange($0) })
    }

    @Test("two tables in one packet are read, and one that ends where another begins")
    func sharedPackets() {
        var reader = ProgramTableReader()
        _ = take(packets(0, association([1: 0x1000, 2: 0x1000])), &reader)
        _ = take(packets(0x1000, program(film), program([(0x0F, 0x201, [])], number: 2)), &reader)
        #expect(reader.isComplete && reader.tables.pids == [0x100, 0x101, 0x201])
        let many: [(UInt8, Int, [UInt8])] = (0..<34).map { (0x06, 0x200 + $0, []) }
        let long = program(many) + program([], number: 2)
        let first = Array(([0] + long).prefix(184))
        let rest = Array(([0] + long).dropFirst(184))
        // The second packet says where its first section begins.
        let end = 1 + program(many).count - 184
        let sent = [
            [0x47, 0x50, 0x00, 0x10] + first,
            [0x47, 0x50, 0x00, 0x11, UInt8(max(end, 0))] + rest + [UInt8](repeating: 0xFF, count: 183 - rest.count),
        ]
        #expect(isChange(take(sent, &reader).last))
    }

    @Test("programs of a multiplex: each is learned; one that only a new association lists is a change")
    func programs() {
        var reader = ProgramTableReader()
        let both = packets(0, association([1: 0x1000, 2: 0x1010]))
        _ = take(both + packets(0x1000, program(film)), &reader)
        #expect(!reader.isComplete)
        #expect(!isChange(take(packets(0x1010, program([(0x0F, 0x201, [])], number: 2)), &reader).last) && reader.isComplete)
        #expect(take(packets(0, association([3: 0x1020], version: 1)), &reader).allSatisfy { !isChange($0) })
        #expect(isChange(take(packets(0x1020, program(film, number: 3)), &reader).last))
    }

    @Test("what is no packet, and every beginning and damage of packets, is survived")
    func damage() {
        var reader = reader()
        let more: [(UInt8, Int, [UInt8])] = (0..<60).map { (0x06, 0x300 + $0, []) }
        let sent = packets(0, association([1: 0x1000])) + packets(0x1000, program(film + more))
        var seed: UInt64 = 27
        for _ in 0..<20_000 {
            var packet = sent[Int(seed >> 33) % sent.count]
            for _ in 0..<4 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                packet[1 + Int(seed >> 40) % 40] = UInt8(truncatingIfNeeded: seed >> 32)
            }
            _ = take([packet, Array(packet.prefix(Int(seed >> 50) % 188))], &reader)
        }
        // The tables can have become others only with their checksums.
        #expect(reader.tables == self.reader().tables)
    }

    @Test("packets of 188, 192 and 204 bytes have the same tables", arguments: [188, 192, 204])
    func lengths(_ length: Int) throws {
        let null: [UInt8] = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
        let bare = packets(0, association([1: 0x1000])) + packets(0x1000, program(film)) + [[UInt8]](repeating: null, count: 8)
        let framed = bare.flatMap { packet in
            switch length {
            case 192: [1, 2, 3, 4] + packet
            case 204: packet + [UInt8](repeating: 9, count: 16)
            default: packet
            }
        }
        #expect(ProgramTables(head: framed) == reader().tables)
        let found = try #require(TransportPackets(in: framed, isComplete: true))
        #expect(found.length == length && found.start == 0 && found.framed(bare[0]).count == length)
        #expect(ProgramTables(head: Array(framed.prefix(length + 100))) == nil && ProgramTables(head: []) == nil)
    }
}
