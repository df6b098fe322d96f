import Composition
import LinuxSupport
import MediaCodec
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Export

private let film = NumberedFilm("export.mp4").with {
    $0.frames = 250; $0.soundSeconds = "10"
}

/// A machine without encoders, as the box is, or without a muxer.
private final class PoorWriters: WriterFactory {
    private let writers = FFmpegWriters()
    let muxes: Bool
    init(muxes: Bool = true) { self.muxes = muxes }

    func canWrite(_ container: WrittenContainer) -> Bool { muxes && writers.canWrite(container) }
    func canEncode(_ format: EncodedFormat) -> Bool { false }
    func refusal(of parameters: any CodecParameters, in container: WrittenContainer) -> MediaError? {
        writers.refusal(of: parameters, in: container)
    }
    func timescale(of parameters: any CodecParameters) -> Int32? { writers.timescale(of: parameters) }
    func format(of parameters: any CodecParameters) -> WrittenFormat { writers.format(of: parameters) }
    func textParameters(from source: any CodecParameters) -> any CodecParameters { writers.textParameters(from: source) }
    func payload(of bytes: [UInt8]) -> any SamplePayload { writers.payload(of: bytes) }
    func openMuxer(
        _ container: WrittenContainer, tracks: [WrittenTrack], facts: WrittenFacts, output: any ByteOutput
    ) throws(MediaError) -> any Muxing { try writers.openMuxer(container, tracks: tracks, facts: facts, output: output) }
    func openPictureEncoder(_ encoding: VideoEncoding) throws(MediaError) -> any PictureEncoding {
        throw MediaError(.decoderUnsupported, "There is no encoder.")
    }
    func openSoundEncoder(_ encoding: AudioEncoding) throws(MediaError) -> any SoundEncoding {
        throw MediaError(.decoderUnsupported, "There is no encoder.")
    }
}

@Suite("Exports that encode", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct EncodingTests {
    private func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }

    @Test("pictures and sound of a range, encoded, are exactly those of the range", arguments: ["mp4", "fragmented-mp4"])
    func range(type: String) throws {
        let studio = try Studio()
        let session = studio.export(.asset(try film.path())) {
            $0.preset = .h264At480
            $0.speed = "ultrafast"
            $0.fileType = ExportFileType(rawValue: type)!
            $0.range = TimeRange(start: frame(37), duration: frame(60))
        }
        #expect(session.status == .completed)
        let output = studio.path("out.mp4")
        let pictures = try studio.pictures(output)
        #expect(pictures.map(\.number) == Array(37..<97))
        #expect(pictures.map(\.time) == (0..<60).map(frame))
        let sound = try studio.sound(output)
        let samples = ToneMeter.channel(0, of: sound.flatMap(\.samples), channels: 2)
        let start = try #require(sound.first).time.seconds
        // The clicks of seconds 2 and 3 of the film.
        let clicks = ToneMeter.onsets(in: samples).map { Double($0) / 48_000 + start }
        #expect(clicks.count == 2)
        for (click, wanted) in zip(clicks, [2 - 1.48, 3 - 1.48]) { #expect(abs(click - wanted) < 0.002, "\(click)") }
        // FFmpeg does not cut fragments by their edit list: the silence that fills the last frame of the encoder stays.
        let surplus = Double(samples.count) / 48_000 - 2.4
        #expect(abs(surplus) < 0.001 || (type == "fragmented-mp4" && (0..<0.064).contains(surplus)))
        let description = try studio.description(output)
        #expect(description.tracks.map(\.codec) == ["h264", "aac"])
        // Never enlarged.
        #expect(description.tracks[0].width == 128 && description.tracks[0].height == 72)
        // A key picture at least every two seconds.
        #expect(try studio.samples(output, .video).filter(\.isSync).count == 2)
    }

    @Test("pieces are joined at the picture and at the sample, with silence in gaps and the volume of the mix")
    func pieces() throws {
        let studio = try Studio()
        let source = SourceReference(url: try film.path())
        let list = [(3, 20), (200, 7), (90, 33)]
        var place = 0
        let segments = list.map { piece in
            defer { place += piece.1 }
            return CompositionTrackSegment(source, TimeRange(start: frame(piece.0), duration: frame(piece.1)), at: frame(place))
        }
        let sound = [
            CompositionTrackSegment(source, TimeRange(start: .milliseconds(500), duration: .seconds(1)), at: .zero),
            CompositionTrackSegment(.empty, target: TimeRange(start: .seconds(1), duration: .seconds(1))),
            CompositionTrackSegment(source, TimeRange(start: .milliseconds(4900), duration: .milliseconds(400)), at: .seconds(2)),
        ]
        let composition = Composition(tracks: [
            CompositionTrack(id: TrackID(1), type: .video, segments: segments),
            CompositionTrack(id: TrackID(2), type: .audio, segments: sound),
        ])
        let mix = AudioMix(inputParameters: [
            AudioMixInputParameters(track: TrackID(2), volume: RampCurve(1, [Ramp(at: .seconds(2), 0.5)]))
        ])
        let session = studio.export(.composition(CompositionDocument(composition, audioMix: mix), name: "pieces")) {
            $0.preset = .h264At1080
            $0.speed = "ultrafast"
        }
        #expect(session.status == .completed)
        let output = studio.path("out.mp4")
        #expect(try studio.pictures(output).map(\.number) == list.flatMap { Array($0.0..<$0.0 + $0.1) })
        let heard = try studio.sound(output)
        let samples = ToneMeter.channel(0, of: heard.flatMap(\.samples), channels: 2)
        let start = Int(try #require(heard.first).time.seconds * 48_000)
        let clicks = ToneMeter.onsets(in: samples, threshold: 0.2).map { $0 + start }
        #expect(clicks.count == 2)
        for (click, wanted) in zip(clicks, [24_000, 2 * 48_000 + 4_800]) { #expect(abs(click - wanted) < 96, "\(click)") }
        func peak(_ range: Range<Int>) -> Float { samples[range].map(abs).max() ?? 0 }
        #expect(peak(60_000..<90_000) < 0.01)
        let (full, half) = (peak(23_000..<26_000), peak(2 * 48_000 + 4_000..<2 * 48_000 + 6_000))
        #expect(abs(half / full - 0.5) < 0.1, "\(half) of \(full)")
    }

    @Test("sound alone is exported without pictures")
    func audio() throws {
        let studio = try Studio()
        #expect(studio.export(.asset(try film.path())) { $0.preset = .audio }.status == .completed)
        #expect(try studio.description(studio.path("out.mp4")).tracks.map(\.type) == [.audio])
        let silent = try NumberedFilm("export-silent.mp4", audio: []).path()
        guard case .failed(let error) = studio.export(.asset(silent), to: "none.mp4", { $0.preset = .audio }).status else {
            Issue.record("a film without sound was exported as sound")
            return
        }
        #expect(error.sentence.contains("no sound"))
    }

    @Test(
        "a chain of Ogg files is exported whole, and from any place in it, whatever the numbers of its links",
        arguments: [false, true])
    func chain(hasOneNumber: Bool) throws {
        let studio = try Studio()
        let tones = [("libvorbis", 330, 44_100), ("libopus", 880, 48_000), ("libvorbis", 1540, 48_000)]
        let numbers = hasOneNumber ? ["-fflags", "+bitexact", "-serial_offset", "7"] : []
        let parts = try tones.map { codec, tone, rate in
            try FFmpegProgram.make(["-f", "lavfi", "-i", "sine=f=\(tone):r=\(rate):d=2", "-c:a", codec] + numbers, suffix: "ogg")
        }
        let file = try TemporaryFile(Array(parts.joined()), suffix: ".ogg")
        for (name, first) in [("whole.mp4", 0), ("part.mp4", 3)] {
            let session = studio.export(.asset(file.path), to: name) {
                $0.preset = .audio
                if first > 0 { $0.range = TimeRange(start: .seconds(Int64(first)), duration: .seconds(3)) }
            }
            #expect(session.status == .completed)
            let sound = ToneMeter.channel(0, of: try studio.sound(studio.path(name)).flatMap(\.samples), channels: 2)
            #expect(abs(sound.count - (6 - first) * 48_000) < 4800, "\(sound.count) samples")
            // A tenth of a second at both ends is left out, with the joints.
            for second in first..<6 {
                let heard = sound.dropFirst((second - first) * 48_000 + 4800).prefix(38_400)
                let count = zip(heard, heard.dropFirst()).count { $0 <= 0 && $1 > 0 } * 10 / 8
                #expect(abs(count - tones[second / 2].1) <= tones[second / 2].1 / 50 + 2, "second \(second): \(count)")
            }
        }
    }

    @Test("what a machine without encoders or without a muxer cannot do is said beforehand, and refused with the same words")
    func offers() throws {
        let studio = try Studio()
        let all: Set<MediaType> = [.video, .audio]
        #expect(ExportOffer.compatiblePresets(for: all, writers: FFmpegWriters()) == ExportPreset.allCases)
        #expect(
            ExportOffer.compatiblePresets(for: [.video], writers: FFmpegWriters())
                == ExportPreset.allCases.filter { $0 != .audio })
        #expect(ExportOffer.compatiblePresets(for: all, writers: PoorWriters()) == [.passthrough, .thumbnails])
        #expect(ExportOffer.compatiblePresets(for: all, writers: PoorWriters(muxes: false)) == [.thumbnails])
        #expect(ExportOffer.fileTypes(for: .thumbnails, writers: PoorWriters()) == [.bif, .jpegSheet])
        for preset in ExportPreset.allCases {
            let types = ExportOffer.fileTypes(for: preset, writers: FFmpegWriters())
            #expect(types.contains(preset.defaultFileType) && (preset == .thumbnails) == (preset.defaultFileType == .bif))
        }
        studio.services.writers = PoorWriters()
        #expect(studio.export(.asset(try film.path())).status == .completed)
        guard case .failed(let error) = studio.export(.asset(try film.path()), to: "small.mp4", { $0.preset = .h264At480 }).status
        else {
            Issue.record("encoded without an encoder")
            return
        }
        #expect(error.sentence.contains("no encoder of h264 and aac"), "\(error.sentence)")
        #expect(studio.names == ["out.mp4"])
    }

    @Test("the size of encoded pictures keeps their shape, is even, and never larger than picture and box")
    func sizes() {
        let cases: [((Int, Int), Ratio, Int, (Int, Int), (Int, Int))] = [
            ((1920, 1080), .one, 0, (854, 480), (854, 480)), ((1280, 720), .one, 0, (1920, 1080), (1280, 720)),
            ((720, 576), Ratio(64, 45), 0, (1920, 1080), (1024, 576)), ((1080, 1920), .one, 0, (854, 480), (270, 480)),
            ((1920, 1080), .one, 1, (854, 480), (480, 270)), ((1, 1), .one, 0, (854, 480), (2, 2)),
            ((4096, 2), .one, 0, (854, 480), (854, 2)), ((640, 480), Ratio(1, 1_000_000), 0, (854, 480), (40, 480)),
        ]
        for (size, aspect, turns, box, wanted) in cases {
            let found = PictureFit.size(width: size.0, height: size.1, aspect: aspect, turns: turns, box: box)
            #expect(found == wanted, "\(size) \(aspect) turned \(turns)")
        }
    }
}
