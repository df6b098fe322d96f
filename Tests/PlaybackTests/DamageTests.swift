import LinuxSupport
import MediaModel
import MediaTime
import TestSupport
import Testing

@testable import Playback

/// Damage does not end a film; a film of which nothing can be presented is a failure in words.
@Suite("Damaged and empty films", .serialized, .enabled(if: FFmpegProgram.isPresent, "\(FFmpegProgram.absence)"))
@MainActor
struct DamageTests {
    private static func film(_ name: String, noise: [String: String] = [:]) -> NumberedFilm {
        NumberedFilm(name).with {
            $0.frames = 500
            $0.soundSeconds = "20"
            $0.video = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-bf", "0", "-g", "50", "-sc_threshold", "0"]
            $0.copying =
                ["INPUT", "-map", "0", "-c", "copy"]
                + noise.sorted { $0.key < $1.key }.flatMap { ["-bsf:\($0.key)", "noise=amount='if(\($0.value),1,0)'"] }
        }
    }

    private func isInStep(_ box: FilmBox) -> Bool {
        box.pictures.allSatisfy { ($0.record.soundDelay ?? .zero).magnitude <= .milliseconds(25) }
    }

    @Test("a film with seven seconds of noise in its sound plays to its end", arguments: ["mp4", "mkv"])
    func sound(suffix: String) throws {
        let box = try FilmBox()
        defer { box.close() }
        box.readsPictures = false
        box.open(try Self.film("noise-sound.\(suffix)", noise: ["a": "between(n,200,530)"]).path())
        box.player.play()
        let began = box.loop.clock.now
        #expect(box.run(within: .seconds(40)) { box.endCount == 1 || !box.failures.isEmpty })
        #expect(box.failures.isEmpty && box.endCount == 1)
        #expect(Set(box.pictures.map(\.record.time)).count == 500 && isInStep(box))
        #expect((box.ended ?? began) - began < .seconds(22))
    }

    @Test("a film with eight seconds of noise in its pictures plays to its end with its sound", arguments: ["mp4", "mkv"])
    func pictures(suffix: String) throws {
        let box = try FilmBox()
        defer { box.close() }
        box.open(try Self.film("noise-pictures.\(suffix)", noise: ["v": "between(n,100,299)"]).path())
        box.player.play()
        let began = box.loop.clock.now
        #expect(box.run(within: .seconds(40)) { box.endCount == 1 || !box.failures.isEmpty })
        #expect(box.failures.isEmpty && box.endCount == 1 && isInStep(box))
        let numbers = box.pictures.compactMap(\.number)
        #expect(numbers.contains(99) && Set(300..<500).isSubset(of: numbers))
        #expect((box.ended ?? began) - began < .seconds(22))
    }

    @Test("a film of which one track cannot be decoded at all plays the other", arguments: ["v", "a"])
    func oneTrack(_ track: String) throws {
        let box = try FilmBox()
        defer { box.close() }
        box.readsPictures = false
        box.open(try Self.film("noise-all-\(track).mkv", noise: [track: "gte(n,0)"]).path())
        box.player.play()
        #expect(box.run(within: .seconds(40)) { box.endCount == 1 || !box.failures.isEmpty })
        #expect(box.failures.isEmpty && box.endCount == 1)
        #expect(track == "v" ? box.pictures.isEmpty : box.pictures.count >= 500)
    }

    @Test("a film of which nothing can be decoded fails with a sentence", arguments: [true, false])
    func nothing(hasPictures: Bool) throws {
        let box = try FilmBox()
        defer { box.close() }
        var film = Self.film("noise-both.mkv", noise: ["v": "gte(n,0)", "a": "gte(n,0)"])
        if !hasPictures {
            film = Self.film("noise-alone.mka", noise: ["a": "gte(n,0)"])
            film.frames = 0
        }
        box.open(try film.path())
        box.player.play()
        #expect(box.run(within: .seconds(60)) { box.endCount > 0 || !box.failures.isEmpty })
        #expect(box.endCount == 0 && box.failures.first?.code == .sourceFormat, "\(box.failures)")
        #expect(box.failures.first?.sentence.contains("decoded") == true)
    }

    @Test("sound that is damaged at its beginning is heard from where it is whole")
    func soundAlone() throws {
        let box = try FilmBox()
        defer { box.close() }
        var film = Self.film("noise-first.mka", noise: ["a": "lt(n,330)"])
        film.frames = 0
        box.open(try film.path())
        box.player.play()
        #expect(box.run(within: .seconds(60)) { box.endCount > 0 || !box.failures.isEmpty })
        #expect(box.failures.isEmpty && box.endCount == 1 && box.sink.samples.contains { $0 > 0.3 })
    }

    @Test("a transport stream with tables only fails with a sentence")
    func tables() throws {
        let bytes = try NumberedFilm("tables.ts").bytes()
        let packets = stride(from: 0, to: bytes.count - 187, by: 188).map { bytes[$0..<$0 + 188] }
        let tables = packets.filter { [0, 0x1000].contains(Int($0[$0.startIndex + 1] & 0x1F) << 8 | Int($0[$0.startIndex + 2])) }
        let file = try TemporaryFile(Array((0..<40).flatMap { _ in tables.prefix(2).flatMap { $0 } }), suffix: ".ts")
        let box = try FilmBox()
        defer { box.close() }
        box.open(file.path)
        box.player.play()
        #expect(box.run(within: .seconds(20)) { box.endCount > 0 || !box.failures.isEmpty })
        #expect(box.endCount == 0 && box.failures.first?.code == .sourceFormat)
    }
}

@Suite("Time stamps that jump ahead in files", .serialized, .enabled(if: FFmpegProgram.isPresent, "\(FFmpegProgram.absence)"))
@MainActor
struct StampHoleTests {
    private func isInStep(_ box: FilmBox) -> Bool {
        box.pictures.allSatisfy { ($0.record.soundDelay ?? .zero).magnitude <= .milliseconds(25) }
    }

    @Test("a recording whose stamps jump plays on at once, and is sought on both sides", arguments: [45, 3600])
    func joined(offset: Int) throws {
        let first = NumberedFilm("before-jump.ts")
        let second = NumberedFilm("after-jump.ts", extra: ["-output_ts_offset", "\(offset)"])
        let file = try TemporaryFile(try first.bytes() + second.bytes(), suffix: ".ts")
        let box = try FilmBox()
        defer { box.close() }
        box.open(file.path)
        box.player.play()
        let began = box.loop.clock.now
        #expect(box.run(within: .seconds(90)) { box.endCount == 1 }, "no end")
        #expect(box.pictures.compactMap(\.number) == Array(0..<75) + Array(0..<75))
        #expect((box.ended ?? began) - began < .seconds(8) && isInStep(box) && box.failures.isEmpty)
        #expect(box.seek(to: .seconds(Int64(offset)) + .milliseconds(1000)) == true)
        #expect(box.number().map { (24...26).contains($0) } == true)
        #expect(box.seek(to: .seconds(2)) == true)
        #expect(box.number().map { (49...51).contains($0) } == true)
    }

    /// A film with a hole of 40 s behind its first 1.5 s.
    private static func jumping(_ name: String) -> NumberedFilm {
        let jump = "setts=pts='PTS+if(gte(PTS*TB,1.5),40/TB,0)':dts='DTS+if(gte(DTS*TB,1.5),40/TB,0)'"
        return NumberedFilm(name).with {
            $0.video = [
                "-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-bf", name.contains("-b.") ? "2" : "0", "-g", "25",
            ]
            if name.hasSuffix("a") { $0.frames = 0 }
            $0.copying = ["INPUT", "-map", "0", "-c", "copy", "-bsf", jump]
        }
    }

    @Test(
        "a hole in all tracks is passed, with pictures and without",
        arguments: ["hole.mkv", "hole.mp4", "hole-b.mp4", "hole.mov", "hole.mka", "hole.m4a"])
    func hole(_ name: String) throws {
        let film = Self.jumping(name)
        let box = try FilmBox()
        defer { box.close() }
        box.open(try film.path())
        box.player.play()
        let began = box.loop.clock.now
        #expect(box.run(within: .seconds(90)) { box.endCount == 1 }, "no end")
        #expect((box.ended ?? began) - began < .seconds(6) && isInStep(box))
        if film.frames > 0 { #expect(box.pictures.compactMap(\.number) == Array(0..<75)) }
    }

    @Test("sound that is delayed is heard to its end before a hole is passed", arguments: ["hole.mkv", "hole.mp4"])
    func delayed(_ name: String) throws {
        let box = try FilmBox()
        defer { box.close() }
        box.player.soundDelay = .seconds(1)
        var shown: [(time: MediaTime, at: HostTime)] = []
        box.onEvent = { if case .frame(let record) = $0 { shown.append((record.time, box.loop.clock.now)) } }
        box.open(try Self.jumping(name).path())
        box.player.play()
        let began = box.loop.clock.now
        #expect(box.run(within: .seconds(90)) { box.endCount == 1 }, "no end")
        let behind = try #require(shown.first { $0.time > .seconds(30) })
        // The 1.5 s of sound before the hole begin a second late.
        #expect((.milliseconds(2450)...(.milliseconds(2700))).contains(behind.at - began), "\(behind.at - began)")
        #expect(box.pictures.compactMap(\.number) == Array(0..<75) && box.failures.isEmpty)
    }

    @Test(
        "in a recording, sound is heard to its end before a hole is passed, and pictures are seen to theirs",
        arguments: ["mp2", "aac", "ac3", "eac3", "libmp3lame", "libopus"], ["v", "a"])
    func inTurn(_ codec: String, later: String) throws {
        let film = NumberedFilm("in-turn-\(later).ts", audio: ["-c:a", codec, "-b:a", "128k"]).with {
            $0.soundSeconds = "2.9"
            $0.copying = ["INPUT", "-map", "0", "-c", "copy", "-bsf:\(later)", "setts=pts=PTS+6/TB:dts=DTS+6/TB"]
        }
        let box = try FilmBox()
        defer { box.close() }
        var shown: [HostTime] = []
        box.onEvent = { if case .frame = $0 { shown.append(box.loop.clock.now) } }
        box.open(try film.path())
        box.player.play()
        let began = box.loop.clock.now
        #expect(box.run(within: .seconds(30)) { box.endCount == 1 }, "no end")
        #expect(box.pictures.compactMap(\.number) == Array(0..<75) && box.failures.isEmpty)
        let first = (shown.first ?? began) - began
        #expect(
            later == "v" ? (.milliseconds(2890)...(.milliseconds(3100))).contains(first) : first < .milliseconds(100), "\(first)")
        let length = (box.ended ?? began) - began
        #expect((.milliseconds(5880)...(.milliseconds(6150))).contains(length), "\(length)")
    }

    @Test("MPEG-4 pictures that were copied from AVI are shown in their order", arguments: ["mp4", "mov"])
    func codedPictures(suffix: String) throws {
        let film = NumberedFilm("coded-mpeg4.avi", audio: []).with {
            $0.video = ["-c:v", "mpeg4", "-q:v", "3", "-bf", "2", "-g", "25"]
        }
        let copy = try FFmpegProgram.make(["-i", try film.path(), "-c", "copy"], suffix: suffix)
        let file = try TemporaryFile(copy, suffix: "." + suffix)
        let box = try FilmBox()
        defer { box.close() }
        box.open(file.path)
        box.player.play()
        #expect(box.run(within: .seconds(20)) { box.endCount == 1 }, "no end")
        let numbers = box.pictures.compactMap(\.number)
        #expect(numbers == Array((numbers.first ?? 0)..<75) && numbers.count >= 72, "\(numbers)")
        #expect(box.seek(to: .seconds(1)) == true && box.number().map { (24...27).contains($0) } == true)
    }

    @Test(
        "a chain of Ogg streams of other rates is heard without a gap and at its speed",
        arguments: [
            ("libvorbis", [44_100, 48_000, 32_000]), ("libvorbis", [44_100, 22_050, 44_100]),
            ("libvorbis", [22_050, 22_050, 48_000]),
            ("flac", [48_000, 22_050, 44_100]),
        ])
    func chain(codec: String, rates: [Int]) throws {
        let parts = try rates.map { rate in
            try FFmpegProgram.make(["-f", "lavfi", "-i", "sine=f=440:r=\(rate):d=3", "-c:a", codec], suffix: "ogg")
        }
        let file = try TemporaryFile(Array(parts.joined()), suffix: ".ogg")
        let box = try FilmBox()
        defer { box.close() }
        box.open(file.path)
        box.player.play()
        let began = box.loop.clock.now
        #expect(box.run(within: .seconds(30)) { box.endCount == 1 }, "no end")
        let length = (box.ended ?? began) - began
        #expect(length > .milliseconds(8900) && length < .milliseconds(9200), "\(length)")
        // A tone of 440 Hz is never silent for more than a millisecond.
        let heard = box.sink.samples.dropFirst(4800).prefix(8 * 48_000)
        var quiet = 0, longest = 0
        for sample in heard {
            quiet = abs(sample) < 0.01 ? quiet + 1 : 0
            longest = max(longest, quiet)
        }
        #expect(longest < 480, "silent for \(longest) samples")
    }

    @Test(
        "a chain of Ogg files of other codecs is as long as all of them, is heard whole, and each place in it can be reached",
        arguments: [
            ([("libvorbis", 300, 44_100), ("libopus", 600, 48_000), ("flac", 1200, 32_000), ("libvorbis", 300, 48_000)], false),
            (
                [
                    ("libvorbis", 300, 44_100), ("libvorbis", 600, 48_000), ("libvorbis", 1200, 44_100),
                    ("libvorbis", 300, 48_000),
                ], true
            ),
            ([("flac", 300, 48_000), ("libopus", 600, 48_000), ("flac", 1200, 48_000), ("flac", 300, 48_000)], true),
        ])
    func chainOfCodecs(tones: [(codec: String, tone: Int, rate: Int)], hasOneNumber: Bool) throws {
        let numbers = hasOneNumber ? ["-fflags", "+bitexact", "-serial_offset", "7"] : []
        let parts = try tones.map { codec, tone, rate in
            try FFmpegProgram.make(["-f", "lavfi", "-i", "sine=f=\(tone):r=\(rate):d=3", "-c:a", codec] + numbers, suffix: "ogg")
        }
        let file = try TemporaryFile(Array(parts.joined()), suffix: ".ogg")
        let box = try FilmBox()
        defer { box.close() }
        box.open(file.path)
        box.player.play()
        let began = box.loop.clock.now
        #expect(box.run(within: .seconds(30)) { box.endCount == 1 }, "no end")
        let length = (box.ended ?? began) - began
        #expect(length > .milliseconds(11_900) && length < .milliseconds(12_300), "\(length)")
        // Each second has its own tone, so the crossings of zero tell where it is from.
        func crossings(_ samples: some Sequence<Float>) -> Int {
            var (count, last): (Int, Float) = (0, 0)
            for sample in samples {
                if sample > 0, last <= 0 { count += 1 }
                last = sample
            }
            return count
        }
        let heard = Array(box.sink.samples)
        for second in 0..<12 where heard.count >= (second + 1) * 48_000 {
            let tone = tones[second / 3].1
            // A tenth of a second at both ends is left out, with the joints.
            let found = crossings(heard[(second * 48_000 + 4800)..<((second + 1) * 48_000 - 4800)]) * 10 / 8
            #expect(abs(found - tone) <= tone / 50 + 2, "second \(second): \(found)")
        }
        #expect((box.player.currentItem?.duration?.time ?? .zero) > .milliseconds(11_900))
        for (place, tone) in [(7, 1200), (4, 600), (10, 300)] {
            #expect(box.seek(to: .seconds(Int64(place))) == true)
            box.forget()
            box.player.play()
            #expect(box.run(within: .seconds(5)) { box.sink.samples.count > 40_000 })
            let found = crossings(box.sink.samples.dropFirst(4800).prefix(24_000)) * 2
            #expect(abs(found - tone) <= tone / 50 + 4, "\(place) s: \(found)")
            box.player.pause()
        }
    }

    @Test("slides that stand for twelve seconds are shown at their times", arguments: ["mkv", "mp4", "ts"])
    func slides(suffix: String) throws {
        let film = NumberedFilm("slides.\(suffix)").with {
            ($0.frames, $0.rate, $0.soundSeconds) = (4, "1/12", "48")
            $0.video = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-bf", "0", "-g", "1"]
            // ffmpeg would write the sound of ten seconds before a slide that it has not encoded yet.
            $0.extra = ["-max_interleave_delta", "0"]
        }
        let box = try FilmBox()
        defer { box.close() }
        box.open(try film.path())
        box.player.play()
        #expect(box.run(within: .seconds(90)) { box.endCount == 1 }, "no end")
        #expect(box.pictures.compactMap(\.number) == [0, 1, 2, 3] && isInStep(box))
        let times = box.pictures.map(\.record.time)
        #expect(times.count == 4 && (times[3] - times[0] - .seconds(36)).magnitude < .milliseconds(100))
        #expect(box.player.state.stallCount == 0)
        // A slide stands at any place in its time, with the sound of that place.
        box.forget()
        #expect(box.seek(to: .seconds(30)) == true && box.number() == 2)
        #expect((box.player.currentTime - .seconds(30)).magnitude <= .milliseconds(60))
        box.player.play()
        #expect(box.run(within: .seconds(30)) { box.endCount == 2 }, "no end")
        #expect(box.pictures.compactMap(\.number) == [2, 3])
        #expect(box.sink.clicks().count == 18)
    }

    @Test("slides without sound beside some of them are shown for as long as their file says", arguments: ["mp4", "mkv"])
    func silentSlides(suffix: String) throws {
        let film = NumberedFilm("silent-slides.\(suffix)").with {
            ($0.frames, $0.rate, $0.soundSeconds) = (4, "1/7", "28")
            $0.video = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "20", "-bf", "0", "-g", "1"]
            // Three seconds of each slide have sound.
            $0.copying = ["INPUT", "-map", "0", "-c", "copy", "-bsf:a", "noise=drop='gt(mod(pts*tb,7),3)'"]
        }
        let box = try FilmBox()
        defer { box.close() }
        box.open(try film.path())
        box.player.play()
        let began = box.loop.clock.now
        #expect(box.run(within: .seconds(90)) { box.endCount == 1 }, "no end")
        #expect(box.pictures.compactMap(\.number) == [0, 1, 2, 3])
        #expect((box.ended ?? began) - began > .seconds(24))
    }
}
