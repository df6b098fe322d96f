import BoxModel
import MediaTime
import StatusModel
import URLReferences

/// What a room sees and hears of the box beside what plays. Nil: it is not told.
package struct RoomState: Sendable, Equatable {
    /// The emergency message on the screen.
    package var emergency: String?
    /// The volume of the box itself, in percent.
    package var volume: Int?
    package var isMuted: Bool?

    package init(emergency: String? = nil, volume: Int? = nil, isMuted: Bool? = nil) {
        (self.emergency, self.volume, self.isMuted) = (emergency, volume, isMuted)
    }
}

/// `GET /v1/now`. Times are seconds with three decimal places, measured `age` seconds before the answer; a client adds `rate` for
/// each second since.
struct NowAnswer: Encodable, Sendable {
    struct Fault: Encodable, Sendable {
        var code: String
        var sentence: String
    }
    /// What can be selected of one kind of media.
    struct Media: Encodable, Sendable {
        struct Option: Encodable, Sendable {
            var id: String
            var language: String?
            var name: String?
        }
        /// `audible`, `legible` or `visual`.
        var characteristic: String
        var options: [Option]
        var selected: String?
    }

    var state: String
    /// Whether nothing of the box can be seen.
    var screenOff: Bool
    var id: String?
    var title: String?
    var subtitle: String?
    var artwork: String?
    /// The id of the playback, for its logs.
    var session: String?
    /// Whether it is a live stream.
    var live: Bool
    /// The date of the position in UTC, as the stream gives it.
    var date: String?
    var media: [Media]
    /// In content time.
    var elapsed: Double?
    /// In content time.
    var duration: Double?
    /// In asset time.
    var assetTime: Double?
    var rate: Double
    var age: Double
    var interstitialLabel: String?
    var requiresLinearPlayback: Bool
    var error: Fault?
    /// The emergency message on the screen.
    var emergency: String?
    /// Of the box itself, in percent.
    var volume: Int?
    var muted: Bool?

    init(_ now: NowPlaying, age: Duration, room: RoomState = RoomState()) {
        (emergency, volume, muted) = (room.emergency, room.volume, room.isMuted)
        state = now.state.rawValue
        screenOff = now.isScreenOff
        // An item opened by its address has the address as id.
        id = now.id.map { $0.contains("://") ? Redaction.withoutSecrets($0) : $0 }
        title = now.title
        subtitle = now.subtitle
        artwork = now.artworkURL
        session = now.session
        live = now.isLive
        date = now.date.map(Self.text)
        media = now.selections.map { selection in
            Media(
                characteristic: selection.characteristic,
                options: selection.options.prefix(Self.mostOptions).map {
                    .init(id: $0.id, language: $0.language, name: $0.name)
                },
                selected: selection.selected)
        }
        elapsed = now.elapsed.map(Self.seconds)
        duration = now.duration.map(Self.seconds)
        assetTime = now.assetTime.map(Self.seconds)
        rate = now.rate.approximateValue
        let (seconds, attoseconds) = age.components
        self.age = max(0, Double(seconds) + Double(attoseconds / 1_000_000_000_000_000) / 1000)
        interstitialLabel = now.interstitialLabel
        requiresLinearPlayback = now.requiresLinearPlayback
        error = now.error.map { Fault(code: $0.code.rawValue, sentence: $0.sentence) }
    }

    /// Streams may have any number of options, and an answer may not.
    private static let mostOptions = 64

    static func seconds(_ time: MediaTime) -> Double { Double(time.milliseconds) / 1000 }

    /// Nanoseconds since the start of 1970 as a date of ISO 8601 with milliseconds.
    static func text(_ nanoseconds: Int64) -> String {
        let milliseconds = nanoseconds.flooredQuotient(1_000_000)
        let seconds = milliseconds.flooredQuotient(1000)
        return ISO8601.text(
            secondsSince1970: seconds, nanoseconds: (milliseconds - seconds * 1000) * 1_000_000, minimumDigits: 3)
    }
}

extension Int64 {
    /// The quotient rounded down, by a positive divisor.
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// `GET /v1/log`: the oldest line first.
struct LogAnswer: Encodable, Sendable {
    var lines: [String]
}

/// The answer to keys and commands.
struct CommandAnswer: Encodable, Sendable {
    var result: String
    var reason: String?
    /// The reason as one sentence.
    var error: String?

    init(_ answer: CommandResult) {
        switch answer {
        case .success: result = "success"
        case .failed(let reason):
            result = "failed"
            self.reason = reason.rawValue
            error = reason.sentence
        }
    }
}

extension CommandRefusal {
    /// One sentence.
    fileprivate var sentence: String {
        switch self {
        case .linear: "This part cannot be skipped."
        case .noItem: "Nothing is playing."
        case .noChange: "This changes nothing."
        case .unknownID: "There is no such item, channel or option."
        case .notSupported: "This is not possible now."
        case .notReady: "The box is not ready for this yet; try again in a moment."
        case .standby: "The box is in standby."
        case .emergency: "An emergency message is on the screen; end it first."
        case .outOfRange: "The stream does not have this time."
        }
    }
}

/// A request that was not understood or not allowed, with one sentence.
struct RefusalAnswer: Encodable, Sendable {
    var error: String
}

/// `GET /v1/feed`.
struct FeedAnswer: Encodable, Sendable {
    struct Finding: Encodable, Sendable {
        var severity: String
        var code: String
        var pointer: String
        var line: Int?
        var column: Int?
        var message: String
        var remedy: String
    }

    var source: String?
    var id: String?
    var revision: Int64?
    var title: String?
    var lastUpdated: String?
    var channels: Int
    var series: Int
    var items: Int
    /// `unknown`, `good`, `dropped` or `refused`.
    var verdict: String
    var summary: String?
    var trouble: String?
    /// The number of all findings.
    var findingCount: Int
    /// The severest of them.
    var findings: [Finding]

    init(_ status: FeedStatus) {
        source = status.source
        id = status.id
        revision = status.revision
        (title, lastUpdated) = (status.title, status.lastUpdated)
        (channels, series, items) = (status.channelCount, status.seriesCount, status.itemCount)
        verdict = status.verdict.rawValue
        summary = status.summary
        trouble = status.trouble
        findingCount = status.findingCount
        findings = status.findings.map {
            Finding(
                severity: $0.severity, code: $0.code, pointer: $0.pointer, line: $0.line, column: $0.column, message: $0.message,
                remedy: $0.remedy)
        }
    }
}

/// `GET /healthz` and `GET /v1/health`.
struct HealthAnswer: Encodable, Sendable {
    var status: String
    /// One sentence each.
    var reasons: [String]
    /// The same as words for programs.
    var faults: [String]
    /// Completed page flips since the player was started.
    var flips: UInt64

    init(_ health: BoxHealth) {
        status = health.word.rawValue
        reasons = health.faults.map(\.sentence)
        faults = health.faults.map(\.name)
        flips = health.flips
    }

    /// The main loop has not answered for this long.
    init(unanswered length: Duration) {
        status = BoxHealth.Word.failing.rawValue
        reasons = ["The main loop has not answered for \(length.components.seconds) s."]
        faults = ["unanswered"]
        flips = 0
    }

    var isFailing: Bool { status == BoxHealth.Word.failing.rawValue }
}

/// `GET /v1/errors`: the newest first.
struct ErrorsAnswer: Encodable, Sendable {
    var errors: [FaultAnswer]

    init(_ faults: [PlaybackFault]) { errors = faults.map(FaultAnswer.init) }
}

/// An error of a playback; also the data of the event `error`.
struct FaultAnswer: Encodable, Sendable {
    var code: String
    var sentence: String?
    var session: String?
    var fatal: Bool
    /// UTC.
    var date: String?

    init(_ fault: PlaybackFault) {
        code = fault.code
        sentence = fault.sentence
        session = fault.session
        fatal = fault.isFatal
        date = fault.date.map(NowAnswer.text)
    }
}
