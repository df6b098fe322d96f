import Metadata
import TestSupport
import Testing

/// Tags that are older than Unicode, or whose writers did not know it.
@Suite("Old tags")
struct LegacyTests {
    private func read(_ bytes: [UInt8]) throws -> [MetadataItem] { try MediaMetadata(reading: BytesInMemory(bytes)).items }
    private func text(_ items: [MetadataItem], _ identifier: MetadataIdentifier) -> String? {
        items.best(identifier, for: [])?.stringValue
    }

    /// «Группа крови» in the Windows page 1251.
    private static let cyrillic: [UInt8] = [0xC3, 0xF0, 0xF3, 0xEF, 0xEF, 0xE0, 0x20, 0xEA, 0xF0, 0xEE, 0xE2, 0xE8]
    /// «Кино» and «Последний герой» there.
    private static let band: [UInt8] = [0xCA, 0xE8, 0xED, 0xEE]
    private static let album: [UInt8] = [
        0xCF, 0xEE, 0xF1, 0xEB, 0xE5, 0xE4, 0xED, 0xE8, 0xE9, 0x20, 0xE3, 0xE5, 0xF0, 0xEE, 0xE9,
    ]
    private static let sound: [UInt8] = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)

    private static func join(_ parts: [UInt8]...) -> [UInt8] { parts.reduce(into: []) { $0 += $1 } }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func field(_ bytes: [UInt8], _ length: Int) -> [UInt8] {
        join(bytes, [UInt8](repeating: 0x20, count: length - bytes.count))
    }

    private static func old(_ title: [UInt8], _ artist: [UInt8], _ album: [UInt8]) -> [UInt8] {
        join(latin1("TAG"), field(title, 30), field(artist, 30), field(album, 30), latin1("1988"), zeros(28), [0, 7, 17])
    }

    private static func frame(_ id: String, _ bytes: [UInt8]) -> [UInt8] {
        join(latin1(id), big(bytes.count + 1, 4), zeros(3), bytes)
    }

    private static func tag(_ frames: [UInt8]...) -> [UInt8] {
        let body = frames.reduce(into: [UInt8]()) { $0 += $1 }
        return join(latin1("ID3"), [3, 0, 0], synchsafe(body.count), body)
    }

    private static func ape(_ items: [(key: String, value: [UInt8], flags: Int)]) -> [UInt8] {
        var body: [UInt8] = []
        for item in items { body += join(little(item.value.count, 4), little(item.flags, 4), latin1(item.key), [0], item.value) }
        return join(body, latin1("APETAGEX"), little(2000, 4), little(body.count + 32, 4), little(items.count, 4), zeros(12))
    }

    private static func chunk(_ type: String, _ body: [UInt8], isBig: Bool = false) -> [UInt8] {
        join(latin1(type), isBig ? big(body.count, 4) : little(body.count, 4), body, zeros(body.count % 2))
    }

    @Test("ID3v1: its texts in the encoding of their writer, the track and the genre")
    func oldTag() throws {
        let items = try read(Self.join(Self.sound, Self.old(Self.cyrillic, Self.band, Self.album)))
        #expect(text(items, .commonTitle) == "Группа крови" && text(items, .commonArtist) == "Кино")
        #expect(text(items, .commonAlbumName) == "Последний герой")
        #expect(text(items, .commonCreationDate) == "1988" && text(items, .commonType) == "Rock")
        #expect(items.first { $0.identifier.key == "TRCK" }?.stringValue == "7")
        let western = try read(Self.join(Self.sound, Self.old(latin1("Motörhead"), latin1("Björk"), latin1("Début"))))
        #expect(text(western, .commonTitle) == "Motörhead" && text(western, .commonArtist) == "Björk")
        #expect(text(western, .commonAlbumName) == "Début")
    }

    @Test("ID3v2 texts that are said to be Latin and are not")
    func latinFrames() throws {
        let frames = Self.tag(Self.frame("TIT2", Self.cyrillic), Self.frame("TPE1", Self.band), Self.frame("TALB", Self.album))
        let items = try read(Self.join(frames, Self.sound))
        #expect(text(items, .commonTitle) == "Группа крови" && text(items, .commonArtist) == "Кино")
        let unicode = try read(Self.join(Self.tag(Self.frame("TIT2", Array("Größe".utf8))), Self.sound))
        #expect(text(unicode, .commonTitle) == "Größe")
        let western = try read(Self.join(Self.tag(Self.frame("TIT2", latin1("Größe"))), Self.sound))
        #expect(text(western, .commonTitle) == "Größe")
    }

    @Test("APEv2 before ID3v1, which adds only what nothing else says")
    func apeTag() throws {
        let cover: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2]
        let tag = Self.ape([
            ("Title", Array("Der Fluß und das Meer in voller Länge".utf8), 0), ("Artist", Array("Ada\0Bob".utf8), 0),
            ("Cover Art (Back)", Self.join(latin1("b.jpg"), [0], cover, [9]), 2),
            ("Cover Art (Front)", Self.join(latin1("a.jpg"), [0], cover), 2),
        ])
        let old = Self.old(latin1("Der Flu\u{DF} und das Meer in vol"), latin1("Ada"), latin1("Wasser"))
        let items = try read(Self.join(Self.sound, tag, old))
        #expect(text(items, .commonTitle) == "Der Fluß und das Meer in voller Länge")
        #expect(items.filtered(by: .commonTitle).count == 1)
        #expect(items.filtered(by: .commonArtist).map(\.stringValue) == ["Ada", "Bob"])
        #expect(text(items, .commonAlbumName) == "Wasser")
        let picture = items.best(.commonArtwork, for: [])
        #expect(picture?.dataValue == cover && picture?.dataType == "image/jpeg")
        // Lengths that lie.
        for cut in [tag.count - 33, tag.count - 40] { _ = try read(Self.join(Self.sound, Array(tag.dropFirst(cut)))) }
        _ = try read(Self.join(Self.sound, Array(tag.dropLast(20)), little(0xFFFF_FFFF, 4), Array(tag.suffix(16))))
    }

    @Test("ID3 as a chunk of WAV and AIFF, and INFO in the encoding of its writer")
    func chunks() throws {
        let tag = Self.tag(Self.frame("TIT2", latin1("Tag")))
        for name in ["id3 ", "ID3 "] {
            let chunks = Self.join(Self.chunk("fmt ", [1, 0]), Self.chunk("data", [0, 0, 0]), Self.chunk(name, tag))
            let items = try read(Self.join(latin1("RIFF"), little(chunks.count + 4, 4), latin1("WAVE"), chunks))
            #expect(text(items, .commonTitle) == "Tag")
        }
        let list = Self.chunk("LIST", Self.join(latin1("INFO"), Self.chunk("INAM", Self.cyrillic)))
        let informed = try read(Self.join(latin1("RIFF"), little(list.count + 4, 4), latin1("WAVE"), list))
        #expect(text(informed, .commonTitle) == "Группа крови")
        let apple = Self.join(Self.chunk("SSND", [0, 0, 0], isBig: true), Self.chunk("ID3 ", tag, isBig: true))
        let items = try read(Self.join(latin1("FORM"), big(apple.count + 4, 4), latin1("AIFC"), apple))
        #expect(text(items, .commonTitle) == "Tag")
    }

    @Test("WMA: the long attributes and pictures of its library")
    func library() throws {
        func wide(_ text: String) -> [UInt8] { Array(utf16(text).dropFirst(2)) + [0, 0] }
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 5]
        let value = Self.join([3], little(picture.count, 4), wide("image/png"), [0, 0], picture)
        let name = wide("WM/Picture")
        let object: [UInt8] = [
            0x94, 0x1C, 0x23, 0x44, 0x98, 0x94, 0xD1, 0x49, 0xA1, 0x41, 0x1D, 0x13, 0x4E, 0x45, 0x70, 0x54,
        ]
        let lengths = Self.join(little(name.count, 2), little(1, 2), little(value.count, 4))
        let entry = Self.join(little(1, 2), Self.zeros(4), lengths, name, value)
        let inner = Self.join(object, little(entry.count + 24, 8), entry)
        let outer: [UInt8] = [
            0xB5, 0x03, 0xBF, 0x5F, 0x2E, 0xA9, 0xCF, 0x11, 0x8E, 0xE3, 0, 0xC0, 0x0C, 0x20, 0x53, 0x65,
        ]
        let nested = Self.join(outer, little(inner.count + 46, 8), Self.zeros(18), little(inner.count, 4), inner)
        let header: [UInt8] = [
            0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0, 0xAA, 0, 0x62, 0xCE, 0x6C,
        ]
        let file = Self.join(header, little(nested.count + 30, 8), little(1, 4), [1, 2], nested)
        #expect(try read(file).best(.commonArtwork, for: [])?.dataValue == picture)
        for cut in 16..<file.count { _ = try read(Array(file.prefix(cut))) }
    }

    @Test(
        "a description comes before a remark, whatever their order in the file",
        .enabled(if: FFmpegProgram.isPresent, Comment(rawValue: FFmpegProgram.absence)), arguments: ["mp4", "mkv"])
    func remarks(suffix: String) throws {
        let arguments = ["-f", "lavfi", "-i", "sine=d=0.3:r=48000", "-c:a", "aac"]
        for order in [["comment=Ripped", "description=A story."], ["description=A story.", "comment=Ripped"]] {
            let bytes = try FFmpegProgram.make(arguments + order.flatMap { ["-metadata", $0] }, suffix: suffix)
            #expect(text(try read(bytes), .commonDescription) == "A story.")
        }
        #expect(
            text([MetadataItem(.init(.iTunes, "\u{A9}cmt"), .text("Only"))], .commonDescription) == "Only",
            "a remark is better than nothing")
    }
}
