import BoxModel
import LinuxSupport
import Testing
import Viewing

@testable import Appliance

/// A reference to `Holds`, because a mutating call cannot be part of an expectation.
private final class Held {
    private var value = Holds()

    var interruptions: [HoldReason] { value.interruptions }
    var pausesAfterFade: HoldReason? { value.pausesAfterFade }

    func began(_ reason: HoldReason, isPlaying: Bool, at now: HostTime) -> Bool {
        value.began(reason, isPlaying: isPlaying, at: now)
    }

    func ended(_ reason: HoldReason, mayGoOn: Bool, at now: HostTime) -> Holds.End {
        value.ended(reason, mayGoOn: mayGoOn, at: now)
    }

    func paused(for reason: HoldReason) { value.paused(for: reason) }
    func found(_ reason: HoldReason) -> Bool { value.found(reason) }
    func keyChanged(_ event: RemoteEvent) { value.keyChanged(event) }
    func asked(_ command: RemoteCommand, by origin: Origin) { value.asked(command, by: origin) }
}

@Suite("Reasons to hold playback, and when it resumes")
struct HoldsTests {
    private func at(_ seconds: Int) -> HostTime { HostTime.zero + .seconds(seconds) }

    private func press(_ key: RemoteKey, _ phase: KeyPhase = .press) -> RemoteEvent {
        RemoteEvent(key: key, phase: phase, time: .zero, device: "test")
    }

    /// The keys with which a viewer takes over.
    private static let takingOver: Set<RemoteKey> = [.pause, .playpause, .play, .ok, .stop, .back, .home]

    @Test(
        "which keys take over from an interruption, on their press and not on their release", arguments: RemoteKey.allCases)
    func keys(key: RemoteKey) {
        for phase in [KeyPhase.press, .release] {
            let holds = Held()
            #expect(holds.began(.heat, isPlaying: true, at: at(0)))
            holds.keyChanged(press(key, phase))
            let takesOver = phase == .press && Self.takingOver.contains(key)
            #expect(holds.pausesAfterFade == (takesOver ? nil : .heat), "\(key) \(phase)")
            #expect(holds.ended(.heat, mayGoOn: true, at: at(1)) == (takesOver ? .restoreSound : .goOn), "\(key) \(phase)")
        }
    }

    @Test(
        "a viewer's command takes over and one of a hold does not; a playback that was restored as paused counts as paused by the viewer"
    )
    func origins() {
        let commands: [(RemoteCommand, Bool)] = [
            (.play, true), (.pause, true), (.togglePlayPause, true), (.stop, true), (.restart, false),
        ]
        for (command, takesOver) in commands {
            for origin in [Origin.viewer(device: "heat"), .session, .hold(.heat)] {
                let holds = Held()
                _ = holds.began(.heat, isPlaying: true, at: at(0))
                holds.asked(command, by: origin)
                let isTaken = takesOver && origin != .hold(.heat)
                #expect(holds.ended(.heat, mayGoOn: true, at: at(1)) == (isTaken ? .restoreSound : .goOn), "\(command) \(origin)")
            }
        }
    }

    @Test("of several interruptions the last to end decides, and a key between two is forgotten with the first")
    func several() {
        let holds = Held()
        #expect(holds.began(.announcement, isPlaying: true, at: at(0)))
        #expect(!holds.began(.heat, isPlaying: false, at: at(1)), "playback that is already paused is not faded again")
        #expect(holds.pausesAfterFade == .announcement)
        #expect(holds.ended(.announcement, mayGoOn: true, at: at(2)) == .none)
        #expect(holds.interruptions == [.heat])
        #expect(holds.ended(.heat, mayGoOn: false, at: at(3)) == .restoreSound)
        #expect(holds.ended(.heat, mayGoOn: true, at: at(3)) == .none, "it has ended already")
        #expect(holds.began(.heat, isPlaying: true, at: at(4)))
        holds.keyChanged(press(.back))
        #expect(holds.ended(.heat, mayGoOn: true, at: at(5)) == .restoreSound)
        #expect(holds.began(.heat, isPlaying: true, at: at(6)))
        #expect(holds.ended(.heat, mayGoOn: true, at: at(7)) == .goOn)
    }

    @Test("an item that was paused when an interruption started stays paused when it ends")
    func paused() {
        let holds = Held()
        #expect(!holds.began(.announcement, isPlaying: false, at: at(0)))
        #expect(holds.pausesAfterFade == nil)
        #expect(holds.ended(.announcement, mayGoOn: true, at: at(1)) == .none)
    }

    @Test("an input change is forgotten after five minutes; heat and announcements are not", arguments: [300, 301])
    func late(seconds: Int) {
        for reason in [HoldReason.otherInput, .heat, .announcement] {
            let holds = Held()
            _ = holds.began(reason, isPlaying: true, at: at(0))
            let isForgotten = reason == .otherInput && seconds > 300
            #expect(holds.ended(reason, mayGoOn: true, at: at(seconds)) == (isForgotten ? .restoreSound : .goOn))
        }
    }

    @Test("when a lost device returns playback resumes, unless a key was pressed meanwhile")
    func losses() {
        let holds = Held()
        #expect(!holds.found(.display), "nothing was lost")
        holds.paused(for: .display)
        #expect(!holds.found(.sound))
        #expect(holds.found(.display))
        #expect(!holds.found(.display), "once")
        for event in [press(.volumeUp), press(.info, .release)] {
            holds.paused(for: .display)
            holds.keyChanged(event)
            #expect(!holds.found(.display))
        }
        holds.paused(for: .display)
        holds.asked(.pause, by: .viewer(device: "web"))
        #expect(holds.found(.display))
        holds.paused(for: .emergency)
        holds.keyChanged(press(.info, .release))
        #expect(holds.found(.emergency), "its press was before the message")
    }

    @Test(
        "what was lost and returns while an interruption lasts waits for its end, unless the viewer has taken over",
        arguments: [false, true])
    func lossAndInterruption(isTaken: Bool) {
        let holds = Held()
        holds.paused(for: .emergency)
        #expect(!holds.began(.heat, isPlaying: false, at: at(0)))
        if isTaken { holds.asked(.play, by: .viewer(device: "web")) }
        #expect(holds.found(.emergency) == isTaken)
        #expect(holds.pausesAfterFade == (isTaken ? nil : .heat))
        #expect(holds.ended(.heat, mayGoOn: true, at: at(1)) == (isTaken ? .none : .goOn))
    }
}
