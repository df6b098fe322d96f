import BoxModel
import CEvdev
import LinuxSupport
import Testing

@testable import Remote

@Suite("Key maps")
struct KeyMapTests {
    @Test(
        "codes of remotes and keyboards map to the printed keys",
        arguments: [
            (KEY_UP, "up"), (KEY_DOWN, "down"), (KEY_LEFT, "left"), (KEY_RIGHT, "right"), (KEY_OK, "ok"), (KEY_SELECT, "ok"),
            (KEY_ENTER, "ok"), (KEY_KPENTER, "ok"), (KEY_BACK, "back"), (KEY_ESC, "back"), (KEY_EXIT, "back"),
            (KEY_BACKSPACE, "back"),
            (KEY_PLAYPAUSE, "playpause"), (KEY_SPACE, "playpause"), (KEY_PLAY, "play"), (KEY_PLAYCD, "play"),
            (KEY_PAUSE, "pause"),
            (KEY_PAUSECD, "pause"), (KEY_STOP, "stop"), (KEY_STOPCD, "stop"), (KEY_FASTFORWARD, "ff"), (KEY_REWIND, "rw"),
            (KEY_NEXTSONG, "next"), (KEY_NEXT, "next"), (KEY_PREVIOUSSONG, "prev"), (KEY_PREVIOUS, "prev"),
            (KEY_CHANNELUP, "ch+"),
            (KEY_CHANNELDOWN, "ch-"), (KEY_INFO, "info"), (KEY_SUBTITLE, "subtitle"), (KEY_AUDIO, "audio"),
            (KEY_LANGUAGE, "audio"),
            (KEY_AUDIO_DESC, "audio"), (KEY_MENU, "menu"), (KEY_CONTEXT_MENU, "menu"), (KEY_ROOT_MENU, "home"),
            (KEY_HOMEPAGE, "home"),
            (KEY_HOME, "home"), (KEY_NUMERIC_0, "0"), (KEY_NUMERIC_9, "9"), (KEY_0, "0"), (KEY_1, "1"), (KEY_9, "9"),
            (KEY_VOLUMEUP, "vol+"), (KEY_VOLUMEDOWN, "vol-"), (KEY_MUTE, "mute"), (KEY_POWER, "power"), (KEY_POWER2, "power"),
            (KEY_SLEEP, "power"), (KEY_EPG, "guide"), (KEY_LAST, "last"), (KEY_RED, "red"), (KEY_GREEN, "green"),
            (KEY_YELLOW, "yellow"), (KEY_BLUE, "blue"),
        ])
    func standard(code: Int32, key: String) { #expect(KeyMap.standard[UInt16(code)]?.rawValue == key) }

    @Test("every key of the player is on at least one remote")
    func everyKey() {
        let reachable = Set(KeyMap.standard.keys.values)
        #expect(RemoteKey.allCases.allSatisfy(reachable.contains))
    }

    @Test("over CEC the television's Return, which is EXIT, is Back; Backward and Forward, which are BACK and FORWARD, skip")
    func cec() {
        #expect(KeyMap.cec[UInt16(KEY_EXIT)] == .back)
        #expect(KeyMap.cec[UInt16(KEY_BACK)] == .prev)
        #expect(KeyMap.cec[UInt16(KEY_FORWARD)] == .next)
        #expect(KeyMap.cec[UInt16(KEY_PAUSECD)] == .pause)
        #expect(KeyMap.standard[UInt16(KEY_FORWARD)] == nil)
    }

    @Test("a device's own map changes or removes codes")
    func changes() throws {
        #expect(KeyMap.cec[UInt16(KEY_PREVIOUS)] == .last, "Previous Channel")
        #expect(KeyMap.cec[UInt16(KEY_EPG)] == .guide && KeyMap.cec[UInt16(KEY_BLUE)] == .blue)
        let changes = try KeyMap.changes(["KEY_RED": "subtitle", "0x18f": "audio", "28": "none"], device: "Sofa")
        let map = KeyMap.standard.merging(changes)
        #expect(map[UInt16(KEY_RED)] == .subtitle)
        #expect(map[UInt16(KEY_GREEN)] == .audio)
        #expect(map[UInt16(KEY_ENTER)] == nil)
        #expect(map[UInt16(KEY_OK)] == .ok)
    }

    @Test(
        "a wrong entry is reported with its device",
        arguments: [(["KEY_NOSUCH": "ok"], "KEY_NOSUCH"), (["KEY_RED": "okay"], "okay"), (["70000": "ok"], "70000")])
    func faults(entries: [String: String], word: String) {
        #expect {
            _ = try KeyMap.changes(entries, device: "Sofa")
        } throws: { error in
            (error as? RemoteError)?.kind == .keyMap && "\(error)".contains(word) && "\(error)".contains("Sofa")
        }
    }
}

@Suite("From key codes to events")
struct KeyTranslatorTests {
    private func translator(sendsReleases: Bool = false) -> KeyTranslator {
        KeyTranslator(device: "event7", map: .standard, sendsReleases: sendsReleases)
    }
    private func at(_ milliseconds: Int64) -> HostTime { HostTime(nanoseconds: milliseconds * 1_000_000) }

    @Test("1, 2 and 0 are press, repeat and release, with the kernel's timestamps")
    func phases() {
        var translator = translator(sendsReleases: true)
        let events = [(Int32(1), 10), (2, 260), (2, 293), (0, 300)].compactMap {
            translator.event(code: UInt16(KEY_LEFT), value: $0.0, time: at(Int64($0.1)))
        }
        #expect(events.map(\.phase) == [.press, .repeat, .repeat, .release])
        #expect(events.map(\.time) == [at(10), at(260), at(293), at(300)])
        #expect(events.allSatisfy { $0.key == .left && $0.device == "event7" && $0.sendsReleases })
    }

    @Test("a device counts as sending releases after its first release, even of an unmapped key")
    func learning() {
        var translator = translator()
        #expect(translator.event(code: UInt16(KEY_UP), value: 1, time: at(0))?.sendsReleases == false)
        #expect(translator.event(code: UInt16(KEY_F1), value: 0, time: at(10)) == nil)
        #expect(translator.event(code: UInt16(KEY_UP), value: 0, time: at(20))?.sendsReleases == true)
        #expect(translator.event(code: UInt16(KEY_UP), value: 1, time: at(30))?.sendsReleases == true)
    }

    @Test("a key that was down before the device was opened does nothing when it is released")
    func strayRelease() {
        var translator = translator()
        #expect(translator.event(code: UInt16(KEY_ENTER), value: 0, time: at(0)) == nil)
        #expect(translator.event(code: UInt16(KEY_ENTER), value: 2, time: at(0)) == nil)
    }

    @Test("a removed device releases its keys once, in the order in which they were pressed")
    func loss() {
        var translator = translator()
        for code in [KEY_RIGHT, KEY_OK, KEY_F1, KEY_UP] { _ = translator.event(code: UInt16(code), value: 1, time: at(0)) }
        _ = translator.event(code: UInt16(KEY_OK), value: 0, time: at(5))
        let events = translator.releaseAll(at: at(9))
        #expect(events.map(\.key) == [.right, .up])
        #expect(events.allSatisfy { $0.phase == .release && $0.time == at(9) })
        #expect(translator.releaseAll(at: at(10)).isEmpty)
    }

    @Test("only event nodes are used, ordered by number")
    func nodes() {
        #expect(EventNode(path: "/dev/input/event12")?.name == "event12")
        #expect(EventNode(path: "/dev/input/mouse0") == nil)
        #expect(EventNode(path: "/dev/input/event") == nil)
        #expect(EventNode(path: "/dev/input/event2")! < EventNode(path: "/dev/input/event10")!)
    }
}
