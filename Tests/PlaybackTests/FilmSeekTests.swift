import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// Seeks in films of every kind: the number read from the picture is the requested one. A long run makes a thousand exact and a thousand tolerant seeks.
@Suite(
    "Seeks in films of every kind", .serialized, .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)))
@MainActor
struct FilmSeekTests {
    nonisolated private static let films = Films.chosen.filter { $0.film.frames > 0 }
    private static var count: Int { (Films.isLong ? 1000 : 60) / films.count + 1 }

    private func open(_ film: Films.Case) throws -> (box: FilmBox, start: MediaTime) {
        let box = try FilmBox()
        box.readsPictures = false
        box.open(try film.film.path())
        try #require(box.run(until: { !box.pictures.isEmpty || !box.failures.isEmpty }))
        return (box, try #require(box.pictures.first).record.time)
    }

    /// When a picture is shown.
    private func time(of number: Int, _ film: Films.Case, from start: MediaTime) -> MediaTime {
        let first = film.numbers.lowerBound
        if let milliseconds = film.milliseconds {
            return start + .milliseconds(Int64(milliseconds(number) - milliseconds(first)))
        }
        return start + MediaTime(Int64((number - first) * film.rate.1), Int32(film.rate.0))
    }

    @Test("exact seeks show the picture whose interval contains the target", arguments: films)
    func exact(_ film: Films.Case) throws {
        let (box, start) = try open(film)
        defer { box.close() }
        var chance = SeededGenerator(seed: 7)
        for turn in 0..<Self.count {
            let number = Int.random(in: film.numbers, using: &chance)
            let (begin, next) = (time(of: number, film, from: start), time(of: number + 1, film, from: start))
            // Not within a millisecond of an edge, because some containers round.
            let target =
                begin + .milliseconds(2) + (next - begin - .milliseconds(4)) * Int.random(in: 0...100, using: &chance) / 100
            #expect(box.seek(to: target) == true)
            let shown = box.number()
            #expect(shown == number, "seek \(turn) to \(target) shows \(shown.map(String.init) ?? "none"), not \(number)")
        }
    }

    @Test("tolerant seeks land within their tolerances and on the requested side of the origin", arguments: films)
    func tolerant(_ film: Films.Case) throws {
        let (box, start) = try open(film)
        defer { box.close() }
        var chance = SeededGenerator(seed: 11)
        let (first, last) = (
            time(of: film.numbers.lowerBound, film, from: start), time(of: film.numbers.upperBound, film, from: start)
        )
        for turn in 0..<Self.count {
            let target = first + (last - first) * Int.random(in: 0...1000, using: &chance) / 1000
            let before = MediaTime.milliseconds(Int64.random(in: 0...600, using: &chance))
            let after = MediaTime.milliseconds(Int64.random(in: 0...600, using: &chance))
            let origin = box.player.currentTime
            #expect(box.seek(to: target, before: before, after: after) == true)
            let record = try #require(box.pictures.last).record
            #expect(
                record.time <= target + after && record.time + record.duration > target - before,
                "seek \(turn) to \(target) lands at \(record.time), outside of \(before) before and \(after) after")
            if target > origin + record.duration { #expect(record.time + record.duration > origin) }
            #expect(box.number() != nil)
        }
    }
}

@Suite("Ten hours at 1001/30000 do not drift", .serialized)
@MainActor
struct DriftTests {
    private static let frames = 10 * 3600 * 30_000 / 1001
    private static let film = FakeMedia(
        frameCount: frames, frameRate: Ratio(30_000, 1001), syncInterval: 30, soundDuration: MediaTime(1001, 30_000) * frames)

    @Test("at every hour a picture is shown at its time, to the blank, as in the first second")
    func hours() throws {
        let rig = try PlayerRig()
        defer { rig.close() }
        rig.open(Self.film)
        rig.run(until: { !rig.frames.isEmpty })
        rig.player.play()
        for hour in 0..<10 {
            let place = MediaTime.seconds(Int64(3600 * hour + 3590))
            #expect(rig.seek(to: place) == true)
            rig.forget()
            #expect(rig.run(until: { rig.frames.count >= 20 }))
            for (frame, next) in zip(rig.frames, rig.frames.dropFirst()) {
                #expect(next.time - frame.time == MediaTime(1001, 30_000))
            }
            for frame in rig.frames {
                // The time is exactly a whole number of frames.
                #expect(MediaTime(1001, 30_000) * Int(frame.time.wholeSteps(of: MediaTime(1001, 30_000))) == frame.time)
                #expect((frame.soundDelay ?? .seconds(1)).magnitude <= .milliseconds(17))
            }
        }
        #expect(rig.player.state.stallCount == 0)
    }

    @Test(
        "after playing everything, the last picture is as close to its time as the first",
        .enabled(if: Films.isLong, "MARQUEE_LONG=1 plays ten hours"))
    func whole() throws {
        let rig = try PlayerRig(refresh: Ratio(30_000, 1001))
        defer { rig.close() }
        var film = Self.film
        film.soundDuration = nil
        var (count, odd) = (0, 0)
        var delays: (first: MediaTime, last: MediaTime) = (.zero, .zero)
        rig.onEvent = { event in
            guard case .frame(let record) = event else { return }
            if record.time != MediaTime(1001, 30_000) * count { odd += 1 }
            if count == 10 { delays.first = record.soundDelay ?? .seconds(1) }
            delays.last = record.soundDelay ?? .seconds(1)
            count += 1
            rig.forget()
        }
        rig.open(film)
        rig.player.play()
        #expect(rig.run(within: .seconds(11 * 3600), until: { rig.isAtEnd }))
        #expect(count == Self.frames)
        #expect(odd == 0)
        #expect((delays.last - delays.first).magnitude <= .microseconds)
    }
}

extension MediaTime {
    /// The error of counting blanks in whole nanoseconds.
    fileprivate static var microseconds: MediaTime { .nanoseconds(1000) }
}
