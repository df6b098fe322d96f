import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Composition

@Suite("Chapters of compositions")
struct ChapterTests {
    private func seconds(_ start: Int64, _ end: Int64) -> TimeRange { TimeRange(start: .seconds(start), end: .seconds(end)) }

    private func piece(_ url: String, _ source: TimeRange, _ target: TimeRange) -> CompositionTrackSegment {
        CompositionTrackSegment(.media(SourceReference(url: url), source), target: target)
    }

    private func track(_ id: Int, _ type: MediaType, _ segments: [CompositionTrackSegment]) -> CompositionTrack {
        CompositionTrack(id: TrackID(id), type: type, segments: segments)
    }

    private func words(_ composition: Composition, _ sources: [String: [TimeRange]]) -> [String] {
        func seconds(_ time: MediaTime) -> Double { Double(time.milliseconds) / 1000 }
        return composition.chapters(of: sources).map { place in
            "\(place.url)\(place.index) \(seconds(place.range.start))-\(seconds(place.range.end))"
        }
    }

    @Test(
        "chapters are clipped by segments and moved at their speeds; what interrupts one does not end it, what continues it joins it"
    )
    func mapping() {
        let film = [seconds(0, 60), seconds(60, 120), seconds(120, 200)]
        let composition = Composition(tracks: [
            track(
                1, .video,
                [
                    piece("a", seconds(50, 70), seconds(0, 20)),
                    // An advertisement without chapters.
                    piece("b", seconds(0, 30), seconds(20, 50)),
                    piece("a", seconds(70, 130), seconds(50, 80)),
                    // Without the middle of the last chapter.
                    piece("a", seconds(150, 160), seconds(80, 90)),
                    CompositionTrackSegment(.empty, target: seconds(90, 95)),
                    piece("a", seconds(0, 200), seconds(95, 1695)),
                ])
        ])
        #expect(
            words(composition, ["a": film]) == [
                "a0 0.0-10.0", "a1 10.0-20.0", "a1 50.0-75.0", "a2 75.0-90.0", "a0 95.0-575.0", "a1 575.0-1055.0",
                "a2 1055.0-1695.0",
            ])
        #expect(words(composition, [:]) == [])
        #expect(words(composition, ["a": [], "b": [seconds(5, 6)]]) == ["b0 25.0-26.0"])
    }

    @Test("of several tracks the first with media decides, as in a dissolve; sound decides only where there is no video")
    func tracks() {
        let chapters = ["a": [seconds(0, 100)], "b": [seconds(0, 100)], "c": [seconds(0, 10), seconds(10, 100)]]
        let one = track(
            1, .video,
            [
                piece("a", seconds(0, 10), seconds(0, 10)), CompositionTrackSegment(.empty, target: seconds(10, 20)),
                piece("a", seconds(20, 30), seconds(20, 30)),
            ])
        let two = track(
            2, .video, [CompositionTrackSegment(.empty, target: seconds(0, 5)), piece("b", seconds(0, 30), seconds(5, 35))])
        let sound = track(3, .audio, [piece("c", seconds(0, 50), seconds(0, 50))])
        #expect(
            words(Composition(tracks: [one, two, sound]), chapters) == [
                "a0 0.0-10.0", "b0 10.0-20.0", "a0 20.0-30.0", "b0 30.0-35.0",
            ])
        #expect(words(Composition(tracks: [sound]), chapters) == ["c0 0.0-10.0", "c1 10.0-50.0"])
        let silent = track(4, .video, [CompositionTrackSegment(.empty, target: seconds(0, 50))])
        #expect(words(Composition(tracks: [silent, sound]), chapters) == ["c0 0.0-10.0", "c1 10.0-50.0"])
    }

    @Test("chapters without lengths, within others, in disorder and with the times of containers")
    func lists() {
        let composition = Composition(tracks: [track(1, .video, [piece("a", seconds(0, 100), seconds(0, 100))])])
        // Nero's list has starts only.
        let starts = [0, 20, 50].map { TimeRange(start: .seconds($0), duration: .zero) }
        #expect(words(composition, ["a": starts]) == ["a0 0.0-20.0", "a1 20.0-50.0", "a2 50.0-100.0"])
        #expect(
            words(composition, ["a": [seconds(50, 70), seconds(0, 100), seconds(0, 30), seconds(200, 210)]]) == [
                "a2 0.0-30.0", "a0 50.0-70.0",
            ])
        // A cut at a picture, a few milliseconds before the chapter ends or after it has begun.
        let cut = Composition(tracks: [
            track(
                1, .video,
                [
                    piece(
                        "a", TimeRange(start: .milliseconds(19_920), end: .milliseconds(50_080)),
                        TimeRange(start: .zero, duration: .milliseconds(30_160)))
                ])
        ])
        #expect(words(cut, ["a": starts]) == ["a1 0.08-30.08"])
        // A whole chapter is listed, however short.
        #expect(words(composition, ["a": [TimeRange(start: .seconds(1), duration: .milliseconds(40))]]) == ["a0 1.0-1.04"])
    }

    @Test("in random compositions each moment has the chapter of the source that is presented then")
    func random() {
        var chance = SeededGenerator(seed: 71)
        for _ in 0..<100 {
            // Chapters and segments have ends at multiples of ten and of five frames.
            var sources: [String: [TimeRange]] = [:]
            for name in ["a", "b", "c"] {
                var place = 0
                sources[name] = (0..<chance.number(0...8)).map { _ in
                    let start = place + chance.number(0...1) * 10
                    place = start + chance.number(1...5) * 10
                    return frames(start, place - start)
                }
            }
            let tracks = (1...chance.number(1...3)).map { id in
                var place = 0
                let segments = (0..<chance.number(1...12)).map { _ in
                    let (count, rate) = (chance.number(1...12) * 5, chance.one(of: [1, 1, 2]))
                    defer { place += count }
                    let target = frames(place, count)
                    if chance.number(0...4) == 0 { return CompositionTrackSegment(.empty, target: target) }
                    return piece(chance.one(of: ["a", "b", "c"]), frames(chance.number(0...40) * 5, count * rate), target)
                }
                return track(id, .video, segments)
            }
            let composition = Composition(tracks: tracks)
            let found = composition.chapters(of: sources)
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.range.end <= $1.range.start })
            for number in 0..<Int(composition.duration.units(of: 25)) {
                let time = frame(number) + .milliseconds(20)
                let presented = composition.tracks.lazy.compactMap { $0.source(at: time) }.first
                let wanted = presented.flatMap { source, place in
                    sources[source.url]!.firstIndex { $0.contains(place) }.map { "\(source.url)\($0)" }
                }
                let listed = found.first { $0.range.contains(time) }.map { "\($0.url)\($0.index)" }
                #expect(listed == wanted, "at \(time)")
            }
        }
    }

    @Test("ten thousand segments of sources with a thousand chapters have a thousand chapters")
    func bound() {
        let chapters = (0..<1000).map { TimeRange(start: .seconds(Int64($0)), duration: .seconds(1)) }
        let segments = (0..<Int64(CompositionLimits.segments)).map { number -> CompositionTrackSegment in
            let start = number % 900
            return piece("a", seconds(start, start + 100), seconds(number * 100, number * 100 + 100))
        }
        let composition = Composition(tracks: [track(1, .video, segments)])
        let found = composition.chapters(of: ["a": chapters])
        #expect(found.count == CompositionLimits.chapters)
        #expect(found[999].range.end == .seconds(1000))
    }
}
