import MediaTime
import TestSupport
import Testing

@testable import Playback

/// Containers that have times in whole milliseconds, on screens with the rate of the film or nearly so.
@Suite("Times in whole milliseconds", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
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
}
