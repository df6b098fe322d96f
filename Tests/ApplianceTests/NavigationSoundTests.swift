import BoxModel
import LinuxSupport
import MediaModel
import Sound
import TestSupport
import Testing
import Viewing

@testable import Appliance

@Suite("Sounds of the interface, in the box")
@MainActor
struct NavigationSoundTests {
    private static let items = """
        [{"id": "one", "type": "movie", "title": "One", "duration": 10, "streams": [{"url": "a.mp4"}]},
         {"id": "two", "type": "movie", "title": "Two", "duration": 10, "streams": [{"url": "a.mp4"}]}]
        """

    /// A card that only one program can open.
    private final class Card: AudioSink {
        private let inner: any AudioSink
        private(set) var mixed: [NavigationSound] = []
        private(set) var releases = 0

        init(_ clock: any HostClock) { inner = NullSink(clock: clock) }

        var name: String { "card" }
        var format: AudioFormat { inner.format }
        var room: Int { inner.room }
        var volume: Float = 1
        var deviceChanges: EventSource<AudioDeviceChange> { inner.deviceChanges }
        var occupiesCard: Bool { true }
        func enqueue(_ samples: ArraySlice<Float>) -> Int { inner.enqueue(samples) }
        func play(at time: HostTime) { inner.play(at: time) }
        func pause() { inner.pause() }
        func flush() { inner.flush() }
        func mix(_ sound: NavigationSound, asked: HostTime) { mixed.append(sound) }
        func timing() -> AudioTiming? { inner.timing() }
        func release() { releases += 1 }
        func close() {}
    }

    private final class Voice: SpeechDoor {
        private(set) var said: [String] = []
        func speak(_ words: String, language: String) { said.append(words) }
        func stop() {}
    }

    private func rig(
        _ settings: [(name: String, value: String)] = [("interface.sounds", "true")], voice: Voice? = nil
    ) throws -> (rig: BoxRig, card: Card) {
        let store = MemorySettingsStore()
        store.save(settings)
        var card: Card?
        let rig = try BoxRig(
            viewer: ViewerParts(settings: store, voice: voice),
            sink: { clock in
                let made = Card(clock)
                card = made
                return made
            })
        rig.put(["a.mp4": FakeMedia(frameCount: 250, soundDuration: .seconds(10))])
        try rig.apply(items: Self.items)
        return (rig, try #require(card))
    }

    @Test("a stored setting is in force after a start, and each sound is in the dump")
    func restored() throws {
        let (rig, card) = try rig()
        defer { rig.close() }
        rig.press(.right)
        rig.press(.right)
        rig.press(.ok)
        #expect(card.mixed == [.move, .edge, .choose])
        #expect(rig.told(.navigationSound) == card.mixed.map { .navigationSound($0) })
        let (silent, other) = try self.rig([])
        defer { silent.close() }
        silent.press(.right)
        #expect(other.mixed.isEmpty && silent.told(.navigationSound).isEmpty)
    }

    @Test("a muted box has none, and none is heard in standby")
    func muted() throws {
        let (rig, card) = try rig()
        defer { rig.close() }
        rig.press(.mute)
        rig.press(.right)
        #expect(card.mixed.isEmpty)
        rig.press(.mute)
        rig.press(.left)
        #expect(card.mixed == [.move])
        rig.press(.power)
        rig.press(.ok)
        #expect(card.mixed == [.move] && rig.standbys == [true, false])
    }

    @Test("a device that only a sound has opened is released ten seconds after the last one, and not while something plays")
    func released() throws {
        let (rig, card) = try rig()
        defer { rig.close() }
        rig.press(.right)
        rig.run(for: .seconds(6))
        rig.press(.left)
        rig.run(for: .seconds(6))
        #expect(card.releases == 0)
        rig.run(for: .seconds(5))
        #expect(card.releases == 1)
        rig.press(.right)
        rig.box.open(id: "one")
        #expect(rig.run(until: { rig.frames.count > 5 }))
        rig.press(.home)
        rig.press(.down)
        #expect(card.mixed.count == 4)
        rig.run(for: .seconds(5))
        #expect(card.releases == 1, "it plays in the corner")
    }

    @Test("with spoken focus a card is left to the voice while nothing plays; over a programme the sounds are heard")
    func besideVoice() throws {
        let voice = Voice()
        let (rig, card) = try rig([("interface.sounds", "true"), ("interface.speech", "true")], voice: voice)
        defer { rig.close() }
        rig.press(.right)
        #expect(card.releases == 1 && voice.said.last == "Two, 2 of 2", "the card is free before the words")
        let count = card.mixed.count
        rig.press(.left)
        #expect(card.mixed.count == count && card.releases == 1 && voice.said.last == "One, 1 of 2")
        rig.box.open(id: "one")
        #expect(rig.run(until: { rig.frames.count > 5 }))
        rig.press(.home)
        rig.press(.down)
        #expect(card.mixed.count > count && card.releases == 1)
    }
}
