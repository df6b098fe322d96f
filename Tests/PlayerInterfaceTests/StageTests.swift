import LinuxSupport
import MediaModel
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

@Suite struct StageTests {
    private let entry = HomeContent.Entry(id: "locked", title: "Locked")

    private func turn(hasPIN: Bool = false) -> StageTurn {
        var policy = InterfacePolicy()
        policy.hasPIN = hasPIN
        let parts = InterfaceContext.Parts(
            home: HomeModel(), schedule: Schedule(), preferences: Preferences(strings: .english), policy: policy,
            sleep: SleepTimer(), pinLock: PINLock(), searches: SearchHistory(), firstRun: FirstRunCourse(),
            now: HostTime(nanoseconds: 1_000_000_000))
        return StageTurn(
            parts: parts, lastPress: nil, idleBeforePress: .zero, isDirectionHeld: false, isHeldWithoutReleases: false,
            isProbablyAway: false)
    }

    @Test("in standby nothing plays and nothing is over the screen")
    func standby() {
        var (flow, turn) = (StageFlow(), turn())
        flow.itemChanged(Items.plain, &turn)
        #expect(flow.stage.screen == .player && flow.stage.hasItem)
        flow.open(.card(Card(.slow)))
        flow.goToStandby(&turn)
        flow.open(.card(Card(.end)))
        #expect(flow.stage.screen == .standby && !flow.stage.hasItem && flow.stage.overlays.isEmpty)
        #expect(turn.effects.last == .standby && turn.consequences.last == .standby)
        flow.wake(&turn)
        #expect(flow.stage.screen == .home && !flow.stage.hasItem && flow.stage.overlays.isEmpty)
    }

    @Test("an item that needs the PIN wakes the screen like any other item; without the PIN nothing of it stays")
    func lockedInStandby() {
        var (flow, turn) = (StageFlow(), turn(hasPIN: true))
        flow.goToStandby(&turn)
        flow.locked(entry, rating: nil, &turn)
        #expect(flow.stage.screen == .home && flow.stage.overlays.pin != nil)
        #expect(flow.stage.viewing.played.opening?.id == "locked")
        flow.cancelPIN(&turn)
        #expect(flow.stage.viewing.played.playingID == nil && flow.stage.overlays.isEmpty && turn.effects.last == .leavePlayer)
    }

    @Test("a copy of the stage keeps its item when the original changes")
    func copies() {
        var (flow, turn) = (StageFlow(), turn())
        flow.itemChanged(Items.plain, &turn)
        let before = flow.stage
        flow.view(&turn) { viewing, _ in viewing.transport.bar.show(.bar) }
        #expect(flow.stage.viewing.bar.isVisible && !before.viewing.bar.isVisible)
    }

    @Test("a shown frame changes the item in place")
    func inPlace() throws {
        func storage(of machine: InterfaceMachine) throws -> ObjectIdentifier {
            let storage = Mirror(reflecting: machine.stage).descendant("state", "player", "viewing", "storage")
            return ObjectIdentifier(try #require(storage) as AnyObject)
        }
        var machine = InterfaceMachine()
        var now = HostTime(nanoseconds: 1_000_000_000)
        _ = machine.handle(.itemChanged(Items.plain), at: now)
        let before = try storage(of: machine)
        for frame in 0..<100 {
            if frame.isMultiple(of: 2) { machine.quiet = nil }  // handled with all passes
            now = now + .milliseconds(40)
            let snapshot = PlaybackSnapshot(state: .playing, position: .milliseconds(Int64(frame) * 40), rate: .one)
            _ = machine.handle(.playback(snapshot), at: now)
            #expect(machine.quiet != nil, "the next frame can be handled without passes")
        }
        #expect(try storage(of: machine) == before)
    }
}
