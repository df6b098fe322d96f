import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell

/// Steps of a pointing device.
@Suite struct PointerMotionTests {
    private static let directions: [RemoteKey] = [.up, .down, .left, .right]

    private func move(_ key: RemoteKey, _ viewer: inout Viewer) {
        viewer.send(.key(RemoteEvent(key: key, phase: .motion, time: viewer.now, device: "mouse")))
    }

    @Test func aRemoteThatIsWavedWhileAFilmPlaysDoesNothing() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        let before = viewer.state
        var position = viewer.position!
        for key in Self.directions + Self.directions {
            move(key, &viewer)
            #expect(viewer.state == before)
            viewer.run(.milliseconds(200))
            #expect(viewer.position! > position, "it goes on, and nothing seeks")
            position = viewer.position!
        }
        #expect(viewer.exactSeeks.isEmpty)
    }

    @Test func itMovesTheFocusOfHomeAsTheKeysDo() {
        var moved = Viewer()
        moved.send(.homeChanged(Items.home))
        var pressed = moved
        for key in [RemoteKey.right, .down, .left, .up, .right] {
            move(key, &moved)
            pressed.press(key)
            #expect(moved.state.home?.focus == pressed.state.home?.focus)
        }
        #expect(moved.state.home != nil)
    }

    @Test func itMovesWithinThePanelAndDoesNotCloseIt() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.down)
        #expect(viewer.state.panel != nil)
        for _ in 0..<4 { move(.up, &viewer) }
        #expect(viewer.state.panel != nil)
    }

    @Test func scrubbingIsForKeysOnly() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.ok)
        viewer.press(.right)
        let scrub = viewer.state.bar?.scrub
        #expect(scrub != nil)
        move(.right, &viewer)
        #expect(viewer.state.bar?.scrub == scrub)
    }
}
