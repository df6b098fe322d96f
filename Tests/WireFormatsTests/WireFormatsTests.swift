import Testing

@testable import WireFormats

@Suite("Wire formats")
struct WireFormatsTests {
    @Test("bytes are written as hexadecimal digits and read back; other text is refused")
    func hexadecimal() {
        #expect(([0x00, 0x0F, 0xA5, 0xFF] as [UInt8]).hexadecimal == "000fa5ff")
        #expect(UInt8(0x0A).hexadecimal(uppercase: true) == "0A")
        #expect([UInt8](hexadecimal: "000fA5ff") == [0x00, 0x0F, 0xA5, 0xFF] && [UInt8](hexadecimal: "") == [])
        for text in ["0", "0g", "+1", " 1", "1é"] { #expect([UInt8](hexadecimal: text) == nil, "\(text)") }
    }

    @Test(
        "the first byte that is not UTF-8 is found",
        arguments: [
            ([0x22, 0x80, 0x22], 1), ([0x22, 0xC0, 0xAF, 0x22], 1), ([0x22, 0xE0, 0x80, 0x80, 0x22], 1),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
            ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0x61, 0xE2, 0x82], 2), ([0xFF], 0), ([0xF0, 0x9F, 0x98], 0),
            ([0xE2, 0x28, 0xA1], 0),
        ] as [([UInt8], Int)])
    func utf8(_ bytes: [UInt8], _ offset: Int) {
        let found = bytes.span.firstInvalidUTF8
        let good = Array("aé€😀".utf8)
        let none = good.span.firstInvalidUTF8
        #expect(found == offset && none == nil)
    }

    @Test(
        "boxes with sizes of four and eight bytes and one that extends to the end are listed; a damaged or truncated one ends the list"
    )
    func boxes() throws {
        let plain: [UInt8] = [0, 0, 0, 9] + Array("free".utf8) + [7]
        let long: [UInt8] = [0, 0, 0, 1] + Array("mdat".utf8) + [0, 0, 0, 0, 0, 0, 0, 18, 1, 2]
        let last: [UInt8] = [0, 0, 0, 0, 0xA9] + Array("nam".utf8) + [5, 6]
        let boxes = MP4Box.boxes(in: (plain + long + last)[...])
        #expect(boxes.map(\.type) == ["free", "mdat", "\u{A9}nam"])
        #expect(boxes.map { Array($0.body) } == [[7], [1, 2], [5, 6]] && boxes.map(\.start) == [0, 9, 27])
        for damaged: [UInt8] in [Array(plain.dropLast()), [0, 0, 0, 7] + Array("free".utf8), Array(long.dropLast(8))] {
            #expect(MP4Box.boxes(in: (plain + damaged)[...]).count == 1)
        }
        let outer: [UInt8] = [0, 0, 0, 17] + Array("moov".utf8) + plain
        #expect(MP4Box.first(["moov", "free"], in: outer[...]).map(Array.init) == [7])
        #expect(MP4Box.first(["moov", "trak"], in: outer[...]) == nil)
        #expect(MP4Box.beginsSegment(outer) && !MP4Box.beginsSegment(plain) && !MP4Box.beginsSegment(outer.prefix(7)))
    }

    @Test("a fragment's times, sizes and offsets are read with their flags, and a list that ends early has no further sample")
    func fragments() throws {
        func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
            let size = UInt32(body.count + 8)
            return (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) } + Array(type.utf8) + body
        }
        func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let defaults = try #require(MP4TrackDefaults((word(0) + word(7) + word(1) + word(40) + word(9) + word(0))[...]))
        #expect(defaults.track == 7 && defaults.duration == 40 && defaults.size == 9)
        #expect(MP4TrackDefaults((word(0) + word(7))[...]) == nil)

        // Base offset, description index, duration and size.
        let head = box("tfhd", word(0x1B) + word(7) + word(0) + word(4096) + word(1) + word(50) + word(11))
        let time = box("tfdt", word(0x0100_0000) + word(1) + word(2))
        // Data offset, first flags, and for each sample duration, size, flags and a negative composition offset.
        let samples = word(60) + word(5) + word(0) + word(UInt32(bitPattern: -3)) + word(70) + word(6) + word(0) + word(4)
        let listed = box("trun", word(0xF05) + word(3) + word(100) + word(0) + samples)
        let usual = box("trun", word(0) + word(2))
        let fragment = try #require(MP4TrackFragment((head + time + listed + usual)[...]))
        #expect(fragment.track == 7 && fragment.baseDataOffset == 4096 && fragment.startTime == 1 << 32 | 2)
        #expect(fragment.defaultDuration == 50 && fragment.defaultSize == 11 && fragment.runs.count == 2)
        let run = fragment.runs[0]
        #expect(run.sampleCount == 3 && run.dataOffset == 100)
        let (first, second) = (try #require(run.sample(0)), try #require(run.sample(1)))
        #expect(first.duration == 60 && first.size == 5 && first.compositionOffset == -3)
        #expect(second.duration == 70 && second.size == 6 && second.compositionOffset == 4)
        #expect(run.sample(2) == nil)
        #expect(run.duration(usual: 50) == 130)
        #expect(fragment.runs[1].duration(usual: 50) == 100)
        #expect(fragment.runs[1].sample(0)?.duration == nil && fragment.runs[1].dataOffset == nil)
        #expect(MP4TrackFragment(time[...]) == nil)

        let plain = try #require(MP4TrackFragment(box("tfhd", word(0) + word(7))[...]))
        #expect(plain.baseDataOffset == nil && plain.startTime == nil && plain.defaultDuration == nil)
        let endless = box("tfdt", word(0x0100_0000) + word(.max) + word(0))
        let late = try #require(MP4TrackFragment((head + endless)[...]))
        #expect(late.startTime == nil)
    }

    @Test("a cursor takes numbers and texts from the front, and nothing if they are too short")
    func cursor() {
        var cursor = ByteCursor([1, 2, 0x41, 0, 0, 0, 2, 1, 9] as [UInt8])
        #expect(cursor.big(2) == 0x102 && cursor.terminatedText() == "A" && cursor.synchsafe() == 0x101)
        #expect(cursor.big(2) == nil && cursor.terminatedText() == nil && cursor.byte() == 9 && cursor.isEmpty)
        #expect(([1, 2, 3] as [UInt8])[1...].big(2, at: 0) == 0x203 && ([1, 2, 3] as [UInt8])[1...].big(2, at: 1) == nil)
    }

    @Test("members with one name become an array, so that no object has a name twice")
    func grouped() throws {
        let members = [("note", "a"), ("sound", "null"), ("note", "b"), ("crash", "c")].map { ($0.0, JSONText.string($0.1)) }
        let json = JSONText.grouped(members, lists: ["crash", "mixer"])
        #expect(json.text == #"{"note":["a","b"],"sound":"null","crash":["c"]}"#)
        for text in [json.text, json.indentedText] {
            var reader = JSONReader(Array(text.utf8), maximumDepth: 8)
            _ = try reader.read()
            #expect(reader.duplicates.isEmpty)
        }
    }

    @Test("JSON keeps the order of its keys, on one line and on several, and escapes characters that a terminal would interpret")
    func json() {
        let json = JSONText.object([
            ("b", .array([.number("1"), .bool(true)])), ("a", .object([])), ("c", .optional(String?.none)), ("d", .optional(3)),
        ])
        #expect(json.text == #"{"b":[1,true],"a":{},"c":null,"d":3}"#)
        #expect(json.indentedText == "{\n  \"b\": [\n    1,\n    true\n  ],\n  \"a\": {},\n  \"c\": null,\n  \"d\": 3\n}")
        #expect(JSONText.quoted("\"\\\n\u{1B}é\u{202E}") == #""\"\\\n\u001Bé\u202E""#)
    }

    @Test("a line for a terminal stays one, with its quotation marks and tabs")
    func line() {
        #expect(JSONText.line("“a\"\\b”\té 👨‍👩‍👧") == "“a\"\\b”\té 👨‍👩‍👧")
        #expect(JSONText.line("a\r\nb\u{1B}[2J\u{9B}1m\u{202E}\t\u{7F}") == #"a\r\nb\u001B[2J\u009B1m\u202E\#u{9}\u007F"#)
    }

    @Test("a playlist begins with its mark, behind a byte order mark and empty lines")
    func playlistHead() {
        for start in ["", "\u{FEFF}", "\n\n", "\u{FEFF}\r\n  "] {
            #expect(PlaylistHead.isBeginning(Array((start + "#EXTM3U\n").utf8)))
            #expect(
                !PlaylistHead.isBeginning(Array((start + "#EXT").utf8)) && !PlaylistHead.isExcluded(Array((start + "#EXT").utf8)))
            #expect(PlaylistHead.isExcluded(Array((start + "ftyp").utf8)))
        }
        #expect(!PlaylistHead.isExcluded([UInt8]()))
        #expect(PlaylistHead.isBeginning(Array("#extm3u\n".utf8)) && PlaylistHead.isExcluded(Array("#extinf".utf8)))
        for start in ["", "\u{FEFF}", "\r\n ", "\u{FEFF}\n"] {
            let units = Array((start + "#EXTM3U\nñ").utf16)
            let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
            let big = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            for bytes in [little, big] {
                #expect(PlaylistHead.isBeginning(bytes))
                #expect(!(0...bytes.count).contains { PlaylistHead.isExcluded(bytes.prefix($0)) })
            }
        }
        // An elementary stream, the box of an MP4 file, and MPEG audio.
        for bytes: [UInt8] in [
            [0, 0, 1, 0xB3], [0, 0, 0, 0x18, 0x66], [0xFF, 0xFB, 0x90], [0x23, 0, 0x23, 0], [0xFF, 0xFE, 0x41, 0],
        ] {
            #expect(PlaylistHead.isExcluded(bytes) && !PlaylistHead.isBeginning(bytes))
        }
    }
}
