import BoxModel
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Shell
@testable import Viewing

/// The sounds that go with keys, where the viewer has chosen them.
@Suite struct NavigationSoundTests {
    private static let stored: [(name: String, value: String)] = [("interface.sounds", "true")]

    private func viewer(_ settings: [(name: String, value: String)] = Self.stored, hasVoice: Bool = false) -> Viewer {
        var policy = InterfacePolicy()
        policy.hasVoice = hasVoice
        var viewer = Viewer(policy: policy)
        viewer.send(.settingsRestored(ViewerSettings(entries: settings)))
        viewer.send(.wallClock(secondsSinceMidnight: 72_000))
        viewer.send(.homeChanged(Items.home))
        viewer.effects = []
        return viewer
    }

    private func sounds(_ effects: [InterfaceEffect]) -> [NavigationSound] {
        effects.compactMap { if case .navigationSound(let sound, _) = $0 { sound } else { nil } }
    }

    /// The sounds of keys that are pressed one after the other.
    private func sounds(of keys: [RemoteKey], _ viewer: inout Viewer) -> [NavigationSound?] {
        keys.map { key in
            viewer.effects = []
            viewer.press(key)
            let heard = sounds(viewer.effects)
            #expect(heard.count <= 1, "\(key)")
            return heard.first
        }
    }

    @Test func movingChoosingAndAnEdgeHaveTheirSounds() {
        var viewer = viewer()
        #expect(sounds(of: [.right, .right, .right], &viewer) == [.move, .move, .edge])
        #expect(sounds(of: [.down, .down, .up, .up, .up], &viewer) == [.move, .edge, .move, .move, .edge])
        #expect(sounds(of: [.down, .ok], &viewer) == [.move, .choose])
        #expect(viewer.state.programme?.title == "Film")
        #expect(sounds(of: [.left, .down, .back], &viewer) == [.edge, .move, .move])
        #expect(viewer.state.page == nil && sounds(of: [.back], &viewer) == [.edge], "there is nothing behind Home")
    }

    @Test func otherKeysHaveNone() {
        var viewer = viewer()
        let keys: [RemoteKey] = [.volumeUp, .mute, .digit1, .guide, .channelUp, .red, .home, .stop]
        #expect(sounds(of: keys, &viewer) == keys.map { _ in nil })
    }

    @Test func byDefaultThereAreNone() {
        var viewer = viewer([])
        #expect(!viewer.machine.settings[.navigationSounds])
        let keys: [RemoteKey] = [.right, .right, .right, .down, .ok, .down, .back, .back]
        #expect(sounds(of: keys, &viewer) == keys.map { _ in nil })
    }

    @Test func theSettingIsStoredAndAppliesFromItsOwnKey() {
        var viewer = viewer([])
        for key in [RemoteKey.up, .right, .ok] { viewer.press(key) }
        viewer.choose("Audio")
        viewer.effects = []
        viewer.choose("Navigation Sounds")
        #expect(sounds(viewer.effects) == [.choose], "the way to it was silent")
        #expect(viewer.state.settings?.explanation?.isEmpty == false)
        func saved() -> [[String]] {
            viewer.effects.compactMap {
                if case .saveSettings(let new) = $0 { new.entries.map { "\($0.name)=\($0.value)" } } else { nil }
            }
        }
        #expect(saved() == [["interface.sounds=true"]])
        viewer.effects = []
        viewer.press(.ok)
        #expect(saved() == [[]] && sounds(viewer.effects).isEmpty)
        #expect(ViewerSettings(entries: Self.stored)[.navigationSounds])
        #expect(ViewerSettings.knows("interface.sounds", "true") && !ViewerSettings.knows("interface.sounds", "maybe"))
    }

    @Test func aHeldKeySoundsAtEachStepAndOnceAtTheEdge() {
        var viewer = viewer()
        func hold(_ key: RemoteKey) {
            viewer.effects = []
            viewer.down(key)
            for _ in 0..<40 {
                viewer.run(.milliseconds(40))
                viewer.send(.key(RemoteEvent(key: key, phase: .repeat, time: viewer.now, device: "test")))
            }
            viewer.up(key)
        }
        hold(.right)
        #expect(sounds(viewer.effects) == [.move, .move] && viewer.state.home?.focus == .entry(row: 0, column: 2))
        hold(.right)
        #expect(sounds(viewer.effects) == [.edge])
    }

    @Test func overAFilmKeysAreSilentUntilSomethingHasFocus() {
        var viewer = viewer()
        viewer.open(Items.plain)
        viewer.run(.seconds(7))
        #expect(viewer.state.screen == .player)
        #expect(sounds(of: [.right, .left, .ok, .ok], &viewer) == [nil, nil, nil, nil], "these seek and pause")
        viewer.run(.seconds(7))
        #expect(
            sounds(of: [.down, .right, .left, .back], &viewer) == [.move, .move, .move, .move], "the panel opens and closes")
        #expect(viewer.state.panel == nil)
        #expect(sounds(of: [.back], &viewer) == [.move] && viewer.state.screen == .home)
    }

    @Test func aKeyThatWakesTheBoxOrEndsTheScreenSaverHasNone() {
        var viewer = viewer()
        viewer.press(.down)
        viewer.run(.seconds(301))
        #expect(viewer.state.screenSaver != nil)
        #expect(sounds(of: [.right], &viewer) == [nil] && viewer.state.screenSaver == nil)
        #expect(sounds(of: [.power, .ok], &viewer) == [nil, nil] && viewer.state.screen == .home)
        #expect(sounds(of: [.right], &viewer) == [.move])
    }

    @Test func theTestOfTheSoundDelayIsNotDisturbed() {
        var viewer = viewer()
        viewer.options = Items.options
        viewer.open(Items.plain)
        viewer.run(.seconds(1))
        viewer.openTab(.audio)
        viewer.choose("Audio Delay")
        #expect(viewer.state.delay != nil)
        #expect(sounds(of: [.right, .right, .left, .up], &viewer) == [nil, nil, nil, nil])
    }

    @Test func aSoundComesBeforeTheWordsOfTheSameKey() {
        var viewer = viewer(Self.stored + [("interface.speech", "true")], hasVoice: true)
        let effects = viewer.down(.right).filter {
            switch $0 {
            case .navigationSound, .speak: true
            default: false
            }
        }
        #expect(effects == [.navigationSound(.move, asked: viewer.now), .speak("Second, 2 of 3")])
    }

    @Test func theInstantIsThatOfTheKeyAndNotOfItsHandling() {
        var viewer = viewer()
        let pressed = viewer.now - .milliseconds(300)
        let effects = viewer.send(.key(RemoteEvent(key: .right, phase: .press, time: pressed, device: "test")))
        #expect(effects.contains(.navigationSound(.move, asked: pressed)))
    }

    @Test func theKeysOfThePageSoundLikeThoseOfARemote() {
        var viewer = viewer()
        viewer.command(.key(.right))
        viewer.command(.key(.left))
        viewer.command(.key(.left))
        #expect(sounds(viewer.effects) == [.move, .move, .edge])
        #expect(viewer.effects.contains(.navigationSound(.edge, asked: viewer.now)))
    }
}
