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
    /// With the other seeds these are all the edits that `EditTests` makes.
    nonisolated private static let seeds = Films.isLong ? 0..<50 : 0..<2
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

    /// Calls for each composition that is to be played, with the number of the edit.
    private func edits(_ rules: EditedComposition.Rules, _ seed: Int, _ body: (Int, EditedComposition) throws -> Void) throws {
        var edited = try EditedComposition(rules, seed: UInt64(seed))
        var played = 0
        for number in 1...200 {
            try edited.edit()
            let difference = edited.difference(at: .frames)
            try #require(difference == nil)
            guard number % Self.interval == 0, (0..<edited.model.count).contains(where: { edited.model.seen(at: $0) != nil })
            else { continue }
            try body(number, edited)
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
    private func layered(_ edited: EditedComposition) -> CompositionDocument {
        let composition = edited.composition.composition
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
        try edits(rules(), seed) { number, edited in
            let wanted = (0..<edited.model.count).map { edited.model.seen(at: $0)?.picture ?? -1 }
            let document = layered(edited)
            let box = try FilmBox(refresh: Ratio(50))
            defer { box.close() }
            open(document, in: box)
            box.player.play()
            playThrough(box, wanted, "edit \(number)")
            let stays = zip(box.pictures.dropFirst(), box.pictures.dropFirst(2)).map { $1.record.flip - $0.record.flip }
            #expect(stays.allSatisfy { $0 == .milliseconds(40) }, "edit \(number)")
            try render(document, wanted, box, "edit \(number)")
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

    /// Renders the programme as exports do, whole and from its middle on.
    private func render(_ document: CompositionDocument, _ wanted: [Int], _ box: FilmBox, _ edit: String) throws {
        let services = box.player.services
        let renderer = CompositionRenderer(
            loader: services.loader, codecs: services.codecs, compositor: PictureCompositor(), clock: services.clock)
        for first in [0, wanted.count / 2] {
            let streams = OpenStreams()
            defer { streams.close() }
            let media = try renderer.openPictures(
                of: document, in: EditedFrames.range(first, wanted.count - first), streams: streams)
            var numbers: [Int] = []
            while let frames = try media.next() { numbers += frames.map { NumberGrid.number(in: $0.pixels) ?? -1 } }
            #expect(firstDifference(numbers, Array(wanted[first...])) == nil, "\(edit) rendered from \(first)")
        }
    }

    // MARK: One track

    @Test(
        "edits of one track without holes: at the time of each frame, in playback and after seeks, the picture is the one of the list",
        arguments: seeds)
    func pieces(seed: Int) throws {
        var rules = rules()
        rules.trackCount = 1
        rules.hasHoles = false
        try edits(rules, 100 + seed) { number, edited in
            let wanted = (0..<edited.model.count).map { edited.model.seen(at: $0)?.picture ?? -1 }
            let box = try FilmBox(refresh: Ratio(50))
            defer { box.close() }
            open(CompositionDocument(edited.composition.composition), in: box)
            box.player.play()
            #expect(box.run(within: .seconds(60)) { box.endCount == 1 || !box.failures.isEmpty }, "edit \(number)")
            #expect(box.failures.isEmpty, "edit \(number): \(box.failures)")
            // A slow picture stays for several frames, of fast ones some are not shown.
            let shown = wanted.indices.map { index in
                box.pictures.last { $0.record.time <= frame(index) }?.number ?? -1
            }
            #expect(firstDifference(shown, wanted) == nil, "edit \(number)")
            var chance = SeededGenerator(seed: UInt64(number))
            for _ in 0..<5 {
                let index = Int.random(in: wanted.indices, using: &chance)
                #expect(box.seek(to: frame(index)) == true)
                #expect(box.number() == wanted[index], "edit \(number), seek to \(index)")
            }
        }
    }
}
