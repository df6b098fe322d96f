import BoxModel
import LinuxSupport
import TestSupport
import Testing
import Viewing

@testable import Appliance

@Suite("The driver of the interface")
@MainActor
struct InterfaceDriverTests {
    @MainActor
    private final class Delegate: InterfaceDriverDelegate {
        var onEffect: (InterfaceEffect) -> Void = { _ in }
        private(set) var changes = 0

        func carryOut(_ effect: InterfaceEffect) { onEffect(effect) }
        func stateChanged() { changes += 1 }
    }

    @Test("a command inside the effect of another waits, and is not answered with the result of an earlier one")
    func nested() throws {
        let loop = try MainLoop(time: .simulated)
        let driver = InterfaceDriver(InterfacePolicy(), clock: loop.clock)
        let delegate = Delegate()
        driver.delegate = delegate
        #expect(driver.ask(.command(.pause, origin: "test")) == .failed(.noItem))
        var answers: [CommandResult] = []
        delegate.onEffect = { effect in
            guard case .changeVolume = effect else { return }
            answers.append(driver.ask(.command(.pause, origin: "test")))
        }
        let mute = RemoteEvent(key: .mute, phase: .press, time: loop.clock.now, device: "test")
        _ = driver.ask(.key(mute))
        #expect(answers == [.failed(.notSupported)])
    }

    @Test("changes of the screen are reported once for all events of a group, and not if nothing has changed")
    func changes() throws {
        let loop = try MainLoop(time: .simulated)
        let driver = InterfaceDriver(InterfacePolicy(), clock: loop.clock)
        let delegate = Delegate()
        driver.delegate = delegate
        driver.collect {
            driver.send(.toast("One"))
            driver.send(.toast("Two"))
            #expect(delegate.changes == 0 && driver.machine.state.toast == nil)
        }
        #expect(delegate.changes == 1 && driver.machine.state.toast == "Two")
        driver.send(.toast("Two"))
        #expect(delegate.changes == 1)
        #expect(loop.run(within: .seconds(60), until: { driver.machine.state.toast == nil }))
        #expect(delegate.changes == 2)
    }
}
