import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("Changing the audio track without a stop")
@MainActor
struct SoundChangeTests {
    @Test("pictures continue frame by frame, and the new track starts within 300 ms and in sync")
    func change() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        let item = rig.open(FakeMedia(frameCount: 250, soundDuration: .seconds(10), languages: ["es"]))
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(4) }))
        let group = try #require(item.selection.group(.audible))
        let option = try #require(group.options.first { $0.extendedLanguageTag == "es" })
        let asked = rig.clock.now
        let flushes = rig.sink.flushes
        item.selection.select(option, in: group)
        #expect(item.audioTrack?.languageTag == "es")
        #expect(rig.run(within: .seconds(2), until: { rig.sink.flushes > flushes && !rig.sink.enqueued.isEmpty }))
        // Sound is its own number, so the first sample shows where the new track starts.
        let place = rig.player.currentTime
        let first = MediaTime(Int64(rig.sink.enqueued[0]), FakeMedia.sampleRate)
        #expect(first >= place && first - place <= .milliseconds(300), "silence from \(place) to \(first)")
        #expect(rig.clock.now - asked <= .milliseconds(300), "the old sound went on for \(rig.clock.now - asked)")
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.player.state.stallCount == 0)
        #expect(firstDifference(rig.frames.map(\.time), (0..<250).map { MediaTime(Int64($0), 25) }) == nil)
        let worst = rig.frames.compactMap { $0.soundDelay?.magnitude }.max() ?? .zero
        #expect(worst <= .milliseconds(40), "sound and picture are \(worst) apart")
        let numbers = rig.sink.enqueued
        #expect(firstDifference(Array(numbers.prefix(48_000)), ramp(Int(numbers[0])..<Int(numbers[0]) + 48_000)) == nil)
    }

    @Test("a seek during the change plays the new track; changing twice does no harm")
    func seekAndAgain() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        let item = rig.open(FakeMedia(frameCount: 500, soundDuration: .seconds(20), languages: ["es", "fr"]))
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(2) }))
        let group = try #require(item.selection.group(.audible))
        for tag in ["es", "fr", "es"] {
            item.selection.select(group.options.first { $0.extendedLanguageTag == tag }, in: group)
            rig.run(for: .milliseconds(700))
        }
        item.selection.select(group.options.first { $0.extendedLanguageTag == "fr" }, in: group)
        #expect(rig.seek(to: seconds(15)) == true)
        #expect(item.audioTrack?.languageTag == "fr")
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.frames.last?.time == MediaTime(499, 25))
        let worst = rig.frames.compactMap { $0.soundDelay?.magnitude }.max() ?? .zero
        #expect(worst <= .milliseconds(40))
    }

    @Test("while paused nothing is heard, and playback continues with the new track")
    func paused() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        let item = rig.open(FakeMedia(frameCount: 250, soundDuration: .seconds(10), languages: ["es"]))
        rig.player.play()
        #expect(rig.run(until: { rig.player.currentTime >= seconds(3) }))
        rig.player.pause()
        rig.run(for: .milliseconds(100))
        let plays = rig.sink.plays
        let group = try #require(item.selection.group(.audible))
        item.selection.select(group.options.first { $0.extendedLanguageTag == "es" }, in: group)
        rig.run(for: .seconds(1))
        #expect(rig.sink.plays == plays)
        rig.player.play()
        #expect(rig.run(until: { rig.isAtEnd }))
        #expect(rig.player.state.stallCount == 0)
    }
}

@Suite("Sound that begins later", .enabled(if: FFmpegProgram.isPresent, "\(FFmpegProgram.absence)"))
@MainActor
struct LateLanguageTests {
    /// Four seconds of a recording with these tones, in hertz, and their languages.
    private static func piece(_ tones: [(hertz: Int, language: String?)], from start: Int) throws -> [UInt8] {
        var arguments = ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=4"]
        for tone in tones { arguments += ["-f", "lavfi", "-i", "sine=f=\(tone.hertz):r=48000:d=4"] }
        for number in 0...tones.count { arguments += ["-map", "\(number)"] }
        arguments += ["-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-bf", "0", "-c:a", "aac"]
        for (number, tone) in tones.enumerated() {
            if let language = tone.language { arguments += ["-metadata:s:a:\(number)", "language=\(language)"] }
        }
        return try FFmpegProgram.make(
            arguments + ["-muxdelay", "0", "-muxpreload", "0", "-output_ts_offset", "\(start)", "-f", "mpegts"], suffix: "ts")
    }

    @Test("a language that a recording adds later is heard from its beginning, and until then what there is")
    func added() throws {
        let bytes =
            try Self.piece([(440, nil)], from: 0) + Self.piece([(880, "fra"), (1320, "eng")], from: 4)
        let file = try TemporaryFile(bytes, suffix: ".ts")
        let box = try FilmBox()
        defer { box.close() }
        let item = box.open(file.path)
        item.selection.criteria[.audible] = MediaSelectionCriteria(preferredLanguages: ["en"])
        box.player.play()
        // What is heard is noted before a change discards it: the tone of the last tenth of a second, at each fifth picture.
        var heard: [Int?] = []
        box.onEvent = { [unowned box] event in
            guard case .frame = event, box.pictures.count % 5 == 0 else { return }
            let (sink, now) = (box.sink, box.loop.clock.now)
            let rate = sink.format.sampleRate
            guard let start = sink.starts.last(where: { $0.at <= now }) else { return heard.append(nil) }
            let end = start.sample + Int((now - start.at).wholeNanoseconds * Int64(rate) / 1_000_000_000)
            guard end >= rate / 10, end <= sink.samples.count else { return heard.append(nil) }
            heard.append(ToneMeter.tone(in: Array(sink.samples[(end - rate / 10)..<end]), sampleRate: rate))
        }
        #expect(box.run(within: .seconds(20)) { box.endCount == 1 }, "no end")
        // Five notes a second.
        #expect(
            heard.count >= 38 && heard[2..<18].allSatisfy { $0 == 440 } && heard[24..<38].allSatisfy { $0 == 1320 }, "\(heard)")
    }
}
