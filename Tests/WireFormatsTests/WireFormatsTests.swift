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

    @Test("a cursor takes numbers and texts from the front, and nothing if they are too short")
    func cursor() {
        var cursor = ByteCursor([1, 2, 0x41, 0, 0, 0, 2, 1, 9] as [UInt8])
        #expect(cursor.big(2) == 0x102 && cursor.terminatedText() == "A" && cursor.synchsafe() == 0x101)
        #expect(cursor.big(2) == nil && cursor.terminatedText() == nil && cursor.byte() == 9 && cursor.isEmpty)
        #expect(([1, 2, 3] as [UInt8])[1...].big(2, at: 0) == 0x203 && ([1, 2, 3] as [UInt8])[1...].big(2, at: 1) == nil)
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
}
