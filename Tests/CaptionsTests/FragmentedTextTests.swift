import MediaTime
import Testing

@testable import Captions

/// Box layouts are those of ISO/IEC 14496-12, samples those of ISO/IEC 14496-30.
@Suite("Captions in fragments of MP4")
struct FragmentedTextTests {
    // MARK: Boxes

    private func long(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    private func longLong(_ value: Int) -> [UInt8] { long(value >> 32) + long(value) }

    private func box(_ type: String, _ body: [UInt8]...) -> [UInt8] {
        let body = body.flatMap { $0 }
        return long(body.count + 8) + Array(type.utf8) + body
    }

    private func text(_ words: String) -> [UInt8] { Array(words.utf8) }

    /// A track with an entry of samples; its boxes with times in the long form or the short one.
    private func track(_ id: Int, _ entry: String, timescale: Int, isLong: Bool = false) -> [UInt8] {
        let times = isLong ? [UInt8](repeating: 0, count: 16) : [UInt8](repeating: 0, count: 8)
        let version = long(isLong ? 1 << 24 : 0)
        return box(
            "trak", box("tkhd", version, times, long(id), long(0)),
            box(
                "mdia", box("mdhd", version, times, long(timescale), long(0)),
                box("minf", box("stbl", box("stsd", long(0), long(1), box(entry))))))
    }

    private func extends(_ id: Int, duration: Int = 0, size: Int = 0) -> [UInt8] {
        box("trex", long(0), long(id), long(1), long(duration), long(size), long(0))
    }

    private func movie(_ tracks: [UInt8]..., extends: [UInt8] = []) -> [UInt8] {
        box("moov", tracks.flatMap { $0 }, box("mvex", extends))
    }

    /// A fragment of one track with a run of samples that have a duration and a size each, and their data.
    private func fragment(_ id: Int = 1, at time: Int, _ samples: [(duration: Int, data: [UInt8])]) -> [UInt8] {
        let run = samples.flatMap { long($0.duration) + long($0.data.count) }
        func moof(_ offset: Int) -> [UInt8] {
            box(
                "moof", box("mfhd", long(0), long(1)),
                box(
                    "traf", box("tfhd", long(0), long(id)), box("tfdt", long(0), long(time)),
                    box("trun", long(0x301), long(samples.count), long(offset), run)))
        }
        return moof(moof(0).count + 8) + box("mdat", samples.flatMap(\.data))
    }

    private func cue(_ words: String, _ parts: [UInt8]...) -> [UInt8] {
        box("vttc", parts.flatMap { $0 }, box("payl", text(words)))
    }

    private func cues(_ bytes: [UInt8], _ movie: [UInt8], offset: MediaTime = .zero) throws -> [CaptionCue] {
        try FragmentedText.cues(of: bytes, initialization: movie, offset: offset)
    }

    private func wvtt(timescale: Int = 1000) -> [UInt8] { movie(track(1, "wvtt", timescale: timescale)) }

    // MARK: Samples

    @Test("a cue has its text, its settings and its id; a sample may have several or none")
    func samples() throws {
        let one = cue("<i>One</i>", box("iden", text("first")), box("sttg", text("align:end size:50%")))
        let found = try cues(
            fragment(at: 5000, [(1000, one), (2000, box("vtte")), (500, cue("Two") + box("vtta", text("note")) + cue("Three"))]),
            wvtt())
        #expect(found.map(line) == ["5000-6000 One", "8000-8500 Two", "8000-8500 Three"])
        #expect(found[0].id == "first" && found[0].settings.alignment == .end && found[0].settings.size == 50)
        #expect(found[0].nodes == [.span(.init(.italic, children: [.text("One")]))])
        #expect(found[1].id == "" && found[1].settings == CaptionSettings())
    }

    @Test("a cue that continues in the next sample is one cue, unless there is a gap or it looks different")
    func joined() throws {
        let found = try cues(
            fragment(
                at: 0, [(1000, cue("a")), (1000, cue("a")), (1000, cue("a") + cue("b")), (1000, box("vtte")), (1000, cue("a"))])
                + fragment(
                    at: 5000,
                    [(1000, cue("a")), (1000, cue("a", box("iden", text("x")))), (1000, cue("a", box("sttg", text("size:50%"))))]),
            wvtt())
        #expect(found.map(line) == ["0-3000 a", "2000-3000 b", "4000-6000 a", "6000-7000 a", "7000-8000 a"])
    }

    @Test("TTML in samples is placed by its own times and the offset, and cut to its sample")
    func ttml() throws {
        let document = text("<tt><body><p begin='2s' end='3s'>a</p><p begin='3s' end='9s'>b</p></body></tt>")
        let movie = movie(track(1, "stpp", timescale: 1000))
        #expect(try cues(fragment(at: 2000, [(2000, document)]), movie).map(line) == ["2000-3000 a", "3000-4000 b"])
        let moved = try cues(fragment(at: 2000, [(2000, document)]), movie, offset: .seconds(10))
        #expect(moved.map(line) == ["12000-13000 a", "13000-14000 b"])
    }

    // MARK: Tracks

    @Test("times are in the track's scale; those of version 1 have eight bytes")
    func scales() throws {
        let sample = (90_000, cue("a"))
        #expect(try cues(fragment(at: 180_000, [sample]), wvtt(timescale: 90_000)).map(line) == ["2000-3000 a"])
        let long = movie(track(1, "wvtt", timescale: 90_000, isLong: true))
        #expect(try cues(fragment(at: 180_000, [sample]), long).map(line) == ["2000-3000 a"])
        // A scale of zero cannot be; milliseconds are assumed.
        #expect(try cues(fragment(at: 2000, [(1000, cue("a"))]), wvtt(timescale: 0)).map(line) == ["2000-3000 a"])
    }

    @Test("only the track of captions is read")
    func tracks() throws {
        let both = movie(track(1, "avc1", timescale: 600), track(2, "wvtt", timescale: 1000), track(3, "mp4a", timescale: 48_000))
        let bytes =
            fragment(1, at: 0, [(1000, cue("picture"))]) + fragment(2, at: 0, [(1000, cue("a"))])
            + fragment(3, at: 0, [(1000, cue("sound"))])
        #expect(try cues(bytes, both).map(line) == ["0-1000 a"])
    }

    @Test("a file without a track of captions is refused")
    func noTrack() {
        let refused = CaptionError.unknownFormat(beginning: "a fragment of MP4 without a track of captions")
        #expect(throws: refused) { try cues(fragment(at: 0, [(1000, cue("a"))]), []) }
        #expect(throws: refused) { try cues(fragment(at: 0, [(1000, cue("a"))]), movie(track(1, "avc1", timescale: 1000))) }
        #expect(throws: refused) {
            try cues([], box("moov", box("trak", box("mdia", box("minf", box("stbl", box("stsd", long(0), long(0))))))))
        }
    }

    @Test("the initialization may be in the same bytes")
    func whole() throws {
        #expect(try cues(box("ftyp", text("iso6")) + wvtt() + fragment(at: 0, [(1000, cue("a"))]), []).map(line) == ["0-1000 a"])
    }

    // MARK: Fragments

    @Test("missing values of a run come from the track fragment's header, then from the movie (8.8.3, 8.8.7)")
    func defaults() throws {
        let data = cue("a") + cue("b")
        let size = data.count / 2
        func bytes(_ header: [UInt8]) -> [UInt8] {
            func moof(_ offset: Int) -> [UInt8] {
                box(
                    "moof",
                    box("traf", header, box("tfdt", long(1 << 24), longLong(5000)), box("trun", long(1), long(2), long(offset))))
            }
            return moof(moof(0).count + 8) + box("mdat", data)
        }
        let extended = movie(
            track(1, "wvtt", timescale: 1000), extends: extends(9, duration: 1, size: 1) + extends(1, duration: 700, size: size))
        #expect(try cues(bytes(box("tfhd", long(0), long(1))), extended).map(line) == ["5000-5700 a", "5700-6400 b"])
        // The header's own: first the index of the description, then the duration, the size.
        let own = box("tfhd", long(0x1A), long(1), long(1), long(300), long(size))
        #expect(try cues(bytes(own), wvtt()).map(line) == ["5000-5300 a", "5300-5600 b"])
        let duration = box("tfhd", long(8), long(1), long(300))
        #expect(try cues(bytes(duration), extended).map(line) == ["5000-5300 a", "5300-5600 b"])
    }

    @Test("data may begin at a place of the file instead of the fragment (8.8.7)")
    func base() throws {
        let data = cue("a")
        let mdat = box("mdat", data)
        let moof = box(
            "moof",
            box(
                "traf", box("tfhd", long(1), long(1), longLong(8)), box("trun", long(0x300), long(1), long(400), long(data.count))
            ))
        #expect(try cues(mdat + moof, wvtt()).map(line) == ["0-400 a"])
    }

    @Test("sample flags are skipped, and a composition offset moves a sample in either direction (8.8.8)")
    func runs() throws {
        let one = cue("a"), two = cue("b")
        func moof(_ offset: Int) -> [UInt8] {
            let first = long(1000) + long(one.count) + long(0xFF) + long(500),
                second = long(1000) + long(two.count) + long(0xFF) + long(-250)
            return box(
                "moof",
                box(
                    "traf", box("tfhd", long(0), long(1)), box("tfdt", long(0), long(0)),
                    box("trun", long(0xF05), long(2), long(offset), long(0xFF), first, second)))
        }
        #expect(try cues(moof(moof(0).count + 8) + box("mdat", one, two), wvtt()).map(line) == ["500-1500 a", "750-1750 b"])
    }

    @Test("two fragments one after the other have their data relative to themselves")
    func twoFragments() throws {
        let bytes = box("styp", text("msdh")) + fragment(at: 0, [(1000, cue("a"))]) + fragment(at: 1000, [(1000, cue("b"))])
        #expect(try cues(bytes, wvtt()).map(line) == ["0-1000 a", "1000-2000 b"])
    }

    @Test("a run that claims more than there is ends there")
    func damage() throws {
        let data = cue("a")
        func bytes(count: Int, size: Int, offset: Int) -> [UInt8] {
            box(
                "moof",
                box(
                    "traf", box("tfhd", long(0), long(1)),
                    box("trun", long(0x301), long(count), long(offset), long(1000), long(size), long(1000), long(size))))
                + box("mdat", data)
        }
        let head = bytes(count: 1, size: 0, offset: 0).count - data.count
        #expect(try cues(bytes(count: 1, size: data.count, offset: head), wvtt()).map(line) == ["0-1000 a"])
        #expect(try cues(bytes(count: 2, size: data.count, offset: head), wvtt()).map(line) == ["0-1000 a"])
        #expect(try cues(bytes(count: 9, size: 0, offset: head), wvtt()).isEmpty)
        #expect(try cues(bytes(count: 1, size: data.count + 1, offset: head), wvtt()).isEmpty)
        #expect(try cues(bytes(count: 1, size: data.count, offset: -1), wvtt()).isEmpty)
        #expect(try cues(bytes(count: 1, size: data.count, offset: head + 1), wvtt()).isEmpty)
    }

    @Test("the kind of bytes is detected by the first box")
    func kinds() {
        for type in ["styp", "moof", "moov", "ftyp", "free"] { #expect(FragmentedText.isFragment(box(type))) }
        #expect(!FragmentedText.isFragment(text("WEBVTT\n\n00:00")) && !FragmentedText.isFragment([]))
        for type in ["vttc", "vtte", "vtta"] {
            #expect(FragmentedText.isCueBox(box(type)) && !FragmentedText.isFragment(box(type)))
        }
        #expect(!FragmentedText.isCueBox(box("payl")) && !FragmentedText.isCueBox(text("vttc")))
    }

    // MARK: Extreme numbers

    @Test("offsets, times and counts at their ends neither trap nor take long", arguments: [0x1, 0x3a, 0x3f])
    func extremes(flags: Int) throws {
        for number in [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF] {
            let wide = longLong(number << 32 | number)
            let head = long(flags) + long(1) + wide + long(number) + long(number) + long(number)
            for run in [
                long(0x1) + long(number) + long(number), long(0xF01) + long(number) + long(number) + wide + wide,
                long(0) + long(number),
            ] {
                let runs = (0..<40).flatMap { _ in box("trun", run) }
                let bytes = box("moof", box("traf", box("tfhd", head), box("tfdt", long(1 << 24), wide), runs)) + box("mdat", [1])
                for scale in [1, 0x7FFF_FFFF, 0xFFFF_FFFF] {
                    let movie = movie(track(1, "wvtt", timescale: scale), extends: extends(1, duration: number))
                    #expect(try cues(bytes, movie, offset: .seconds(.max)).isEmpty)
                }
            }
        }
    }
}
