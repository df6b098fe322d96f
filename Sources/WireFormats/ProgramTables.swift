/// The tracks that the tables of a transport stream list (ISO/IEC 13818-1, 2.4.4), by their programs. A value.
package struct ProgramTables: Equatable, Sendable {
    /// An elementary stream, and what decides how it is decoded and offered.
    package struct Track: Hashable, Sendable {
        package let pid: Int
        package let type: UInt8
        /// The descriptors that name its codec or language, as they are.
        package let descriptors: [UInt8]
    }
    /// In the order of their PIDs, by the numbers of programs.
    package fileprivate(set) var programs: [Int: [Track]] = [:]

    fileprivate init() {}

    /// Nil if the bytes, which begin with a packet, do not have the whole tables.
    package init?(head: [UInt8]) {
        guard let packets = TransportPackets(in: head, isComplete: true) else { return nil }
        var reader = ProgramTableReader()
        for start in stride(from: packets.offset, through: head.count - TransportPackets.packetLength, by: packets.length) {
            _ = head.withUnsafeBytes {
                reader.take(UnsafeRawBufferPointer(rebasing: $0[start..<start + TransportPackets.packetLength]))
            }
            if reader.isComplete {
                self = reader.tables
                return
            }
        }
        return nil
    }

    /// The PIDs of all tracks.
    package var pids: Set<Int> { Set(programs.values.joined().map(\.pid)) }
    /// Whether they are known and list nothing.
    package var areEmpty: Bool { !programs.isEmpty && programs.values.allSatisfy(\.isEmpty) }
}

/// Follows the tables of a transport stream packet by packet, until they change. A table that is damaged, or not valid yet, is passed over. A value.
package struct ProgramTableReader: Sendable {
    /// What a packet completes.
    package enum Finding: Sendable {
        case nothing
        /// A table of a program that lists what is known of it.
        case same
        /// A table of a program that lists something else. The reader of what follows knows it; this one keeps what was before.
        case changed(ProgramTableReader)
    }
    /// The beginning of a section that goes on in the next packet of its PID.
    private struct Unfinished: Sendable {
        var bytes: [UInt8]
        var packets: [UInt8]
        var counter: UInt8
    }
    /// The parts of the newest association table, by the numbers of its sections.
    private struct Association: Sendable {
        var version: UInt8
        var last: UInt8
        var parts: [UInt8: [Int: Int]] = [:]
        var packets: [UInt8: [UInt8]] = [:]
    }
    /// What the tables list.
    package private(set) var tables = ProgramTables()
    /// The packets of the newest association table, and of the table with which this reader began: with them FFmpeg knows the tracks.
    private var associationPackets: [UInt8] = []
    private var tablePackets: [UInt8] = []
    private var association: Association?
    /// The PIDs of the tables, by programs.
    private var tablePIDs: [Int: Int] = [:]
    /// The PIDs that have tables, with that of the association table.
    private var watched: Set<Int> = [0]
    /// The programs with which the stream begins: the first table of another one is a change. Nil until they are known.
    private var founders: Set<Int>?
    private var unfinished: [Int: Unfinished] = [:]

    /// More than the PIDs of any multiplex; an association table has at most 1,012 bytes in each of 256 sections.
    private static let mostPrograms = 1024

    package init() {}

    /// Whether the tables of all programs are known.
    package var isComplete: Bool { founders.map { !$0.isEmpty && $0.allSatisfy { tables.programs[$0] != nil } } ?? false }

    /// Packets of 188 bytes with the tables that were in force when this reader began.
    package var packets: [UInt8] { associationPackets + tablePackets }

    /// What comes next does not continue what was read.
    package mutating func jump() {
        unfinished = [:]
        association = nil
    }

    /// Takes a packet of 188 bytes.
    package mutating func take(_ packet: UnsafeRawBufferPointer) -> Finding {
        guard packet.count == TransportPackets.packetLength, packet[0] == TransportPackets.sync, packet[1] & 0x80 == 0,
            packet[3] & 0x10 != 0
        else { return .nothing }
        let pid = Int(packet[1] & 0x1F) << 8 | Int(packet[2])
        guard watched.contains(pid) else { return .nothing }
        let start = packet[3] & 0x20 != 0 ? 5 + Int(packet[4]) : 4
        guard start < packet.count else { return .nothing }
        var rest = Array(packet[start...])[...]
        let (whole, counter) = (Array(packet), packet[3] & 0x0F)
        var finding = Finding.nothing
        if packet[1] & 0x40 != 0 {
            let pointer = Int(rest.removeFirst())
            // The end of the section before comes first.
            continued(pid, rest.prefix(pointer), whole, counter, &finding)
            unfinished[pid] = nil
            begin(pid, rest.dropFirst(pointer), whole, counter, &finding)
        } else {
            continued(pid, rest, whole, counter, &finding)
        }
        return finding
    }

    /// Reads the sections that begin in a packet.
    private mutating func begin(
        _ pid: Int, _ bytes: ArraySlice<UInt8>, _ packet: [UInt8], _ counter: UInt8, _ finding: inout Finding
    ) {
        var rest = bytes
        // What follows the last one is stuffing.
        while let first = rest.first, first != 0xFF {
            guard let length = Self.length(rest), length <= rest.count else {
                unfinished[pid] = Unfinished(bytes: Array(rest), packets: packet, counter: counter)
                return
            }
            finish(pid, rest.prefix(length), packet, &finding)
            rest = rest.dropFirst(length)
        }
    }

    private mutating func continued(
        _ pid: Int, _ bytes: ArraySlice<UInt8>, _ packet: [UInt8], _ counter: UInt8, _ finding: inout Finding
    ) {
        // A packet may be sent twice.
        guard var section = unfinished[pid], counter != section.counter else { return }
        guard counter == (section.counter + 1) & 0x0F else { return unfinished[pid] = nil }
        section.bytes += bytes
        section.packets += packet
        section.counter = counter
        unfinished[pid] = section
        guard let length = Self.length(section.bytes[...]), length <= section.bytes.count else { return }
        unfinished[pid] = nil
        finish(pid, section.bytes.prefix(length), section.packets, &finding)
    }

    private static func length(_ section: ArraySlice<UInt8>) -> Int? {
        section.big(2, at: 1).map { 3 + Int($0 & 0x0FFF) }
    }

    private mutating func finish(_ pid: Int, _ section: ArraySlice<UInt8>, _ packets: [UInt8], _ finding: inout Finding) {
        // Sections that are not valid yet come again when they are.
        guard section.count >= 12, section[section.startIndex + 5] & 1 != 0, Self.isIntact(section) else { return }
        let body = section.dropLast(4)
        switch section.first {
        case 0 where pid == 0: takeAssociation(body, packets)
        case 2: takeProgram(pid, body, packets, &finding)
        default: break
        }
    }

    /// Whether the checksum of a section is right (ISO/IEC 13818-1, annex A).
    private static func isIntact(_ section: ArraySlice<UInt8>) -> Bool {
        var remainder: UInt32 = 0xFFFF_FFFF
        for byte in section {
            remainder ^= UInt32(byte) << 24
            for _ in 0..<8 { remainder = remainder << 1 ^ (remainder >> 31 != 0 ? 0x04C1_1DB7 : 0) }
        }
        return remainder == 0
    }

    private mutating func takeAssociation(_ section: ArraySlice<UInt8>, _ packets: [UInt8]) {
        let at = section.startIndex
        let (version, number, last) = (section[at + 5] & 0x3E, section[at + 6], section[at + 7])
        if association?.version != version || association?.last != last {
            association = Association(version: version, last: last)
        }
        var part: [Int: Int] = [:]
        var rest = section.dropFirst(8)
        while let program = rest.big(2, at: 0), let pid = rest.big(2, at: 2) {
            // Program 0 is the network's.
            if program != 0 { part[Int(program)] = Int(pid & 0x1FFF) }
            rest = rest.dropFirst(4)
        }
        association?.parts[number] = part
        association?.packets[number] = packets
        guard let whole = association, whole.parts.count == Int(last) + 1 else { return }
        let listed = whole.parts.values.reduce(into: [Int: Int]()) { $0.merge($1) { first, _ in first } }
        guard !listed.isEmpty, listed.count <= Self.mostPrograms else { return }
        tablePIDs = listed
        watched = Set(listed.values).union([0])
        associationPackets = whole.packets.sorted { $0.key < $1.key }.flatMap(\.value)
        founders = founders ?? Set(listed.keys)
    }

    private mutating func takeProgram(_ pid: Int, _ section: ArraySlice<UInt8>, _ packets: [UInt8], _ finding: inout Finding) {
        guard let number = section.big(2, at: 3).map(Int.init), tablePIDs[number] == pid,
            let tracks = Self.tracks(section)
        else { return }
        if tables.programs[number] == tracks {
            if case .nothing = finding { finding = .same }
        } else if tables.programs[number] == nil, founders?.contains(number) == true {
            tables.programs[number] = tracks
            if case .nothing = finding { finding = .same }
        } else {
            var next = self
            next.tables = ProgramTables()
            next.tables.programs[number] = tracks
            next.tablePackets = packets
            next.founders = Set(tablePIDs.keys)
            finding = .changed(next)
        }
    }

    private static func tracks(_ section: ArraySlice<UInt8>) -> [ProgramTables.Track]? {
        guard let skipped = section.big(2, at: 10) else { return nil }
        var rest = section.dropFirst(12 + Int(skipped & 0x0FFF))
        var tracks: [ProgramTables.Track] = []
        while let type = rest.first, let pid = rest.big(2, at: 1), let length = rest.big(2, at: 3) {
            let descriptors = rest.dropFirst(5).prefix(Int(length & 0x0FFF))
            tracks.append(
                ProgramTables.Track(pid: Int(pid & 0x1FFF), type: type, descriptors: telling(descriptors)))
            rest = rest.dropFirst(5 + Int(length & 0x0FFF))
        }
        return tracks.sorted { ($0.pid, $0.type) < ($1.pid, $1.type) }
    }

    /// Descriptors of registrations, languages, and the codecs that ETSI EN 300 468 names: (enhanced) AC-3, DTS, AAC, teletext, subtitles, extensions.
    private static let tellingTags: Set<UInt8> = [0x05, 0x0A, 0x56, 0x59, 0x6A, 0x7A, 0x7B, 0x7C, 0x7F]

    private static func telling(_ descriptors: ArraySlice<UInt8>) -> [UInt8] {
        var rest = descriptors
        var found: [UInt8] = []
        while let tag = rest.first, let length = rest.big(1, at: 1).map(Int.init) {
            if tellingTags.contains(tag) { found += rest.prefix(2 + length) }
            rest = rest.dropFirst(2 + length)
        }
        return found
    }
}
