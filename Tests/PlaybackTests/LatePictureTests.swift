import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// Recordings that begin inside a group of pictures, and files whose tracks do not begin together.
@Suite("Pictures that begin later than the sound", .serialized, .enabled(if: FFmpegProgram.isPresent, "\(FFmpegProgram.absence)"))
@MainActor
struct LatePictureTests {
    /// Pictures of 3 s, which begin later than their 8 s of sound.
    private static func late(_ seconds: String, suffix: String) -> NumberedFilm {
        NumberedFilm("late-\(seconds).\(suffix)").with {
            $0.soundSeconds = "8"
            $0.video = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-bf", "0", "-g", "25"]
            $0.copying = ["-map", "0", "-c", "copy", "-bsf:v", "setts=pts=PTS+\(seconds)/TB:dts=DTS+\(seconds)/TB"]
            // The first fragment has its pictures before its sound.
            if suffix == "frag.mp4" { $0.copying? += ["-movflags", "+frag_keyframe+delay_moov+default_base_moof"] }
        }
    }

    private func isInStep(_ box: FilmBox) -> Bool {
        box.pictures.allSatisfy { ($0.record.soundDelay ?? .zero).magnitude <= .milliseconds(25) }
    }

    @Test(
        "the sound is heard from its beginning and each picture at its time, at the start, again at a replay, and after seeks to both sides",
        arguments: ["mp4", "frag.mp4", "mkv", "ts", "flv"], ["1.2", "3"])
    func start(suffix: String, seconds: String) throws {
        let box = try FilmBox()
        defer { box.close() }
        box.open(try Self.late(seconds, suffix: suffix).path())
        box.player.play()
        let delay = MediaTime.milliseconds(seconds == "3" ? 3000 : 1200)
        for pass in 0..<2 {
            if pass == 1 {
                box.forget()
                #expect(box.seek(to: .zero) == true)
                #expect(box.player.currentTime == .zero)
                box.run(within: .milliseconds(100)) { false }
                #expect(box.number() == nil, "the last picture stands at the beginning")
                box.player.play()
            }
            #expect(box.run(within: .seconds(15)) { box.endCount == pass + 1 }, "no end")
            #expect(box.pictures.compactMap(\.number) == Array(0..<75))
            #expect(((box.pictures.first?.record.time ?? .zero) - delay).magnitude <= .milliseconds(60))
            #expect(isInStep(box) && box.player.state.stallCount == 0 && box.failures.isEmpty)
            let start = try #require(box.sink.starts.first?.at)
            let first = try #require(box.pictures.first?.record.flip)
            #expect((MediaTime.nanoseconds((first - start).wholeNanoseconds) - delay).magnitude <= .milliseconds(80))
        }
        box.forget()
        #expect(box.seek(to: .milliseconds(500)) == true && box.pictures.isEmpty)
        #expect((box.player.currentTime - .milliseconds(500)).magnitude <= .milliseconds(30))
        box.run(within: .milliseconds(100)) { false }
        #expect(box.number() == nil, "the last picture stands before the first one")
        #expect(box.seek(to: delay + .milliseconds(1020)) == true)
        #expect(box.number().map { (24...26).contains($0) } == true)
    }

    @Test(
        "a file that is cut inside a group of pictures plays its sound, and its pictures from the first key frame on",
        arguments: ["mp4", "mkv", "ts", "flv"])
    func cut(suffix: String) throws {
        let film = NumberedFilm("cut.\(suffix)").with {
            $0.frames = 250
            $0.soundSeconds = "10"
            $0.video = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-bf", "0", "-g", "100", "-sc_threshold", "0"]
            // The first key frame is lost, and with it the pictures up to the next one.
            $0.copying = ["-map", "0", "-c", "copy", "-copyinkf", "-bsf:v", "noise=drop=lt(n\\,10)"]
        }
        let box = try FilmBox()
        defer { box.close() }
        box.open(try film.path())
        box.player.play()
        #expect(box.run(within: .seconds(20)) { box.endCount == 1 }, "no end")
        #expect(box.pictures.compactMap(\.number) == Array(100..<250))
        #expect(isInStep(box) && box.player.state.stallCount == 0 && box.failures.isEmpty)
    }

    @Test("behind another item the last picture of that one does not stand for those that come later", arguments: ["mkv", "mp4"])
    func joined(suffix: String) throws {
        let box = try FilmBox(isQueue: true)
        defer { box.close() }
        let first = NumberedFilm("before-late.\(suffix)")
        let items = try [first.path(), Self.late("1.2", suffix: suffix).path()].map {
            PlayerItem(asset: Asset(url: $0, services: box.player.services))
        }
        for item in items { box.player.insert(item, after: nil) }
        var joint: HostTime?
        box.onEvent = { if case .currentItem(let item) = $0, item === items[1] { joint = box.loop.clock.now } }
        box.player.play()
        #expect(box.run(within: .seconds(15)) { joint != nil }, "no joint")
        box.run(within: .milliseconds(100)) { false }
        #expect(box.number() == nil, "the last picture of the first item stands at the beginning of the second")
        #expect(box.run(within: .seconds(15)) { box.endCount == 2 }, "no end")
        #expect(box.pictures.compactMap(\.number) == Array(0..<75) + Array(0..<75))
        let shown = try #require(box.pictures.dropFirst(75).first).record.flip
        #expect((shown - (try #require(joint)) - .milliseconds(1200)) < .milliseconds(60) && isInStep(box))
    }

    @Test("a seek behind the last picture lands at its place, with the sound from there", arguments: ["mp4", "mkv", "ts"])
    func early(suffix: String) throws {
        let film = NumberedFilm("early.\(suffix)").with {
            $0.soundSeconds = "8"
            $0.video = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-bf", "0", "-g", "25"]
        }
        let box = try FilmBox()
        defer { box.close() }
        box.open(try film.path())
        #expect(box.run(until: { !box.pictures.isEmpty }))
        let start = try #require(box.pictures.first).record.time
        for place in [5500, 4500, 6500] {
            let target = start + .milliseconds(Int64(place))
            #expect(box.seek(to: target) == true && box.number() == 74)
            #expect((box.player.currentTime - target).magnitude <= .milliseconds(30))
        }
        box.player.play()
        let began = box.loop.clock.now
        #expect(box.run(within: .seconds(15)) { box.endCount == 1 }, "no end")
        let length = (box.ended ?? began) - began
        #expect(length > .milliseconds(1200) && length < .milliseconds(2000) && box.sink.clicks().count == 1, "\(length)")
    }

    @Test(
        "sound that begins long after the pictures is waited for in silence", arguments: ["mp4", "mkv", "ts"], ["1.5", "5", "20"])
    func lateSound(suffix: String, seconds: String) throws {
        let film = NumberedFilm("late-sound-\(seconds).\(suffix)").with {
            $0.frames = 600
            $0.soundSeconds = "4"
            $0.copying = ["-map", "0", "-c", "copy", "-bsf:a", "setts=pts=PTS+\(seconds)/TB:dts=DTS+\(seconds)/TB"]
        }
        let box = try FilmBox()
        defer { box.close() }
        box.readsPictures = false
        box.open(try film.path())
        box.player.play()
        #expect(box.run(within: .seconds(40)) { box.endCount == 1 }, "no end")
        #expect(box.pictures.count == 600 && isInStep(box) && box.player.state.stallCount == 0)
    }

    @Test("pictures that wait for their decoder are not missing, however far beyond them the source has read")
    func undecoded() {
        let track = TrackID(0)
        let buffer = SampleBuffer(tracks: [track], buffering: .standard, ledger: nil)
        for frame in 0..<3 {
            let time = MediaTime.milliseconds(Int64(frame) * 40)
            #expect(
                buffer.append(
                    .empty(track: track, presentation: time, decode: time, duration: .milliseconds(40), isSync: frame == 0)))
        }
        buffer.pass(track, until: .seconds(8))
        let pictures = BoundedQueue<Decoded<VideoFrame>>(capacity: 4, ledger: nil)
        func missing() -> MediaTime? { SensedReading(buffer, pictures: pictures, of: track).noPicturesUntil }
        #expect(missing() == nil)
        for _ in 0..<3 { _ = buffer.next(track) }
        #expect(missing() == .seconds(8))
    }
}
