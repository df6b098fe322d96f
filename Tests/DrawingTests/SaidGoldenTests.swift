import BoxModel
import MediaModel
import MediaTime
import Testing
import Viewing

/// What the voice says on the way through the box, key by key, compared with golden texts in several languages.
@Suite("What is said matches the golden texts", .serialized)
@MainActor
struct SaidGoldenTests {
    nonisolated static let languages = ["en", "ar", "ja", "de"]

    @Test("on the way through Home, Settings, Search, the guide, the panel, a PIN and cards", arguments: languages)
    func tour(language: String) throws {
        let lines = Samples.$language.withValue(language) { Self.tour() }
        // Nothing is repeated.
        for (one, next) in zip(lines, lines.dropFirst()) { #expect(one.said.isEmpty || one.said != next.said, "\(next.key)") }
        #expect(lines.count { !$0.said.isEmpty } > 30)
        try Golden.compare(lines.map { "\($0.key): \($0.said.joined(separator: " | "))" }, with: "said-\(language).txt")
    }

    private struct Line {
        var key: String
        var said: [String]
    }

    private static var settings: ViewerSettings {
        var settings = ViewerSettings()
        settings[.spokenFocus] = true
        return settings
    }

    private static func tour() -> [Line] {
        var lines: [Line] = []
        func note(_ key: String, _ box: inout SampleBox, _ act: (inout SampleBox) -> Void) {
            let before = box.said.count
            act(&box)
            lines.append(Line(key: key, said: Array(box.said[before...])))
        }
        func press(_ keys: [RemoteKey], _ box: inout SampleBox) {
            for key in keys { note(key.rawValue, &box) { $0.press(key) } }
        }
        var box = SampleBox(settings) { $0.hasVoice = true }
        let (forward, backward) = (box.forward, box.backward)
        note("Home", &box) {
            $0.send(.guideChanged(SampleFeed.guide))
            $0.send(.homeChanged(SampleFeed.home))
        }
        press(
            [forward, forward, .down, forward, .up, .up, forward, forward, .ok, .down, .ok, .down, .down, .ok, .back, .back], &box
        )
        press([backward, .ok, .down, forward, .back, backward, .ok, forward, .down, .down, .back], &box)
        press(
            [
                .down, backward, backward, .ok, .up, .down, .down, .down, .ok, forward, .down, backward, .down, .back, .back,
                forward, forward,
            ], &box)
        note("a locked programme", &box) { $0.send(.locked(SampleFeed.home.rows[0].entries[2], rating: "16")) }
        press([forward, .down, .ok, .ok, .ok, .ok, .back], &box)
        note("an episode", &box) { box in
            box.player.options = SampleFeed.options
            box.play(SampleFeed.episode { _ in }, at: SampleFeed.asset(ofContent: 866))
        }
        press([.ok, .up, forward, .back, .back, .down, forward, .down, forward, .up, forward, .down, .down, .back], &box)
        note("five seconds", &box) { $0.pass(.seconds(5)) }
        note("the source fails", &box) {
            $0.player.state = .failed(MediaError(.sourceMissing, "HTTP 404"))
            $0.tell()
            $0.pass(.seconds(6))
        }
        press([forward], &box)
        var watching = SampleBox(settings) { $0.hasVoice = true }
        watching.player.options = SampleFeed.options
        watching.play(SampleFeed.episode { _ in }, at: SampleFeed.asset(ofContent: 866))
        press([.audio, .down, .down, .down, .ok, forward, forward, backward, .back], &watching)
        var searching = SampleBox(settings) { $0.hasVoice = true }
        note("Home with recent searches", &searching) {
            $0.send(.homeChanged(SampleFeed.home))
            $0.send(.searchesRestored(Array(SampleFeed.searches.prefix(2))))
        }
        press([.up, .ok], &searching)
        if case .search(let view)? = searching.state.page { press(Array(repeating: forward, count: view.columns), &searching) }
        press([.down, .down, .ok, .back, .up, .ok, .back], &searching)
        var browsing = SampleBox(settings) { $0.hasVoice = true }
        note("Home with programmes", &browsing) { $0.send(.homeChanged(SampleFeed.home)) }
        press([.ok, .down, .down, .down, .down, .down, forward, .ok, .back, .back], &browsing)
        press([.ok, .down, .down, .ok, forward, .down, .down, .down, forward, .up, .back, .back], &browsing)
        var reminded = SampleBox(settings) { $0.hasVoice = true }
        note("Home with a guide", &reminded) {
            $0.send(.guideChanged(SampleFeed.guide))
            $0.send(.homeChanged(SampleFeed.home))
        }
        press([.guide, forward, .ok, .up, .back, .down, .down, .down], &reminded)
        note("a programme with a reminder begins", &reminded) {
            $0.send(.wallClock(secondsSinceMidnight: (21 * 60 + 19) * 60 + 10))
        }
        press([forward, .back], &reminded)
        var choosing = Samples.wireless(Samples.wirelessStatus, settings)
        note("the Wi-Fi page", &choosing) { $0.press(.down) }
        press([.down, .down, .ok, .down, .ok, .right, .down], &choosing)
        for digit in "1357913" { note(String(digit), &choosing) { $0.type(String(digit)) } }
        press([.down, .down, .right, .ok, .ok, .down, .down], &choosing)
        note("Connect", &choosing) { $0.press(.ok) }
        note("the network is being joined", &choosing) { Samples.joining(.joining, &$0) }
        note("it refuses the password", &choosing) { Samples.joining(.failed(.passphraseRefused), &$0) }
        press([.ok, .back, .up, .up, .up, .ok, .back, .back], &choosing)
        var unlocked = SampleBox(settings) { ($0.hasVoice, $0.hasPIN, $0.setsPIN) = (true, false, true) }
        unlocked.send(.homeChanged(SampleFeed.home))
        note("a locked programme without a PIN", &unlocked) {
            $0.send(.locked(SampleFeed.home.rows[0].entries[2], rating: "16"))
        }
        note("Create PIN", &unlocked) {
            $0.press(.menu)
            $0.choose(.parental, .createPIN)
        }
        press([.digit1, .digit3, .digit5, .digit7, .digit1, .digit3, .digit5, .digit8, .back], &unlocked)
        var hearing = SampleBox(settings) { ($0.hasVoice, $0.soundRoute) = (true, Samples.soundRoute) }
        hearing.send(.homeChanged(SampleFeed.home))
        note("Settings, Audio", &hearing) {
            $0.press(.menu)
            $0.choose(.sound)
        }
        press([.down, .ok, .down, .down, .ok], &hearing)
        return lines
    }
}
