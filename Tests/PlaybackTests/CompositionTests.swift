import Composition
import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// Pieces of numbered films, with the numbers that they must show.
private struct Pieces {
    static let films = [
        NumberedFilm("piece-one.mp4").with {
            $0.frames = 250; $0.soundSeconds = "10"
        },
        NumberedFilm("piece-two.mkv", audio: ["-c:a", "pcm_s16le"]).with {
            $0.frames = 250; $0.soundSeconds = "10"
        },
    ]
    /// The film, first frame and count of each piece.
    var list: [(film: Int, first: Int, count: Int)]

    /// Random pieces of one to thirty frames.
    static func random(_ count: Int, seed: UInt64, of films: ClosedRange<Int> = 0...1) -> Pieces {
        var chance = SeededGenerator(seed: seed)
        return Pieces(
            list: (0..<count).map { _ in
                let length = Int.random(in: 1...30, using: &chance)
                return (Int.random(in: films, using: &chance), Int.random(in: 0...250 - length, using: &chance), length)
            })
    }

    var numbers: [Int] { list.flatMap { Array($0.first..<$0.first + $0.count) } }
    var frameCount: Int { list.reduce(0) { $0 + $1.count } }

    static func frame(_ number: Int) -> MediaTime { MediaTime(Int64(number), 25) }

    func composition(paths: [String], hasSound: Bool = true) -> Composition {
        func segments() -> [CompositionTrackSegment] {
            var place = 0
            return list.map { piece in
                defer { place += piece.count }
                return CompositionTrackSegment(
                    SourceReference(url: paths[piece.film]),
                    TimeRange(start: Self.frame(piece.first), duration: Self.frame(piece.count)), at: Self.frame(place))
            }
        }
        let video = CompositionTrack(id: TrackID(1), type: .video, segments: segments())
        let audio = CompositionTrack(id: TrackID(2), type: .audio, segments: segments())
        return Composition(tracks: hasSound ? [video, audio] : [video])
    }
}

@Suite("Playing compositions", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct CompositionPlaybackTests {
    private let paths: [String]

    init() throws { paths = try Pieces.films.map { try $0.path() } }

    private func open(_ composition: Composition, in box: FilmBox) -> PlayerItem {
        let item = PlayerItem(asset: Asset(composition: composition, name: "pieces", services: box.player.services))
        box.player.replaceCurrentItem(with: item)
        return item
    }

    @Test(
        "200 random pieces of two films are played without a lost and without a repeated picture", arguments: [1, 2] as [UInt64])
    func everyPicture(seed: UInt64) throws {
        let box = try FilmBox(refresh: Ratio(50))
        defer { box.close() }
        let pieces = Pieces.random(200, seed: seed)
        _ = open(pieces.composition(paths: paths), in: box)
        box.player.play()
        box.run(within: .seconds(200), until: { box.endCount == 1 || !box.failures.isEmpty })
        #expect(box.failures.isEmpty)
        #expect(firstDifference(box.pictures.map { $0.number ?? -1 }, pieces.numbers) == nil)
        #expect(box.pictures.map(\.record.time) == (0..<pieces.frameCount).map(Pieces.frame))
        // Every picture is on the screen for exactly two blanks: the clock never waits at an edge.
        let stays = zip(box.pictures.dropFirst(), box.pictures.dropFirst(2)).map { $1.record.flip - $0.record.flip }
        #expect(
            stays.allSatisfy { $0 == .milliseconds(40) }, "\(stays.filter { $0 != .milliseconds(40) }.count) have another length")
        #expect(box.audioRuns.count == 1, "the sound was interrupted at \(box.audioRuns.dropFirst())")
    }

    @Test("a seek shows the picture of the model, and playback goes on from there")
    func seeks() throws {
        let box = try FilmBox(refresh: Ratio(50))
        defer { box.close() }
        let pieces = Pieces.random(60, seed: 7)
        _ = open(pieces.composition(paths: paths), in: box)
        #expect(box.run { box.player.currentItem?.status == .readyToPlay })
        var chance = SeededGenerator(seed: 12)
        for _ in 0..<60 {
            let number = Int.random(in: 0..<pieces.frameCount, using: &chance)
            // Anywhere within the picture, also at its very start and end.
            let place = Pieces.frame(number) + MediaTime(Int64.random(in: 0..<40_000_000, using: &chance), 1_000_000_000)
            #expect(box.seek(to: place) == true)
            #expect(box.number() == pieces.numbers[number], "at \(place)")
        }
        // A preview shows a picture of the piece, which may have no key picture.
        let last = pieces.frameCount - 1
        for number in [20, 400, 100, 7] {
            #expect(box.seek(to: Pieces.frame(number), before: nil, after: nil) == true)
            let shown = try #require(box.pictures.last)
            let index = Int(shown.record.time.units(of: 25))
            #expect(box.number() == pieces.numbers[index])
            #expect((number - 30...number + 30).contains(index), "\(index) for \(number)")
        }
        #expect(box.seek(to: Pieces.frame(pieces.frameCount)) == true)
        #expect(box.number() == pieces.numbers[last])
        #expect(box.seek(to: Pieces.frame(last - 100)) == true)
        box.forget()
        box.player.play()
        #expect(box.run { box.endCount == 1 })
        #expect(firstDifference(box.pictures.compactMap(\.number), Array(pieces.numbers[(last - 99)...])) == nil)
    }

    @Test("at rate 2 every picture has its time, at rate -1 every picture is shown in reverse, and steps show the neighbours")
    func rates() throws {
        let box = try FilmBox(refresh: Ratio(50))
        defer { box.close() }
        let pieces = Pieces.random(40, seed: 3)
        let item = open(pieces.composition(paths: paths), in: box)
        #expect(box.run { item.status == .readyToPlay })
        #expect(box.player.setRate(Ratio(2)))
        #expect(box.run { box.endCount == 1 })
        #expect(firstDifference(box.pictures.map { $0.number ?? -1 }, pieces.numbers) == nil)
        let last = pieces.frameCount - 1
        #expect(box.seek(to: Pieces.frame(last)) == true)
        box.forget()
        #expect(box.player.setRate(Ratio(-1)))
        #expect(box.run { box.player.currentTime == .zero && box.pictures.last?.number == pieces.numbers[0] })
        #expect(firstDifference(box.pictures.compactMap(\.number), Array(pieces.numbers[..<last].reversed())) == nil)
        box.player.pause()
        #expect(box.seek(to: .zero) == true)
        for number in 1..<60 {
            box.player.step(byCount: 1)
            box.run(within: .milliseconds(100)) { false }
            #expect(box.number() == pieces.numbers[number], "step \(number)")
        }
        for number in (30..<59).reversed() {
            box.player.step(byCount: -1)
            box.run(within: .milliseconds(100)) { false }
            #expect(box.number() == pieces.numbers[number], "step back to \(number)")
        }
        #expect(!item.canPlayFastReverse && item.canPlayReverse && !box.player.setRate(Ratio(12)))
    }

    /// A file whose samples are their own numbers, modulo a length.
    private func countedSound(_ length: Int) throws -> TemporaryFile {
        let value = "(mod(n\\,\(length))-\(length / 2))/32768"
        return try TemporaryFile(
            try FFmpegProgram.make(
                ["-f", "lavfi", "-i", "aevalsrc=exprs='\(value)|\(value)':s=48000:d=10", "-c:a", "pcm_s16le"], suffix: "mov"),
            suffix: ".mov")
    }

    @Test("sound is joined to the sample, also where pieces begin and end between samples and where there is none")
    func everySample() throws {
        let lengths = [30_000, 28_001]
        let files = try lengths.map(countedSound)
        var chance = SeededGenerator(seed: 4)
        var segments: [CompositionTrackSegment] = []
        var wanted: [Float] = []
        var place = MediaTime.zero
        let rate = Ratio(48_000)
        func sample(_ time: MediaTime) -> Int { Int((time.scaled(by: rate) + MediaTime(1, 2)).wholeSteps(of: .seconds(1))) }
        for number in 0..<150 {
            let film = Int.random(in: 0...1, using: &chance)
            let source = TimeRange(
                start: MediaTime(Int64.random(in: 0...200_000, using: &chance), 30_000),
                duration: MediaTime(Int64.random(in: 100...30_000, using: &chance), 30_000))
            let target = TimeRange(start: place, duration: source.duration)
            let isEmpty = number % 10 == 5
            segments.append(
                CompositionTrackSegment(
                    isEmpty ? .empty : .media(SourceReference(url: files[film].path), source), target: target))
            let shift = sample(place - source.start)
            wanted += (sample(place)..<sample(target.end)).map { index in
                isEmpty ? 0 : Float((index - shift) % lengths[film] - lengths[film] / 2) / 32_768
            }
            place = target.end
        }
        let box = try FilmBox()
        defer { box.close() }
        _ = open(Composition(tracks: [CompositionTrack(id: TrackID(1), type: .audio, segments: segments)]), in: box)
        box.player.play()
        #expect(box.run(within: .seconds(300)) { box.endCount == 1 || !box.failures.isEmpty })
        #expect(box.failures.isEmpty)
        #expect(firstDifference(Array(box.sink.samples.prefix(wanted.count)), wanted) == nil)
    }

    @Test("the volume of an audio mix is heard from the sample at which it changes, across edges")
    func mix() throws {
        let file = try countedSound(30_000)
        let segments = (0..<6).map { number in
            CompositionTrackSegment(
                SourceReference(url: file.path), TimeRange(start: .seconds(Int64(number)), duration: .milliseconds(501)),
                at: .milliseconds(Int64(number) * 501))
        }
        let track = CompositionTrack(id: TrackID(1), type: .audio, segments: segments)
        let curve = RampCurve(
            1.0,
            [
                Ramp(TimeRange(start: MediaTime(10_001, 30_000), duration: .seconds(1)), from: 1, to: 0.25),
                Ramp(at: .milliseconds(1800), 0),
                Ramp(TimeRange(start: .seconds(2), duration: .milliseconds(500)), from: 0.5, to: 1),
            ])
        let mix = AudioMix(inputParameters: [AudioMixInputParameters(track: TrackID(1), volume: curve)])
        let box = try FilmBox()
        defer { box.close() }
        let composition = Composition(tracks: [track])
        box.player.replaceCurrentItem(
            with: PlayerItem(
                asset: Asset(composition: composition, audioMix: mix, name: "mix", services: box.player.services)))
        func differences(from first: Int) -> [Int] {
            box.sink.samples.enumerated().compactMap { index, sample in
                let time = MediaTime(Int64(first + index), 48_000)
                guard let place = track.source(at: time)?.1 else { return sample == 0 ? nil : index }
                let number = Int((place + MediaTime(1, 96_000)).unitsRoundedDown(of: 48_000))
                let whole = Float(number % 30_000 - 15_000) / 32_768
                return abs(sample - whole * Float(curve.value(at: time))) < 1e-6 ? nil : first + index
            }
        }
        box.player.play()
        #expect(box.run { box.endCount == 1 || !box.failures.isEmpty })
        #expect(box.failures.isEmpty && box.sink.samples.count >= 6 * 24_048)
        #expect(differences(from: 0).isEmpty, "at \(differences(from: 0).prefix(5))")
    }

    @Test("sources that vanish, are cut off, are no media, have no such track or are playlists end playback with one sentence")
    func badSources() throws {
        func fails(_ url: String, track: Int? = nil, begin: Int = 0) throws -> String? {
            let box = try FilmBox()
            defer { box.close() }
            let good = CompositionTrackSegment(
                SourceReference(url: paths[0]), TimeRange(start: .zero, duration: Pieces.frame(10)), at: .zero)
            let bad = CompositionTrackSegment(
                SourceReference(url: url, track: track.map { TrackID($0) }),
                TimeRange(start: Pieces.frame(begin), duration: Pieces.frame(20)), at: Pieces.frame(10))
            _ = open(
                Composition(tracks: [CompositionTrack(id: TrackID(1), type: .video, segments: [good, bad])]), in: box)
            box.player.play()
            box.run(within: .seconds(20)) { box.endCount == 1 || !box.failures.isEmpty }
            return box.failures.first?.sentence
        }
        let text = try TemporaryFile(Array("<html>no film</html>".utf8), suffix: ".mp4")
        let playlist = try TemporaryFile(Array("#EXTM3U\n#EXT-X-ENDLIST\n".utf8), suffix: ".m3u8")
        let whole = try Pieces.films[0].bytes()
        let cut = try TemporaryFile(Array(whole.prefix(whole.count / 2)), suffix: ".mp4")
        #expect(try fails("/no/such/film.mp4")?.contains("/no/such/film.mp4") == true)
        #expect(try fails(text.path)?.contains(text.path) == true)
        #expect(try fails(playlist.path)?.contains("segment 2 of track 1") == true)
        #expect(try fails(paths[1], track: 9)?.contains("no track 9") == true)
        #expect(try fails(paths[1], track: 1)?.contains("its track 1 is audio") == true)
        #expect(try fails(cut.path, begin: 200) != nil)
        #expect(try fails(paths[1]) == nil)
        // A source that ends early: what it has is shown, and the rest of the time passes.
        #expect(try fails(paths[1], begin: 240) == nil)
    }

    @Test("a document plays like any other address, with the names in it relative to it")
    func documents() throws {
        let folder = ScratchFolder("composition")
        let name = try #require(paths[0].split(separator: "/").last)
        symlink(paths[0], "\(folder.path)/\(name)")
        func document(_ more: String) -> String {
            """
            {"compositionVersion": 1, "tracks": [{"id": 1, "type": "video", "segments": [
            {"url": "\(name)", "source": {"start": 4, "duration": "0.2"}}, {"url": "\(name)", "source": {"start": "1/25", "duration": "3/25"}}]}]\(more)}
            """
        }
        func play(_ text: String) throws -> (numbers: [Int?], failure: String?) {
            folder.put(text, "programme.json")
            let box = try FilmBox(refresh: Ratio(50))
            defer { box.close() }
            box.open("\(folder.path)/programme.json")
            box.player.play()
            box.run(within: .seconds(20)) { box.endCount == 1 || !box.failures.isEmpty }
            return (box.pictures.map(\.number), box.failures.first?.sentence)
        }
        let good = try play(" \n" + document(""))
        #expect(good.numbers == [100, 101, 102, 103, 104, 1, 2, 3] && good.failure == nil)
        #expect(
            try play(document(#", "audioMix": {"tracks": [{"track": 1}]}"#)).failure?.contains("/audioMix/tracks/0/track") == true
        )
        let picture =
            #", "videoComposition": {"renderSize": {"width": 128, "height": 72}, "frameDuration": 1, "instructions": [{"range": {"start": 0, "duration": "0.32"}, "layers": []}]}"#
        let background = try play(document(picture))
        #expect(background.numbers == [nil] && background.failure == nil)
        #expect(try play(#"{"feedVersion": 1}"#).failure?.contains("a JSON document, but not a composition") == true)
        #expect(try play(#"{"compositionVersion": 2}"#).failure?.contains("/compositionVersion") == true)
        #expect(try play("{").failure?.contains("a JSON document, but not a composition") == true)
    }

    @Test("what cannot be played is refused before anything is opened")
    func refusals() {
        func segment(_ target: TimeRange) -> CompositionTrackSegment {
            CompositionTrackSegment(
                .media(SourceReference(url: "a"), TimeRange(start: .zero, duration: .seconds(1))), target: target)
        }
        let second = TimeRange(start: .zero, duration: .seconds(1))
        func reason(_ tracks: [(MediaType, [CompositionTrackSegment])]) -> String? {
            let tracks = tracks.enumerated().map { CompositionTrack(id: TrackID($0 + 1), type: $1.0, segments: $1.1) }
            return CompositionSource.refusal(
                of: CompositionDocument(Composition(tracks: tracks)), hasCompositor: true)?.sentence
        }
        #expect(reason([(.video, [segment(second)])]) == nil)
        #expect(reason([])?.contains("empty") == true)
        #expect(reason([(.video, [])])?.contains("empty") == true)
        #expect(reason([(.video, [segment(second)]), (.video, [])])?.contains("several video tracks") == true)
        #expect(reason([(.video, [CompositionTrackSegment(.empty, target: second)])])?.contains("all segments are empty") == true)
        #expect(reason([(.audio, [CompositionTrackSegment(.empty, target: second)])])?.contains("all segments are empty") == true)
        #expect(reason([(.video, [segment(TimeRange(start: .zero, duration: .seconds(2)))])]) == nil)
        #expect(reason([(.video, [segment(TimeRange(start: .zero, duration: .seconds(17)))])])?.contains("rate") == true)
        #expect(reason([(.video, [segment(TimeRange(start: .seconds(1), duration: .seconds(1)))])])?.contains("gap") == true)
    }
}

@Suite("The edges of pieces")
struct PieceEdgeTests {
    @Test("the volume of each sample is that of its time, whatever the ramps and buffers")
    func gain() {
        var chance = SeededGenerator(seed: 31)
        for _ in 0..<60 {
            var place: Int64 = 0
            let ramps = (0..<Int.random(in: 0...5, using: &chance)).map { _ in
                place += Int64.random(in: 1...3000, using: &chance)
                let range = TimeRange(
                    start: MediaTime(place, 90_000), duration: MediaTime(Int64.random(in: 0...3000, using: &chance), 90_000))
                place += range.duration.units(of: 90_000)
                return Ramp(range, from: Double.random(in: 0...1, using: &chance), to: Double.random(in: 0...1, using: &chance))
            }
            let curve = RampCurve(1.0, ramps)
            let start = MediaTime(Int64.random(in: -500...4000, using: &chance), 44_100)
            var buffer = AudioBuffer(
                format: AudioFormat(sampleRate: 48_000, channels: 2), samples: [Float](repeating: 1, count: 4000), time: start)
            MixGain(curve).apply(to: &buffer)
            for frame in 0..<2000 {
                let wanted = Float(curve.value(at: start + MediaTime(Int64(frame), 48_000)))
                #expect(
                    abs(buffer.samples[2 * frame] - wanted) < 1e-5 && buffer.samples[2 * frame] == buffer.samples[2 * frame + 1])
            }
        }
    }

    @Test("sound of ranges that meet is joined without a missing and without an extra sample, whatever its time stamps")
    func sound() {
        var chance = SeededGenerator(seed: 9)
        let format = AudioFormat(sampleRate: 48_000, channels: 2)
        for _ in 0..<200 {
            var place = MediaTime(Int64.random(in: -2000...2000, using: &chance), 30_000)
            var next: Int64?
            for _ in 0..<5 {
                let range = TimeRange(start: place, duration: MediaTime(Int64.random(in: 1...4000, using: &chance), 30_000))
                place = range.end
                // Buffers that begin before the range, at any fraction of a sample, and end after it.
                var time = range.start - MediaTime(Int64.random(in: 1...9_000_000, using: &chance), 1_000_000_000)
                while time < range.end + MediaTime(1, 100) {
                    let count = Int.random(in: 1...1024, using: &chance)
                    let buffer = AudioBuffer(
                        format: format, samples: (0..<2 * count).map { Float($0) }, time: time)
                    if let part = buffer.clipped(to: range) {
                        let first = part.time.units(of: 48_000)
                        #expect(part.time == MediaTime(first, 48_000))
                        #expect(next == nil || next == first)
                        next = first + Int64(part.frameCount)
                        #expect(
                            (part.time - range.start) >= MediaTime(-1, 48_000) && (range.end - part.end) >= MediaTime(-1, 48_000))
                        // The samples are those of their times, within half a sample.
                        let index = MediaTime(Int64(part.samples[0]) / 2, 48_000)
                        #expect((time + index - part.time).magnitude <= MediaTime(1, 96_000) + .nanoseconds(2))
                        #expect(part.samples.count.isMultiple(of: 2) && part.samples[0].truncatingRemainder(dividingBy: 2) == 0)
                    }
                    time += MediaTime(Int64(count), 48_000)
                }
            }
        }
    }

    @Test("of samples in decoding order those are taken that are needed before a time, whether decode times are known or guessed")
    func samples() {
        // I P B B P B B P …, as pairs of presentation and decoding order.
        let order = [0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 12, 10, 11] + Array(13...60)
        for isGuessed in [false, true] {
            for end in 1...20 {
                var cut = SampleCut(at: Pieces.frame(end))
                var taken: [Int] = []
                for (index, number) in order.enumerated() {
                    let decode = isGuessed ? Pieces.frame(number) : Pieces.frame(index - 1)
                    let sample = EncodedSample.empty(
                        track: TrackID(1), presentation: Pieces.frame(number), decode: decode, duration: nil, isSync: index == 0)
                    var needed: [EncodedSample] = []
                    guard cut.take(sample, into: &needed) else { break }
                    taken += needed.map { Int($0.presentationTime.units(of: 25)) }
                }
                let last = order.lastIndex { $0 < end }!
                #expect(taken == Array(order[...last]), "before \(end)")
            }
        }
    }
}
