import Composition
import Display
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization
import TestSupport
import Testing

@testable import Playback

private let films = [
    NumberedFilm("mix-one.mp4").with {
        $0.frames = 200; $0.soundSeconds = "8"
    },
    // AAC would begin before zero in Matroska, and the pictures after it.
    NumberedFilm("mix-two.mkv", audio: ["-c:a", "pcm_s16le"]).with {
        $0.frames = 200; $0.soundSeconds = "8"
    },
]

private func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }
private func range(_ first: Int, _ count: Int) -> TimeRange { TimeRange(start: frame(first), duration: frame(count)) }
private func piece(_ url: String, from first: Int, _ count: Int, at place: Int, lasting: Int? = nil) -> CompositionTrackSegment {
    CompositionTrackSegment(
        .media(SourceReference(url: url), range(first, count)), target: range(place, lasting ?? count))
}
private func hole(_ place: Int, _ count: Int) -> CompositionTrackSegment {
    CompositionTrackSegment(.empty, target: range(place, count))
}

/// The largest difference of fields.
private func difference(_ one: [Double], _ other: [Double]) -> Double {
    one.count == other.count ? zip(one, other).map { abs($0 - $1) }.max() ?? 0 : .infinity
}

/// A sample of `countedSound`.
private func counted(_ index: Int, _ length: Int) -> Double { Double(index % length - length / 2) / 65_536 }

/// What reads the sound of a tap.
private final class HeardTap: SoundTap {
    let heard = Mutex<[AudioBuffer]>([])
    func hear(_ sound: AudioBuffer) { heard.withLock { $0.append(sound) } }
}

/// Notes what it is asked for.
private final class NotingCompositor: VideoCompositing {
    let inner = PictureCompositor()
    let asked = Mutex<[(time: MediaTime, layers: Int)]>([])
    func compose(_ request: VideoCompositionRequest, allocator: any FrameAllocator) throws(MediaError) -> VideoFrame {
        asked.withLock { $0.append((request.time, request.layers.count)) }
        return try inner.compose(request, allocator: allocator)
    }
}

@Suite("Mixing compositions in play", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct CompositionMixTests {
    private let paths: [String]

    init() throws { paths = try films.map { try $0.path() } }

    private func play(
        _ composition: Composition, _ video: VideoComposition? = nil, _ mix: AudioMix? = nil, taps: [TrackID: any SoundTap] = [:],
        compositor: (any VideoCompositing)? = nil, refresh: Int64 = 50, _ body: (FilmBox) throws -> Void
    ) throws {
        let box = try FilmBox(refresh: Ratio(refresh))
        defer { box.close() }
        box.player.replaceCurrentItem(
            with: PlayerItem(
                asset: Asset(
                    composition: composition, videoComposition: video, audioMix: mix, compositor: compositor, taps: taps,
                    name: "mix", services: box.player.services)))
        try body(box)
    }

    private func playThrough(_ box: FilmBox) {
        box.player.play()
        box.run(within: .seconds(100)) { box.endCount == 1 || !box.failures.isEmpty }
        #expect(box.failures.isEmpty, "\(box.failures)")
        #expect(box.endCount == 1)
    }

    // MARK: Pictures

    /// The first film to 3 s, the second one from 2 s on, with a dissolve of 25 pictures between them.
    private var dissolve: (Composition, VideoComposition) {
        let one = CompositionTrack(id: TrackID(1), type: .video, segments: [piece(paths[0], from: 10, 75, at: 0)])
        let two = CompositionTrack(
            id: TrackID(2), type: .video, segments: [hole(0, 50), piece(paths[1], from: 103, 75, at: 50)])
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
        return (Composition(tracks: [one, two]), video)
    }

    /// The luma of the fields of each picture of a film.
    private func levels(of path: String) throws -> [[Double]] {
        let box = try FilmBox(refresh: Ratio(50))
        defer { box.close() }
        box.open(path)
        playThrough(box)
        return box.levels
    }

    /// The fields of each picture of the dissolve.
    private func wantedLevels() throws -> [[Double]] {
        let (first, second) = (try levels(of: paths[0]), try levels(of: paths[1]))
        return (0..<125).map { number in
            let share = number < 50 ? 0 : number < 75 ? Double(number - 50) / 25 : 1
            let one = number < 75 ? first[10 + number] : second[103 + number - 50]
            let two = number < 50 ? one : second[103 + number - 50]
            return zip(one, two).map { $0 * (1 - share) + $1 * share }
        }
    }

    @Test("in a dissolve each picture is the mix of both pictures that the ramp says, and none is lost or repeated")
    func dissolves() throws {
        let wanted = try wantedLevels()
        let (composition, video) = dissolve
        try play(composition, video) { box in
            playThrough(box)
            #expect(box.pictures.map(\.record.time) == (0..<125).map(frame))
            let stays = zip(box.pictures.dropFirst(), box.pictures.dropFirst(2)).map { $1.record.flip - $0.record.flip }
            #expect(stays.allSatisfy { $0 == .milliseconds(40) })
            let worst = zip(box.levels, wanted).map(difference).max() ?? .infinity
            #expect(box.levels.count == 125 && worst <= 2, "a field differs by \(worst)")
        }
    }

    @Test("seeks, steps and backward playback show the pictures of a dissolve")
    func around() throws {
        let wanted = try wantedLevels()
        let (composition, video) = dissolve
        try play(composition, video) { box in
            #expect(box.run { box.player.currentItem?.status == .readyToPlay })
            @MainActor func isRight(_ number: Int) -> Bool {
                box.run(within: .milliseconds(100)) { false }
                guard let shown = box.levels.last, box.pictures.last?.record.time == frame(number) else { return false }
                return difference(shown, wanted[number]) <= 2
            }
            for number in [60, 3, 124, 74, 50, 49, 75, 0, 61] {
                #expect(box.seek(to: frame(number) + .milliseconds(7)) == true)
                #expect(isRight(number), "seek to \(number)")
            }
            for number in 62..<80 {
                box.player.step(byCount: 1)
                #expect(isRight(number), "step to \(number)")
            }
            box.forget()
            #expect(box.player.setRate(Ratio(-1)))
            #expect(box.run { box.player.currentTime == .zero && box.pictures.last?.record.time == .zero })
            #expect(box.pictures.map(\.record.time) == (0..<79).reversed().map(frame))
            let worst = zip(box.levels, (0..<79).reversed()).map { difference($0, wanted[$1]) }.max() ?? .infinity
            #expect(worst <= 2, "a field differs by \(worst)")
        }
    }

    @Test("where a track has no picture the background is seen; a source that ends early keeps its last picture")
    func holes() throws {
        let track = CompositionTrack(
            id: TrackID(1), type: .video,
            segments: [hole(0, 10), piece(paths[0], from: 20, 10, at: 10), hole(20, 10), piece(paths[1], from: 190, 20, at: 30)])
        let video = VideoComposition(
            renderSize: RenderSize(width: 128, height: 72), frameDuration: frame(1), background: 0x808080,
            instructions: [
                VideoCompositionInstruction(range(0, 20), layers: [LayerInstruction(track: TrackID(1))]),
                VideoCompositionInstruction(range(20, 30), background: 0xFFFFFF, layers: [LayerInstruction(track: TrackID(1))]),
            ])
        try play(Composition(tracks: [track]), video) { box in
            playThrough(box)
            #expect(box.pictures.count == 50)
            let numbers = box.pictures.map(\.number)
            let expected: [Int?] =
                Array(repeating: nil, count: 10) + (20..<30).map { $0 } + Array(repeating: nil, count: 10)
                + (190..<200).map { $0 } + Array(repeating: 199, count: 10)
            #expect(numbers == expected)
            #expect(box.levels[3].allSatisfy { abs($0 - 128) <= 2 } && box.levels[25].allSatisfy { abs($0 - 255) <= 2 })
        }
    }

    @Test("a client's compositor composes, asked for every picture of its range once")
    func compositors() throws {
        let (composition, video) = dissolve
        let compositor = NotingCompositor()
        try play(composition, video, compositor: compositor) { box in
            playThrough(box)
            let asked = compositor.asked.withLock { $0 }
            #expect(asked.map(\.time) == (0..<125).map(frame))
            #expect(asked.map(\.layers) == (0..<125).map { (51..<75).contains($0) ? 2 : 1 })
        }
    }

    @Test("slow and fast segments show each picture for its time, forward, after seeks and backward")
    func speeds() throws {
        let track = CompositionTrack(
            id: TrackID(1), type: .video,
            segments: [
                piece(paths[0], from: 10, 10, at: 0), piece(paths[0], from: 60, 10, at: 10, lasting: 40),
                piece(paths[1], from: 30, 40, at: 50, lasting: 20), piece(paths[1], from: 1, 10, at: 70),
            ])
        let numbers = Array(10..<20) + (60..<70) + (30..<70) + (1..<11)
        let times =
            (0..<10).map(frame) + (0..<10).map { frame(10 + 4 * $0) } + (0..<40).map { frame(50) + frame($0) / 2 }
            + (0..<10).map { frame(70 + $0) }
        try play(Composition(tracks: [track]), refresh: 100) { box in
            playThrough(box)
            #expect(firstDifference(box.pictures.map { $0.number ?? -1 }, numbers) == nil)
            #expect(firstDifference(box.pictures.map(\.record.time), times) == nil)
            for index in [0, 12, 19, 25, 55, 69] {
                #expect(box.seek(to: times[index] + .milliseconds(9)) == true)
                #expect(box.number() == numbers[index], "picture \(index)")
            }
            box.forget()
            #expect(box.player.setRate(Ratio(-1)))
            #expect(box.run { box.player.currentTime == .zero && box.pictures.last?.record.time == .zero })
            #expect(firstDifference(box.pictures.map { $0.number ?? -1 }, Array(numbers[..<69].reversed())) == nil)
        }
    }

    @Test("a composition that cannot be shown is refused with the reason before anything is opened")
    func refusals() throws {
        let (composition, video) = dissolve
        func reason(_ composition: Composition, _ video: VideoComposition?, _ hasCompositor: Bool = true) -> String? {
            CompositionSource.refusal(
                of: CompositionDocument(composition, videoComposition: video), hasCompositor: hasCompositor)?.sentence
        }
        #expect(reason(composition, video) == nil)
        #expect(reason(composition, nil)?.contains("several video tracks") == true)
        #expect(reason(composition, video, false)?.contains("nothing composes") == true)
        let holed = Composition(tracks: [
            CompositionTrack(id: TrackID(1), type: .video, segments: [piece("a", from: 0, 5, at: 0), hole(5, 5)])
        ])
        #expect(reason(holed, nil)?.contains("/tracks/0/segments/1: there is no picture in this segment") == true)
        #expect(reason(Composition(), nil)?.contains("the composition is empty") == true)
        let short = VideoComposition(
            renderSize: video.renderSize, frameDuration: frame(1), instructions: Array(video.instructions.dropLast()))
        #expect(reason(composition, short)?.contains("/videoComposition/instructions") == true)
    }

    // MARK: Sound

    /// A file whose samples are their own numbers, modulo a length.
    private func countedSound(_ length: Int) throws -> TemporaryFile {
        let value = "(mod(n\\,\(length))-\(length / 2))/65536"
        return try TemporaryFile(
            try FFmpegProgram.make(
                ["-f", "lavfi", "-i", "aevalsrc=exprs='\(value)|\(value)':s=48000:d=6", "-c:a", "pcm_s24le"], suffix: "mov"),
            suffix: ".mov")
    }

    @Test("two tracks are mixed to the sample: a fade from one to the other, with edges between samples")
    func crossFade() throws {
        let files = try [20_000, 17_001].map(countedSound)
        defer { withExtendedLifetime(files) {} }
        let start = MediaTime(30_011, 30_000)
        let one = CompositionTrack(
            id: TrackID(1), type: .audio,
            segments: [
                CompositionTrackSegment(
                    SourceReference(url: files[0].path), TimeRange(start: .seconds(1), duration: .seconds(2)), at: .zero)
            ])
        let two = CompositionTrack(
            id: TrackID(2), type: .audio,
            segments: [
                CompositionTrackSegment(.empty, target: TimeRange(start: .zero, duration: start)),
                CompositionTrackSegment(
                    SourceReference(url: files[1].path), TimeRange(start: .seconds(3), duration: .seconds(2)), at: start),
            ])
        let fade = TimeRange(start: MediaTime(33_001, 30_000), duration: .milliseconds(700))
        let curves = [RampCurve(1.0, [Ramp(fade, from: 1, to: 0)]), RampCurve(0.0, [Ramp(fade, from: 0, to: 1)])]
        let mix = AudioMix(
            inputParameters: [
                AudioMixInputParameters(track: TrackID(1), volume: curves[0]),
                AudioMixInputParameters(track: TrackID(2), volume: curves[1]),
            ])
        let first = Int((start + MediaTime(1, 96_000)).unitsRoundedDown(of: 48_000))
        let tap = HeardTap()
        try play(Composition(tracks: [one, two]), nil, mix, taps: [TrackID(2): tap]) { box in
            playThrough(box)
            func wanted(_ index: Int) -> (one: Double, two: Double) {
                let time = MediaTime(Int64(index), 48_000)
                let one = index < 96_000 ? counted(48_000 + index, 20_000) * curves[0].value(at: time) : 0
                let two =
                    index >= first && index < first + 96_000
                    ? counted(144_000 + index - first, 17_001) * curves[1].value(at: time) : 0
                return (one, two)
            }
            #expect(box.sink.samples.count >= first + 96_000)
            let wrong = box.sink.samples.indices.first { index in
                let (one, two) = wanted(index)
                return abs(Double(box.sink.samples[index]) - one - two) > 1e-6
            }
            #expect(wrong == nil)
            // The meter of the second track hears it alone, at its volume and with its times.
            let heard = tap.heard.withLock { $0 }
            #expect(heard.first?.time == .zero && heard.reduce(0) { $0 + $1.frameCount } >= first + 96_000)
            let isHeard = heard.allSatisfy { sound in
                let begin = Int(sound.time.units(of: 48_000))
                return (0..<sound.frameCount).allSatisfy {
                    abs(Double(sound.samples[$0 * sound.format.channels]) - wanted(begin + $0).two) <= 1e-6
                }
            }
            #expect(isHeard)
            // An export is given the same samples.
            let services = box.player.services
            let renderer = CompositionRenderer(
                loader: services.loader, codecs: services.codecs, compositor: PictureCompositor(), clock: services.clock)
            let part = TimeRange(start: MediaTime(50_003, 48_000), duration: MediaTime(70_001, 48_000))
            let sound = try renderer.openSound(
                of: CompositionDocument(Composition(tracks: [one, two]), audioMix: mix), in: part, format: nil,
                streams: OpenStreams())
            var place = 50_003
            while let buffers = try sound.next() {
                for buffer in buffers {
                    #expect(buffer.time == MediaTime(Int64(place), 48_000))
                    let isRight = (0..<buffer.frameCount).allSatisfy { index in
                        let (one, two) = wanted(place + index)
                        return abs(Double(buffer.samples[index * 2]) - one - two) <= 1e-6
                    }
                    #expect(isRight, "from \(place)")
                    place += buffer.frameCount
                }
            }
            #expect(place == 50_003 + 70_001)
        }
    }

    @Test("a range is given the sound that it has in the whole, although more samples than a bundle has are decoded before it")
    func parts() throws {
        // Packets of 5 ms: forty of them before each place.
        let file = try TemporaryFile(
            try FFmpegProgram.make(
                [
                    "-f", "lavfi", "-i", "aevalsrc=exprs='sin(2*PI*440*t)/2|sin(2*PI*440*t)/2':s=48000:d=4:n=240", "-c:a",
                    "pcm_s16le",
                ], suffix: "mkv"),
            suffix: ".mkv")
        defer { withExtendedLifetime(file) {} }
        let track = CompositionTrack(
            id: TrackID(1), type: .audio,
            segments: [
                CompositionTrackSegment(
                    SourceReference(url: file.path), TimeRange(start: .seconds(1), duration: .seconds(2)), at: .zero)
            ])
        try play(Composition(tracks: [track])) { box in
            let services = box.player.services
            let renderer = CompositionRenderer(
                loader: services.loader, codecs: services.codecs, compositor: PictureCompositor(), clock: services.clock)
            func rendered(_ start: Int64, _ length: Int64) throws -> [Float] {
                let streams = OpenStreams()
                defer { streams.close() }
                let sound = try renderer.openSound(
                    of: CompositionDocument(Composition(tracks: [track])),
                    in: TimeRange(start: MediaTime(start, 48_000), duration: MediaTime(length, 48_000)), format: nil,
                    streams: streams)
                var samples: [Float] = []
                while let buffers = try sound.next() { samples += buffers.flatMap(\.samples) }
                return samples
            }
            let whole = try rendered(0, 96_000)
            #expect(whole.count == 2 * 96_000 && (whole.max() ?? 0) > 0.4)
            for (start, length) in [(0, 960), (0, 100), (0, 2000), (48_003, 960), (50_000, 5000), (95_000, 1000)] {
                let part = Array(whole[2 * start..<2 * (start + length)])
                #expect(
                    try firstDifference(rendered(Int64(start), Int64(length)), part) == nil, "\(length) samples from \(start)")
            }
        }
    }

    @Test("sound at other speeds is each sample of its line, from the first one to the last, between sound at its own speed")
    func soundSpeeds() throws {
        let file = try countedSound(50_000)
        defer { withExtendedLifetime(file) {} }
        func part(_ start: Int64, _ length: Int64, at place: Int64, lasting: Int64) -> CompositionTrackSegment {
            CompositionTrackSegment(
                .media(
                    SourceReference(url: file.path),
                    TimeRange(start: MediaTime(start, 48_000), duration: MediaTime(length, 48_000))),
                target: TimeRange(start: MediaTime(place, 48_000), duration: MediaTime(lasting, 48_000)))
        }
        let list: [(Int64, Int64, Int64, Int64)] = [
            (1000, 20_000, 0, 20_000), (60_000, 30_000, 20_000, 40_000), (2000, 40_000, 60_000, 20_000),
            (150_000, 9000, 80_000, 9000),
        ]
        let track = CompositionTrack(
            id: TrackID(1), type: .audio, segments: list.map { part($0.0, $0.1, at: $0.2, lasting: $0.3) })
        try play(Composition(tracks: [track])) { box in
            playThrough(box)
            let samples = box.sink.samples
            #expect(samples.count >= 89_000)
            for (start, length, place, lasting) in list {
                let wrong = (0..<lasting - 2).first { index in
                    let exact = Double(start) + Double(index) * Double(length) / Double(lasting)
                    let (whole, share) = (Int(exact.rounded(.down)), exact - exact.rounded(.down))
                    let wanted = counted(whole, 50_000) * (1 - share) + counted(whole + 1, 50_000) * share
                    return abs(Double(samples[Int(place + index)]) - wanted) > 1e-5
                }
                #expect(wrong == nil, "in the part at \(place)")
            }
        }
    }
}
