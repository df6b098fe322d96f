import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// Whole playbacks of real files on the simulated clock. Each film of every run gives a text dump that is compared with the stored one in
/// Tests/Fixtures/playback. `MARQUEE_REWRITE=1` rewrites them; review the diff.
@Suite(
    "Films of every kind are played whole", .serialized,
    .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct WholePlaybackTests {
    @Test("every picture is shown once, in order and on time, and the sound is in sync", arguments: Films.chosen)
    func whole(_ film: Films.Case) throws {
        let box = try FilmBox()
        defer { box.close() }
        let item = box.open(try film.film.path())
        box.player.play()
        #expect(box.run(until: { box.endCount > 0 || !box.failures.isEmpty }))
        box.run(within: .milliseconds(500), until: { false })
        #expect(box.failures.map(\.sentence) == [])
        #expect(box.endCount == 1)
        #expect(box.player.state.stallCount == 0)

        let hasPictures = film.film.frames > 0
        #expect(firstDifference(box.pictures.map { $0.number ?? -1 }, hasPictures ? Array(film.numbers) : []) == nil)
        let start = box.pictures.first?.record.time ?? .zero
        for (number, picture) in zip(film.numbers, box.pictures) {
            let wanted = start + time(of: number, film) - time(of: film.numbers.lowerBound, film)
            #expect(
                (picture.record.time - wanted).magnitude <= .milliseconds(1),
                "picture \(number) is at \(picture.record.time), not \(wanted)")
        }
        try sound(film, box)
        if let duration = item.description?.duration.time, let last = box.pictures.last?.record { #expect(duration >= last.time) }
        if film.isSample { compare(dump(film, box, item), try fixture(film.film)) }
    }

    private func time(of number: Int, _ film: Films.Case) -> MediaTime {
        film.milliseconds.map { .milliseconds(Int64($0(number))) } ?? MediaTime(Int64(number * film.rate.1), Int32(film.rate.0))
    }

    /// Clicks are heard when the pictures of their seconds are shown.
    private func sound(_ film: Films.Case, _ box: FilmBox) throws {
        let clicks = box.sink.clicks()
        guard !film.film.audio.isEmpty else {
            #expect(clicks.isEmpty)
            return
        }
        #expect(clicks.count >= 2, "\(clicks.count) clicks were heard")
        for error in errors(film, box) {
            #expect(
                error >= .milliseconds(-15) && error <= .milliseconds(45),
                "a click is heard \(error.milliseconds) ms behind its picture")
        }
    }

    /// How much later than the picture of its second each click was heard.
    private func errors(_ film: Films.Case, _ box: FilmBox) -> [MediaTime] {
        let clicks = box.sink.clicks()
        return box.pictures.enumerated().compactMap { index, picture in
            let place = time(of: film.numbers.lowerBound + index, film)
            guard place.wholeSteps(of: .seconds(1)) != (place - .nanoseconds(1)).wholeSteps(of: .seconds(1)),
                place == .seconds(place.wholeSteps(of: .seconds(1)))
            else { return nil }
            let near = clicks.map { MediaTime.nanoseconds(($0 - picture.record.flip).wholeNanoseconds) }.min {
                $0.magnitude < $1.magnitude
            }
            return near.flatMap { $0.magnitude < .milliseconds(300) ? $0 : nil }
        }
    }

    // MARK: The dump

    private func dump(_ film: Films.Case, _ box: FilmBox, _ item: PlayerItem) -> String {
        var lines: [String] = []
        for track in item.description?.tracks ?? [] {
            var words = "\(track.type) \(track.codec)"
            if let width = track.width, let height = track.height { words += " \(width)x\(height)" }
            if let rate = track.frameRate { words += " \(rate)/s" }
            if let rate = track.sampleRate { words += " \(rate) Hz" }
            if let channels = track.channels { words += " \(channels) ch" }
            lines.append(words)
        }
        lines.append("duration \(item.description?.duration.time?.description ?? "-")")
        lines += pictureLines(box)
        for run in box.audioRuns { lines.append("sound from \(run)") }
        let errors = errors(film, box).map { "\($0.milliseconds)" }
        if !errors.isEmpty { lines.append("clicks behind their pictures by \(errors.joined(separator: " ")) ms") }
        if let first = box.pictures.first?.record.flip ?? box.sink.starts.first?.at, let ended = box.ended {
            lines.append(
                "end \(MediaTime.nanoseconds((ended - first).wholeNanoseconds).milliseconds) ms after the first picture or sound")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Evenly spaced pictures are one line.
    private func pictureLines(_ box: FilmBox) -> [String] {
        var lines: [String] = []
        var rest = box.pictures[...]
        while let first = rest.first {
            var count = 1
            let step = rest.dropFirst().first.map { $0.record.time - first.record.time } ?? .zero
            while count < rest.count {
                let next = rest[rest.startIndex + count]
                let isEven = (next.record.time - first.record.time - step * count).magnitude <= .milliseconds(1)
                guard isEven, next.number == first.number.map({ $0 + count }) else { break }
                count += 1
            }
            let number = first.number.map(String.init) ?? "?"
            lines.append("pictures \(number)+\(count - 1) at \(first.record.time.milliseconds) ms, every \(step.milliseconds) ms")
            rest = rest.dropFirst(count)
        }
        return lines
    }

    /// The stored dump of a film. Where Opus begins in WebM differs between versions of ffmpeg, and there is no option for it: such films have one for each.
    private func fixture(_ film: NumberedFilm) throws -> String {
        let path = "\(Fixtures.path)/playback/\(film.name)"
        let own = "\(path).ffmpeg-7.txt"
        guard Fixtures.isThere(own) else { return "\(path).txt" }
        let version = try FFmpegProgram.probe(try film.path(), entries: "program_version=version")["program_version.version"]
        let major = try #require(version?.split(separator: ".").first.flatMap { Int($0) })
        return major < 7 ? "\(path).txt" : own
    }

    private func compare(_ text: String, _ path: String) {
        if Fixtures.variable("MARQUEE_REWRITE") == "1" {
            guard let file = fopen(path, "w") else {
                Issue.record("\(path) could not be written")
                return
            }
            fputs(text, file)
            fclose(file)
        }
        #expect(Fixtures.text(path) == text, "\(path); MARQUEE_REWRITE=1 writes it anew")
    }
}
