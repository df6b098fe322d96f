/// A compiled file of the time zone database (TZif, RFC 9636), version 1 to 4.
struct ZoneFile {
    let before: Int64
    let changes: [CivilZone.Change]
    let rule: ZoneRule?

    private struct Header {
        static let length = 44
        let version: UInt8
        let times: Int
        let types: Int
        /// The bytes of the data behind the times and types.
        let rest: Int

        init?(_ bytes: ArraySlice<UInt8>, timeLength: Int) {
            guard bytes.count >= Self.length, bytes.starts(with: Array("TZif".utf8)) else { return nil }
            version = bytes[bytes.startIndex + 4]
            let counts = (0..<6).map { Int(ZoneFile.number(bytes, at: 20 + $0 * 4, length: 4)) }
            guard counts.allSatisfy({ (0...100_000).contains($0) }) else { return nil }
            (times, types) = (counts[3], counts[4])
            rest = counts[5] + counts[2] * (timeLength + 4) + counts[1] + counts[0]
        }

        func length(_ timeLength: Int) -> Int { times * (timeLength + 1) + types * 6 + rest }
    }

    init?(_ bytes: [UInt8]) {
        guard let first = Header(bytes[...], timeLength: 4) else { return nil }
        guard first.version >= UInt8(ascii: "2") else {
            guard let table = Self.table(bytes[...], first, timeLength: 4) else { return nil }
            (before, changes, rule) = (table.before, table.changes, nil)
            return
        }
        let rest = bytes.dropFirst(Header.length + first.length(4))
        guard let second = Header(rest, timeLength: 8), let table = Self.table(rest, second, timeLength: 8) else { return nil }
        (before, changes) = (table.before, table.changes)
        let footer = rest.dropFirst(Header.length + second.length(8)).dropFirst().prefix { $0 != UInt8(ascii: "\n") }
        rule = footer.isEmpty ? nil : ZoneRule(String(decoding: footer, as: UTF8.self))
        if !footer.isEmpty, rule == nil { return nil }
    }

    private static func table(
        _ bytes: ArraySlice<UInt8>, _ header: Header, timeLength: Int
    ) -> (before: Int64, changes: [CivilZone.Change])? {
        guard bytes.count >= Header.length + header.length(timeLength), header.types > 0 else { return nil }
        let types = Header.length + header.times * timeLength
        func offset(of type: Int) -> Int64 { number(bytes, at: types + header.times + type * 6, length: 4) }
        var changes: [CivilZone.Change] = []
        for index in 0..<header.times {
            let type = Int(bytes[bytes.startIndex + types + index])
            let at = number(bytes, at: Header.length + index * timeLength, length: timeLength)
            guard type < header.types, changes.last.map({ $0.at < at }) ?? true else { return nil }
            changes.append(.init(at: at, offset: offset(of: type)))
        }
        guard (0..<header.types).allSatisfy({ abs(offset(of: $0)) < 26 * 3600 }) else { return nil }
        return (offset(of: 0), changes)
    }

    /// A signed number, its highest byte first.
    private static func number(_ bytes: ArraySlice<UInt8>, at place: Int, length: Int) -> Int64 {
        let start = bytes.startIndex + place
        let value = bytes[start..<start + length].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return length == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }
}
