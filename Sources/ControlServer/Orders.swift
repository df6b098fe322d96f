import BoxModel
import MediaTime
import WireFormats

/// The body of `POST /v1/key`: `{"key":"down","phase":"press"}`.
struct KeyOrder: Decodable, Sendable {
    let key: RemoteKey
    /// Nil for press and release at once.
    let phase: KeyPhase?

    private enum Names: String, CodingKey { case key, phase }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Names.self)
        let name = try fields.decode(String.self, forKey: .key)
        guard let key = RemoteKey(rawValue: name) else {
            throw DecodingError.dataCorruptedError(forKey: .key, in: fields, debugDescription: "there is no key of this name")
        }
        self.key = key
        phase = try fields.decodeIfPresent(String.self, forKey: .phase).map { name in
            guard let phase = KeyPhase(rawValue: name), phase != .motion else {
                throw DecodingError.dataCorruptedError(
                    forKey: .phase, in: fields, debugDescription: "it must be press, repeat or release")
            }
            return phase
        }
    }
}

/// The body of `POST /v1/command`: `{"command":"skip","interval":-10}`. `CommandVerb` has the names.
struct CommandOrder: Decodable, Sendable {
    let verb: CommandVerb
    let command: RemoteCommand

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CommandMember.self)
        guard let verb = CommandVerb.byName[try fields.decode(String.self, forKey: .command)] else {
            throw DecodingError.dataCorruptedError(
                forKey: .command, in: fields, debugDescription: "there is no command of this name")
        }
        self.verb = verb
        command = try verb.read(CommandMembers(decoder))
    }
}

/// The body of `POST /v1/play`: `{"id":"e1"}`.
struct PlayOrder: Decodable, Sendable {
    let id: String

    var command: RemoteCommand { .open(id: id) }
}

/// The body of `POST /v1/seek`: `{"position":90}` in content time, or `{"interval":-10}` from where it plays.
struct SeekOrder: Decodable, Sendable {
    let command: RemoteCommand

    private enum Names: String, CodingKey { case position, interval }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Names.self)
        guard fields.contains(.position) != fields.contains(.interval) else {
            throw DecodingError.dataCorruptedError(
                forKey: .position, in: fields, debugDescription: "there must be either it or \"interval\"")
        }
        command =
            fields.contains(.position) ? .changePlaybackPosition(try fields.time(.position)) : .skip(try fields.time(.interval))
    }
}

extension KeyedDecodingContainer {
    /// Decimal seconds, rounded to the nearest millisecond.
    func time(_ name: Key) throws -> MediaTime {
        let seconds = try decode(Double.self, forKey: name)
        // Longer than any programme, and far below the limit of an Int64 of milliseconds.
        guard seconds.magnitude < 1_000_000_000 else {
            throw DecodingError.dataCorruptedError(forKey: name, in: self, debugDescription: "no programme is that long")
        }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }
}

/// The body of `POST /v1/announce`: `{"state":"began"}`, then `{"state":"ended","shouldResume":true}`.
struct AnnouncementOrder: Decodable, Sendable {
    let command: RemoteCommand

    private enum Names: String, CodingKey { case state, shouldResume }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Names.self)
        let shouldResume = try fields.decodeIfPresent(Bool.self, forKey: .shouldResume) ?? true
        switch try fields.decode(String.self, forKey: .state) {
        case "began": command = .beginAnnouncement
        case "ended": command = .endAnnouncement(shouldResume: shouldResume)
        default:
            throw DecodingError.dataCorruptedError(forKey: .state, in: fields, debugDescription: "it must be began or ended")
        }
    }
}

extension DecodingError {
    /// The error in a body, for the answer.
    func plainReason(in body: [UInt8]) -> String {
        switch self {
        case .keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\"\(context.codingPath.last?.stringValue ?? "the body")\" has the wrong type"
        case .dataCorrupted(let context):
            if let key = context.codingPath.last {
                "of \"\(key.stringValue)\": \(context.debugDescription)"
            } else {
                Self.fault(in: body)
            }
        @unknown default: "it is not understood"
        }
    }

    /// Foundation has one error, without a name, for what is not JSON and for a number that the wanted type cannot hold.
    private static func fault(in body: [UInt8]) -> String {
        var reader = JSONReader(body, maximumDepth: 16)
        do {
            _ = try reader.read()
            return "a number in it is out of range, or is not whole"
        } catch {
            return "it is not JSON at byte \(error.offset): \(error.reason)"
        }
    }
}

/// The body of `POST /v1/settings`: a document as it was signed, and the two lines of its signature.
struct SettingsOrder: Decodable, Sendable {
    let document: String
    let signature: String
}

/// The body of `POST /v1/downloads/remove` and `/v1/downloads/verify`: `{"id":"film"}`.
struct DownloadOrder: Decodable, Sendable {
    let id: String
}

/// The body of `POST /v1/downloads/add`: `{"id":"film","required":true}`.
struct AddDownloadOrder: Decodable, Sendable {
    let id: String
    /// Nil for false.
    let required: Bool?
}
