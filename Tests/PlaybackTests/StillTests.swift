import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// Files with one picture are played as items: whole playbacks on the simulated clock.
@Suite("Still pictures", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct StillTests {
    nonisolated private static func picture(_ name: String, video: [String]) -> NumberedFilm {
        NumberedFilm(name, video: video, audio: []).with { $0.frames = 1 }
    }
    nonisolated private static let pictures = [
        picture("still.png", video: ["-c:v", "png"]), picture("still.jpg", video: ["-c:v", "mjpeg", "-q:v", "2"]),
        picture("still.bmp", video: ["-c:v", "bmp"]),
    ]

    private static func seconds(_ length: Duration) -> Double { Double(length.wholeNanoseconds) / 1e9 }

    private func item(_ film: NumberedFilm, seconds: Int64?, _ box: FilmBox) throws -> PlayerItem {
        let path = try film.path()
        let services = box.player.services
        let asset =
            seconds.map { Asset(url: path, stillDuration: .seconds($0), services: services) }
            ?? Asset(url: path, services: services)
        return PlayerItem(asset: asset)
    }

    @Test("a picture is shown as long as it was asked for, or ten seconds, drawn once", arguments: pictures, [nil, 3, 90])
    func duration(of film: NumberedFilm, seconds: Int64?) throws {
        let box = try FilmBox()
        defer { box.close() }
        let item = try item(film, seconds: seconds, box)
        box.player.replaceCurrentItem(with: item)
        box.player.play()
        #expect(box.run(within: .seconds(120), until: { box.endCount > 0 || !box.failures.isEmpty }) && box.failures.isEmpty)
        #expect(box.pictures.map(\.number) == [0])
        let length = try #require(box.ended) - box.pictures[0].record.flip
        #expect(abs(Self.seconds(length) - Double(seconds ?? 10)) < 0.1, "\(length)")
        #expect(item.duration == .finite(.seconds(seconds ?? 10)) && item.description?.kind == "picture")
    }

    @Test("a seek lands exactly and shows the picture; what is left of its time follows", arguments: pictures)
    func seek(in film: NumberedFilm) throws {
        let box = try FilmBox()
        defer { box.close() }
        box.player.replaceCurrentItem(with: try item(film, seconds: 60, box))
        box.player.play()
        for target in [40, 10, 57] {
            #expect(box.seek(to: .seconds(Int64(target))) == true && box.number() == 0 && box.failures.isEmpty, "\(target) s")
            #expect((box.player.currentTime - .seconds(Int64(target))).magnitude < .milliseconds(100))
        }
        let start = box.loop.clock.now
        #expect(box.run(until: { box.endCount > 0 }))
        let rest = Self.seconds(try #require(box.ended) - start)
        #expect(abs(rest - 3) < 0.2)
    }

    @Test("there is no frame behind a picture, and none before it: its place stays", arguments: [1, -1])
    func step(by count: Int) throws {
        let box = try FilmBox()
        defer { box.close() }
        let item = try item(Self.pictures[0], seconds: 60, box)
        box.player.replaceCurrentItem(with: item)
        #expect(box.seek(to: .seconds(20)) == true)
        var answer: Bool?
        box.player.step(byCount: count) { answer = $0 }
        #expect(box.run(until: { answer != nil }) && answer == false)
        #expect(box.player.currentTime == .seconds(20))
        #expect(!item.canStepForward && !item.canStepBackward && !item.canPlayReverse)
    }

    @Test("pictures and films follow each other in a queue without a gap")
    func queue() throws {
        let box = try FilmBox(isQueue: true)
        defer { box.close() }
        let film = NumberedFilm("between-stills.mp4", audio: [])
        for (film, seconds) in [(Self.pictures[0], 4), (film, nil), (Self.pictures[1], 2)] as [(NumberedFilm, Int64?)] {
            box.player.insert(try item(film, seconds: seconds, box), after: nil)
        }
        box.player.play()
        #expect(box.run(until: { box.endCount == 3 || !box.failures.isEmpty }) && box.failures.isEmpty)
        #expect(box.pictures.map(\.number) == [0] + Array(0..<75) + [0])
        let shown = box.pictures.map(\.record.flip)
        #expect(abs(Self.seconds(shown[1] - shown[0]) - 4) < 0.06 && abs(Self.seconds(shown[76] - shown[75]) - 0.04) < 0.06)
    }

    // MARK: Movement

    /// The luma of the fields on the screen.
    private func levels(_ box: FilmBox) -> [Double] {
        var picture: ScreenPicture??
        box.display.readScreen { picture = .some($0) }
        box.loop.run(until: { picture != nil })
        return (picture ?? nil).map { NumberGrid.levels(in: $0.pixels) } ?? []
    }

    /// Whether most fields look the same: a blank earlier or later moves the edges of the others.
    private func areNear(_ one: [Double], _ other: [Double]) -> Bool {
        one.count == other.count && zip(one, other).count { abs($0 - $1) > 40 } * 4 < one.count
    }

    private func show(_ motion: PictureMotion, _ box: FilmBox, seconds: Int64 = 10) throws {
        let item = try item(Self.pictures[0], seconds: seconds, box)
        item.asset.motion = motion
        box.player.replaceCurrentItem(with: item)
        box.player.play()
        #expect(box.run(until: { !box.pictures.isEmpty }) && box.failures.isEmpty)
    }

    private func wait(_ length: Duration, _ box: FilmBox) {
        let end = box.loop.clock.now + length
        box.run(within: length + .seconds(1), until: { box.loop.clock.now >= end })
    }

    @Test("a picture that moves is decoded once and committed for each blank; in a pause it stands, and a seek finds it")
    func movement() throws {
        let box = try FilmBox()
        defer { box.close() }
        try show(PictureMotion(to: .init(zoom: 8000, x: 0, y: 0)), box)
        let first = levels(box), flips = box.player.scheduler.flipCount
        wait(.seconds(5), box)
        #expect(box.pictures.count == 1 && box.player.scheduler.flipCount - flips > 30)
        let half = levels(box)
        #expect(!areNear(half, first))
        box.player.pause()
        wait(.seconds(1), box)
        let (standing, paused) = (levels(box), box.player.scheduler.flipCount)
        wait(.seconds(5), box)
        #expect(levels(box) == standing && box.player.scheduler.flipCount == paused)
        #expect(box.seek(to: .zero) == true && areNear(levels(box), first))
        #expect(box.seek(to: .seconds(5)) == true && areNear(levels(box), half))
    }

    @Test("a picture fades from black and to black, and between the fades nothing is committed")
    func fades() throws {
        let box = try FilmBox()
        defer { box.close() }
        try show(PictureMotion(fadeIn: .seconds(2), fadeOut: .seconds(2)), box)
        func light() -> Double { levels(box).reduce(0, +) }
        let dark = light()
        wait(.seconds(1), box)
        let dim = light()
        wait(.milliseconds(1500), box)
        let (whole, flips) = (light(), box.player.scheduler.flipCount)
        #expect(box.number() == 0 && dark < dim * 0.5 && dim < whole * 0.9)
        wait(.seconds(5), box)
        #expect(box.player.scheduler.flipCount == flips && light() == whole)
        wait(.milliseconds(1800), box)
        #expect(light() < whole * 0.5 && box.player.scheduler.flipCount > flips + 50)
    }

    @Test("each picture of a queue has its own movement from its first blank on")
    func queueOfMovements() throws {
        let box = try FilmBox(isQueue: true)
        defer { box.close() }
        for fade in [true, false] {
            let item = try item(Self.pictures[0], seconds: 4, box)
            if fade { item.asset.motion = PictureMotion(fadeIn: .seconds(1), fadeOut: .seconds(1)) }
            box.player.insert(item, after: nil)
        }
        box.keepsScreens = true
        box.player.play()
        #expect(box.run(until: { box.endCount == 2 || !box.failures.isEmpty }) && box.failures.isEmpty)
        // The second one is opaque in the scene in which it replaces the first one, which was black.
        #expect(box.pictures.count == 2 && box.pictures[1].number == 0 && box.pictures[0].number == nil)
    }
}
