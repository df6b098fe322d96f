import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// Passes events to a machine. When the machine skips the passes for an event, checks that a machine that runs all of them has the same result. All
/// tests with a `Viewer` use it.
enum QuietCheck {
    static func handle(_ event: InterfaceEvent, at now: HostTime, by machine: inout InterfaceMachine) -> [InterfaceEffect] {
        guard machine.quiet != nil, case .playback = event else { return machine.handle(event, at: now) }
        let before = machine.stage.viewing.played.position
        var thorough = machine
        thorough.quiet = nil
        let expected = thorough.handle(event, at: now)
        let effects = machine.handle(event, at: now)
        #expect(effects == expected)
        #expect(machine.state == thorough.state)
        // The whole state is compared only at some instants, because that is slow; less often while no picture follows.
        let period: Int64 = machine.stage.viewing.played.position == before ? 250 : 16
        guard now.nanoseconds / 40_000_000 % period == 0 else { return effects }
        for (one, other) in zip(parts(of: machine), parts(of: thorough)) where one.text != other.text {
            Issue.record("\(one.name) is \(one.text), and \(other.text) when all passes run")
        }
        return effects
    }

    /// The state of a machine, except parts that are constant or large.
    private static func parts(of machine: InterfaceMachine) -> [(name: String, text: String)] {
        let others: Set<String> = [
            "quiet", "policy", "presentation", "home", "flow", "viewing", "transport", "played", "subject", "schedule", "facts",
            "preferences",
            "effects",
        ]
        let viewing = machine.stage.viewing
        let values: [Any] = [machine, machine.stage, viewing, viewing.transport, viewing.played]
        return values.flatMap { Mirror(reflecting: $0).children }.compactMap { child in
            guard let name = child.label, !others.contains(name) else { return nil }
            return (name, "\(child.value)")
        }
    }
}

@Suite struct QuietTests {
    private static let item = ItemPresentation(id: "x") {
        $0.title = "Film"
        $0.duration = .seconds(400)
        $0.interstitials = []
        $0.markers = Items.chapters
    }

    @Test("while only the picture changes, frames are handled without passes")
    func quietPlay() {
        var viewer = Viewer(watching: Self.item, at: 20)
        viewer.run(.milliseconds(400))
        let state = viewer.machine.presentation.number
        var quiet = 0
        for _ in 0..<50 {
            if viewer.machine.quiet != nil { quiet += 1 }
            viewer.run(.milliseconds(40))
        }
        #expect(quiet >= 48)
        #expect(viewer.machine.presentation.number == state)
        #expect(viewer.machine.stage.viewing.played.position == viewer.lastShown)
    }

    @Test("the position is still saved as often as with all passes")
    func placesAreSaved() {
        var viewer = Viewer(watching: Self.item, at: 20)
        viewer.run(.seconds(60))
        let saved = viewer.effects.count { if case .savePlace = $0 { true } else { false } }
        #expect((14...15).contains(saved))
    }

    @Test("a key ends the quiet phase: what it shows follows every frame")
    func keysEndIt() {
        var viewer = Viewer(watching: Self.item, at: 20)
        viewer.run(.seconds(1))
        #expect(viewer.machine.quiet != nil)
        viewer.press(.ok)
        #expect(viewer.machine.quiet == nil)
        viewer.press(.ok)
        viewer.run(.milliseconds(80))
        #expect(viewer.state.bar != nil && viewer.machine.quiet == nil)
        viewer.run(.seconds(10))
        #expect(viewer.state.bar == nil && viewer.machine.quiet != nil)
    }

    @Test("an interstitial with a countdown is never quiet")
    func interstitials() {
        var item = Self.item
        item.interstitials = [Interstitial(id: "ad", range: TimeRange(start: .seconds(30), end: .seconds(40)), kind: .ad)]
        var viewer = Viewer(watching: item, at: 28)
        viewer.run(.seconds(1))
        #expect(viewer.machine.quiet?.end == .seconds(30) - Timing.presentsAheadAtMost)
        viewer.run(.seconds(3))
        #expect(viewer.state.interstitialLabel != nil && viewer.machine.quiet == nil)
        viewer.run(.seconds(10))
        #expect(viewer.state.interstitialLabel == nil && viewer.machine.quiet != nil)
    }
}
