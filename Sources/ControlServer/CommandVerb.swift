import MediaModel
import MediaTime

/// A command of `POST /v1/command`. `all` is the one table of them; `Page/openapi.json` and `docs/local-page.md` say the same, which tests compare.
struct CommandVerb: Sendable {
    /// How a command is read from the members of a body beside `command`.
    typealias Reading = @Sendable (CommandMembers) throws -> RemoteCommand

    let name: String
    /// The members of the body that belong to it.
    let members: [CommandMember]
    /// What a visitor must be allowed to do.
    let right: AccessRight
    /// Whether it asks for a state, so that a box that has it already has done what was asked.
    let asksForState: Bool
    let read: Reading

    private init(
        _ name: String, _ members: CommandMember..., right: AccessRight = .steer, asksForState: Bool = false,
        _ read: @escaping Reading
    ) {
        self.name = name
        self.members = members
        self.right = right
        self.asksForState = asksForState
        self.read = read
    }

    static let all: [CommandVerb] = [
        .init("play", asksForState: true) { _ in .play },
        .init("pause", asksForState: true) { _ in .pause },
        .init("togglePlayPause") { _ in .togglePlayPause },
        .init("stop") { _ in .stop },
        .init("restart") { _ in .restart },
        .init("changePlaybackPosition", .position) { .changePlaybackPosition(try $0.time(.position)) },
        .init("skip", .interval) { .skip(try $0.time(.interval)) },
        .init("skipForward", .interval) { .skip(try $0.length()) },
        .init("skipBackward", .interval) { .skip(.zero - (try $0.length())) },
        .init("changePlaybackRate", .rate, asksForState: true) { .changePlaybackRate(try $0.rate()) },
        .init("goLive") { _ in .goLive },
        .init("nextTrack") { _ in .key(.next) },
        .init("previousTrack") { _ in .key(.prev) },
        .init("open", .id) { .open(id: try $0.text(.id)) },
        .init("key", .key) { .key(try $0.key()) },
        .init("wake", asksForState: true) { _ in .wake },
        .init("standby", asksForState: true) { _ in .standby },
        .init("setVolume", .percent, asksForState: true) { .setVolume(percent: try $0.number(.percent, 0...100)) },
        .init("setMuted", .on, asksForState: true) { .setMuted(try $0.flag(.on)) },
        .init("selectAudio", .id, asksForState: true) { .selectAudio(id: try $0.text(.id)) },
        .init("selectSubtitles", .id, asksForState: true) { .selectSubtitles(id: try $0.text(.id)) },
        .init("setCaptions", .on, asksForState: true) { .setCaptions(try $0.flag(.on)) },
        .init("showMessage", .text, .seconds) {
            .showMessage(try $0.message(), seconds: try $0.number(.seconds, 1...3600, standard: 10))
        },
        .init("refreshFeed") { _ in .refreshFeed },
        .init("restartPlayer", right: .configure) { _ in .restartPlayer },
        .init("reboot", right: .configure) { _ in .reboot },
    ]

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

/// A member of the body of a command.
enum CommandMember: String, CodingKey, CaseIterable {
    case command, position, interval, rate, id, key, percent, on, text, seconds
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
    func message() throws -> String {
        let text = try text(.text)
        guard text.unicodeScalars.count <= 200 else { throw wrong(.text, "it must have at most 200 characters") }
        let words = text.split { $0.isWhitespace }
        guard !words.isEmpty else { throw wrong(.text, "it must have characters other than spaces") }
        return words.joined(separator: " ")
    }

    private func wrong(_ name: CommandMember, _ words: String) -> DecodingError {
        .dataCorruptedError(forKey: name, in: fields, debugDescription: words)
    }
}
