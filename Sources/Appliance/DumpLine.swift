import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import Screens

/// One line of a dump: an instant of the box's clock and a fact.
package struct DumpLine: Hashable, Sendable, CustomStringConvertible {
    package var time: HostTime
    package var fact: DumpFact

    package init(time: HostTime, fact: DumpFact) {
        self.time = time
        self.fact = fact
    }

    package var description: String {
        let (kind, value) = fact.written
        let content = value.description
        return "\(time) \(fact.word(kind))\(content.isEmpty ? "" : " ")\(content)"
    }
}

// MARK: Writing

extension DumpFact {
    /// Its kind, and the content after it.
    var written: (kind: Kind, content: DumpContent) {
        switch self {
        case .open(let id): (.open, DumpContent(.identifier(id)))
        case .skipped(let id): (.skipped, DumpContent(.identifier(id)))
        case .next(let id, let isAutomatic): (.next, DumpContent(.identifier(id), fields: ["automatic": .flag(isAutomatic)]))
        case .state(let status): (.state, status.content)
        case .frame(let frame): (.frame, frame.content)
        case .audio(let asset): (.audio, DumpContent(fields: ["asset": .time(asset)]))
        case .end: (.end, DumpContent())
        case .soundReleased: (.soundReleased, DumpContent())
        case .place(let place): (.place, place.map(Self.content) ?? .none)
        case .accessLog(let access): (.accessLog, access.content)
        case .errorLog(let domain, let status, let isFatal):
            (
                .errorLog,
                DumpContent(
                    .identifier(domain), fields: ["status": status.map(DumpValue.number) ?? .nothing, "fatal": .flag(isFatal)])
            )
        case .seek(let time, let tolerance):
            (.seek, DumpContent(fields: ["to": .time(time), "tolerance": .word(tolerance.rawValue)]))
        case .seekCompleted(let landed, let finished):
            (.seekCompleted, DumpContent(fields: ["landed": .time(landed), "finished": .flag(finished)]))
        case .boundary(let asset): (.boundary, DumpContent(fields: ["asset": .time(asset)]))
        case .scan(let rate): (.scan, rate.map { DumpContent(.ratio($0)) } ?? .none)
        case .speed(let rate): (.speed, DumpContent(.ratio(rate)))
        case .willPresent(let id): (.willPresent, DumpContent(.identifier(id)))
        case .didPresent(let id, let how): (.didPresent, DumpContent(.identifier(id), .word(how.rawValue)))
        case .interstitial(let id, let number, let count, let elapsed):
            (
                .interstitial,
                DumpContent(
                    .identifier(id), fields: ["number": .number(number), "count": .number(count), "elapsed": .time(elapsed)])
            )
        case .interstitials(let scheduled):
            (.interstitials, DumpContent(named: scheduled.map { DumpField($0.id, .time($0.time)) }))
        case .metadata(let items): (.metadata, DumpContent(named: items.map(\.field)))
        case .caption(let caption): (.caption, caption?.written ?? .none)
        case .selectAudible(let option): (.select, Self.selection("audible", option))
        case .selectLegible(let option): (.select, Self.selection("legible", option))
        case .captionsForReplay(let isOn): (.captionsForReplay, DumpContent(.word(isOn ? "on" : "off")))
        case .settings(let settings):
            (.settings, DumpContent(named: settings.map { DumpField($0.name, .identifier($0.value)) }))
        case .pin(let isRight): (.pin, DumpContent(.word(isRight ? "right" : "wrong")))
        case .presentVideo(let isWanted): (.presentVideo, DumpContent(.word(isWanted ? "yes" : "no")))
        case .task: (.task, DumpContent())
        case .key(let key, let phase, let device):
            (.key, DumpContent(.word(key.rawValue), .word(phase.rawValue), .identifier(device)))
        case .command(let command, let origin):
            (.command, DumpContent(command.rule.dumpValue, fields: ["from": .identifier(origin)]))
        case .answer(.success): (.answer, DumpContent(.word("success")))
        case .answer(.failed(let reason)): (.answer, DumpContent(.tagged("failed", .word(reason.rawValue))))
        case .interruptionBegan(let reason): (.interruption, DumpContent(.word("began"), .word(reason.rawValue)))
        case .interruptionEnded(let reason, let mayResume):
            (.interruption, DumpContent(.word("ended"), .word(reason.rawValue), fields: ["resume": .flag(mayResume)]))
        case .interface(let part, let value): (.interface, DumpContent(.word(part.rawValue), value))
        case .navigationSound(let sound): (.navigationSound, DumpContent(.word(sound.rawValue)))
        case .route(let id): (.route, id.map { DumpContent(.identifier($0)) } ?? .none)
        case .speak(let words): (.speak, DumpContent(.text(words)))
        case .capture(let file, let asset, let shown):
            (.capture, DumpContent(.identifier(file), fields: ["asset": .optional(asset), "shown": .instant(shown)]))
        }
    }

    private static func selection(_ characteristic: String, _ option: Option?) -> DumpContent {
        option.map { DumpContent(.word(characteristic), fields: $0.fields) }
            ?? DumpContent(.word(characteristic), .word("none"))
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

extension DumpFact.Metadatum {
    fileprivate var field: DumpField { DumpField(identifier, text.map(DumpValue.text) ?? .word("data")) }
}

extension DumpFact.Option {
    fileprivate var fields: KeyValuePairs<String, DumpValue> {
        ["id": .identifier(id), "language": .optional(language), "name": name.map(DumpValue.text) ?? .nothing]
    }
}
