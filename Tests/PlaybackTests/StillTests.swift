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
}
