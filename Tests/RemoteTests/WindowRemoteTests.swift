import BoxModel
import LinuxSupport
import Testing

@testable import Remote

@Suite("The keyboard and the mouse of a window")
@MainActor
struct WindowRemoteTests {
    private final class Door: CommandDoor {
        var events: [RemoteEvent] = []
        func handle(_ event: RemoteEvent) -> CommandResult {
            events.append(event)
            return .success
        }
        func perform(_ command: RemoteCommand, from origin: String) -> CommandResult { .success }
    }
    private let door = Door()

    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    private func keys(_ phase: KeyPhase) -> [RemoteKey] { door.events.filter { $0.phase == phase }.map(\.key) }

    @Test("each key of a keyboard does in a window what it does on a box, with its repeats and its release")
    func keyboard() throws {
        let remote = try WindowRemote(door: door)
        let codes = KeyMap.standard.keys.keys.sorted().filter { KeyMap.standard[$0] != .power }
        for code in codes {
            for value in [1, 2, 0] as [Int32] { remote.key(code: code, value: value, at: at(Int64(code))) }
        }
        #expect(keys(.press) == codes.compactMap { KeyMap.standard[$0] })
        #expect(keys(.repeat) == keys(.press) && keys(.release) == keys(.press))
        #expect(door.events.allSatisfy { $0.device == "window" && $0.sendsReleases })
        door.events = []
        remote.key(code: 30, value: 1, at: at(9000))
        #expect(door.events.isEmpty, "a letter is no key of a remote")
    }

    @Test("the buttons are OK and Back, motion and the wheel are steps that only move the focus")
    func mouse() throws {
        let remote = try WindowRemote(door: door)
        for code in [0x110, 0x111] as [UInt16] {
            remote.key(code: code, value: 1, at: at(0))
            remote.key(code: code, value: 0, at: at(50))
        }
        #expect(keys(.press) == [.ok, .back])
        for moment in 0..<8 { remote.move(horizontal: 30, vertical: -2, at: at(1000 + Int64(moment) * 40)) }
        remote.turnWheel(-1, at: at(2000))
        #expect(keys(.motion) == [.right, .right, .down])
        #expect(keys(.press).count == 2)
    }

    @Test("a key map changes the keys of the window, one for every device too, and a wrong one is refused with its entry")
    func keyMap() throws {
        let maps = ["*": ["KEY_R": "red", "KEY_G": "green"], "window": ["KEY_G": "guide"], "event3": ["KEY_B": "blue"]]
        let remote = try WindowRemote(door: door, maps: maps)
        for code in [19, 34, 48] as [UInt16] { remote.key(code: code, value: 1, at: at(0)) }
        #expect(keys(.press) == [.red, .guide])
        let error = #expect(throws: RemoteError.self) { try WindowRemote(door: door, maps: ["window": ["KEY_R": "purple"]]) }
        #expect(String(describing: error).contains("KEY_R"))
    }

    @Test("two presses of the power key in half a second are one")
    func power() throws {
        let remote = try WindowRemote(door: door)
        for time in [0, 200] as [Int64] {
            remote.key(code: 116, value: 1, at: at(time))
            remote.key(code: 116, value: 0, at: at(time + 50))
        }
        #expect(keys(.press) == [.power])
    }
}
