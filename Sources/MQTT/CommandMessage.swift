import ChannelFeed
import WireFormats

/// A command that came over the broker: a request of the box's API (`docs/mqtt.md`).
package struct CommandMessage: Sendable, Equatable {
    /// How the sender calls it. A box carries it out once.
    package var id: String
    /// `GET` or `POST`.
    package var method: String
    /// With its query.
    package var path: String
    /// JSON.
    package var body: [UInt8]
    /// When it is too late for it.
    package var until: FeedDate?

    /// The longest message.
    static let longest = 64 << 10
    private static let longestID = 128
    private static let longestPath = 2048

    /// Why a message is no command.
    struct Refusal: Error, Equatable {
        /// Nil if it cannot be told.
        var id: String?
        var sentence: String
    }

    init(_ bytes: [UInt8]) throws(Refusal) {
        guard bytes.count <= Self.longest else { throw Refusal(sentence: "A command has at most \(Self.longest >> 10) KiB.") }
        var reader = JSONReader(bytes, maximumDepth: 16)
        let node: JSONNode
        do {
            node = try reader.read()
        } catch {
            throw Refusal(sentence: "The command is no JSON: \(error.reason).")
        }
        guard case .object(let object) = node.value, reader.duplicates.isEmpty else {
            throw Refusal(sentence: "The command must be an object without two members of one name.")
        }
        guard let id = Self.text("id", of: object), (1...Self.longestID).contains(id.utf8.count),
            id.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { throw Refusal(sentence: "\"id\" must be a text of 1 to \(Self.longestID) bytes without spaces.") }
        self.id = id
        guard let path = Self.text("path", of: object), path.hasPrefix("/"), path.utf8.count <= Self.longestPath else {
            throw Refusal(id: id, sentence: "\"path\" must be a path of the API, such as \"/v1/play\".")
        }
        self.path = path
        body = object["body"].map { Array(JSONText($0).text.utf8) } ?? []
        method = body.isEmpty ? "GET" : "POST"
        if let stated = object["method"] {
            guard case .string(let name) = stated.value, ["GET", "POST"].contains(name) else {
                throw Refusal(id: id, sentence: "\"method\" must be GET or POST.")
            }
            method = name
        }
        if let stated = object["until"] {
            guard case .string(let text) = stated.value, let date = FeedDate(text) else {
                throw Refusal(id: id, sentence: "\"until\" must be a date such as \"2026-11-28T18:00:00Z\".")
            }
            until = date
        }
    }

    private static func text(_ name: String, of object: JSONObject) -> String? {
        if case .string(let text)? = object[name]?.value { text } else { nil }
    }
}

/// The answer to a command.
package struct CommandReply: Sendable {
    /// As in HTTP.
    package var status: Int
    /// The media type of the body.
    package var type: String?
    package var body: [UInt8]

    package init(status: Int, type: String?, body: [UInt8]) {
        self.status = status
        self.type = type
        self.body = body
    }

    init(status: Int, refusal sentence: String) {
        self.init(
            status: status, type: "application/json", body: Array(JSONText.object([("error", .string(sentence))]).text.utf8))
    }
}
