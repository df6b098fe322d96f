import Composition
import Glibc
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Export

private let films = [
    NumberedFilm("render-one.mp4").with {
        $0.frames = 200; $0.soundSeconds = "8"
    },
    NumberedFilm("render-two.mkv", audio: ["-c:a", "pcm_s16le"]).with {
        $0.frames = 200; $0.soundSeconds = "8"
    },
]

private func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }
private func range(_ first: Int, _ count: Int) -> TimeRange { TimeRange(start: frame(first), duration: frame(count)) }
private func piece(_ url: String, from first: Int, _ count: Int, at place: Int, lasting: Int? = nil) -> CompositionTrackSegment {
    CompositionTrackSegment(.media(SourceReference(url: url), range(first, count)), target: range(place, lasting ?? count))
}
private func hole(_ place: Int, _ count: Int) -> CompositionTrackSegment {
    CompositionTrackSegment(.empty, target: range(place, count))
}

@Suite("Exports that render", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct RenderingTests {
    private let studio: Studio
    private let paths: [String]

    init() throws {
        studio = try Studio()
        paths = try films.map { try $0.path() }
    }

    private func export(
        _ document: CompositionDocument, to name: String = "out.mp4", _ change: (inout ExportSettings) -> Void = { _ in }
    ) -> AssetExportSession.Status {
        studio.export(.composition(document, name: "programme"), to: name) {
            $0.preset = .h264At1080
            $0.speed = "ultrafast"
            // Nothing is lost: what is composed can be compared.
            $0.quality = 0
            change(&$0)
        }.status
    }

    private func refusal(_ document: CompositionDocument, _ change: (inout ExportSettings) -> Void = { _ in }) -> String? {
        guard case .failed(let error) = export(document, change) else { return nil }
        #expect(studio.names == [])
        return error.sentence
    }

    /// The first film to 3 s, the second one from 2 s on, with a dissolve of 25 pictures between them.
    private var dissolve: CompositionDocument {
        let one = CompositionTrack(id: TrackID(1), type: .video, segments: [piece(paths[0], from: 10, 75, at: 0)])
        let two = CompositionTrack(
            id: TrackID(2), type: .video, segments: [hole(0, 50), piece(paths[1], from: 103, 75, at: 50)])
        let sound = CompositionTrack(id: TrackID(3), type: .audio, segments: [piece(paths[0], from: 25, 125, at: 0)])
        let ramp = RampCurve(1.0, [Ramp(range(50, 25), from: 0, to: 1)])
        let video = VideoComposition(
            renderSize: RenderSize(width: 128, height: 72), frameDuration: frame(1),
            instructions: [
                VideoCompositionInstruction(range(0, 50), layers: [LayerInstruction(track: TrackID(1))]),
                VideoCompositionInstruction(
                    range(50, 25),
                    layers: [LayerInstruction(track: TrackID(2), opacity: ramp), LayerInstruction(track: TrackID(1))]),
                VideoCompositionInstruction(range(75, 50), layers: [LayerInstruction(track: TrackID(2))]),
            ])
        return CompositionDocument(Composition(tracks: [one, two, sound]), videoComposition: video)
    }

    @Test(
        "a dissolve is written as it is played: each picture is the mix of both that the ramp says, within 2 of 255",
        arguments: [ExportFileType.mp4, .fragmentedMP4])
    func dissolving(type: ExportFileType) throws {
        #expect(export(dissolve) { $0.fileType = type } == .completed)
        let output = studio.path("out.mp4")
        let frames = try studio.frames(output)
        let (one, two) = (try studio.frames(paths[0]), try studio.frames(paths[1]))
        #expect(frames.map(\.time) == (0..<125).map(frame))
        for (number, shown) in frames.enumerated() {
            let weight = min(max(Double(number - 50) / 25, 0), 1)
            let (first, second) = (number < 75 ? one[10 + number].levels : [], number >= 50 ? two[53 + number].levels : [])
            for (field, level) in shown.levels.enumerated() {
                let wanted = (first.isEmpty ? 0 : first[field] * (1 - weight)) + (second.isEmpty ? 0 : second[field] * weight)
                #expect(abs(level - wanted) <= 2, "field \(field) of picture \(number)")
            }
        }
        let description = try studio.description(output)
        #expect(description.tracks.map(\.codec) == ["h264", "aac"])
        #expect(description.tracks.first?.frameRate == Ratio(25))
    }

    @Test("a range of a composed programme begins and ends between pictures, and with them its sound")
    func part() throws {
        let cut = TimeRange(start: frame(20) + .milliseconds(10), end: frame(80) + .milliseconds(30))
        #expect(export(dissolve) { $0.range = cut } == .completed)
        let output = studio.path("out.mp4")
        let frames = try studio.frames(output)
        // The picture of the start is shown for the rest of its time.
        #expect(frames.map(\.time) == [.zero] + (21...80).map { frame($0) - cut.start })
        #expect(frames[..<30].map(\.number) == (20..<50).map { 10 + $0 })
        #expect(frames.suffix(6).map(\.number) == (75...80).map { 53 + $0 })
        // The click at 2 s of the first film is at 1 s of the programme.
        let heard = try studio.sound(output)
        let samples = ToneMeter.channel(0, of: heard.flatMap(\.samples), channels: 2)
        let start = try #require(heard.first).time.seconds
        let clicks = ToneMeter.onsets(in: samples).map { Double($0) / 48_000 + start }
        #expect(clicks.count == 3)
        for (click, wanted) in zip(clicks, [1, 2, 3]) { #expect(abs(click - (Double(wanted) - cut.start.seconds)) < 0.002) }
        let duration = try #require(try studio.description(output).duration)
        #expect((duration - cut.duration).magnitude < .milliseconds(40))
    }

    @Test("several sound tracks become one, each at its volume and at the speed of its segments")
    func mixing() throws {
        // Clicks at the seconds of the film: of the first track at 0.5 s and 1.5 s, of the second at 1 s and 1.5 s (twice as fast), half as loud.
        let one = CompositionTrack(
            id: TrackID(1), type: .audio, segments: [piece(paths[1], from: 13, 50, at: 0)])
        let two = CompositionTrack(
            id: TrackID(2), type: .audio,
            segments: [hole(0, 20), piece(paths[1], from: 65, 50, at: 20, lasting: 25), hole(45, 30)])
        let mix = AudioMix(inputParameters: [
            AudioMixInputParameters(track: TrackID(1), volume: RampCurve(1, [Ramp(at: .seconds(1), 0)])),
            AudioMixInputParameters(track: TrackID(2), volume: RampCurve(0.5)),
        ])
        let document = CompositionDocument(Composition(tracks: [one, two]), audioMix: mix)
        #expect(export(document) { $0.preset = .audio } == .completed)
        let description = try studio.description(studio.path("out.mp4"))
        #expect(description.tracks.map(\.type) == [.audio])
        // A hole at the end of a track is silence that is written.
        let duration = try #require(description.duration)
        #expect((duration - .seconds(3)).magnitude < .milliseconds(1), "\(duration)")
        let heard = try studio.sound(studio.path("out.mp4"))
        let samples = ToneMeter.channel(0, of: heard.flatMap(\.samples), channels: 2)
        let start = try #require(heard.first).time.seconds
        func peak(_ time: Double) -> Float {
            let place = Int((time - start) * 48_000)
            return samples[max(place - 1500, 0)..<min(place + 1500, samples.count)].map(abs).max() ?? 0
        }
        let full = peak(0.48)
        #expect(full > 0.3)
        #expect(abs(peak(1) / full - 0.5) < 0.15, "\(peak(1)) of \(full)")
        #expect(abs(peak(1.5) / full - 0.5) < 0.15, "\(peak(1.5)) of \(full)")
        #expect(peak(0.25) < full / 2 && peak(2.5) < 0.01)
    }

    @Test("an announcement lowers the programme by the ramps of its ducking, in the sound that is exported")
    func ducking() throws {
        let programme = CompositionTrack(id: TrackID(1), type: .audio, segments: [piece(paths[1], from: 0, 125, at: 0)])
        let voice = CompositionTrack(
            id: TrackID(2), type: .audio, segments: [hole(0, 50), piece(paths[1], from: 0, 25, at: 50), hole(75, 50)])
        let composition = Composition(tracks: [programme, voice])
        let ducking = MixDucking(announcements: [TrackID(2)])
        // The announcement itself is not heard: what is left is the programme.
        func sound(_ ducking: MixDucking?) throws -> [Float] {
            let mix = AudioMix(inputParameters: [
                AudioMixInputParameters(track: TrackID(1), ducking: ducking),
                AudioMixInputParameters(track: TrackID(2), volume: RampCurve(0)),
            ])
            let renderer = try #require(studio.services.renderer)
            let media = try renderer.openSound(
                of: CompositionDocument(composition, audioMix: mix), in: range(0, 125),
                format: AudioFormat(sampleRate: 48_000, channels: 1), streams: OpenStreams())
            var samples: [Float] = []
            while let buffers = try media.next() { samples += buffers.flatMap(\.samples) }
            return samples
        }
        let (full, ducked, curve) = (try sound(nil), try sound(ducking), ducking.curve(in: composition))
        #expect(full.count == 240_000 && full.count == ducked.count)
        let wrong = full.indices.first { index in
            abs(Double(ducked[index]) - Double(full[index]) * curve.value(at: MediaTime(Int64(index), 48_000))) > 1e-6
        }
        #expect(wrong == nil)
        #expect(full.contains { abs($0) > 0.1 })
        // Copying cannot do it.
        let mix = AudioMix(inputParameters: [AudioMixInputParameters(track: TrackID(1), ducking: ducking)])
        let words = refusal(CompositionDocument(composition, audioMix: mix)) { $0.preset = .passthrough }
        #expect(words?.contains("\"audioMix\" changes the sound") == true)
    }

    @Test("pictures of a slow segment are shown longer, without a video composition too")
    func slow() throws {
        let track = CompositionTrack(
            id: TrackID(1), type: .video,
            segments: [piece(paths[0], from: 10, 10, at: 0), piece(paths[0], from: 100, 20, at: 10, lasting: 40)])
        let document = CompositionDocument(Composition(tracks: [track]))
        #expect(export(document) { $0.range = range(5, 25) } == .completed)
        let frames = try studio.frames(studio.path("out.mp4"))
        #expect(frames.map(\.number) == Array(15..<20) + Array(100..<110))
        #expect(frames.map(\.time) == (0..<5).map(frame) + (0..<10).map { frame(5 + 2 * $0) })
        // A range that begins within the slow segment.
        #expect(export(document, to: "within.mp4") { $0.range = range(30, 20) } == .completed)
        let within = try studio.frames(studio.path("within.mp4"))
        #expect(within.map(\.number) == Array(110..<120))
        #expect(within.map(\.time) == (0..<10).map { frame(2 * $0) })
    }

    @Test("what cannot be rendered is refused with the reason, and leaves no file")
    func refusals() throws {
        let document = dissolve
        #expect(refusal(document) { $0.preset = .passthrough }?.contains("passthrough copies them; use a preset") == true)
        // The finding of `compose check`.
        let bare = CompositionDocument(document.composition)
        let finding = try #require(bare.obstacleToPlaying)
        #expect(finding.pointer.description == "/tracks/1")
        #expect(refusal(bare) == "Exporting programme was refused: \(finding).")
        #expect(refusal(CompositionDocument(Composition())) { $0.preset = .audio }?.contains("is empty") == true)
        // 8 s of film are not enough.
        let early = CompositionTrack(id: TrackID(2), type: .audio, segments: [piece(paths[1], from: 150, 75, at: 0)])
        let two = Composition(tracks: [
            CompositionTrack(id: TrackID(1), type: .audio, segments: [piece(paths[1], from: 0, 75, at: 0)]), early,
        ])
        let words = refusal(CompositionDocument(two)) { $0.preset = .audio }
        #expect(words?.contains("segment 1 of track 2 ends 1.000 s before its range") == true, "\(words ?? "")")
        let gone = Composition(tracks: [
            CompositionTrack(id: TrackID(1), type: .audio, segments: [piece(studio.path("gone.mp4"), from: 0, 75, at: 0)]), early,
        ])
        #expect(refusal(CompositionDocument(gone)) { $0.preset = .audio }?.contains("gone.mp4") == true)
        // The source is never written over, although it is only rendered.
        let same = export(document, to: paths[0]) { $0.replaces = true }
        guard case .failed(let error) = same, error.sentence.contains("it is the source") else {
            Issue.record("\(same)")
            return
        }
        // Also one that is only rendered.
        let own = studio.path("own.mkv")
        try studio.bytes(paths[1]).write(own)
        let rendered = CompositionDocument(
            Composition(tracks: [CompositionTrack(id: TrackID(1), type: .video, segments: [piece(own, from: 0, 5, at: 0)])]),
            videoComposition: VideoComposition(
                renderSize: RenderSize(width: 128, height: 72), frameDuration: frame(1),
                instructions: [VideoCompositionInstruction(range(0, 5), layers: [LayerInstruction(track: TrackID(1))])]))
        let overwritten = export(rendered, to: own) { $0.replaces = true }
        if case .failed(let error) = overwritten { #expect(error.sentence.contains("it is the source")) }
        #expect(overwritten != .completed)
        #expect(try studio.bytes(own) == studio.bytes(paths[1]))
        unlink(own)
        studio.services.renderer = nil
        #expect(refusal(document)?.contains("nothing renders compositions here") == true)
    }

    @Test("sound that overlaps is encoded once, and a hole is silence")
    func overlap() throws {
        let encoder = SoundTrackEncoder(ExportSettings(output: "none"), duration: .seconds(3), writers: FFmpegWriters())
        func sound(at time: MediaTime) -> AudioBuffer {
            AudioBuffer(
                format: AudioFormat(sampleRate: 48_000, channels: 1), samples: [Float](repeating: 0.1, count: 48_000), time: time)
        }
        var samples: [WrittenSample] = []
        for time in [MediaTime.zero, .milliseconds(500), .milliseconds(400), .seconds(2)] {
            samples += try encoder.encode(sound(at: time))
        }
        samples += try encoder.finish()
        #expect(encoder.end == .seconds(3))
        let length = samples.reduce(MediaTime.zero) { $0 + ($1.sample.duration ?? .zero) }
        // The delay of the codec, and the rest of its last frame.
        #expect((.seconds(3) ... .milliseconds(3064)).contains(length), "\(length)")
    }

    @Test("sound alone of a composed programme needs no pictures")
    func sound() throws {
        #expect(export(dissolve) { $0.preset = .audio } == .completed)
        #expect(try studio.description(studio.path("out.mp4")).tracks.map(\.codec) == ["aac"])
    }
}
