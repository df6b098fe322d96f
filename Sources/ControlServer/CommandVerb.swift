import BoxModel
import MediaTime

/// A command of `POST /v1/command`, and so of the broker and the page. `all` is the one table of them: `/v1/commands` and the page show it, and tests hold
/// `Page/openapi.json` and `docs/local-page.md` to it.
struct CommandVerb: Sendable {
    /// How a command is read from the members of a body beside `command`.
    typealias Reading = @Sendable (CommandMembers) throws -> RemoteCommand

    /// A member of its body.
    struct Field: Sendable {
        let member: CommandMember
        /// What its value is, in words.
        let meaning: String
        var isRequired = true
    }

    let name: String
    /// What it does, in words.
    let summary: String
    /// The members of the body that belong to it.
    let fields: [Field]
    /// What a visitor must be allowed to do.
    let right: AccessRight
    let read: Reading

    private init(_ name: String, _ summary: String, _ fields: Field..., right: AccessRight = .steer, _ read: @escaping Reading) {
        self.name = name
        self.summary = summary
        self.fields = fields
        self.right = right
        self.read = read
    }

    private static let option = Field(member: .id, meaning: "of an option of `media` in `/v1/now`")
    private static let length = Field(member: .interval, meaning: "seconds, 10 by default", isRequired: false)

    static let all: [CommandVerb] = playback + sound + messages + box

    private static let playback: [CommandVerb] = [
        .init("play", "plays") { _ in .play },
        .init("pause", "pauses") { _ in .pause },
        .init("togglePlayPause", "pauses what plays, and plays what is paused") { _ in .togglePlayPause },
        .init("stop", "stops, and shows Home") { _ in .stop },
        .init(
            "restart",
            "plays from the beginning; a live channel from the start of the programme that is on, and is refused where the window or the guide does not have that"
        ) { _ in .restart },
        .init("changePlaybackPosition", "seeks there", Field(member: .position, meaning: "seconds of content time")) {
            .changePlaybackPosition(try $0.time(.position))
        },
        .init("skip", "seeks from where it plays", Field(member: .interval, meaning: "seconds, negative: back")) {
            .skip(try $0.time(.interval))
        },
        .init("skipForward", "seeks forward", length) { .skip(try $0.length()) },
        .init("skipBackward", "seeks back", length) { .skip(.zero - (try $0.length())) },
        .init(
            "changePlaybackRate", "sets the speed",
            Field(member: .rate, meaning: "one of those that the panel offers; 1 is normal")
        ) { .changePlaybackRate(try $0.rate()) },
        .init("goLive", "seeks to the newest part of a live stream") { _ in .goLive },
        .init(
            "goToTimeOfDay",
            "seeks in a live stream that has dates to the last such time; refused with `outOfRange` if the stream does not have it, or has it no more",
            Field(member: .time, meaning: "local, as `20:15` or `20:15:30`")
        ) { .goToTimeOfDay(try $0.timeOfDay()) },
        .init("nextTrack", "the key Next") { _ in .key(.next) },
        .init("previousTrack", "the key Previous") { _ in .key(.prev) },
        .init("open", "opens it", Field(member: .id, meaning: "of an item, channel or series")) { .open(id: try $0.text(.id)) },
        .init("key", "presses and releases it", Field(member: .key, meaning: "its name in key scripts")) { .key(try $0.key()) },
    ]

    private static let sound: [CommandVerb] = [
        .init(
            "setVolume",
            "sets the volume of the box, within the operator's limits, and unmutes. It is kept over restarts. An amplifier or television that has the volume keeps its own",
            Field(member: .percent, meaning: "0 to 100")
        ) { .setVolume(percent: try $0.number(.percent, 0...100)) },
        .init("setMuted", "turns the sound of the box off or on", Field(member: .on, meaning: "true or false")) {
            .setMuted(try $0.flag(.on))
        },
        .init(
            "selectOutput",
            "sends the sound of the box there. It is kept over restarts, also while the output is not there. Refused where `audio.output` sets one",
            Field(member: .id, meaning: "of an output of `/v1/box`, or `automatic`")
        ) {
            let id = try $0.text(.id)
            return .selectOutput(id: id == "automatic" ? nil : id)
        },
        .init("selectAudio", "selects it", option) { .selectAudio(id: try $0.text(.id)) },
        .init("selectSubtitles", "shows these captions", option) { .selectSubtitles(id: try $0.text(.id)) },
        .init("selectAngle", "shows this angle", option) { .selectAngle(id: try $0.text(.id)) },
        .init(
            "setCaptions", "shows captions, in the viewer's language if there are such, or none",
            Field(member: .on, meaning: "true or false")
        ) { .setCaptions(try $0.flag(.on)) },
    ]

    private static let messages: [CommandVerb] = [
        .init(
            "showMessage", "shows it over everything; refused in standby",
            Field(member: .text, meaning: "at most 200 characters"),
            Field(member: .seconds, meaning: "1 to 3600, 10 by default", isRequired: false)
        ) { .showMessage(try $0.message(most: 200), seconds: try $0.number(.seconds, 1...3600, standard: 10)) },
        .init(
            "setWelcome",
            "greets the guest by this name now, and each time that the box wakes or starts, until `checkOut`",
            Field(member: .name, meaning: "of a guest, at most 80 characters; an empty one ends the welcome")
        ) { .setWelcome(name: try $0.name()) },
        .init(
            "checkOut", "a guest has left: goes to standby and forgets what viewers have left and set, see below",
            right: .configure
        ) { _ in .checkOut },
        .init(
            "showEmergency", "shows it instead of everything else until `endEmergency`, see below",
            Field(member: .text, meaning: "at most 500 characters"), right: .configure
        ) { .showEmergency(try $0.message(most: 500)) },
        .init("endEmergency", "removes the emergency message", right: .configure) { _ in .endEmergency },
    ]

    private static let box: [CommandVerb] = [
        .init("wake", "ends standby; nothing happens to a box that is awake") { _ in .wake },
        .init("standby", "stops, and switches the screen off; nothing happens to a box in standby") { _ in .standby },
        .init("refreshFeed", "asks for the feed now") { _ in .refreshFeed },
        .init(
            "updateNow",
            "asks for the operator's update now; what is offered is installed without waiting for its hours or for viewers. Refused where no updates are configured",
            right: .configure
        ) { _ in .updateNow },
        .init(
            "sendSupportBundle",
            "makes a support bundle and posts it there, as `application/zstd`; the log says how that ended. Plain http only to hosts of `feed.allow_http`",
            Field(member: .url, meaning: "an address of at most 2048 characters that begins with `https://` or `http://`"),
            right: .configure
        ) { .sendSupportBundle(to: try $0.address()) },
        .init(
            "restartPlayer",
            "ends the player; the service manager starts it again, and it goes on with what played. Refused without one",
            right: .configure
        ) { _ in .restartPlayer },
        .init(
            "reboot",
            "starts the machine again; refused while an update is being written, and on a system that is not Marquee's own",
            right: .configure
        ) { _ in .reboot },
    ]

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
}

/// `GET /v1/commands`: the table of commands.
struct CommandsAnswer: Encodable, Sendable {
    struct Command: Encodable, Sendable {
        let name: String
        let does: String
        let right: String
        let members: [Member]
    }

    struct Member: Encodable, Sendable {
        let name: String
        /// `string`, `number` or `boolean`.
        let type: String
        let required: Bool
        let meaning: String
    }

    let commands = CommandVerb.all.map { verb in
        Command(
            name: verb.name, does: verb.summary, right: verb.right.rawValue,
            members: verb.fields.map {
                Member(name: $0.member.rawValue, type: $0.member.type, required: $0.isRequired, meaning: $0.meaning)
            })
    }
}
