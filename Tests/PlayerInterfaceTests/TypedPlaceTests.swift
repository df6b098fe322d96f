import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

/// Digits in a film: a tenth of it, or a minute.
@Suite struct TypedPlaceTests {
    private static let film = Items.episode(interstitials: [], markers: [], duration: 7200)

    private func viewer(_ item: ItemPresentation = film, at place: Int64 = 600, language: String = "en") -> Viewer {
        var viewer = Viewer()
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.language", language)])))
        viewer.send(.homeChanged(Items.channels))
        viewer.open(item)
        viewer.run(.milliseconds(200))
        viewer.place(.seconds(place))
        viewer.run(.seconds(6))
        viewer.effects = []
        return viewer
    }

    private func type(_ digits: String, on viewer: inout Viewer) {
        for digit in digits { viewer.press(RemoteKey(rawValue: "\(digit)")!) }
    }

    @Test(
        "one digit is a tenth of the length, several are a minute",
        arguments: [
            ("5", Int64(3600), "50% · 1:00:00"), ("0", 0, "0% · 0:00"), ("9", 6480, "90% · 1:48:00"), ("45", 2700, "45:00"),
            ("07", 420, "7:00"), ("00", 0, "0:00"), ("119", 7140, "1:59:00"), ("0090", 5400, "1:30:00"), ("90045", 2700, "45:00"),
        ])
    func places(_ digits: String, _ second: Int64, _ words: String) {
        var viewer = viewer()
        type(digits, on: &viewer)
        #expect(viewer.state.numberEntry == NumberEntryView(digits: String(digits.suffix(4)), title: words))
        #expect(viewer.state.bar?.contentTime == .seconds(second), "the bar shows it before anything is sought")
        #expect(viewer.exactSeeks.isEmpty)
        viewer.run(.milliseconds(1459))
        #expect(viewer.exactSeeks.isEmpty)
        viewer.run(.milliseconds(1))
        #expect(viewer.exactSeeks == [.seconds(second)] && viewer.state.numberEntry == nil)
        viewer.run(.seconds(1))
        #expect(viewer.isPlaying && viewer.position! > .seconds(second))
    }

    @Test("tenths are of the length without the advertisements")
    func withoutAdvertisements() {
        var viewer = viewer(
            Items.episode(interstitials: [Items.ad("a1", 100, 200)], watched: ["a1"], markers: [], duration: 1200), at: 600)
        type("5", on: &viewer)
        viewer.press(.ok)
        #expect(viewer.exactSeeks == [.seconds(700)], "500 of 1000 s of content")
    }

    @Test("OK goes there at once, and Back undoes it for five seconds")
    func okAndUndo() {
        var viewer = viewer()
        let origin = viewer.position!
        type("45", on: &viewer)
        #expect(viewer.press(.ok) == .success)
        #expect(viewer.exactSeeks == [.seconds(2700)] && viewer.isPlaying, "OK does not pause")
        viewer.run(.seconds(2))
        #expect(viewer.exactSeeks.count == 1, "it does not go there twice")
        viewer.press(.back)
        viewer.run(.milliseconds(200))
        #expect((viewer.exactSeeks.last! - origin).magnitude < .seconds(1) && viewer.state.screen == .player)
    }

    @Test("Back forgets what is typed, and stays in the film")
    func back() {
        var viewer = viewer()
        type("45", on: &viewer)
        #expect(viewer.press(.back) == .success)
        #expect(viewer.state.numberEntry == nil && viewer.state.screen == .player)
        viewer.run(.seconds(3))
        #expect(viewer.exactSeeks.isEmpty)
    }

    @Test(
        "another key forgets it, the volume does not",
        arguments: [RemoteKey.left, .up, .pause, .menu, .subtitle, .volumeUp, .mute])
    func otherKeys(_ key: RemoteKey) {
        var viewer = viewer()
        type("45", on: &viewer)
        viewer.press(key)
        let isVolume = [.volumeUp, .mute].contains(key)
        #expect((viewer.state.numberEntry == nil) != isVolume)
        viewer.run(.seconds(3))
        #expect(viewer.exactSeeks.contains(.seconds(2700)) == isVolume)
    }

    @Test("a minute after the end is refused in words, as it is typed and when it is complete", arguments: ["en", "de", "ar"])
    func afterTheEnd(_ language: String) {
        var viewer = viewer(language: language)
        type("120", on: &viewer)
        let words = viewer.machine.strings.text(.noSuchPlace, viewer.machine.strings.duration(.seconds(7200)))
        #expect(viewer.state.numberEntry?.title == words)
        #expect(viewer.press(.ok) == .failed(.outOfRange))
        #expect(viewer.state.toast == words && viewer.exactSeeks.isEmpty && viewer.state.numberEntry == nil)
    }

    @Test("in an advertisement it is refused with the time left")
    func advertisement() {
        var viewer = Viewer(watching: Items.episode(), at: 22)
        viewer.send(.homeChanged(Items.channels))
        #expect(viewer.press(.digit5) == .failed(.linear))
        #expect(viewer.state.refusal?.words == "You can skip ahead in 0:08" && viewer.state.numberEntry == nil)
        viewer.run(.seconds(2))
        #expect(viewer.exactSeeks.isEmpty && !viewer.effects.contains { if case .open = $0 { true } else { false } })
    }

    @Test("what may not be sought refuses it in words")
    func locked() {
        var item = Self.film
        item.requiresLinearPlayback = true
        var viewer = viewer(item)
        #expect(viewer.press(.digit5) == .failed(.linear))
        #expect(viewer.state.refusal?.words == "Not available right now")
    }

    @Test("an advertisement that begins meanwhile is not left")
    func advertisementMeanwhile() {
        var viewer = viewer(Items.episode(interstitials: [Items.ad("a1", 607)], markers: [], duration: 7210))
        viewer.run(.milliseconds(300))
        type("45", on: &viewer)
        viewer.run(.seconds(3))
        #expect(viewer.machine.requiresLinearPlayback && viewer.exactSeeks.isEmpty)
    }

    @Test("in a pause it stays paused, and out of a scan it plays on")
    func modes() {
        var viewer = viewer()
        viewer.press(.pause)
        type("45", on: &viewer)
        viewer.press(.ok)
        viewer.run(.seconds(1))
        #expect(viewer.exactSeeks == [.seconds(2700)] && !viewer.isPlaying)
        viewer = self.viewer()
        viewer.press(.ff)
        viewer.run(.seconds(1))
        type("5", on: &viewer)
        viewer.run(.seconds(2))
        #expect(viewer.exactSeeks == [.seconds(3600)] && viewer.isPlaying && viewer.state.bar?.scrub == nil)
    }

    @Test("over the panel it closes that, and on Home and pages digits choose channels as before")
    func elsewhere() {
        var viewer = viewer()
        viewer.press(.down)
        type("5", on: &viewer)
        #expect(viewer.state.panel == nil && viewer.state.numberEntry?.title == "50% · 1:00:00")
        viewer.press(.back)
        viewer.press(.home)
        type("7", on: &viewer)
        #expect(viewer.state.numberEntry == NumberEntryView(digits: "7", title: "Tonight"))
        viewer.run(.seconds(2))
        #expect(viewer.effects.contains(.open(id: "c7")))
    }

    @Test("live channels, and the films of a playlist channel, zap")
    func channels() {
        var viewer = viewer(Items.live(), at: 100)
        viewer.seekable = [TimeRange(start: .zero, end: .seconds(1000))]
        viewer.run(.seconds(1))
        type("7", on: &viewer)
        #expect(viewer.state.numberEntry?.title == "Tonight")
        viewer.run(.seconds(2))
        #expect(viewer.effects.contains(.open(id: "c7")))
        var film = Self.film
        film.channel = "c1"
        viewer = self.viewer(film)
        type("7", on: &viewer)
        #expect(viewer.state.numberEntry?.title == "Tonight")
    }

    @Test("a film that is being opened does not zap")
    func opening() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.channels))
        viewer.open(Self.film)
        #expect(viewer.press(.digit7) == .failed(.notReady))
        #expect(viewer.state.numberEntry == nil)
    }

    @Test("what it leads to ends with the film")
    func leaving() {
        var viewer = viewer()
        type("45", on: &viewer)
        viewer.open(Items.live())
        viewer.run(.seconds(3))
        #expect(viewer.exactSeeks.isEmpty && viewer.state.numberEntry == nil)
    }
}
