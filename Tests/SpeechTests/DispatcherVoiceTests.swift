import Glibc
import LinuxSupport
import Testing

@testable import Speech

@Suite("The voice of speech-dispatcher", .serialized)
@MainActor
struct DispatcherVoiceTests {
    /// A replacement for `spd-say` that records its arguments, one line per run.
    private func recorder() throws -> (command: String, sheet: String) {
        var template = Array("/tmp/marquee-speech-XXXXXX".utf8CString)
        let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
        let (command, sheet) = (folder + "/say", folder + "/sheet")
        let script = "#!/bin/sh\nprintf '%s|' \"$@\" >> \(sheet)\necho >> \(sheet)\n"
        // A process started by another thread must not inherit the open file, because the command could then not be executed.
        let file = try #require(fopen(command, "we"))
        fputs(script, file)
        fclose(file)
        chmod(command, 0o755)
        return (command, sheet)
    }

    private func lines(_ path: String) -> [String] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var text: [UInt8] = []
        while case let byte = fgetc(file), byte != EOF { text.append(UInt8(byte)) }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("text goes to the command, and of waiting texts only the newest") func says() throws {
        let loop = try MainLoop(time: .real)
        let (command, sheet) = try recorder()
        let voice = DispatcherVoice(clock: loop.clock, command: command)
        voice.speak("Home", language: "en-GB")
        voice.speak("passed over", language: "en")
        voice.speak("Settings; rm -rf \"$HOME\"", language: "zh-Hant")
        var isLate = false
        loop.clock.schedule(after: .seconds(60)) { isLate = true }
        loop.run(until: { isLate || lines(sheet).count >= 2 })
        voice.close()
        #expect(lines(sheet) == ["--cancel|--language|en|--|Home|", "--cancel|--language|zh|--|Settings; rm -rf \"$HOME\"|"])
    }

    @Test("a missing command is reported once and harms nothing") func isAbsent() throws {
        let loop = try MainLoop(time: .real)
        let voice = DispatcherVoice(clock: loop.clock, command: "/nowhere/spd-say")
        var told: [String] = []
        voice.onFailure = { told.append($0) }
        voice.speak("Home", language: "en")
        voice.speak("Search", language: "en")
        var isLate = false
        loop.clock.schedule(after: .seconds(60)) { isLate = true }
        loop.run(until: { isLate || !told.isEmpty })
        voice.close()
        #expect(told.count == 1 && told[0].contains("could not be started"))
    }
}
