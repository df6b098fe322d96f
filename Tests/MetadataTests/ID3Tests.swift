import MediaTime
import Metadata
import Testing

@Suite("ID3v2")
struct ID3Tests {
    private func tag(_ version: Int, flags: UInt8 = 0, _ frames: [UInt8]...) -> [UInt8] {
        let body = frames.flatMap(\.self)
        return Array("ID3".utf8) + [UInt8(version), 0, flags] + synchsafe(body.count) + body
    }

    private func frame(_ id: String, version: Int = 4, flags: Int = 0, _ body: [UInt8]) -> [UInt8] {
        switch version {
        case 2: latin1(id) + big(body.count, 3) + body
        case 3: latin1(id) + big(body.count, 4) + big(flags, 2) + body
        default: latin1(id) + synchsafe(body.count) + big(flags, 2) + body
        }
    }

    @Test(
        "the title of each version becomes the common title",
        arguments: [(2, "TT2"), (3, "TIT2"), (4, "TIT2")])
    func title(_ version: Int, _ id: String) throws {
        let found = try #require(ID3Tag(tag(version, frame(id, version: version, [3] + Array("Gräser".utf8)))))
        #expect(found.version == version)
        #expect(found.items.filtered(by: .commonTitle).map(\.stringValue) == ["Gräser"])
        #expect(found.items.first?.identifier == MetadataIdentifier(.id3, id))
    }

    @Test(
        "every encoding is read",
        arguments: [
            [0] + latin1("Caf\u{E9}") + [0], [1] + utf16("Caf\u{E9}") + [0, 0],
            [2] + "Caf\u{E9}".utf16.flatMap { big(Int($0), 2) },
            [3] + Array("Caf\u{E9}".utf8),
        ] as [[UInt8]])
    func encodings(_ body: [UInt8]) {
        #expect(ID3Tag(tag(4, frame("TALB", body)))?.items.map(\.stringValue) == ["Caf\u{E9}"])
    }

    @Test("several values in one frame are several items")
    func severalValues() {
        let found = ID3Tag(tag(4, frame("TPE1", [3] + Array("One\0Two\0".utf8))))
        #expect(found?.items.map(\.stringValue) == ["One", "Two"])
    }

    @Test(
        "numbered genres have their names",
        arguments: [("17", "Rock"), ("(17)", "Rock"), ("(17)Folk", "Folk"), ("Polka", "Polka"), ("200", "200")])
    func genres(_ stored: String, _ name: String) {
        #expect(ID3Tag(tag(3, frame("TCON", version: 3, [0] + latin1(stored))))?.items.first?.stringValue == name)
    }

    @Test("a comment has its language; a program's own comment is not a description")
    func comments() throws {
        let found = try #require(
            ID3Tag(
                tag(
                    3, frame("COMM", version: 3, [0] + latin1("engiTunNORM\0 0000")),
                    frame("COMM", version: 3, [0] + latin1("ger\0Ein Satz")))))
        #expect(found.items.filtered(by: .commonDescription).map(\.stringValue) == ["Ein Satz"])
        #expect(found.items.last?.extendedLanguageTag == "de")
    }

    @Test("the front cover comes before other pictures, wherever it is; its type is detected from its bytes")
    func pictures() throws {
        let (jpeg, png): ([UInt8], [UInt8]) = ([0xFF, 0xD8, 0xFF, 0xE0, 1], [0x89, 0x50, 0x4E, 0x47, 2])
        let found = try #require(
            ID3Tag(
                tag(
                    4, frame("APIC", [0] + latin1("image/png\0") + [4, 0] + jpeg),
                    frame("APIC", [0] + latin1("image/png\0") + [3, 0] + png),
                    frame("APIC", [0] + latin1("-->\0") + [3, 0] + latin1("http://x")))))
        let artwork = found.items.filtered(by: .commonArtwork)
        #expect(artwork.map(\.dataValue) == [png, jpeg])
        #expect(artwork.map(\.dataType) == ["image/png", "image/jpeg"])
    }

    @Test("extreme numbers of pictures, chapters and texts: the rest is ignored")
    func bounds() throws {
        let picture = frame("APIC", [0] + latin1("image/png\0") + [3, 0, 0x89, 0x50, 0x4E, 0x47])
        let chapter = frame("CHAP", latin1("c\0") + big(1, 4) + big(2, 4) + big(0, 8))
        func repeated(_ bytes: [UInt8], _ count: Int) -> [UInt8] { Array(repeatElement(bytes, count: count).joined()) }
        let pictures = try #require(ID3Tag(tag(4, repeated(picture, 5000))))
        #expect(pictures.items.count == 64)
        let mixed = try #require(
            ID3Tag(tag(4, repeated(frame("TIT2", [3] + latin1("a")), 5000), repeated(chapter, 2000), picture)))
        #expect(mixed.items.count == 4096 && mixed.chapters.count == 1000)
    }

    @Test("unsynchronised tags are restored")
    func unsynchronisation() {
        let body: [UInt8] = [0, 0xFF, 0x00, 0xE0]
        let old = ID3Tag(
            tag(3, flags: 0x80, frame("TIT2", version: 3, [0, 0xFF, 0xE0]).flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }))
        let new = ID3Tag(tag(4, frame("TIT2", flags: 2, body)))
        #expect(old?.items.first?.stringValue == "\u{FF}\u{E0}")
        #expect(new?.items.first?.stringValue == "\u{FF}\u{E0}")
    }

    @Test("8-bit sizes in version 2.4 are accepted")
    func plainSizes() {
        let long = [UInt8(3)] + Array(repeating: UInt8(ascii: "a"), count: 199)
        let frames = latin1("TIT2") + big(long.count, 4) + [0, 0] + long + frame("TALB", [3] + Array("b".utf8))
        #expect(ID3Tag(tag(4, frames))?.items.map(\.identifier.key) == ["TIT2", "TALB"])
    }

    @Test("chapters are in the order of the top-level table, with their titles")
    func chapters() throws {
        func chapter(_ id: String, _ start: Int, _ end: Int, _ title: String) -> [UInt8] {
            frame(
                "CHAP",
                latin1(id) + [0] + big(start, 4) + big(end, 4) + [UInt8](repeating: 0xFF, count: 8)
                    + frame("TIT2", [3] + Array(title.utf8)))
        }
        let found = try #require(
            ID3Tag(
                tag(
                    4, frame("CTOC", latin1("toc\0") + [3, 2] + latin1("b\0a\0")), chapter("a", 5000, 9000, "Second"),
                    chapter("b", 0, 5000, "First"), chapter("c", 0, 100, "Hidden"))))
        #expect(found.chapters.map { $0.items.first?.stringValue } == ["First", "Second"])
        #expect(found.chapters[1].timeRange == TimeRange(start: .seconds(5), end: .seconds(9)))
    }

    @Test("private frames are kept, such as the timestamp of a segment")
    func privateFrames() {
        let found = ID3Tag(tag(4, frame("PRIV", latin1("com.apple.streaming.transportStreamTimestamp\0") + big(900_000, 8))))
        #expect(found?.privateFrames.first?.owner == "com.apple.streaming.transportStreamTimestamp")
        #expect(found?.privateFrames.first?.data == big(900_000, 8))
    }

    @Test("a truncated tag gives exactly the frames before the cut")
    func truncation() {
        let whole = tag(4, frame("TIT2", [3] + Array("One".utf8)), frame("TALB", [3] + Array("Two".utf8)))
        for length in 0..<whole.count {
            let items = ID3Tag(whole.prefix(length))?.items ?? []
            #expect(items.count == (length < 10 + 14 ? 0 : 1))
        }
    }

    @Test("random bytes cause no crash", arguments: 0..<200)
    func noise(_ seed: Int) {
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func next() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
        var bytes = tag(
            2 + seed % 3, flags: UInt8(seed % 2) * 0x80,
            frame(seed % 3 == 0 ? "TT2" : "CHAP", version: 2 + seed % 3, (0..<40).map { _ in next() }),
            (0..<60).map { _ in next() })
        bytes[10 + seed % 50] = next()
        #expect(ID3Tag(bytes)?.byteCount == bytes.count)
    }
}
