import Composition
import Display
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

private func frame(_ number: Int) -> MediaTime { EditedFrames.time(number) }

/// Compositions that random edits leave are played and rendered: on the screen is what the lists of numbered frames say.
@Suite("Playing edits", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct EditedPlaybackTests {
    private static let films = [
        NumberedFilm("piece-one.mp4").with {
            $0.frames = 250; $0.soundSeconds = "10"
        },
        NumberedFilm("piece-two.mkv", audio: ["-c:a", "pcm_s16le"]).with {
            $0.frames = 250; $0.soundSeconds = "10"
        },
    ]
    /// In long runs as many edits as `EditTests` makes, or those of the seeds in `MARQUEE_SEEDS` (`7-49`), so that several processes can share them.
    nonisolated private static let seeds = Films.isLong ? chosenSeeds ?? 0..<50 : 0..<2
    nonisolated private static let chosenSeeds: Range<Int>? = {
        let bounds = (Fixtures.variable("MARQUEE_SEEDS") ?? "").split(separator: "-").compactMap { Int($0) }
        guard bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
        return bounds[0]..<bounds[1] + 1
    }()
    /// Of how many edits the last one is played.
    nonisolated private static let interval = Films.isLong ? 1 : 25
    private let sources: [EditedComposition.Source]

    /// The films have the same numbers: of each only a part is used, so that a number says of which film it is.
    init() throws {
        sources = try Self.films.enumerated().map { index, film in
            EditedComposition.Source(
                SourceReference(url: try film.path(), codec: "h264"), frames: 3 + index * 120..<115 + index * 120)
        }
    }

    private func rules() -> EditedComposition.Rules {
        var rules = EditedComposition.Rules(sources)
        // A shorter rest of a picture may be dropped: containers round time stamps.
        rules.leastSpan = EditedFrames.length / 2
        rules.slowness = [2]
        return rules
    }

    /// The composition after a number of edits.
    private func edited(_ rules: EditedComposition.Rules, _ seed: Int, edits: Int) throws -> EditedComposition {
        var edited = try EditedComposition(rules, seed: UInt64(seed))
        for _ in 0..<edits { try edited.edit() }
        return edited
    }

    /// Calls for each composition that is to be played, with the number of the edit and whether the edit before has left another one: an edit may do nothing,
    /// and in simulated time the same composition plays the same way.
    private func edits(
        _ rules: EditedComposition.Rules, _ seed: Int, _ body: (Int, EditedComposition, _ isNew: Bool) throws -> Void
    ) throws {
        var edited = try EditedComposition(rules, seed: UInt64(seed))
        var last: Composition?
        var played = 0
        for number in 1...200 {
            try edited.edit()
            let difference = edited.difference(at: .frames)
            try #require(difference == nil)
            guard number % Self.interval == 0, (0..<edited.model.count).contains(where: { edited.model.seen(at: $0) != nil })
            else { continue }
            let composition = edited.composition.composition
            try body(number, edited, composition != last)
            last = composition
            played += 1
        }
        #expect(played > 4)
    }

    private func open(_ document: CompositionDocument, in box: FilmBox) {
        let asset = Asset(
            composition: document.composition, videoComposition: document.videoComposition, name: "edits",
            services: box.player.services)
        box.player.replaceCurrentItem(with: PlayerItem(asset: asset))
    }

    // MARK: Several tracks

    /// The first track lies over the second one, over black.
    private func layered(_ composition: Composition) -> CompositionDocument {
        let video = VideoComposition(
            renderSize: RenderSize(width: 128, height: 72), frameDuration: frame(1),
            instructions: [
                VideoCompositionInstruction(
                    TimeRange(start: .zero, duration: composition.duration),
                    layers: composition.tracks.map { LayerInstruction(track: $0.id) })
            ])
        return CompositionDocument(composition, videoComposition: video)
    }

    @Test(
        "edits of two tracks, with holes and speeds: forward, at rate 2, backward, by steps and in exports each picture is the one of the lists",
        arguments: seeds)
    func layers(seed: Int) throws {
        try edits(rules(), seed) { number, edited, isNew in
            let wanted = (0..<edited.model.count).map { edited.model.seen(at: $0)?.picture ?? -1 }
            let document = layered(edited.composition.composition)
            let box = try FilmBox(refresh: Ratio(50))
            defer { box.close() }
            open(document, in: box)
            if isNew {
                box.player.play()
                playThrough(box, wanted, "edit \(number)")
                let stays = zip(box.pictures.dropFirst(), box.pictures.dropFirst(2)).map { $1.record.flip - $0.record.flip }
                #expect(stays.allSatisfy { $0 == .milliseconds(40) }, "edit \(number)")
                // As exports do, whole, to its end and to a place within it.
                for range in [0..<wanted.count, wanted.count / 2..<wanted.count, wanted.count / 3..<(wanted.count + 1) / 2] {
                    try render(document, range, wanted, box, "edit \(number)")
                }
            }
            // Each of these takes longer than playing once.
            switch number / Self.interval % 3 {
            case 0: playTwice(box, wanted, "edit \(number)")
            case 1: playBackward(box, wanted, "edit \(number)")
            default: step(box, wanted, seed: number, "edit \(number)")
            }
        }
    }

    private func playThrough(_ box: FilmBox, _ wanted: [Int], _ edit: String) {
        let ends = box.endCount
        #expect(box.run(within: .seconds(60)) { box.endCount > ends || !box.failures.isEmpty }, "\(edit)")
        #expect(box.failures.isEmpty, "\(edit): \(box.failures)")
        #expect(firstDifference(box.pictures.map { $0.number ?? -1 }, wanted) == nil, "\(edit)")
        #expect(firstDifference(box.pictures.map(\.record.time), wanted.indices.map(frame)) == nil, "\(edit)")
    }

    private func playTwice(_ box: FilmBox, _ wanted: [Int], _ edit: String) {
        #expect(box.seek(to: .zero) == true)
        box.forget()
        #expect(box.player.setRate(Ratio(2)))
        let ends = box.endCount
        #expect(box.run(within: .seconds(60)) { box.endCount > ends || !box.failures.isEmpty }, "\(edit)")
        // The first picture was on the screen before.
        #expect(firstDifference(box.pictures.map { $0.number ?? -1 }, Array(wanted.dropFirst())) == nil, "\(edit) at rate 2")
    }

    private func playBackward(_ box: FilmBox, _ wanted: [Int], _ edit: String) {
        let last = wanted.count - 1
        guard last > 0 else { return }
        #expect(box.seek(to: frame(last)) == true)
        box.forget()
        #expect(box.player.setRate(Ratio(-1)))
        #expect(box.run { box.player.currentTime == .zero && box.pictures.last?.record.time == .zero }, "\(edit)")
        let shown = box.pictures.map { $0.number ?? -1 }
        #expect(firstDifference(shown, Array(wanted[..<last].reversed())) == nil, "\(edit) backward")
    }

    private func step(_ box: FilmBox, _ wanted: [Int], seed: Int, _ edit: String) {
        var chance = SeededGenerator(seed: UInt64(seed))
        func isShown(_ number: Int) -> Bool {
            box.run(within: .milliseconds(100)) { false }
            return box.pictures.last?.record.time == frame(number) && (box.number() ?? -1) == wanted[number]
        }
        for _ in 0..<4 {
            let number = Int.random(in: wanted.indices, using: &chance)
            let place = frame(number) + MediaTime(Int64.random(in: 0..<40_000_000, using: &chance), 1_000_000_000)
            #expect(box.seek(to: place) == true)
            #expect(isShown(number), "\(edit), seek to \(place)")
            for next in number + 1..<min(number + 5, wanted.count) {
                box.player.step(byCount: 1)
                #expect(isShown(next), "\(edit), step to \(next)")
            }
            for before in (max(number - 3, 0)..<number).reversed() {
                box.player.step(byCount: before == number - 1 ? before - min(number + 4, wanted.count - 1) : -1)
                #expect(isShown(before), "\(edit), step back to \(before)")
            }
        }
    }

    private func render(
        _ document: CompositionDocument, _ range: Range<Int>, _ wanted: [Int], _ box: FilmBox, _ edit: String
    ) throws {
        let services = box.player.services
        let renderer = CompositionRenderer(
            loader: services.loader, codecs: services.codecs, compositor: PictureCompositor(), clock: services.clock)
        let streams = OpenStreams()
        defer { streams.close() }
        let media = try renderer.openPictures(
            of: document, in: EditedFrames.range(range.lowerBound, range.count), streams: streams)
        var numbers: [Int] = []
        while let frames = try media.next() { numbers += frames.map { NumberGrid.number(in: $0.pixels) ?? -1 } }
        #expect(firstDifference(numbers, Array(wanted[range])) == nil, "\(edit), \(range) rendered")
    }

    // MARK: Fixed cuts

    /// Pieces of the film in Matroska, which states no decode times: the first picture and the count of each. Its key pictures are the multiples of 25; after
    /// each, the third picture is decoded before the first and the second one.
    nonisolated private static let cuts: [[(first: Int, count: Int)]] = [
        // It ends before a picture that its last one refers to.
        [(150, 2)],
        // Of the second piece a bundle cannot have all samples that come before its first picture.
        [(125, 4), (172, 4)],
        // Both.
        [(147, 5), (170, 2), (199, 3)],
    ]

    @Test(
        "cuts of a film without decode times: forward, backward from each picture, and in exports of each range, no picture is missing",
        arguments: cuts.indices)
    func reordered(index: Int) throws {
        var segments: [CompositionTrackSegment] = []
        var wanted: [Int] = []
        for (first, count) in Self.cuts[index] {
            segments.append(
                CompositionTrackSegment(sources[1].reference, EditedFrames.range(first, count), at: frame(wanted.count)))
            wanted += first..<first + count
        }
        let document = layered(Composition(tracks: [CompositionTrack(id: TrackID(1), type: .video, segments: segments)]))
        let box = try FilmBox(refresh: Ratio(50))
        defer { box.close() }
        open(document, in: box)
        box.player.play()
        playThrough(box, wanted, "cut \(index)")
        for last in wanted.indices { playBackward(box, Array(wanted[...last]), "cut \(index) from \(last)") }
        for first in wanted.indices {
            for last in first..<wanted.count { try render(document, first..<last + 1, wanted, box, "cut \(index)") }
        }
    }

    // MARK: One track

    private func rulesOfOneTrack() -> EditedComposition.Rules {
        var rules = rules()
        rules.trackCount = 1
        rules.hasHoles = false
        return rules
    }

    /// Of slow pictures each stays for several blanks; of fast ones some are on the screen at no blank.
    private func playPieces(_ model: EditedFrames, refresh: Ratio, in box: FilmBox, _ edit: String) {
        box.player.play()
        #expect(box.run(within: .seconds(60)) { box.endCount == 1 || !box.failures.isEmpty }, "\(edit)")
        #expect(box.failures.isEmpty, "\(edit): \(box.failures)")
        let shown = box.pictures.map { record, number in
            EditedFrames.Shown(
                number ?? -1, TimeRange(start: record.time, duration: record.duration), at: record.mediaTimeAtFlip)
        }
        #expect(firstDifference(shown, model.shown(of: 0, refresh: refresh)) == nil, "\(edit)")
        // The clock is that of the screen.
        let starts = box.pictures.filter(\.record.isRunning).map {
            $0.record.flip.nanoseconds - $0.record.mediaTimeAtFlip.nanoseconds
        }
        #expect(Set(starts).count <= 1, "\(edit)")
    }

    private func seekToFrames(_ edited: EditedComposition, in box: FilmBox, seed: Int, _ edit: String) {
        var chance = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<5 {
            let index = Int.random(in: 0..<edited.model.count, using: &chance)
            #expect(box.seek(to: frame(index)) == true)
            #expect(box.number() == edited.model.seen(at: index)?.picture, "\(edit), seek to \(index)")
        }
    }

    @Test(
        "edits of one track without holes: at each blank, in playback and after seeks, the picture is the one of the list",
        arguments: seeds)
    func pieces(seed: Int) throws {
        try edits(rulesOfOneTrack(), 100 + seed) { number, edited, isNew in
            let box = try FilmBox(refresh: Ratio(50))
            defer { box.close() }
            open(CompositionDocument(edited.composition.composition), in: box)
            if isNew { playPieces(edited.model, refresh: Ratio(50), in: box, "edit \(number)") }
            seekToFrames(edited, in: box, seed: number, "edit \(number)")
        }
    }

    /// Frame 5 begins with a picture of 10 ms, which is over in the middle of its blank.
    @Test(
        "a picture of a fast piece that is over in the middle of its blank is not shown, and a seek to it shows it",
        arguments: [(18, 19), (19, 139), (19, 140), (19, 141)])
    func brief(seed: Int, number: Int) throws {
        let edited = try edited(rulesOfOneTrack(), 100 + seed, edits: number)
        let brief = try #require(edited.model.pictures(of: 0).first { $0.range.start == frame(5) })
        #expect(brief.range.duration == .milliseconds(10))
        #expect(!edited.model.shown(of: 0, refresh: Ratio(50)).contains { $0.picture == brief })
        let box = try FilmBox(refresh: Ratio(50))
        defer { box.close() }
        open(CompositionDocument(edited.composition.composition), in: box)
        playPieces(edited.model, refresh: Ratio(50), in: box, "edit \(number)")
        #expect(box.seek(to: frame(5)) == true)
        #expect(box.number() == brief.picture)
    }
}
