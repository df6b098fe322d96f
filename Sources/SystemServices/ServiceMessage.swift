/// A message of multicast DNS (RFC 6762), as far as a service browser needs it (RFC 6763): sends one question, receives PTR and
/// TXT records. A value.
struct ServiceMessage {
    /// The requested record type.
    enum Kind: UInt16 {
        /// The instances of a service type.
        case pointer = 12
        /// The attributes of an instance.
        case text = 16
    }
    /// The first label of a pointer's target is free text, so names are lists of labels.
    typealias Name = [[UInt8]]

    /// Chosen by the sender, and repeated in answers.
    var id: UInt16
    /// Instances by service type.
    var pointers: [(service: Name, instance: Name)] = []
    /// The attributes of instances: strings such as `url=…`.
    var texts: [(instance: Name, strings: [[UInt8]])] = []

    /// `_marquee-feed._tcp.local` as labels.
    static func name(_ text: String) -> Name { text.split(separator: ".").map { Array($0.utf8) } }

    /// A one-shot query from its own port: the answers are sent to that port (RFC 6762, 5.1 and 6.7).
    static func question(_ name: Name, _ kind: Kind, id: UInt16) -> [UInt8] {
        var bytes = [UInt8(id >> 8), UInt8(id & 0xFF), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
        for label in name { bytes += [UInt8(min(label.count, 63))] + label.prefix(63) }
        return bytes + [0, 0, UInt8(kind.rawValue), 0, 1]
    }

    /// Parses an answer; nil when the bytes are not a valid one.
    init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes: bytes)
        guard bytes.count <= 9000, let id = reader.number(), let flags = reader.number(), flags & 0xF80F == 0x8000,
            let questions = reader.number(), let answers = reader.number(), let authorities = reader.number(),
            let additional = reader.number()
        else { return nil }
        self.id = id
        for _ in 0..<questions { guard reader.name() != nil, reader.skip(4) else { return nil } }
        for _ in 0..<Int(answers) + Int(authorities) + Int(additional) {
            guard let name = reader.name(), let type = reader.number(), let group = reader.number(), reader.skip(4),
                let length = reader.number().map(Int.init), reader.place + length <= bytes.count
            else { return nil }
            let end = reader.place + length
            // The top bit is the cache-flush flag.
            switch (Kind(rawValue: type), group & 0x7FFF) {
            case (.pointer, 1):
                guard let instance = reader.name(), reader.place == end else { return nil }
                pointers.append((name, instance))
            case (.text, 1):
                var strings: [[UInt8]] = []
                while reader.place < end {
                    guard let string = reader.string(), reader.place <= end else { return nil }
                    strings.append(string)
                }
                texts.append((name, strings))
            default: break
            }
            reader.place = end
        }
    }

    /// The value of a key in an instance's TXT record; nil when it is absent. Keys are case-insensitive (RFC 6763, 6.4).
    func value(of key: String, for instance: Name) -> String? {
        let wanted = Array((key + "=").utf8)
        for (name, strings) in texts where Self.isSame(name, instance) {
            for string in strings where Self.isSame([Array(string.prefix(wanted.count))], [wanted]) {
                return String(validating: string.dropFirst(wanted.count), as: UTF8.self)
            }
        }
        return nil
    }

    /// Whether two names are equal, ignoring the case of ASCII letters.
    static func isSame(_ left: Name, _ right: Name) -> Bool {
        func small(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
        return left.count == right.count && zip(left, right).allSatisfy { $0.map(small) == $1.map(small) }
    }

    /// Parses untrusted bytes with bounds checks.
    private struct Reader {
        let bytes: [UInt8]
        var place = 0

        mutating func number() -> UInt16? {
            guard place + 2 <= bytes.count else { return nil }
            defer { place += 2 }
            return UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
        }

        mutating func skip(_ count: Int) -> Bool {
            place += count
            return place <= bytes.count
        }

        mutating func string() -> [UInt8]? {
            guard place < bytes.count, place + 1 + Int(bytes[place]) <= bytes.count else { return nil }
            defer { place += 1 + Int(bytes[place]) }
            return Array(bytes[place + 1..<place + 1 + Int(bytes[place])])
        }

        /// A name, which may refer to an earlier part of the message (RFC 1035, 4.1.4). Each jump must lead further to the front,
        /// so that parsing ends.
        mutating func name() -> Name? {
            var labels: Name = []
            var place = place
            var limit = place
            var after: Int?
            var length = 0
            while place < bytes.count {
                let count = Int(bytes[place])
                if count == 0 {
                    self.place = after ?? place + 1
                    return labels
                }
                if count >= 0xC0 {
                    guard place + 1 < bytes.count else { return nil }
                    let target = (count & 0x3F) << 8 | Int(bytes[place + 1])
                    guard target < limit else { return nil }
                    after = after ?? place + 2
                    (place, limit) = (target, target)
                    continue
                }
                length += count + 1
                guard count < 64, length <= 255, place + 1 + count <= bytes.count else { return nil }
                labels.append(Array(bytes[place + 1..<place + 1 + count]))
                place += 1 + count
            }
            return nil
        }
    }
}
