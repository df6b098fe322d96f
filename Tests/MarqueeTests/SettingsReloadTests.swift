import Appliance
import Configuration
import Housekeeping
import LinuxSupport
import TestSupport
import Testing

@testable import marquee

@Suite("Settings that are read again while the player runs", .serialized)
@MainActor
struct SettingsReloadTests {
    /// The file; nil: it cannot be read.
    @MainActor
    private final class File { var text: String? = "[box]\nname = \"room\"\n" }

    @Test("what can change now does, the rest is named, and what cannot be read changes nothing")
    func readAgain() throws {
        let scripted = try ScriptedBox()
        defer { scripted.close() }
        let (box, file) = (scripted.box, File())
        let started = Provisioning(file: file.text, applied: nil).configuration
        let reload = SettingsReload(started, rules: box.appliance.rules, log: box.log) { () throws(ConfigurationError) in
            guard let text = file.text else {
                throw ConfigurationError(code: .system(5), description: "marquee.toml could not be read.")
            }
            return Provisioning(file: text, applied: "[box]\nname = \"room\"\n")
        }
        func read(_ text: String?) -> [String] {
            file.text = text
            let before = box.log.tail(1000).count
            reload.readAgain()
            return Array(box.log.tail(1000)[before...])
        }
        #expect(read(file.text).joined().contains("nothing has changed"))
        var lines = read("[box]\nname = \"other\"\n[sound]\nmax_volume = 40\n[display]\noverscan = 3\n")
        #expect(lines.contains { $0.contains("applied now: display.overscan, sound.max_volume") })
        #expect(lines.contains { $0.contains("started again: box.name") && !$0.contains("sound") })
        #expect(box.player.volume == 0.4 && box.appliance.shown.appearance.overscanPercent == 3)
        // What waits is named each time, until the start.
        lines = read("[box]\nname = \"other\"\n[sound]\nmax_volume = 60\n[display]\noverscan = 3\n")
        #expect(lines.contains { $0.contains("applied now: sound.max_volume") } && lines.contains { $0.contains("box.name") })
        #expect(box.player.volume == 0.6)
        for text in ["[box\n", nil] {
            lines = read(text)
            #expect(lines.count == 1 && lines[0].contains("nothing changes"), "\(lines)")
        }
        #expect(box.player.volume == 0.6)
        // A wrong value is said, and is not applied.
        lines = read("[sound]\nmax_volume = 400\n")
        #expect(lines.contains { $0.contains("sound.max_volume") && $0.contains("wrong") }, "\(lines)")
        #expect(box.player.volume == 1, "its default, because none was stored before")
    }
}
