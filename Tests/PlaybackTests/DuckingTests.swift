import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Playback

private let format = AudioFormat(sampleRate: 48_000, channels: 2)

private func sound(_ seconds: Double, _ level: Float) -> [Float] {
    [Float](repeating: level, count: Int(seconds * 48_000) * 2)
}

@Suite("The programme is lowered during a description")
struct DuckingTests {
    @Test("it falls by 12 dB within 100 ms, in equal steps, from the start of speech")
    func attack() {
        var ducking = Ducking(format)
        #expect(ducking.gains(beside: sound(1, 0)).allSatisfy { $0 == 1 })
        #expect(ducking.gains(beside: sound(1, 0.001)).allSatisfy { $0 == 1 }, "quiet background sound is not speech")
        let gains = ducking.gains(beside: sound(1, 0.1))
        let step = (1 - Ducking.lowered) / 4800
        #expect(abs(gains[0] - (1 - step)) < 1e-6)
        #expect(abs(gains[2399] - (1 + Ducking.lowered) / 2) < 1e-3)
        #expect(gains[4810...].allSatisfy { $0 == Ducking.lowered })
    }

    @Test("it stays lowered between words, and rises within half a second, 300 ms after the last word")
    func release() {
        var ducking = Ducking(format)
        _ = ducking.gains(beside: sound(0.5, 0.1))
        #expect(ducking.gains(beside: sound(0.2, 0)).allSatisfy { $0 == Ducking.lowered })
        _ = ducking.gains(beside: sound(0.5, -0.1))
        #expect(!ducking.isAtRest)
        let gains = ducking.gains(besideSilence: 48_000)
        #expect(gains[..<14_400].allSatisfy { $0 == Ducking.lowered })
        #expect(gains[14_400] > Ducking.lowered)
        #expect(abs(gains[14_400 + 12_000] - (1 + Ducking.lowered) / 2) < 1e-3)
        #expect(gains[(Ducking.tail(format) + 10)...].allSatisfy { $0 == 1 })
        #expect(ducking.isAtRest)
    }
}

@Suite("A description is mixed by its asset time")
@MainActor
struct DescriptionMixerTests {
    private let queue = BoundedQueue<Decoded<AudioBuffer>>(capacity: 100, ledger: nil)

    private func say(at time: MediaTime, _ seconds: Double, level: Float = 0.5) {
        _ = queue.push(.media(AudioBuffer(format: format, samples: sound(seconds, level), time: time)))
    }

    /// How far the programme has been read.
    private final class Reading { var programme = MediaTime.seconds(1) }

    private func programme(at time: MediaTime, _ seconds: Double) -> AudioBuffer {
        AudioBuffer(format: format, samples: sound(seconds, 0.25), time: time)
    }

    @Test("only the described part is lowered and mixed, to the sample; samples before and after are unchanged")
    func places() {
        let mixer = DescriptionMixer(queue, format: format)
        say(at: MediaTime(48_001, 48_000), 1)
        _ = queue.push(.end)
        mixer.takeIn(until: .seconds(5))
        #expect(mixer.covers(.seconds(9)))
        let mixed = mixer.mixed(programme(at: .zero, 4))
        #expect(mixed.samples[..<96_002].allSatisfy { $0 == 0.25 })
        #expect(mixed.samples[96_002] > 0.7)
        #expect(mixed.samples[120_000] == 0.25 * Ducking.lowered + 0.5)
        #expect(mixed.samples[2 * 96_000] == 0.25 * Ducking.lowered + 0.5 && mixed.samples[2 * 96_001] == 0.25 * Ducking.lowered)
        #expect(mixed.samples.suffix(96_000).allSatisfy { $0 == 0.25 })
        // The result does not depend on the size of the pieces, and is the same for each request.
        let pieces = (0..<40).flatMap { mixer.mixed(programme(at: MediaTime(Int64($0), 10), 0.1)).samples }
        #expect(pieces == mixed.samples)
    }

    @Test("the programme waits for sound that is being decoded, and for a gap only until it is known to be one")
    func holes() {
        let read = Reading()
        let mixer = DescriptionMixer(queue, format: format) { (.milliseconds(500), read.programme) }
        mixer.takeIn(until: .seconds(1))
        #expect(!mixer.covers(.milliseconds(100)))
        say(at: .zero, 0.5)
        mixer.takeIn(until: .seconds(1))
        #expect(mixer.covers(.milliseconds(500)) && !mixer.covers(.seconds(1)))
        read.programme = .seconds(4)
        mixer.takeIn(until: .seconds(1))
        #expect(mixer.covers(.seconds(2)) && !mixer.covers(.milliseconds(2001)))
        // In the gap the programme returns to full volume without a step.
        let hole = mixer.mixed(programme(at: .milliseconds(500), 1.5)).samples
        #expect(hole[0] == 0.25 * Ducking.lowered && hole.last == 0.25)
        #expect(zip(hole, hole.dropFirst()).allSatisfy { abs($1 - $0) < 0.001 })
        say(at: .seconds(3), 0.5)
        mixer.takeIn(until: .seconds(3))
        #expect(mixer.covers(.milliseconds(3500)))
        #expect(mixer.mixed(programme(at: .milliseconds(3300), 0.1)).samples.allSatisfy { $0 == 0.25 * Ducking.lowered + 0.5 })
    }

    @Test("a description that fails to decode is reported once, and the programme continues")
    func failure() {
        let mixer = DescriptionMixer(queue, format: format)
        _ = queue.push(.broken(MediaError(.decoderUnsupported, "It was made to fail.")))
        mixer.takeIn(until: .seconds(1))
        #expect(mixer.covers(.seconds(100)) && mixer.takeFailure() != nil && mixer.takeFailure() == nil)
        #expect(mixer.mixed(programme(at: .zero, 0.1)).samples.allSatisfy { $0 == 0.25 })
    }
}
