import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import Screens

/// One line of a dump: an instant of the box's clock and a fact. `init(_:)` reads what `description` writes.
package struct DumpLine: Hashable, Sendable, CustomStringConvertible {
    package var time: HostTime
    package var fact: DumpFact

    package init(time: HostTime, fact: DumpFact) {
        self.time = time
        self.fact = fact
    }

    /// Reads a line without its line feed; nil: it does not follow the schema.
    package init?(_ line: some StringProtocol) {
        let words = String(line).split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, let time = HostTime(seconds: DumpValue.word(String(words[0]))) else { return nil }
        var reader = DumpReader(words.count > 2 ? words[2] : "")
        guard let content = reader.content(), let fact = DumpFact(String(words[1]), content) else { return nil }
        self.init(time: time, fact: fact)
    }

    package var description: String {
        let content = fact.content.description
        return "\(time) \(fact.word)\(content.isEmpty ? "" : " ")\(content)"
    }
}

// MARK: Writing

extension DumpFact {
    /// The content after the kind.
    var content: DumpContent {
        switch self {
        case .open(let id), .skipped(let id), .willPresent(let id): DumpContent(.identifier(id))
        case .end, .soundReleased, .task: DumpContent()
        case .next(let id, let isAutomatic): DumpContent(.identifier(id), fields: ["automatic": .flag(isAutomatic)])
        case .state(let status): status.content
        case .frame(let frame): frame.content
        case .audio(let asset), .boundary(let asset): DumpContent(fields: ["asset": .time(asset)])
        case .place(let place): place.map(Self.content) ?? .none
        case .accessLog(let access): access.content
        case .errorLog(let domain, let status, let isFatal):
            DumpContent(
                .identifier(domain), fields: ["status": status.map(DumpValue.number) ?? .nothing, "fatal": .flag(isFatal)])
        case .seek(let time, let tolerance):
            DumpContent(fields: ["to": .time(time), "tolerance": .word(tolerance.dumpName)])
        case .seekCompleted(let landed, let finished):
            DumpContent(fields: ["landed": .time(landed), "finished": .flag(finished)])
        case .scan(let rate): rate.map { DumpContent(.ratio($0)) } ?? .none
        case .speed(let rate): DumpContent(.ratio(rate))
        case .didPresent(let id, let how): DumpContent(.identifier(id), .word(how.rawValue))
        case .interstitial(let id, let number, let count, let elapsed):
            DumpContent(
                .identifier(id), fields: ["number": .number(number), "count": .number(count), "elapsed": .time(elapsed)])
        case .interstitials(let scheduled): DumpContent(named: scheduled.map { DumpField($0.id, .time($0.time)) })
        case .metadata(let items):
            DumpContent(named: items.map { DumpField($0.identifier, $0.text.map(DumpValue.text) ?? .word("data")) })
        case .caption(let caption): caption?.written ?? .none
        case .selectAudible(let option?): DumpContent(.word("audible"), fields: option.fields)
        case .selectAudible(nil): DumpContent(.word("audible"), .word("none"))
        case .selectLegible(let option?): DumpContent(.word("legible"), fields: option.fields)
        case .selectLegible(nil): DumpContent(.word("legible"), .word("none"))
        case .captionsForReplay(let isOn): DumpContent(.word(isOn ? "on" : "off"))
        case .settings(let settings): DumpContent(named: settings.map { DumpField($0.name, .identifier($0.value)) })
        case .pin(let isRight): DumpContent(.word(isRight ? "right" : "wrong"))
        case .presentVideo(let isWanted): DumpContent(.word(isWanted ? "yes" : "no"))
        case .key(let key, let phase, let device):
            DumpContent(.word(key.rawValue), .word(phase.rawValue), .identifier(device))
        case .command(let command, let origin): DumpContent(command.dumpValue, fields: ["from": .identifier(origin)])
        case .answer(.success): DumpContent(.word("success"))
        case .answer(.failed(let reason)): DumpContent(.tagged("failed", .word(reason.rawValue)))
        case .interruptionBegan(let reason): DumpContent(.word("began"), .word(reason.rawValue))
        case .interruptionEnded(let reason, let mayResume):
            DumpContent(.word("ended"), .word(reason.rawValue), fields: ["resume": .flag(mayResume)])
        case .interface(let part, let value): DumpContent(.word(part.rawValue), value)
        case .navigationSound(let sound): DumpContent(.word(sound.rawValue))
        case .speak(let words): DumpContent(.text(words))
        case .capture(let file, let asset, let shown):
            DumpContent(.identifier(file), fields: ["asset": .optional(asset), "shown": .instant(shown)])
        }
    }

    private static func content(_ place: SavedPlace) -> DumpContent {
        DumpContent(fields: ["time": .time(place.time), "owed": .optional(place.owedInterstitial)])
    }
}

extension DumpFact.Status {
    fileprivate var content: DumpContent {
        let item: DumpValue =
            switch item {
            case nil: .nothing
            case .unknown: .word("unknown")
            case .readyToPlay: .word("readyToPlay")
            case .failed(let code): .tagged("failed", .word(code.rawValue))
            }
        let timeControl: DumpValue =
            switch timeControl {
            case .paused: .word("paused")
            case .playing: .word("playing")
            case .waitingToPlayAtSpecifiedRate(let reason):
                .tagged("waitingToPlayAtSpecifiedRate", .word(reason.rawValue))
            }
        return DumpContent(fields: [
            "itemStatus": item, "timeControlStatus": timeControl, "rate": .ratio(rate), "isAtEnd": .flag(isAtEnd),
            "isReadyForDisplay": .flag(isReadyForDisplay), "stallCount": .number(stallCount),
            "seekableRevision": .number(seekableRevision),
        ])
    }
}

extension DumpFact.Frame {
    fileprivate var content: DumpContent {
        DumpContent(fields: [
            "asset": .time(asset), "scheduled": .instant(scheduled), "flip": .instant(flip),
            "sync": sync.map { .word("\($0)ms") } ?? .nothing,
            "hash": hash.map { .word(String($0, radix: 16)) } ?? .nothing,
        ])
    }
}

extension DumpFact.Access {
    fileprivate var content: DumpContent {
        DumpContent(fields: [
            "type": .optional(type), "offset": .optional(offset), "watched": .optional(watched), "stalls": .number(stalls),
            "dropped": .number(dropped),
        ])
    }
}

extension DumpFact.Caption {
    fileprivate var written: DumpContent {
        let words: DumpValue? = if case .text(let text) = content { .text(text) } else { nil }
        let picture: DumpValue? = if case .picture(let width, let height) = content { .word("\(width)x\(height)") } else { nil }
        return DumpContent(fields: [
            "start": .time(start), "end": .time(end), "text": words ?? .nothing, "picture": picture ?? .nothing,
        ])
    }
}

extension DumpFact.Option {
    fileprivate var fields: KeyValuePairs<String, DumpValue> {
        ["id": .identifier(id), "language": .optional(language), "name": name.map(DumpValue.text) ?? .nothing]
    }
}
