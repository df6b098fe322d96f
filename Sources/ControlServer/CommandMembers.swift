import BoxModel
import MediaTime

/// A member of the body of a command.
enum CommandMember: String, CodingKey, CaseIterable {
    case command, position, interval, rate, id, key, percent, on, text, seconds, name, time, url

    /// The type of its value in JSON.
    var type: String {
        switch self {
        case .command, .id, .key, .text, .name, .time, .url: "string"
        case .position, .interval, .rate, .percent, .seconds: "number"
        case .on: "boolean"
        }
    }
}

/// Reads the members of the body of a command.
struct CommandMembers {
    private let decoder: any Decoder
    private let fields: KeyedDecodingContainer<CommandMember>

    init(_ decoder: any Decoder) throws {
        self.decoder = decoder
        fields = try decoder.container(keyedBy: CommandMember.self)
    }

    func key() throws -> RemoteKey { try KeyOrder(from: decoder).key }

    func flag(_ name: CommandMember) throws -> Bool { try fields.decode(Bool.self, forKey: name) }

    func time(_ name: CommandMember) throws -> MediaTime { try fields.time(name) }

    /// The interval of a command with a direction; 10 s without one, as on the remote.
    func length() throws -> MediaTime {
        guard fields.contains(.interval) else { return .seconds(10) }
        let time = try fields.time(.interval)
        guard time > .zero else { throw wrong(.interval, "it must be positive") }
        return time
    }

    /// A speed to the hundredth.
    func rate() throws -> Ratio {
        let rate = try fields.decode(Double.self, forKey: .rate)
        guard (0.01...100).contains(rate) else { throw wrong(.rate, "it must be between 0.01 and 100") }
        return Ratio(Int64((rate * 100).rounded()), 100)
    }

    /// - Parameter standard: the value without this member; nil: it must be there.
    func number(_ name: CommandMember, _ range: ClosedRange<Int>, standard: Int? = nil) throws -> Int {
        if let standard, !fields.contains(name) { return standard }
        // A number with a fraction has another type than is wanted here.
        let number = try fields.decode(Double.self, forKey: name)
        guard let whole = Int(exactly: number), range.contains(whole) else {
            throw wrong(name, "it must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return whole
    }

    func text(_ name: CommandMember) throws -> String { try fields.decode(String.self, forKey: name) }

    /// A text for the screen: on one line, and with something to read.
    func message(most: Int) throws -> String {
        let text = try words(.text, most: most)
        guard !text.isEmpty else { throw wrong(.text, "it must have characters other than spaces") }
        return text
    }

    /// The name of a guest; nil if it is empty, which removes the one that is set.
    func name() throws -> String? {
        let name = try words(.name, most: 80)
        return name.isEmpty ? nil : name
    }

    private func words(_ name: CommandMember, most: Int) throws -> String {
        let text = try text(name)
        guard text.unicodeScalars.count <= most else { throw wrong(name, "it must have at most \(most) characters") }
        return text.split { $0.isWhitespace }.joined(separator: " ")
    }

    /// An address to send something to.
    func address() throws -> String {
        let text = try text(.url)
        guard text.hasPrefix("https://") || text.hasPrefix("http://"), text.unicodeScalars.count <= 2048,
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F })
        else { throw wrong(.url, "write an address such as https://desk.example/bundles") }
        return text
    }

    /// `20:15` or `20:15:30`, as seconds since midnight.
    func timeOfDay() throws -> Int {
        let parts = Array(try text(.time).utf8).split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        // Int takes signs too, which a time has not.
        let numbers = parts.compactMap { part in
            part.count == 2 && part.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
                ? Int(String(decoding: part, as: UTF8.self)) : nil
        }
        guard numbers.count == parts.count, 2...3 ~= numbers.count, 0..<24 ~= numbers[0],
            numbers.dropFirst().allSatisfy({ 0..<60 ~= $0 })
        else { throw wrong(.time, "write it as 20:15 or 20:15:30") }
        return numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }

    private func wrong(_ name: CommandMember, _ words: String) -> DecodingError {
        .dataCorruptedError(forKey: name, in: fields, debugDescription: words)
    }
}
