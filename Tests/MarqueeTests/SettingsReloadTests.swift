import Appliance
import Configuration
import Housekeeping
import LinuxSupport
import TestSupport
import Testing

@testable import BoxAssembly
@testable import marquee

@Suite("Settings that are read again while the player runs", .serialized)
@MainActor
struct SettingsReloadTests {
    /// The file; nil: it cannot be read.
    @MainActor
    private final class File {
        var text: String? = "[box]\nname = \"room\"\n"
        var isGone = false
    }

    @Test("what can change now does, the rest is named, and what cannot be read changes nothing")
    func readAgain() throws {
        let scripted = try ScriptedBox()
        defer { scripted.close() }
        let (box, file) = (scripted.box, File())
        let started = Provisioning(file: file.text, applied: nil).configuration
        let reload = SettingsReload(started, rules: box.appliance.rules, log: box.log) { () throws(ConfigurationError) in
            if file.isGone { return Provisioning(file: nil, applied: nil) }
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
        // A wrong value is said, and what is in use stays, with the limits that belong together.
        lines = read("[sound]\nmax_volume = 400\nmin_volume = 50\n[display]\noverscan = 4\n")
        #expect(lines.contains { $0.contains("sound.max_volume") && $0.contains("wrong") }, "\(lines)")
        #expect(lines.contains { $0.contains("kept as they were: sound.max_volume, sound.min_volume") }, "\(lines)")
        #expect(lines.contains { $0.contains("applied now: display.overscan") && !$0.contains("sound") }, "\(lines)")
        #expect(box.player.volume == 0.6 && box.appliance.shown.appearance.overscanPercent == 4)
        #expect(box.appliance.perform(.setVolume(percent: 100), from: "test") == .success && box.player.volume == 0.6)
        // Nor does a file that is gone.
        let before = box.log.tail(1000).count
        file.isGone = true
        reload.readAgain()
        #expect(box.log.tail(1000).count == before + 1 && box.log.tail(1).joined().contains("nothing changes"))
        #expect(box.player.volume == 0.6)
        file.isGone = false
        // When it is right again, the whole of it counts.
        lines = read("[sound]\nmax_volume = 70\nmin_volume = 50\n[display]\noverscan = 4\n")
        #expect(lines.contains { $0.contains("applied now: sound.max_volume, sound.min_volume") }, "\(lines)")
        #expect(box.appliance.perform(.setVolume(percent: 10), from: "test") == .success && box.player.volume == 0.5)
    }
}
