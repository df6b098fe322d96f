import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import URLReferences
import Viewing

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
        case .wake: .word("wake")
        case .standby: .word("standby")
        case .setVolume(let percent): .tagged("setVolume", .number(percent))
        case .setMuted(let isMuted): .tagged("setMuted", .flag(isMuted))
        case .selectAudio(let id): .tagged("selectAudio", .identifier(id))
        case .selectSubtitles(let id): .tagged("selectSubtitles", .identifier(id))
        case .setCaptions(let isOn): .tagged("setCaptions", .flag(isOn))
        case .changePlaybackRate(let rate): .tagged("changePlaybackRate", .ratio(rate))
        case .goLive: .word("goLive")
        case .showMessage(let text, let seconds):
            .tagged("showMessage", .record([DumpField("text", .text(text)), DumpField("seconds", .number(seconds))]))
        case .refreshFeed: .word("refreshFeed")
        case .restartPlayer: .word("restartPlayer")
        case .reboot: .word("reboot")
        case .selectAngle(let id): .tagged("selectAngle", .identifier(id))
        case .goToTimeOfDay(let seconds): .tagged("goToTimeOfDay", .number(seconds))
        case .checkOut: .word("checkOut")
        case .setWelcome(let name): .tagged("setWelcome", name.map { DumpValue.text($0) } ?? .word("none"))
        case .showEmergency(let text): .tagged("showEmergency", .text(text))
        case .endEmergency: .word("endEmergency")
        case .updateNow: .word("updateNow")
        case .sendSupportBundle(let address): .tagged("sendSupportBundle", .text(Redaction.withoutSecrets(address)))
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
        case .word("wake"): self = .wake
        case .word("standby"): self = .standby
        case .word("goLive"): self = .goLive
        case .word("refreshFeed"): self = .refreshFeed
        case .word("restartPlayer"): self = .restartPlayer
        case .word("reboot"): self = .reboot
        case .word("checkOut"): self = .checkOut
        case .word("endEmergency"): self = .endEmergency
        case .word("updateNow"): self = .updateNow
        case .tagged("setWelcome", .word("none")): self = .setWelcome(name: nil)
        case .tagged("goToTimeOfDay", let argument):
            guard let seconds = argument.integer else { return nil }
            self = .goToTimeOfDay(seconds)
        case .tagged("setVolume", let argument):
            guard let percent = argument.integer else { return nil }
            self = .setVolume(percent: percent)
        case .tagged("changePlaybackRate", let argument):
            guard let rate = argument.ratio else { return nil }
            self = .changePlaybackRate(rate)
        case .tagged("showMessage", let argument):
            guard let text = argument["text"]?.string, let seconds = argument["seconds"]?.integer else { return nil }
            self = .showMessage(text, seconds: seconds)
        case .tagged(let name, let argument):
            switch (name, argument.time, argument.string, argument.flag) {
            case ("changePlaybackPosition", let time?, _, _): self = .changePlaybackPosition(time)
            case ("skip", let length?, _, _): self = .skip(length)
            case ("open", _, let id?, _): self = .open(id: id)
            case ("key", _, let name?, _):
                guard let key = RemoteKey(rawValue: name) else { return nil }
                self = .key(key)
            case ("setMuted", _, _, let isMuted?): self = .setMuted(isMuted)
            case ("setCaptions", _, _, let isOn?): self = .setCaptions(isOn)
            case ("selectAudio", _, let id?, _): self = .selectAudio(id: id)
            case ("selectSubtitles", _, let id?, _): self = .selectSubtitles(id: id)
            case ("selectAngle", _, let id?, _): self = .selectAngle(id: id)
            case ("setWelcome", _, let name?, _): self = .setWelcome(name: name)
            case ("sendSupportBundle", _, let address?, _): self = .sendSupportBundle(to: address)
            case ("showEmergency", _, let text?, _): self = .showEmergency(text)
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
