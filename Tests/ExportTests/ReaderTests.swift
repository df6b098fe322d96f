import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Export

@Suite("Reading ranges of assets", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct ReaderTests {
    private let film = NumberedFilm("export.mp4").with {
        $0.frames = 250; $0.soundSeconds = "10"
    }

    private func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }

    @Test(
        "decoded pictures and samples of a range are exactly those of the range, of one track and of two",
        arguments: [(0, 250), (37, 61), (249, 1), (25, 25)])
    func decoded(range: (first: Int, count: Int)) throws {
        let studio = try Studio()
        let reader = try AssetReader(
            url: try film.path(), loader: studio.services.loader, codecs: studio.codecs, streams: OpenStreams())
        let decoded = DecodedReader(reader, format: AudioFormat(sampleRate: 48_000, channels: 1), codecs: studio.codecs)
        let wanted = TimeRange(start: frame(range.first), duration: frame(range.count))
        for types in [[MediaType.video, .audio], [.video], [.audio]] {
            let tracks = reader.tracks.filter { types.contains($0.type) }
            try decoded.start(wanted, tracks: Set(tracks.map(\.id)))
            var (numbers, times, sound): ([Int?], [MediaTime], [AudioBuffer]) = ([], [], [])
            while let output = try decoded.next() {
                switch output {
                case .picture(_, let picture):
                    numbers.append(NumberGrid.number(in: picture.pixels))
                    times.append(picture.time)
                case .sound(_, let buffer): sound.append(buffer)
                }
            }
            #expect(numbers == (types.contains(.video) ? Array(range.first..<range.first + range.count) : []))
            #expect(times == numbers.indices.map { frame(range.first + $0) })
            guard types.contains(.audio) else {
                #expect(sound.isEmpty)
                continue
            }
            #expect(sound.first?.time == wanted.start && sound.last?.end == wanted.end)
            #expect(sound.reduce(0) { $0 + $1.frameCount } == range.count * 1920)
        }
    }

    @Test("a range of samples begins at the last key picture at or before its start, whatever else is read")
    func samples() throws {
        let studio = try Studio()
        let reader = try AssetReader(
            url: try film.path(), loader: studio.services.loader, codecs: studio.codecs, streams: OpenStreams())
        for (first, key) in [(0, 0), (24, 0), (25, 25), (26, 25), (249, 225)] {
            for types in [[MediaType.video], [.video, .audio]] {
                let tracks = reader.tracks.filter { types.contains($0.type) }
                try reader.start(TimeRange(start: frame(first), duration: frame(1)), tracks: Set(tracks.map(\.id)))
                var list: [EncodedSample] = []
                while let sample = try reader.nextSample() { list.append(sample) }
                let pictures = list.filter { $0.track == reader.tracks.first { $0.type == .video }?.id }
                #expect(pictures.first?.presentationTime == frame(key) && pictures.first?.isSync == true)
                #expect(pictures.filter(\.isSync).count == 1)
            }
        }
        #expect(throws: MediaError.self) { try reader.track(TrackID(9), of: .video) }
        #expect(throws: MediaError.self) { try reader.track(nil, of: .text) }
    }
}
