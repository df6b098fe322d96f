import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import Screens
import Viewing

@testable import Appliance

// What a dump has, read back: the tests hold the written schema to it.

extension DumpLine {
    /// Reads a line without its line feed; nil: it does not follow the schema.
    init?(_ line: some StringProtocol) {
        let words = String(line).split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, let time = HostTime(seconds: DumpValue.word(String(words[0]))) else { return nil }
        var reader = DumpReader(words.count > 2 ? words[2] : "")
        guard let content = reader.content(), let fact = DumpFact(String(words[1]), content) else { return nil }
        self.init(time: time, fact: fact)
    }
}

extension DumpFact {
    /// The fact of a line; nil: there is none with this word, or the content does not follow the schema of its kind.
    init?(_ word: String, _ content: DumpContent) {
        if let task = BoxTask(rawValue: word) {
            self = .task(task)
            return
        }
        guard let kind = Kind(rawValue: word) else { return nil }
        let fact: DumpFact? =
            switch kind {
            case .open, .skipped, .willPresent, .didPresent, .next, .interstitial: Self.about(kind, content)
            case .end: .end
            case .soundReleased: .soundReleased
            case .task: nil  // by its own word
            case .state: Status(content).map { .state($0) }
            case .frame: Frame(content).map { .frame($0) }
            case .audio: content["asset"]?.time.map { .audio(asset: $0) }
            case .boundary: content["asset"]?.time.map { .boundary(asset: $0) }
            case .seek, .seekCompleted, .scan, .speed, .place: Self.movement(kind, content)
            case .accessLog, .errorLog: Self.logEntry(kind, content)
            case .interstitials, .metadata, .settings: Self.named(kind, content)
            case .caption: content.isNone ? .caption(nil) : Caption(content).map { .caption($0) }
            case .select: Self.selection(content)
            case .captionsForReplay: content.choice("on", "off").map { .captionsForReplay($0) }
            case .pin: content.choice("right", "wrong").map { .pin(isRight: $0) }
            case .presentVideo: content.choice("yes", "no").map { .presentVideo($0) }
            case .key, .command, .answer, .interruption: Self.request(kind, content)
            case .interface: Self.interface(content)
            case .navigationSound: content.string().flatMap(NavigationSound.init).map { .navigationSound($0) }
            case .route: content.isNone ? .route(nil) : content.string().map { .route($0) }
            case .speak: content.string().map { .speak($0) }
            case .capture: Self.capture(content)
            }
        guard let fact else { return nil }
        self = fact
    }

    private static func about(_ kind: Kind, _ content: DumpContent) -> DumpFact? {
        guard let id = content.string() else { return nil }
        switch kind {
        case .open: return .open(id: id)
        case .skipped: return .skipped(id: id)
        case .willPresent: return .willPresent(id: id)
        case .didPresent:
            return content.string(1).flatMap(InterstitialOutcome.init).map { .didPresent(id: id, how: $0) }
        case .next: return content["automatic"]?.flag.map { .next(id: id, isAutomatic: $0) }
        case .interstitial:
            guard let number = content["number"]?.integer, let count = content["count"]?.integer,
                let elapsed = content["elapsed"]?.time
            else { return nil }
            return .interstitial(id: id, number: number, count: count, elapsed: elapsed)
        default: return nil
        }
    }

    private static func movement(_ kind: Kind, _ content: DumpContent) -> DumpFact? {
        switch kind {
        case .seek:
            guard let time = content["to"]?.time, let tolerance = content["tolerance"]?.string.flatMap(SeekTolerance.init) else {
                return nil
            }
            return .seek(to: time, tolerance: tolerance)
        case .seekCompleted:
            guard let landed = content["landed"]?.time, let finished = content["finished"]?.flag else { return nil }
            return .seekCompleted(landed: landed, finished: finished)
        case .scan: return content.isNone ? .scan(nil) : content.value(0)?.ratio.map { .scan($0) }
        case .speed: return content.value(0)?.ratio.map { .speed($0) }
        case .place:
            guard !content.isNone else { return .place(nil) }
            return content["time"]?.time.map { .place(SavedPlace(time: $0, owedInterstitial: content["owed"]?.string)) }
        default: return nil
        }
    }

    private static func logEntry(_ kind: Kind, _ content: DumpContent) -> DumpFact? {
        guard kind == .errorLog else { return Access(content).map { .accessLog($0) } }
        guard let domain = content.string(), let isFatal = content["fatal"]?.flag else { return nil }
        return .errorLog(domain: domain, status: content["status"]?.integer, isFatal: isFatal)
    }

    private static func named(_ kind: Kind, _ content: DumpContent) -> DumpFact? {
        let fields = content.fields
        switch kind {
        case .interstitials:
            let scheduled = fields.compactMap { field in field.value.time.map { Scheduled(id: field.name, time: $0) } }
            return scheduled.count == fields.count ? .interstitials(scheduled) : nil
        case .metadata:
            return .metadata(
                fields.map { field in
                    guard case .text(let text) = field.value else { return Metadatum(identifier: field.name, text: nil) }
                    return Metadatum(identifier: field.name, text: text)
                })
        case .settings:
            let settings = fields.compactMap { field in field.value.string.map { Setting(name: field.name, value: $0) } }
            return settings.count == fields.count ? .settings(settings) : nil
        default: return nil
        }
    }

    private static func selection(_ content: DumpContent) -> DumpFact? {
        switch (content.string(), Option(content)) {
        case ("audible", let option?): .selectAudible(option)
        case ("audible", nil): content.string(1) == "none" ? .selectAudible(nil) : nil
        case ("legible", let option?): .selectLegible(option)
        case ("legible", nil): content.string(1) == "none" ? .selectLegible(nil) : nil
        default: nil
        }
    }

    private static func request(_ kind: Kind, _ content: DumpContent) -> DumpFact? {
        switch kind {
        case .key:
            guard let key = content.string().flatMap(RemoteKey.init), let phase = content.string(1).flatMap(KeyPhase.init),
                let device = content.string(2)
            else { return nil }
            return .key(key, phase, device: device)
        case .command:
            guard let command = content.value(0).flatMap(RemoteCommand.init), let origin = content["from"]?.string else {
                return nil
            }
            return .command(command, origin: origin)
        case .answer:
            switch content.value(0) {
            case .word("success"): return .answer(.success)
            case .tagged("failed", let reason):
                return reason.string.flatMap(CommandRefusal.init).map { .answer(.failed($0)) }
            default: return nil
            }
        case .interruption:
            guard let reason = content.string(1).flatMap(HoldReason.init) else { return nil }
            switch content.string() {
            case "began": return .interruptionBegan(reason)
            case "ended": return content["resume"]?.flag.map { .interruptionEnded(reason, mayResume: $0) }
            default: return nil
            }
        default: return nil
        }
    }

    private static func interface(_ content: DumpContent) -> DumpFact? {
        guard let part = content.string().flatMap(InterfacePart.init), let value = content.value(1) else { return nil }
        return .interface(part, value)
    }

    private static func capture(_ content: DumpContent) -> DumpFact? {
        guard let file = content.string(), let shown = HostTime(seconds: content["shown"]) else { return nil }
        return .capture(file: file, asset: content["asset"]?.time, shown: shown)
    }
}

extension DumpFact.Status {
    fileprivate init?(_ content: DumpContent) {
        let item: Item?
        switch content["itemStatus"] {
        case nil: item = nil
        case .word("unknown"): item = .unknown
        case .word("readyToPlay"): item = .readyToPlay
        case .tagged("failed", let code):
            guard let code = code.string.flatMap(ErrorCode.init) else { return nil }
            item = .failed(code)
        default: return nil
        }
        let timeControl: TimeControlStatus
        switch content["timeControlStatus"] {
        case .word("paused"): timeControl = .paused
        case .word("playing"): timeControl = .playing
        case .tagged("waitingToPlayAtSpecifiedRate", let reason):
            guard let reason = reason.string.flatMap(WaitingReason.init) else { return nil }
            timeControl = .waitingToPlayAtSpecifiedRate(reason)
        default: return nil
        }
        guard let rate = content["rate"]?.ratio, let isAtEnd = content["isAtEnd"]?.flag,
            let isReadyForDisplay = content["isReadyForDisplay"]?.flag, let stallCount = content["stallCount"]?.integer,
            let seekableRevision = content["seekableRevision"]?.integer
        else { return nil }
        self.init(
            item: item, timeControl: timeControl, rate: rate, isAtEnd: isAtEnd, isReadyForDisplay: isReadyForDisplay,
            stallCount: stallCount, seekableRevision: seekableRevision)
    }
}

extension DumpFact.Frame {
    fileprivate init?(_ content: DumpContent) {
        guard let asset = content["asset"]?.time, let scheduled = HostTime(seconds: content["scheduled"]),
            let flip = HostTime(seconds: content["flip"])
        else { return nil }
        self.init(asset: asset, scheduled: scheduled, flip: flip)
        if let words = content["sync"]?.string {
            guard words.hasSuffix("ms"), let delay = Int64(words.dropLast(2)) else { return nil }
            sync = delay
        }
        if let words = content["hash"]?.string {
            guard let hash = UInt64(words, radix: 16) else { return nil }
            self.hash = hash
        }
    }
}

extension DumpFact.Access {
    fileprivate init?(_ content: DumpContent) {
        guard let stalls = content["stalls"]?.integer, let dropped = content["dropped"]?.integer else { return nil }
        self.init(
            type: content["type"]?.string, offset: content["offset"]?.time, watched: content["watched"]?.time, stalls: stalls,
            dropped: dropped)
    }
}

extension DumpFact.Caption {
    fileprivate init?(_ content: DumpContent) {
        guard let start = content["start"]?.time, let end = content["end"]?.time else { return nil }
        if let text = content["text"]?.string {
            self.init(start: start, end: end, content: .text(text))
            return
        }
        let size = content["picture"]?.string?.split(separator: "x").compactMap { Int($0) } ?? []
        guard size.count == 2 else { return nil }
        self.init(start: start, end: end, content: .picture(width: size[0], height: size[1]))
    }
}

extension DumpFact.Option {
    fileprivate init?(_ content: DumpContent) {
        guard let id = content["id"]?.string else { return nil }
        self.init(id: id, language: content["language"]?.string, name: content["name"]?.string)
    }
}

extension DumpContent {
    /// Which of two words the line has.
    fileprivate func choice(_ yes: String, _ no: String) -> Bool? {
        switch string() {
        case yes: true
        case no: false
        default: nil
        }
    }
}

extension DumpContent {
    /// Whether it is that of a fact whose subject is absent.
    var isNone: Bool { self == .none }

    subscript(name: String) -> DumpValue? { fields.first { $0.name == name }?.value }

    /// The value at a position; nil if there are fewer.
    func value(_ position: Int) -> DumpValue? { values.indices.contains(position) ? values[position] : nil }

    /// The word or text at a position.
    func string(_ position: Int = 0) -> String? { value(position)?.string }
}

extension DumpValue {
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

extension RemoteCommand {
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
        case .tagged("selectOutput", .word("automatic")): self = .selectOutput(id: nil)
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
            case ("selectOutput", _, let id?, _): self = .selectOutput(id: id)
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
