import LinuxSupport
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// Films that are copied from a moment on: their edit lists begin there.
@Suite("Edits that begin in a picture", .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct EditStartTests {
    /// Five seconds from a moment on, with the clicks of the whole seconds.
    private func film(_ name: String, _ video: [String], from moment: String) -> NumberedFilm {
        let isMovie = name.hasSuffix("mov")
        var film = NumberedFilm("cut-\(moment)-\(name)", video: video, audio: isMovie ? ["-c:a", "pcm_s16le"] : NumberedFilm.aac)
        film.frames = 125
        film.soundSeconds = "5"
        film.copying = ["-ss", moment, "INPUT", "-map", "0", "-c", "copy"]
        return film
    }

    nonisolated private static let codecs: [(name: String, video: [String])] = [
        ("mjpeg.mov", ["-c:v", "mjpeg", "-q:v", "2", "-pix_fmt", "yuvj420p"]), ("prores.mov", ["-c:v", "prores_ks"]),
        ("png.mov", ["-c:v", "png"]), ("raw.mov", ["-c:v", "rawvideo", "-pix_fmt", "uyvy422"]),
        (
            "dnxhr.mov",
            ["-c:v", "dnxhd", "-profile:v", "dnxhr_hq", "-pix_fmt", "yuv422p", "-s", "256x144", "-sws_flags", "neighbor"]
        ),
        ("h264.mov", NumberedFilm.h264), ("h264.mp4", NumberedFilm.h264),
        ("hevc.mp4", ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=none:crf=18:keyint=25"]),
        ("mpeg4.mp4", ["-c:v", "mpeg4", "-q:v", "2", "-g", "12"]),
    ]

    @Test(
        "the picture whose time the start of the edit cuts is shown from there on, and those behind it at their times and with their sound",
        arguments: codecs, ["0.7", "1.3", "1.32"])
    func shownFromTheStart(codec: (name: String, video: [String]), moment: String) throws {
        let box = try FilmBox(refresh: Ratio(50))
        defer { box.close() }
        box.open(try film(codec.name, codec.video, from: moment).path())
        box.player.play()
        #expect(box.run(until: { box.endCount > 0 || !box.failures.isEmpty }) && box.failures.isEmpty, "\(box.failures)")
        let start = try #require(Self.starts[moment])
        let numbers = Array(Int(start / 40)..<125)
        #expect(box.pictures.map(\.number) == numbers)
        #expect(box.pictures.map(\.record.time) == numbers.map { .milliseconds(Int64($0) * 40 - start) })
        let clicks = box.sink.clicks()
        let seconds = box.pictures.filter { ($0.number ?? 0) % 25 == 0 }.map(\.record.flip)
        #expect(clicks.count == seconds.count)
        let late = zip(clicks, seconds).map { MediaTime.nanoseconds(($0 - $1).wholeNanoseconds) }
        #expect(late.allSatisfy { $0 >= .milliseconds(-15) && $0 <= .milliseconds(15) }, "\(late)")
        // And again from its beginning, and from a moment in it.
        box.forget()
        #expect(box.seek(to: .zero) == true && box.number() == numbers[0])
        #expect(box.seek(to: .milliseconds(2000 - start)) == true && box.number() == 50)
        #expect(box.seek(to: .milliseconds(2999 - start)) == true && box.number() == 74)
    }

    /// In milliseconds.
    nonisolated private static let starts: [String: Int64] = ["0.7": 700, "1.3": 1300, "1.32": 1320]
}
