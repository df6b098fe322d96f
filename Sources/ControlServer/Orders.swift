import MediaModel
import MediaTime

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
            guard let phase = KeyPhase(rawValue: name) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .phase, in: fields, debugDescription: "it must be press, repeat or release")
            }
            return phase
        }
    }
}

/// The body of `POST /v1/command`: `{"command":"skip","interval":-10}`. The names are `RemoteCommand`'s.
struct CommandOrder: Decodable, Sendable {
    let command: RemoteCommand

    private enum Names: String, CodingKey { case command, position, interval, id, key }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Names.self)
        switch try fields.decode(String.self, forKey: .command) {
        case "play": command = .play
        case "pause": command = .pause
        case "togglePlayPause": command = .togglePlayPause
        case "stop": command = .stop
        case "restart": command = .restart
        case "changePlaybackPosition": command = .changePlaybackPosition(try Self.time(.position, fields))
        case "skip": command = .skip(try Self.time(.interval, fields))
        case "open": command = .open(id: try fields.decode(String.self, forKey: .id))
        case "key": command = .key(try KeyOrder(from: decoder).key)
        default:
            throw DecodingError.dataCorruptedError(
                forKey: .command, in: fields, debugDescription: "there is no command of this name")
        }
    }

    /// Decimal seconds, rounded to the nearest millisecond.
    private static func time(_ name: Names, _ fields: KeyedDecodingContainer<Names>) throws -> MediaTime {
        let seconds = try fields.decode(Double.self, forKey: name)
        // Longer than any programme, and far below the limit of an Int64 of milliseconds.
        guard seconds.magnitude < 1_000_000_000 else {
            throw DecodingError.dataCorruptedError(forKey: name, in: fields, debugDescription: "no programme is that long")
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
        switch try fields.decode(String.self, forKey: .state) {
        case "began": command = .beginAnnouncement
        case "ended":
            command = .endAnnouncement(shouldResume: try fields.decodeIfPresent(Bool.self, forKey: .shouldResume) ?? true)
        default:
            throw DecodingError.dataCorruptedError(forKey: .state, in: fields, debugDescription: "it must be began or ended")
        }
    }
}

extension DecodingError {
    /// The error in a body, for the answer.
    var plainReason: String {
        switch self {
        case .keyNotFound(let key, _): "\"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "\"\(context.codingPath.last?.stringValue ?? "the body")\" has the wrong type"
        case .dataCorrupted(let context):
            if let key = context.codingPath.last {
                "of \"\(key.stringValue)\": \(context.debugDescription)"
            } else {
                "it is not a JSON object"
            }
        @unknown default: "it is not understood"
        }
    }
}
