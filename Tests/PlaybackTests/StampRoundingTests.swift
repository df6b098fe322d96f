import MediaTime
import TestSupport
import Testing

@testable import Playback

/// Containers whose times are not exact, on screens with the rate of the film or nearly so.
@Suite("Times that are rounded or guessed", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct StampRoundingTests {
    @Test(
        "each picture is shown, in order, also while blanks lie where pictures change", arguments: ["mkv", "flv"],
        [("60000/1001", Ratio(60)), ("60", Ratio(60)), ("50", Ratio(50))])
    func shown(container: String, rates: (film: String, screen: Ratio)) throws {
        let film = NumberedFilm("rounded-\(rates.film.replacing("/", with: "-")).\(container)", audio: []).with {
            $0.frames = 700
            $0.rate = rates.film
        }
        let box = try FilmBox(refresh: rates.screen)
        defer { box.close() }
        box.open(try film.path())
        box.player.play()
        #expect(box.run(until: { box.endCount > 0 || !box.failures.isEmpty }) && box.failures.isEmpty, "\(box.failures)")
        #expect(box.pictures.map(\.number) == Array(0..<700))
    }

    /// FFmpeg's writer of program streams takes the headers before a key picture for the picture itself. In these films a packet begins between both.
    nonisolated private static let programmes: [(codec: String, rate: String, between: String, group: String, screen: Ratio)] = [
        ("mpeg1video", "60000/1001", "3", "30", Ratio(60)), ("mpeg2video", "60", "1", "25", Ratio(60)),
        ("mpeg2video", "50", "2", "25", Ratio(50)),
    ]

    @Test(
        "a key picture that has the time of the picture stored behind it is shown in its turn, and so are those whose times are guessed from it",
        arguments: programmes)
    func shownInTurn(codec: String, rate: String, between: String, group: String, screen: Ratio) throws {
        let video = ["-c:v", codec, "-bf", between, "-g", group, "-q:v", "4"]
        let programme = NumberedFilm("guessed-\(codec).mpg", video: video, audio: [], extra: ["-f", "vob"]).with {
            $0.frames = 540
            $0.rate = rate
        }
        let box = try FilmBox(refresh: screen)
        defer { box.close() }
        box.open(try programme.path())
        box.player.play()
        #expect(box.run(until: { box.endCount > 0 || !box.failures.isEmpty }) && box.failures.isEmpty, "\(box.failures)")
        #expect(box.pictures.map(\.number) == Array(0..<540))
        let steps = zip(box.pictures, box.pictures.dropFirst()).map { $1.record.time - $0.record.time }
        #expect(steps.allSatisfy { $0 > .milliseconds(15) && $0 < .milliseconds(21) })
    }
}
