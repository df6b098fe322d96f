import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("The film for the delay of the sound", .serialized)
@MainActor
struct LipSyncFilmTests {
    private func box() throws -> FilmBox {
        try FilmBox(loader: { GeneratedLoading(FileLoader(clock: $0)) })
    }

    /// The instants at which flashes begin: pictures whose mean brightness rises.
    private func flashes(_ box: FilmBox) -> [HostTime] {
        let means = box.levels.map { $0.reduce(0, +) / Double(max($0.count, 1)) }
        return zip(box.pictures, zip(means, [0] + means)).filter { $1.0 > $1.1 + 2 }.map { $0.0.record.flip }
    }

    @Test(
        "a flash and a click begin together each second, and a delay moves the click by exactly itself",
        arguments: [Int64(0), 120, -90])
    func together(delay: Int64) throws {
        let box = try box()
        defer { box.close() }
        box.open(LipSyncFilm.address)
        box.player.soundDelay = .milliseconds(delay)
        box.player.play()
        #expect(box.run(until: { box.player.currentTime >= .milliseconds(5500) }))
        #expect(box.failures.isEmpty)
        // The first picture is shown before play begins.
        let (seen, heard) = (flashes(box).dropFirst(), box.sink.clicks())
        #expect(seen.count >= 4 && heard.count >= 5)
        for (flash, next) in zip(seen, seen.dropFirst()) {
            #expect((next.nanoseconds - flash.nanoseconds - 1_000_000_000).magnitude <= 17_000_000)
        }
        let (first, last) = (try #require(seen.first).nanoseconds, try #require(seen.last).nanoseconds)
        // The click of the first picture has no flash among those that are judged.
        let wishes = heard.map { $0.nanoseconds - delay * 1_000_000 }.filter {
            $0 > first - 500_000_000 && $0 < last + 500_000_000
        }
        #expect(wishes.count == seen.count)
        for wanted in wishes {
            let errors = seen.map { wanted - $0.nanoseconds }
            let nearest = try #require(errors.min { $0.magnitude < $1.magnitude })
            // The clock follows the sound to a millisecond, and a picture waits for its blank.
            #expect(nearest.magnitude <= 18_000_000, "\(nearest) ns")
        }
    }

    @Test("it has the length that it states, and every second of it can be reached")
    func length() throws {
        let box = try box()
        defer { box.close() }
        let item = box.open(LipSyncFilm.address)
        #expect(box.run(until: { item.status == .readyToPlay }))
        #expect(item.duration == .finite(.seconds(Int64(LipSyncFilm.seconds))))
        #expect(box.seek(to: .seconds(599)) == true)
        #expect(box.pictures.last?.record.time == .seconds(599))
    }

    @Test("other addresses are read by the loader behind it")
    func others() throws {
        let clock = try MainLoop(time: .simulated).clock
        let stream = GeneratedLoading(FileLoader(clock: clock, ["film": [1, 2, 3]])).stream("film")
        #expect(stream.length == 3)
        #expect(GeneratedLoading(FileLoader(clock: clock)).stream(LipSyncFilm.address).length.map { $0 < 4 << 20 } == true)
    }
}
