import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// Six seconds: the programme is 400 Hz at 0.25 on the left, the description 1 kHz at 0.2 on the right, from 2 s to 3.5 s.
private let film: [UInt8]? = try? described(
    programme: "0.25*sin(2*PI*400*t)|0", description: "0|0.2*sin(2*PI*1000*t)*between(t\\,2\\,3.49999)")

/// A click every second in both tracks, on either side.
private let clicks: [UInt8]? = try? described(
    programme: "0.5*eq(mod(n\\,48000)\\,24000)|0", description: "0|0.5*eq(mod(n\\,48000)\\,24000)")

/// The description starts late: it has no sound before five seconds.
private let late: [UInt8]? = try? described(
    programme: "0.25*sin(2*PI*400*t)|0", description: "0|0.2*sin(2*PI*1000*t)", offset: 5, length: 1)

private func described(programme: String, description: String, offset: Int = 0, length: Int = 6) throws -> [UInt8] {
    SupplementaryAudio.mark(
        try FFmpegProgram.make(
            [
                "-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=6", "-f", "lavfi", "-i", "aevalsrc=\(programme):s=48000:d=6",
                "-itsoffset", "\(offset)", "-f", "lavfi", "-i", "aevalsrc=\(description):s=48000:d=\(length)", "-map", "0",
                "-map", "1", "-map", "2", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-c:a", "s302m", "-strict", "-2",
                "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=eng", "-disposition:a:1", "visual_impaired",
                "-muxdelay", "0", "-muxpreload", "0",
            ], suffix: "ts"))
}

@MainActor
private func wantsDescriptions(_ item: PlayerItem) {
    item.selection.criteria[.audible] = MediaSelectionCriteria(
        preferredLanguages: ["en"], preferredMediaCharacteristics: [OptionCharacteristic.describesVideo])
}

@Suite(
    "An audio description is mixed with the programme",
    .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct DescriptionTests {
    private func recorder(_ films: [UInt8]?...) throws -> RecordedBox {
        try RecordedBox(
            Dictionary(uniqueKeysWithValues: try films.enumerated().map { ("film\($0.offset)", try #require($0.element)) }))
    }

    /// The longest silence of the programme in frames, apart from its own zero crossings, up to a tenth of a second before the end.
    private func longestSilence(of programme: [Float]) -> Int {
        var (silence, longest) = (0, 0)
        for sample in programme.dropLast(4800) {
            silence = abs(sample) < 0.0001 ? silence + 1 : 0
            longest = max(longest, silence)
        }
        return longest
    }

    /// Checks that both are present and that the programme is lowered exactly while the description speaks. All seconds are asset time.
    ///
    /// - Parameter slack: an allowance where time stretching joins pieces, at which two unrelated tones are not both in phase.
    private func expectMix(_ left: [Float], _ right: [Float], speed: Double = 1, slack: Double = 0.02) {
        func programme(_ range: ClosedRange<Double>) -> Double { amplitude(in: left, at(range)) / 0.25 }
        func description(_ range: ClosedRange<Double>) -> Double { amplitude(in: right, at(range)) / 0.2 }
        func at(_ range: ClosedRange<Double>) -> ClosedRange<Double> { range.lowerBound / speed...range.upperBound / speed }
        #expect(abs(programme(0.3...1.9) - 1) < 0.02)
        #expect(abs(programme(2.2...3.4) - Double(Ducking.lowered)) < slack)
        #expect(abs(programme(3.55...3.75) - Double(Ducking.lowered)) < 0.02)
        #expect(abs(programme(4.4...5.8) - 1) < 0.02)
        #expect(description(0.3...1.9) < 0.01)
        #expect(abs(description(2.1...3.4) - 1) < 0.03)
        #expect(description(3.7...5.8) < 0.01)
    }

    @Test("both tones are recorded, the programme 12 dB lower during the description and unchanged before and after")
    func mixed() throws {
        let box = try recorder(film)
        let item = box.insert("film0", configure: wantsDescriptions)
        box.player.play()
        #expect(box.run(toEnd: 1))
        #expect(item.descriptionTrack?.isDependent == true && item.audioTrack?.isDependent == false)
        #expect(box.runs.count == 1)
        let channels = try box.recording()
        #expect(abs(channels[0].count - 6 * 48_000) < 4800)
        expectMix(channels[0], channels[1])
        #expect(channels[0].allSatisfy { abs($0) < 0.26 })
    }

    @Test("without the setting only the programme is heard")
    func unasked() throws {
        let box = try recorder(film)
        let item = box.insert("film0") { $0.selection.criteria[.audible] = MediaSelectionCriteria(preferredLanguages: ["en"]) }
        box.player.play()
        #expect(box.run(toEnd: 1))
        #expect(item.descriptionTrack == nil)
        let channels = try box.recording()
        #expect(abs(amplitude(of: 400, in: channels[0], 2.2...3.4) / 0.25 - 1) < 0.01)
        #expect(channels[1].allSatisfy { $0 == 0 })
    }

    @Test("they are in sync to the sample, also after a seek")
    func inStep() throws {
        let box = try recorder(clicks)
        box.insert("film0", configure: wantsDescriptions)
        box.player.play()
        #expect(box.run(until: .milliseconds(1800)))
        box.player.seek(to: .milliseconds(3200), toleranceBefore: .zero, toleranceAfter: .zero)
        #expect(box.run(toEnd: 1))
        let channels = try box.recording()
        let (left, right) = (ToneMeter.onsets(in: channels[0]), ToneMeter.onsets(in: channels[1]))
        #expect(left == right && left.count == 5)
    }

    @Test(
        "it is switched on and off during playback without a gap in the programme, and takes effect within 300 ms"
    )
    func switching() throws {
        let box = try recorder(film)
        let item = box.insert("film0") { $0.selection.criteria[.audible] = MediaSelectionCriteria(preferredLanguages: ["en"]) }
        box.player.play()
        #expect(box.run(until: .milliseconds(2500)))
        let group = try #require(item.selection.group(.audible))
        item.selection.select(group.options.first(where: \.isAudioDescription), in: group)
        #expect(box.run(until: .milliseconds(3100)))
        item.selection.select(group.options.first { !$0.isAudioDescription }, in: group)
        #expect(box.run(toEnd: 1))
        #expect(box.player.state.stallCount == 0)
        let channels = try box.recording()
        #expect(abs(channels[0].count - 6 * 48_000) < 4800)
        let heard = channels[1].indices.filter { channels[1][$0] != 0 }
        let first = Double(try #require(heard.first)) / 48_000
        let last = Double(try #require(heard.last)) / 48_000
        #expect((2.5...2.8).contains(first) && (3.1...3.4).contains(last), "from \(first) to \(last)")
        let longest = longestSilence(of: channels[0])
        #expect(longest < 4800, "\(longest) frames of silence")
        #expect(abs(amplitude(of: 400, in: channels[0], 4.6...5.8) / 0.25 - 1) < 0.02)
    }

    @Test("at another speed both keep their pitch, and the programme is lowered at the same asset times")
    func speed() throws {
        let box = try recorder(film)
        box.insert("film0", configure: wantsDescriptions)
        #expect(box.play(at: Ratio(3, 2)))
        #expect(box.run(toEnd: 1))
        let channels = try box.recording()
        expectMix(channels[0], channels[1], speed: 1.5, slack: 0.13)
    }

    @Test("the programme does not wait for a description that is not loaded yet, which is heard when it arrives")
    func sparse() throws {
        let box = try recorder(late)
        box.insert("film0", configure: wantsDescriptions)
        box.player.play()
        #expect(box.run(until: .milliseconds(500)))
        #expect(box.run(toEnd: 1))
        #expect(box.player.state.stallCount == 0)
        let channels = try box.recording()
        #expect(abs(amplitude(of: 400, in: channels[0], 0.3...4.9) / 0.25 - 1) < 0.01)
        #expect(channels[1][..<239_000].allSatisfy { $0 == 0 })
        #expect(abs(amplitude(of: 1000, in: channels[1], 5.1...5.9) / 0.2 - 1) < 0.03)
        #expect(abs(amplitude(of: 400, in: channels[0], 5.2...5.9) / 0.25 - Double(Ducking.lowered)) < 0.02)
    }

    @Test("a description whose decoder hangs is abandoned, and the programme loses nothing", arguments: [0, 2500])
    func hanging(_ milliseconds: Int) throws {
        var made: HangingDescription?
        let box = try RecordedBox(["film0": try #require(film)]) { codecs, clock in
            let hanging = HangingDescription(codecs, at: .milliseconds(Int64(milliseconds)), clock: clock)
            made = hanging
            return hanging
        }
        let codecs = try #require(made)
        defer { codecs.release() }
        box.insert("film0", configure: wantsDescriptions)
        box.player.play()
        #expect(box.run(toEnd: 1))
        let channels = try box.recording()
        let programme = channels[0]
        #expect(abs(programme.count - 6 * 48_000) < 4800)
        let longest = longestSilence(of: programme)
        #expect(longest < 4800, "\(longest) frames of silence")
        #expect(abs(amplitude(of: 400, in: programme, 0.3...1.9) / 0.25 - 1) < 0.02)
        #expect(abs(amplitude(of: 400, in: programme, 4.6...5.8) / 0.25 - 1) < 0.02)
        let described = amplitude(of: 1000, in: channels[1], 2.05...2.4) / 0.2
        #expect(abs(described - (milliseconds > 0 ? 1 : 0)) < 0.03)
    }

    @Test("consecutive items have no gap, each with its description")
    func queue() throws {
        let box = try recorder(film, film)
        box.insert("film0", configure: wantsDescriptions)
        box.insert("film1", configure: wantsDescriptions)
        box.player.play()
        #expect(box.run(toEnd: 2))
        let channels = try box.recording()
        let length = 6 * 48_000
        #expect(abs(channels[0].count - 2 * length) < 4800)
        expectMix(channels[0], channels[1])
        expectMix(Array(channels[0][length...]), Array(channels[1][length...]))
    }
}
