import LinuxSupport
import MediaModel
import MediaTime
import PlayerInterface

// Reading and writing of values that several facts share.

extension SeekTolerance {
    var dumpName: String {
        switch self {
        case .zero: "zero"
        case .unbounded: "unbounded"
        case .notAfter: "notAfter"
        }
    }

    init?(dumpName: String?) {
        switch dumpName {
        case "zero": self = .zero
        case "unbounded": self = .unbounded
        case "notAfter": self = .notAfter
        default: return nil
        }
    }
}

extension RemoteCommand {
    var dumpValue: DumpValue {
        switch self {
        case .play: .word("play")
        case .pause: .word("pause")
        case .togglePlayPause: .word("togglePlayPause")
        case .stop: .word("stop")
        case .changePlaybackPosition(let time): .tagged("changePlaybackPosition", .time(time))
        case .skip(let length): .tagged("skip", .time(length))
        case .restart: .word("restart")
        case .open(let id): .tagged("open", .identifier(id))
        case .key(let key): .tagged("key", .word(key.rawValue))
        case .beginAnnouncement: .word("beginAnnouncement")
        case .endAnnouncement(let shouldResume): .tagged("endAnnouncement", .flag(shouldResume))
        }
    }

    init?(_ value: DumpValue) {
        switch value {
        case .word("play"): self = .play
        case .word("pause"): self = .pause
        case .word("togglePlayPause"): self = .togglePlayPause
        case .word("stop"): self = .stop
        case .word("restart"): self = .restart
        case .word("beginAnnouncement"): self = .beginAnnouncement
        case .tagged(let name, let argument):
            switch (name, argument.time, argument.string, argument.flag) {
            case ("changePlaybackPosition", let time?, _, _): self = .changePlaybackPosition(time)
            case ("skip", let length?, _, _): self = .skip(length)
            case ("open", _, let id?, _): self = .open(id: id)
            case ("key", _, let name?, _):
                guard let key = RemoteKey(rawValue: name) else { return nil }
                self = .key(key)
            case ("endAnnouncement", _, _, let shouldResume?): self = .endAnnouncement(shouldResume: shouldResume)
            default: return nil
            }
        default: return nil
        }
    }
}

extension DumpContent {
    /// The value of a fact whose subject is absent.
    static let none = DumpContent(.word("none"))

    var isNone: Bool { self == .none }
}

extension DumpValue {
    static func time(_ time: MediaTime) -> DumpValue { .word("\(time)") }
    static func instant(_ instant: HostTime) -> DumpValue { .word("\(instant)") }
    static func ratio(_ ratio: Ratio) -> DumpValue { .word("\(ratio)") }
    static func flag(_ flag: Bool) -> DumpValue { .word("\(flag)") }
    static func optional(_ time: MediaTime?) -> DumpValue { time.map(Self.time) ?? .nothing }
    static func optional(_ identifier: String?) -> DumpValue { identifier.map(Self.identifier) ?? .nothing }

    var ratio: Ratio? {
        guard let parts = string?.split(separator: "/", maxSplits: 1).map({ Int64($0) }), let numerator = parts.first ?? nil
        else {
            return nil
        }
        guard parts.count == 2 else { return Ratio(numerator) }
        guard let denominator = parts[1], denominator > 0 else { return nil }
        return Ratio(numerator, denominator)
    }
}

extension HostTime {
    init?(seconds: DumpValue?) {
        guard let time = seconds?.time else { return nil }
        self.init(nanoseconds: time.nanoseconds)
    }
}
