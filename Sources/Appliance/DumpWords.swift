import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import URLReferences

// The values that several facts share.

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
}

extension DumpContent {
    /// The value of a fact whose subject is absent.
    static let none = DumpContent(.word("none"))
}

extension DumpValue {
    static func time(_ time: MediaTime) -> DumpValue { .word("\(time)") }
    static func instant(_ instant: HostTime) -> DumpValue { .word("\(instant)") }
    static func ratio(_ ratio: Ratio) -> DumpValue { .word("\(ratio)") }
    static func flag(_ flag: Bool) -> DumpValue { .word("\(flag)") }
    static func optional(_ time: MediaTime?) -> DumpValue { time.map(Self.time) ?? .nothing }
    static func optional(_ identifier: String?) -> DumpValue { identifier.map(Self.identifier) ?? .nothing }
}
