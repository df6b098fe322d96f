import Appliance
import Glibc
import LinuxSupport
import MediaModel
import Playback
import Supervision
import WireFormats

/// How a box is, for its operator: one JSON object (`docs/provisioning.md`, Reports). A value.
///
/// Of what a viewer watches only the addresses of errors are in it, without their secrets.
struct BoxReport: Sendable {
    /// The form of the object: another number means that members have changed their meaning.
    static let form = 1
    /// No text of it has more characters.
    private static let longestText = 256
    /// At most so many kinds of errors are told of, the most frequent first.
    private static let mostErrors = 12
    /// No report has more bytes than this: errors are left out before it would.
    static let longest = 16 << 10

    var box: String
    var group: String?
    /// UTC; nil while nobody knows.
    var date: String?
    var machine = MachineState()
    /// Since the player was started.
    var playerUptime = Duration.zero
    var isMetered = false
    var screen = ""
    var sound = ""
    /// The feed in use.
    var feed: (id: String?, revision: Int64?)?
    /// Why there is no newer one, as the rule or the error is called.
    var feedTrouble: String?
    /// What the player does, in the word of the local page.
    var state = ""
    var playback = PlaybackTally.Sum()

    var text: String {
        var text = text(errors: Self.mostErrors)
        for count in (0..<Self.mostErrors).reversed() where text.utf8.count > Self.longest { text = self.text(errors: count) }
        return text
    }

    private func text(errors count: Int) -> String {
        JSONText.object([
            ("report", .number("\(Self.form)")), ("box", Self.clipped(box)), ("group", Self.clipped(group)),
            ("date", .optional(date)), ("version", .string(Marquee.version)), ("build", .optional(FlightRecorder.buildID)),
            ("uptime", .optional(machine.uptime)), ("playerUptime", Self.seconds(playerUptime)),
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
            ("sound", Self.clipped(sound)), ("feed", feedMember), ("state", .string(state)),
            ("playback", playbackMember(errors: count)),
        ]).text
    }

    private var feedMember: JSONText {
        .object([
            ("id", Self.clipped(feed?.id)), ("revision", feed?.revision.map { .number("\($0)") } ?? .null),
            ("trouble", .optional(feedTrouble)),
        ])
    }

    private func playbackMember(errors count: Int) -> JSONText {
        .object([
            ("sessions", .number("\(playback.sessions)")), ("watched", Self.seconds(playback.watched)),
            ("startups", .number("\(playback.startups)")), ("startup", Self.seconds(playback.startup)),
            ("longestStartup", Self.seconds(playback.longestStartup)), ("stalls", .number("\(playback.stalls)")),
            ("droppedFrames", .number("\(playback.droppedFrames)")), ("bytes", .number("\(playback.bytes)")),
            (
                "errors",
                .array(
                    playback.errors.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(count)
                        .map { code, error in
                            .object([
                                ("code", .string(code)), ("count", .number("\(error.count)")),
                                ("fatal", .number("\(error.fatal)")), ("status", .optional(error.last.errorStatusCode)),
                                ("uri", Self.clipped(error.last.uri)),
                            ])
                        })
            ),
        ])
    }

    private static func clipped(_ text: String?) -> JSONText {
        .optional(text.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(longestText))) })
    }

    /// With three decimals.
    private static func seconds(_ length: Duration) -> JSONText {
        let thousandths = max(0, length.wholeNanoseconds / 1_000_000)
        let rest = String(thousandths % 1000)
        return .number("\(thousandths / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)")
    }
}

/// What playbacks were like since the player was started: sums that only grow, so that a report that is lost loses nothing.
@MainActor
final class PlaybackTally: SessionLogStore {
    /// Errors of one code.
    struct Errors: Sendable {
        var count = 0
        /// How many of them ended a playback.
        var fatal = 0
        var last: ErrorLogEvent
    }
    struct Sum: Sendable {
        var sessions = 0
        var watched = Duration.zero
        /// How many playbacks came to a first picture, after how long in all, and the longest of these.
        var startups = 0
        var startup = Duration.zero
        var longestStartup = Duration.zero
        var stalls = 0
        var droppedFrames = 0
        var bytes: Int64 = 0
        var errors: [String: Errors] = [:]

        mutating func add(_ log: PlaybackLog) {
            guard !log.accessEvents.isEmpty || !log.errorEvents.isEmpty else { return }
            let all = log.summary
            sessions += 1
            watched += all.durationWatched ?? .zero
            if let length = all.startupTime {
                startups += 1
                startup += length
                longestStartup = max(longestStartup, length)
            }
            stalls += all.numberOfStalls ?? 0
            droppedFrames += all.numberOfDroppedVideoFrames ?? 0
            bytes += all.numberOfBytesTransferred ?? 0
            for event in log.errorEvents {
                var errors = errors[event.errorDomain] ?? Errors(last: event)
                errors.count += 1
                errors.fatal += event.isFatal ? 1 : 0
                errors.last = event
                self.errors[event.errorDomain] = errors
            }
        }
    }

    private var ended = Sum()
    private let next: (any SessionLogStore)?

    /// - Parameter next: is handed each log as well.
    init(next: (any SessionLogStore)?) { self.next = next }

    func keep(_ log: PlaybackLog) {
        ended.add(log)
        next?.keep(log)
    }

    /// The sums, with what plays now.
    func sum(with current: PlaybackLog?) -> Sum {
        var sum = ended
        if let current { sum.add(current) }
        return sum
    }
}

/// What the machine says of its state: memory and storage in bytes, the temperature in thousandths of a degree Celsius. What cannot be read is nil.
struct MachineState: Sendable {
    var uptime: Int?
    var memory: Int?
    var availableMemory: Int?
    var playerMemory: Int?
    var storage: Int?
    var freeStorage: Int?
    var temperature: Int?
    /// How many records of crashes are kept.
    var crashes = 0

    /// Reads it. Some sensors take a while to answer: not on the main loop.
    ///
    /// - Parameters:
    ///   - stateFolder: on the file system whose room is told.
    ///   - root: in the place of `/`.
    static func read(stateFolder: String?, root: String = "") -> MachineState {
        var state = MachineState()
        var uptime = timespec()
        if clock_gettime(CLOCK_BOOTTIME, &uptime) == 0 { state.uptime = uptime.tv_sec }
        // Where a service sees processes alone in /proc the same is told of the first node, which is all there is.
        for (file, word) in [("/proc/meminfo", ""), ("/sys/devices/system/node/node0/meminfo", "Node 0 ")] {
            guard let text = lines(of: root + file) else { continue }
            func kibibytes(_ name: String) -> Int? { number(in: text, behind: "\(word)\(name):") }
            guard let total = kibibytes("MemTotal"), let free = kibibytes("MemFree") else { continue }
            state.memory = total * 1024
            // What only caches files is given up for whoever needs it.
            let caches = ["Active(file)", "Inactive(file)", "SReclaimable"].reduce(0) { $0 + (kibibytes($1) ?? 0) }
            state.availableMemory = (free + caches) * 1024
            break
        }
        state.playerMemory = lines(of: root + "/proc/self/status").flatMap { number(in: $0, behind: "VmRSS:") }.map { $0 * 1024 }
        state.temperature = (0..<16).compactMap {
            lines(of: root + "/sys/class/thermal/thermal_zone\($0)/temp").flatMap { number(in: $0, behind: "") }
        }.max()
        guard let stateFolder else { return state }
        let room = FileSystemRoom(at: stateFolder)
        state.storage = room.map { Int($0.total) }
        state.freeStorage = room.map { Int($0.free) }
        state.crashes = CrashFolder(stateFolder + "/crash").records.count
        return state
    }

    private static func lines(of path: String) -> [Substring]? {
        WholeFile.read(path).map { String(decoding: $0, as: UTF8.self).split(separator: "\n") }
    }

    /// The whole number behind a word at the begin of a line.
    private static func number(in lines: [Substring], behind word: String) -> Int? {
        lines.first { $0.hasPrefix(word) }.flatMap {
            Int($0.dropFirst(word.count).drop { $0 == " " || $0 == "\t" }.prefix { $0.isASCII && $0.isNumber })
        }
    }
}
