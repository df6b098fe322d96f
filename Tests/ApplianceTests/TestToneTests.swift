import BoxModel
import LinuxSupport
import MediaModel
import Sound
import TestSupport
import Testing

@testable import Appliance

@Suite("The tone by which a viewer hears whether the sound is right")
@MainActor
struct TestToneTests {
    private static let items = """
        [{"id": "one", "type": "movie", "title": "One", "duration": 10, "streams": [{"url": "a.mp4"}]}]
        """

    /// A sink that keeps what it is given after the last flush, and whether it plays.
    private final class Card: AudioSink {
        private let inner: any AudioSink
        private(set) var queued: [Float] = []
        private(set) var plays = 0
        private(set) var releases = 0

        init(_ clock: any HostClock) { inner = NullSink(clock: clock) }

        var name: String { "card" }
        var format: AudioFormat { inner.format }
        var room: Int { inner.room }
        var volume: Float = 1
        var deviceChanges: EventSource<AudioDeviceChange> { inner.deviceChanges }
        func enqueue(_ samples: ArraySlice<Float>) -> Int {
            queued += samples
            return inner.enqueue(samples)
        }
        func play(at time: HostTime) {
            plays += 1
            inner.play(at: time)
        }
        func pause() { inner.pause() }
        func flush() {
            queued = []
            inner.flush()
        }
        func timing() -> AudioTiming? { inner.timing() }
        func release() { releases += 1 }
        func close() {}
    }

    @Test(
        "it is on its own side alone, is as loud as it should be, and neither begins nor ends with a jump", arguments: [1, 2, 6])
    func sides(channels: Int) {
        let format = AudioFormat(sampleRate: 48_000, channels: channels)
        for side in SoundSide.allCases {
            let samples = TestTone.samples(side, format)
            #expect(samples.count == 38_400 * channels)
            for channel in 0..<channels {
                let own = stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
                let isHeard = channels == 1 || channel == (side == .left ? 0 : 1)
                let greatest = own.map(abs).max() ?? 0
                #expect(isHeard ? abs(greatest - 0.1) < 0.001 : greatest == 0, "\(side), channel \(channel): \(greatest)")
                #expect(zip(own, own.dropFirst()).allSatisfy { abs($0 - $1) < 0.007 })
                #expect(own.first == 0 && abs(own.last ?? 1) < 0.001)
            }
        }
    }

    @Test("it is heard while nothing plays, another one replaces it, and then the device is released")
    func alone() throws {
        var made: Card?
        let rig = try BoxRig(sink: { clock in
            let card = Card(clock)
            made = card
            return card
        })
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 250, soundDuration: .seconds(10))])
        try rig.apply(items: Self.items)
        let card = try #require(made)
        for side in [SoundSide.left, .right] { rig.box.carryOut(.playTone(side)) }
        #expect(card.queued == TestTone.samples(.right, card.format) && card.plays == 2)
        rig.run(for: .seconds(11))
        #expect(card.releases == 1)
        rig.box.open(id: "one")
        #expect(rig.run(until: { rig.frames.count > 5 }))
        let queued = card.queued.count
        rig.box.carryOut(.playTone(.left))
        #expect(queued > 0 && card.queued.count == queued, "a programme is not interrupted")
    }
}
