import Foundation
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("The sound keeps step with the screen")
@MainActor
struct ScreenPaceTests {
    /// For how long it plays.
    private static let length = Films.isLong ? Int64(3600) : 120
    /// After so long a picture that was near the edge of a blank is away from it.
    private static let start = MediaTime.seconds(30)

    /// Plays a film with a sound card whose clock is faster by `gain` parts per million.
    ///
    /// - Returns: how many blanks each picture had from `start` on, and how much later its sound was, in milliseconds.
    private func play(_ film: Ratio, on screen: Ratio, gain: Int) throws -> (blanks: Set<Int>, delays: [Double], frames: Int) {
        let rig = try PlayerRig(
            refresh: screen, level: 1, device: { SkewedSink(clock: $0, gain: gain) }, wakes: .standard)
        defer { rig.close() }
        let count = Int(MediaTime.seconds(Self.length).wholeSteps(of: film.period))
        rig.open(FakeMedia(frameCount: count, frameRate: film, soundDuration: .seconds(Self.length)))
        rig.player.play()
        #expect(rig.run(within: .seconds(Self.length + 60)) { rig.isAtEnd })
        let frames = rig.frames.filter { $0.time >= Self.start }
        let interval = Double(screen.period.nanoseconds)
        let blanks = zip(frames, frames.dropFirst()).map {
            Int((Double(($1.flip - $0.flip).wholeNanoseconds) / interval).rounded())
        }
        // Silence follows the end.
        let heard = rig.sink.enqueued.count { $0 != 0 }
        return (Set(blanks), frames.compactMap { $0.soundDelay }.map { Double($0.nanoseconds) / 1e6 }, heard)
    }

    @Test(
        "each picture has its number of blanks, and none is dropped, whatever the clocks of card and mode",
        arguments: [
            (Ratio(25), Ratio(50), 200), (Ratio(25), Ratio(50), -200), (Ratio(50), Ratio(50), 500),
            (Ratio(24), Ratio(24_000, 1001), 0), (Ratio(24_000, 1001), Ratio(24), 100), (Ratio(30_000, 1001), Ratio(60), -100),
        ])
    func steps(film: Ratio, screen: Ratio, gain: Int) throws {
        let (blanks, delays, frames) = try play(film, on: screen, gain: gain)
        let whole = Int((Double(film.period.nanoseconds) / Double(screen.period.nanoseconds)).rounded())
        #expect(blanks == [whole])
        let mean = delays.reduce(0, +) / Double(delays.count)
        #expect(abs(mean) < 10 && delays.allSatisfy { abs($0) < 15 }, "\(mean), \(delays.min()!) to \(delays.max()!) ms")
        // What the card plays in the time that the pictures take on this screen.
        let stretched = Double(whole) * Double(screen.period.nanoseconds) / Double(film.period.nanoseconds)
        let heard = Double(Self.length) * 48_000 * stretched * (1 + Double(gain) / 1e6)
        // The first half minute is its own.
        #expect(abs(Double(frames) - heard) < 48_000 * 0.05, "\(frames) frames, \(heard) expected")
    }

    @Test(
        "sound of a card that keeps step, and sound beside pictures of another rhythm, is not changed",
        arguments: [(Ratio(25), Ratio(50), 0), (Ratio(24), Ratio(60), 200), (Ratio(25), Ratio(60), -300)])
    func untouched(film: Ratio, screen: Ratio, gain: Int) throws {
        let (_, _, frames) = try play(film, on: screen, gain: gain)
        #expect(frames == Int(Self.length) * 48_000)
    }
}

@Suite("Sound at a pace of its own")
struct PacedSoundTests {
    @Test("has as many frames less as it is faster, and no jump", arguments: [200, -200, 1250, -1250, 37])
    func count(pace: Int) {
        var paced = PacedSound(channels: 2)
        paced.pace = pace
        var random = SeededGenerator(seed: 7)
        var out: [Float] = []
        var (given, added) = (0, 0)
        while given < 1_000_000 {
            // The frames of TrueHD are as short, those of FLAC as long.
            let count = Int.random(in: 40...4096, using: &random)
            let tone = (given..<given + count).flatMap { number -> [Float] in
                let value = Float(sin(Double(number) * 2 * .pi * 997 / 48_000))
                return [value, -value]
            }
            let (samples, more) = paced.pass(tone[...])
            out += samples
            given += count
            added += more
        }
        out += paced.rest()
        #expect(out.count == (given + added) * 2)
        #expect(abs(added + given * pace / 1_000_000) <= 3)
        // A tone of 997 Hz changes by 0.1304 from frame to frame at most.
        let steps = stride(from: 2, to: out.count, by: 2).map { abs(out[$0] - out[$0 - 2]) }
        #expect(steps.max()! < 0.1308)
        #expect(stride(from: 0, to: out.count, by: 2).allSatisfy { out[$0] == -out[$0 + 1] })
    }

    @Test("at its own pace it is the same sound, also after another one, and there is a largest pace")
    func edges() {
        var paced = PacedSound(channels: 1)
        let sound = (0..<960).map { Float($0) }
        #expect(paced.pass(sound[...]) == (sound[...], 0))
        paced.pace = 9999
        #expect(paced.pace == PacedSound.limit)
        for _ in 0..<10 { _ = paced.pass(sound[...]) }
        paced.pace = 0
        _ = paced.pass(sound[...])
        #expect(paced.pass(sound[...]) == (sound[...], 0))
        #expect(paced.rest().isEmpty)
    }
}
