import CALSA
import Glibc
import LinuxSupport
import MediaModel
import Testing

@testable import Sound

/// Every call of alsa-lib that reaches a device or a card fails once, and always.
@Suite("Forced errors of alsa-lib", .serialized)
@MainActor
struct ForcedErrorTests {
    nonisolated private static let codes = [EINVAL, EIO, ENODEV, ENOMEM, EPIPE, ESTRPIPE, EPERM]

    /// A call, and the state in which it is made; nil: while it plays.
    struct Fault: Sendable, CustomTestStringConvertible {
        var callback: SoftwarePCM.Callback
        var state: snd_pcm_state_t?
        var testDescription: String { "\(callback)" }
    }
    /// Without `resume`, whose failure alsa-lib's plug-in interface does not pass on; `ALSAFeederTests` has it.
    nonisolated private static let faults = [
        Fault(callback: .start, state: SND_PCM_STATE_XRUN), Fault(callback: .prepare, state: SND_PCM_STATE_XRUN),
        Fault(callback: .pointer), Fault(callback: .transfer), Fault(callback: .delay),
    ]

    @Test(
        "a device is heard again after a call that failed once, and after one that failed until it was opened again",
        arguments: faults)
    func device(_ fault: Fault) throws {
        let loop = try MainLoop(time: .real)
        for code in Self.codes {
            // A device that always fails is given up after a second, whatever it says.
            for isOnce in code == EIO || code == ENODEV ? [true, false] : [true] {
                let library = SoftwareALSA(devices: ["default": .init()])
                let sink = try ALSASink(
                    device: nil, surround: nil, AudioFormat(sampleRate: 48_000, channels: 2), loop: loop, library: library,
                    isCarrying: false, onRemark: nil)
                /// Plays on: the device fetches some frames, and new ones are written.
                func turn() {
                    _ = sink.enqueue(ArraySlice(repeating: 0.5, count: 2 * 480))
                    library.pcm.monitor.update { state in
                        let written = (state.bytes.count - state.earlierBytes) / 8
                        if state.starts > 0 { state.fetched = min(state.fetched + 240, written) }
                    }
                    library.pcm.wantFrames()
                }
                func isHeard(_ pcm: SoftwarePCM, from place: Int) -> Bool {
                    pcm.monitor.read { $0.bytes.dropFirst(place).contains { $0 != 0 } }
                }
                turn()
                sink.play(at: loop.clock.now)
                #expect(reaches(loop, turn) { isHeard(library.pcm, from: 0) })
                let first = library.pcm
                let place = first.monitor.update { state in
                    state.abilities.failures = [fault.callback: -code]
                    state.abilities.failsOnce = isOnce
                    return state.bytes.count
                }
                if let state = fault.state { first.enter(state) }
                let returns = reaches(loop, turn) {
                    let now = library.pcm
                    if now !== first { return isHeard(now, from: 0) }
                    // A failure that was met, unless the device plays without the call.
                    let isOver = now.monitor.read { $0.abilities.failures.isEmpty } || fault.callback == .delay || !isOnce
                    return isOver && isHeard(first, from: place)
                }
                #expect(returns, "\(fault.callback) failed with errno \(code), \(isOnce ? "once" : "always")")
                sink.close()
                #expect(library.monitor.read { $0.opened.allSatisfy { $0.pcm.monitor.read(\.closings) == 1 } })
            }
        }
    }

    /// Runs the loop, a turn every two milliseconds, until a condition holds.
    private func reaches(
        _ loop: MainLoop, _ turn: @escaping @MainActor () -> Void, _ isDone: @escaping @MainActor () -> Bool
    ) -> Bool {
        var (isLate, isOver) = (false, false)
        let limit = loop.clock.schedule(after: .seconds(30)) { isLate = true }
        func look() {
            loop.clock.schedule(after: .milliseconds(2)) {
                guard !isOver else { return }
                turn()
                if !isDone(), !isLate { look() }
            }
        }
        look()
        loop.run(until: { isLate || isDone() })
        isOver = true
        limit.cancel()
        return !isLate
    }

    private func card() -> SoftwareCard {
        SoftwareCard([
            .playbackSwitch("Master", [0, 0]), .playbackVolume("Master", [1, 1], 0...87, decibels: (lowest: -6525, step: 75)),
            .playbackVolume("PCM", [3], 0...7),
            .init(name: "ELD", kind: .bytes, values: [Int](repeating: 0, count: 96), device: 3, isMixer: false),
        ])
    }

    @Test(
        "a card whose call fails is described as far as it answers, is told in sentences, and is closed as often as it was opened",
        arguments: SoftwareCard.Callback.allCases)
    func card(_ callback: SoftwareCard.Callback) throws {
        for code in Self.codes {
            for isOnce in [true, false] {
                let card = card()
                let library = SoftwareALSA(cards: [2: card])
                card.monitor.update { state in
                    state.failures = [callback: -code]
                    state.failsOnce = isOnce
                }
                for line in Unmuting.remarks(card: 2, library: library) {
                    #expect(line.contains("card 2"), "\(line)")
                }
                #expect(CardMixers.all(library).count <= 1)
                #expect(SoundCards(library: library).screens(of: 2).count <= 1)
                #expect(card.monitor.read { $0.openings == $0.closings && $0.openings > 0 })
                card.monitor.update { $0.failures = [:] }
                _ = Unmuting.remarks(card: 2, library: library)
                #expect(card.values("Master Playback Switch") == [1, 1], "the card is switched on when it answers")
            }
        }
    }

    @Test("a device that cannot be opened once, and one that never can, are told", arguments: [ENOENT, EBUSY, ENODEV, EACCES])
    func opening(_ code: Int32) throws {
        let library = SoftwareALSA(devices: ["default": .init()], cards: [:])
        library.monitor.update { $0.openingFailures = [code] }
        let loop = try MainLoop(time: .real)
        func open() throws(MediaError) -> ALSASink {
            try ALSASink(
                device: "default", surround: nil, AudioFormat(sampleRate: 48_000, channels: 2), loop: loop, library: library,
                isCarrying: false, onRemark: nil)
        }
        let error = #expect(throws: MediaError.self) { try open() }
        #expect(error?.code == .soundLost && "\(error!)".contains("errno \(code)"))
        let sink = try open()
        sink.close()
        #expect(library.pcm.monitor.read(\.closings) == 1)
    }
}
