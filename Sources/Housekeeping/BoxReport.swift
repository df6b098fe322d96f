import Glibc
import LinuxSupport
import Playback
import StatusModel
import Supervision
import WireFormats

/// The state of a box for its operator: one JSON object (`docs/provisioning.md`, Reports). A value.
///
/// Of the viewing it contains only the addresses of errors, without secrets, and what was played where the operator has asked for that.
package struct BoxReport: Sendable {
    /// The version of the format. It changes when members change their meaning.
    static let form = 1
    /// The maximum number of characters of a text.
    private static let longestText = 256
    /// The maximum number of kinds of errors, the most frequent first.
    private static let mostErrors = 12
    /// The maximum size of a report in bytes without plays; errors are omitted to stay below it.
    static let longest = 16 << 10

    var box: String
    var version: String
    var group: String?
    /// The board for which the system was made; nil on other systems.
    var board: String?
    /// The time between two reports; nil if it is not told.
    var interval: Duration?
    /// UTC; nil while the date is unknown.
    var date: String?
    var machine = MachineState()
    /// Since the start of the player.
    var playerUptime = Duration.zero
    var isMetered = false
    var screen = ""
    var sound = ""
    /// The applied feed.
    var feed: (id: String?, revision: Int64?)?
    /// The code of the rule or error that prevented a newer feed.
    var feedTrouble: String?
    /// Nil where no updates are configured.
    var update: UpdateStatus?
    /// Nil where no settings come from afar.
    var settings: BoxDescription.Settings?
    /// The public key with which plays are signed, in Base64; nil if they are not.
    var playsKey: String?
    /// The state of the player, as on the local page, and whether nothing of the box can be seen.
    var state = (word: "", isScreenOff: false)
    var health = BoxHealth()
    var playback = PlaybackTally.Sum()
    /// What was played and the operator does not have; nil if there is nothing, and where the operator is not told.
    var plays: PlayPage?

    init(box: String, version: String) {
        self.box = box
        self.version = version
    }

    /// The object on one line.
    package var text: String {
        var text = text(errors: Self.mostErrors)
        for count in (0..<Self.mostErrors).reversed() where text.utf8.count > Self.longest { text = self.text(errors: count) }
        guard let plays else { return text }
        return text.dropLast() + ",\"plays\":" + JSONText.object(plays.members).text + "}"
    }

    private func text(errors count: Int) -> String {
        JSONText.object([
            ("report", .number("\(Self.form)")), ("box", Self.clipped(box)), ("group", Self.clipped(group)),
            ("board", Self.clipped(board)), ("interval", interval.map(ReportedTimes.seconds) ?? .null),
            ("date", .optional(date)), ("version", .string(version)), ("build", .optional(FlightRecorder.buildID)),
            ("uptime", .optional(machine.uptime)), ("playerUptime", ReportedTimes.seconds(playerUptime)),
            (
                "memory",
                .object([
                    ("total", .optional(machine.memory)), ("available", .optional(machine.availableMemory)),
                    ("player", .optional(machine.playerMemory)),
                ])
            ),
            ("storage", .object([("total", .optional(machine.storage)), ("free", .optional(machine.freeStorage))])),
            ("temperature", machine.temperature.map { .number("\($0 / 1000).\($0 % 1000 / 100)") } ?? .null),
            ("crashes", .number("\(machine.crashes)")), ("metered", .bool(isMetered)), ("screen", Self.clipped(screen)),
            ("sound", Self.clipped(sound)), ("feed", feedMember), ("update", updateMember),
            ("settings", settingsMember), ("playsKey", .optional(playsKey)),
            ("state", .string(state.word)), ("screenOff", .bool(state.isScreenOff)),
            ("health", .string(health.word.rawValue)), ("faults", .array(health.faults.map { .string($0.name) })),
            ("playback", playbackMember(errors: count)),
        ]).text
    }

    private var feedMember: JSONText {
        .object([
            ("id", Self.clipped(feed?.id)), ("revision", feed?.revision.map { .number("\($0)") } ?? .null),
            ("trouble", .optional(feedTrouble)),
        ])
    }

    private var updateMember: JSONText {
        guard let update else { return .null }
        return .object([
            ("state", .string(update.state.rawValue)), ("running", .optional(update.running)),
            ("trial", .bool(update.isOnTrial)), ("offered", .optional(update.offered)), ("percent", .optional(update.percent)),
            ("waitsFor", .optional(update.hindrance)), ("failures", .number("\(update.failures)")),
            ("trouble", Self.clipped(update.trouble)),
            ("refused", .array(update.refused.suffix(Self.mostErrors).map { .string($0) })),
        ])
    }

    private var settingsMember: JSONText {
        guard let settings else { return .null }
        return .object([
            ("state", .string(settings.state.rawValue)), ("revision", .optional(settings.revision)),
            ("offered", .optional(settings.offered)), ("waitsFor", .array(settings.waitsFor.map { .string($0) })),
            ("givenUp", .optional(settings.givenUp)), ("trouble", Self.clipped(settings.trouble)),
            ("refusal", Self.clipped(settings.refusal)), ("refusals", .number("\(settings.refusals)")),
        ])
    }

    private func playbackMember(errors count: Int) -> JSONText {
        .object([
            ("sessions", .number("\(playback.sessions)")), ("watched", ReportedTimes.seconds(playback.watched)),
            ("startups", .number("\(playback.startups)")), ("startup", ReportedTimes.seconds(playback.startup)),
            ("longestStartup", ReportedTimes.seconds(playback.longestStartup)), ("stalls", .number("\(playback.stalls)")),
            ("droppedFrames", .number("\(playback.droppedFrames)")), ("bytes", .number("\(playback.bytes)")),
            (
                "errors",
                .array(
                    playback.errors.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(count)
                        .map { code, error in
                            .object([
                                ("code", .string(code)), ("count", .number("\(error.count)")),
                                ("fatal", .number("\(error.fatal)")), ("status", .optional(error.last.errorStatusCode)),
                                ("uri", Self.clipped(error.last.uri)), ("session", .optional(error.last.playbackSessionID)),
                            ])
                        })
            ),
        ])
    }

    private static func clipped(_ text: String?) -> JSONText {
        .optional(text.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(longestText))) })
    }
}
