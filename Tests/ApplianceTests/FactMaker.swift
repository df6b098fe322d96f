import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import Viewing

@testable import Appliance

/// Random facts, with texts that need escapes; the same seed gives the same facts.
struct FactMaker {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    private mutating func number(below limit: Int) -> Int {
        // Knuth's MMIX generator; its high bits are the random ones.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }

    private mutating func flag() -> Bool { number(below: 2) == 0 }
    private mutating func maybe<Value>(_ value: Value) -> Value? { flag() ? value : nil }
    private mutating func one<Value>(of values: [Value]) -> Value { values[number(below: values.count)] }
    private mutating func some<Value>(_ make: (inout FactMaker) -> Value) -> [Value] {
        (0..<number(below: 4)).map { _ in make(&self) }
    }

    mutating func instant() -> HostTime { HostTime(nanoseconds: Int64(number(below: 1 << 30)) * 97) }
    private mutating func time() -> MediaTime { .milliseconds(Int64(number(below: 1 << 24)) - 1000) }
    private mutating func rate() -> Ratio { Ratio(Int64(number(below: 65) - 32), Int64(number(below: 4) + 1)) }

    private static let pieces = [
        "a", "Low Tide", " ", "", "-", "none", "data", "\"", "\\", "\n", "\r\n", "\t", "\u{1B}[0m", "\u{7F}", "\u{85}",
        "\u{2028}", "=", ",",
        "{x=1}", "[", ")", "#", "é", "e\u{301}", "日本語", "שלום", "👩‍👩‍👧", "\u{A0}", "%s", "true", "1.000",
    ]

    private mutating func text() -> String {
        (0...number(below: 4)).map { _ in one(of: Self.pieces) }.joined()
    }

    private mutating func value(depth: Int = 0) -> DumpValue {
        switch number(below: depth > 3 ? 3 : 6) {
        case 0: return .word(one(of: ["0", "-12", "true", "none", "0.040", "16/9", "-"]))
        case 1: return .text(text())
        case 2: return .number(number(below: 2000))
        case 3: return .list(some { $0.value(depth: depth + 1) })
        case 4: return .record(some { DumpField($0.text(), $0.value(depth: depth + 1)) })
        default: return .tagged(one(of: ["button", "entry"]), value(depth: depth + 1))
        }
    }

    private mutating func status() -> DumpFact.Status {
        let item: DumpFact.Status.Item? = one(of: [nil, .unknown, .readyToPlay, .failed(one(of: ErrorCode.allCases))])
        let control: TimeControlStatus = one(of: [.paused, .playing, .waitingToPlayAtSpecifiedRate(.toMinimizeStalls)])
        return .init(
            item: item, timeControl: control, rate: rate(), isAtEnd: flag(), isReadyForDisplay: flag(),
            stallCount: number(below: 9), seekableRevision: number(below: 9))
    }

    private mutating func caption() -> DumpFact.Caption {
        .init(
            start: time(), end: time(),
            content: flag() ? .text(text()) : .picture(width: number(below: 2000), height: number(below: 2000)))
    }

    private mutating func option() -> DumpFact.Option { .init(id: text(), language: maybe("pt-BR"), name: maybe(text())) }

    private mutating func command() -> RemoteCommand {
        one(of: [
            .play, .pause, .togglePlayPause, .stop, .changePlaybackPosition(time()), .skip(time()), .restart, .open(id: text()),
            .key(one(of: RemoteKey.allCases)), .beginAnnouncement, .endAnnouncement(shouldResume: flag()),
            .wake, .standby, .setVolume(percent: 40), .setMuted(flag()),
            .selectOutput(id: maybe(text())), .selectAudio(id: text()), .selectSubtitles(id: text()),
            .setCaptions(flag()), .changePlaybackRate(Ratio(3, 2)), .goLive, .showMessage(text(), seconds: 9), .refreshFeed,
            .restartPlayer, .reboot, .selectAngle(id: text()), .goToTimeOfDay(number(below: 86_400)), .checkOut,
            .setWelcome(name: maybe(text())), .showEmergency(text()), .endEmergency, .updateNow,
            .sendSupportBundle(to: "https://desk.example/b"),
        ])
    }

    /// A fact of a kind.
    mutating func fact(_ kind: DumpFact.Kind) -> DumpFact {
        switch kind {
        case .open: .open(id: text())
        case .skipped: .skipped(id: text())
        case .next: .next(id: text(), isAutomatic: flag())
        case .state: .state(status())
        case .frame:
            .frame(
                .init(
                    asset: time(), scheduled: instant(), flip: instant(), sync: maybe(Int64(number(below: 90) - 45)),
                    hash: maybe(UInt64(number(below: 1 << 30)) << 33)))
        case .audio: .audio(asset: time())
        case .end: .end
        case .soundReleased: .soundReleased
        case .place: .place(maybe(SavedPlace(time: time(), owedInterstitial: maybe(text()))))
        case .accessLog:
            .accessLog(
                .init(
                    type: maybe("VOD"), offset: maybe(time()), watched: maybe(time()), stalls: number(below: 9),
                    dropped: number(below: 9)))
        case .errorLog: .errorLog(domain: text(), status: maybe(404), isFatal: flag())
        case .seek: .seek(to: time(), tolerance: one(of: [.zero, .unbounded, .notAfter]))
        case .seekCompleted: .seekCompleted(landed: time(), finished: flag())
        case .boundary: .boundary(asset: time())
        case .scan: .scan(maybe(rate()))
        case .speed: .speed(rate())
        case .willPresent: .willPresent(id: text())
        case .didPresent: .didPresent(id: text(), how: one(of: [.completed, .skipped, .abandoned, .failed]))
        case .interstitial:
            .interstitial(id: text(), number: number(below: 4), count: number(below: 4), elapsed: time())
        case .interstitials: .interstitials(some { .init(id: $0.text(), time: $0.time()) })
        case .metadata: .metadata(some { maker in .init(identifier: maker.text(), text: maker.maybe(maker.text())) })
        case .caption: .caption(maybe(caption()))
        case .select: flag() ? .selectAudible(maybe(option())) : .selectLegible(maybe(option()))
        case .captionsForReplay: .captionsForReplay(flag())
        case .settings: .settings(some { .init(name: $0.text(), value: $0.text()) })
        case .pin: .pin(isRight: flag())
        case .presentVideo: .presentVideo(flag())
        case .task: .task(one(of: BoxTask.allCases))
        case .key: .key(one(of: RemoteKey.allCases), one(of: [.press, .repeat, .release]), device: text())
        case .command: .command(command(), origin: text())
        case .answer:
            .answer(
                flag()
                    ? .success : .failed(one(of: [.linear, .noItem, .noChange, .unknownID, .notSupported, .notReady, .standby])))
        case .interruption:
            flag()
                ? .interruptionBegan(one(of: HoldReason.allCases))
                : .interruptionEnded(one(of: HoldReason.allCases), mayResume: flag())
        case .interface: .interface(one(of: InterfacePart.allCases), value())
        case .route: .route(maybe("hdmi:CARD=vc4hdmi0,DEV=0"))
        case .navigationSound: .navigationSound(one(of: NavigationSound.allCases))
        case .speak: .speak(text())
        case .capture: .capture(file: text(), asset: maybe(time()), shown: instant())
        }
    }
}
