import MediaTime
import Metadata
import Testing

@Suite("Metadata of containers")
struct ContainerTests {
    private func read(_ bytes: [UInt8]) throws -> MediaMetadata { try MediaMetadata(reading: BytesInMemory(bytes)) }

    private func data(_ type: Int, language: [UInt8] = [0, 0], _ body: [UInt8]) -> [UInt8] {
        box("data", big(type, 4), [0, 0], language, body)
    }

    @Test("the item list of iTunes: texts, artwork, genre by number, tracks, free keys")
    func iTunes() throws {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 9]
        let list = box(
            "ilst", box("\u{A9}nam", data(1, Array("Zwölf".utf8))), box("covr", data(14, png)), box("gnre", data(0, [0, 18])),
            box("trkn", data(0, [0, 0, 0, 3, 0, 12, 0, 0])), box("tmpo", data(21, [0xFF, 0xFE])),
            box(
                "----", fullBox("mean", latin1("com.apple.iTunes")), fullBox("name", latin1("iTunEXTC")),
                data(1, latin1("mpaa|PG|200|"))))
        let handler = fullBox("hdlr", big(0, 4), latin1("mdir"), big(0, 12), [0])
        let file = box("ftyp", latin1("M4A "), big(0, 4)) + box("moov", box("udta", fullBox("meta", handler, list)))
        let found = try read(file)
        #expect(found.availableFormats == [.iTunes])
        #expect(found.items.best(.commonTitle, for: [])?.stringValue == "Zwölf")
        #expect(found.items.best(.commonArtwork, for: [])?.dataValue == png)
        #expect(found.items.best(.commonType, for: [])?.stringValue == "Rock")
        #expect(found.items.best(.iTunesMetadataContentRating, for: [])?.stringValue == "mpaa|PG|200|")
        #expect(found.contentRating == "PG")
        #expect(found.items.filtered(by: MetadataIdentifier(.iTunes, "trkn")).first?.stringValue == "3/12")
        #expect(found.items.filtered(by: MetadataIdentifier(.iTunes, "tmpo")).first?.numberValue == -2)
    }

    @Test("QuickTime metadata uses its keys, in each language")
    func quickTimeMetadata() throws {
        let keys = fullBox(
            "keys", big(2, 4), box("mdta", latin1("com.apple.quicktime.title")),
            box("mdta", latin1("com.apple.quicktime.location.ISO6709")))
        let list = box(
            "ilst",
            box(
                "\0\0\0\u{1}", data(1, language: packed("eng"), latin1("Hill")),
                data(1, language: packed("fra"), latin1("Colline"))),
            box("\0\0\0\u{2}", data(1, latin1("+50.0+008.0/"))))
        let handler = fullBox("hdlr", big(0, 4), latin1("mdta"), big(0, 12))
        let found = try read(box("ftyp", latin1("qt  "), big(0, 4)) + box("moov", box("meta", handler, keys, list)))
        #expect(found.items.best(.commonTitle, for: ["fr"])?.stringValue == "Colline")
        #expect(found.items.best(.commonTitle, for: ["de"])?.stringValue == "Hill")
        #expect(found.items.filteredForSharing().map(\.stringValue) == ["Hill", "Colline"])
    }

    @Test("user data of QuickTime and of 3GPP")
    func userData() throws {
        let quickTime = box(
            "udta", box("\u{A9}nam", big(4, 2), packed("deu"), latin1("Haus"), big(5, 2), packed("eng"), latin1("House")))
        let iso = box("udta", fullBox("titl", packed("ita"), Array("Casa\0".utf8)), fullBox("yrrc", big(1999, 2)))
        let first = try read(box("ftyp", latin1("qt  "), big(0, 4)) + box("moov", quickTime))
        let second = try read(box("ftyp", latin1("3gp6"), big(0, 4)) + box("moov", iso))
        #expect(first.items.map(\.extendedLanguageTag) == ["de", "en"])
        #expect(first.availableFormats == [.quickTimeUserData])
        #expect(second.items.best(.commonTitle, for: [])?.stringValue == "Casa")
        #expect(second.items.best(.commonCreationDate, for: [])?.dateValue == "1999")
        #expect(second.availableFormats == [.isoUserData])
    }

    @Test("chapters in several languages come from the referenced tracks")
    func movieChapters() throws {
        let texts = [["Start", "End"], ["Anfang", "Ende"]].map { $0.map { big($0.utf8.count, 2) + Array($0.utf8) } }
        func track(_ number: Int, _ language: String, _ samples: [[UInt8]], at offset: Int, edits: [UInt8] = []) -> [UInt8] {
            let tables = box(
                "stbl", fullBox("stts", big(1, 4), big(2, 4), big(2500, 4)),
                fullBox("stsc", big(1, 4), big(1, 4), big(2, 4), big(1, 4)),
                fullBox("stsz", big(0, 4), big(2, 4), big(samples[0].count, 4), big(samples[1].count, 4)),
                fullBox("stco", big(1, 4), big(offset, 4)))
            let media = box(
                "mdia", fullBox("mdhd", big(0, 8), big(1000, 4), big(5000, 4), packed(language), [0, 0]),
                fullBox("hdlr", big(0, 4), latin1("text"), big(0, 12)), box("minf", tables))
            return box("trak", fullBox("tkhd", big(0, 8), big(number, 4), big(0, 8)), edits, media)
        }
        let head = box("ftyp", latin1("mp42"), big(0, 4))
        let media = box("mdat", texts.flatMap { $0.flatMap(\.self) })
        let start = head.count + 8
        let second = start + texts[0].reduce(0) { $0 + $1.count }
        let film = box("trak", fullBox("tkhd", big(0, 8), big(1, 4), big(0, 8)), box("tref", box("chap", big(2, 4), big(3, 4))))
        let found = try read(
            head + media + box("moov", film, track(2, "eng", texts[0], at: start), track(3, "deu", texts[1], at: second)))
        #expect(found.availableChapterLanguages == ["en", "de"])
        let german = found.chapterGroups(bestMatching: ["de"], duration: nil) { "Chapter \($0)" }
        #expect(german.map { $0.items.first?.stringValue } == ["Anfang", "Ende"])
        #expect(
            german.map(\.timeRange) == [
                TimeRange(start: .zero, end: .milliseconds(2500)), TimeRange(start: .milliseconds(2500), end: .seconds(5)),
            ])
        // An empty edit of 3 s in units of 1/600 s comes before the samples.
        let list = fullBox(
            "elst", big(2, 4), big(1800, 4), [255, 255, 255, 255], big(65_536, 4), big(3000, 4), big(0, 4), big(65_536, 4))
        let later = try read(
            head + media
                + box(
                    "moov", fullBox("mvhd", big(0, 8), big(600, 4), big(0, 4)), film,
                    track(2, "eng", texts[0], at: start, edits: box("edts", list))))
        #expect(
            later.chapters.map(\.timeRange) == [
                TimeRange(start: .seconds(3), end: .milliseconds(5500)), TimeRange(start: .milliseconds(5500), end: .seconds(8)),
            ])
    }

    @Test("chapter tables with numbers at their ends give what is in the file, and do not trap")
    func extremeChapterTables() throws {
        let ends = [0, 1, 0x7FFF_FFFF, 0xFFFF_FFFF]
        let offsets = [0, 1 << 59, 1 << 60, Int.max, -1]
        for number in ends {
            for size in ends {
                let tables = box(
                    "stbl", fullBox("stts", big(0xFFFF_FFFF, 4), big(number, 4), big(0xFFFF_FFFF, 4), big(0, 4), big(number, 4)),
                    fullBox("stsc", big(number, 4), big(1, 4), big(number, 4), big(1, 4)),
                    fullBox("stsz", big(size, 4), big(number, 4), big(0xFFFF_FFFF, 4), big(0xFFFF_FFFF, 4)),
                    fullBox("co64", big(number, 4), offsets.flatMap { big($0, 8) }))
                let media = box(
                    "mdia", fullBox("mdhd", big(0, 8), big(max(number, 1), 4), big(0, 4), packed("eng"), [0, 0]),
                    fullBox("hdlr", big(0, 4), latin1("text"), big(0, 12)), box("minf", tables))
                let edits = box("edts", fullBox("elst", big(number, 4), big(number, 4), big(0xFFFF_FFFF, 4), big(number, 4)))
                let chapters = box("trak", fullBox("tkhd", big(0, 8), big(2, 4), big(0, 8)), edits, media)
                let film = box("trak", fullBox("tkhd", big(0, 8), big(1, 4), big(0, 8)), box("tref", box("chap", big(2, 4))))
                let header = fullBox("mvhd", big(0, 8), big(number, 4), big(0, 4))
                let found = try read(box("ftyp", latin1("mp42"), big(0, 4)) + box("moov", header, film, chapters))
                #expect(found.chapters.allSatisfy { $0.timeRange.end >= $0.timeRange.start })
            }
        }
    }

    @Test("Matroska: tags after the media are found by the seek head; chapters have their languages and ends")
    func matroska() throws {
        func tag(_ name: String, _ value: String, _ more: [UInt8] = []) -> [UInt8] {
            element(0x67C8, element(0x45A3, latin1(name)), element(0x4487, Array(value.utf8)), more)
        }
        let chapters = element(
            0x1043_A770,
            element(
                0x45B9,
                element(
                    0xB6, element(0x91, big(0, 1)), element(0x80, element(0x85, latin1("Dawn")), element(0x437C, latin1("eng"))),
                    element(0x80, element(0x85, Array("黎明".utf8)), element(0x437D, latin1("zh-Hans")))),
                element(0xB6, element(0x91, big(4_000_000_000, 8)))))
        let info = element(0x1549_A966, element(0x7BA9, Array("Über uns".utf8)))
        let cluster = element(0x1F43_B675, [UInt8](repeating: 0, count: 300))
        let tags = element(
            0x1254_C367,
            element(
                0x7373, element(0x63C0, element(0x68CA, big(50, 1))), tag("TITLE", "Über uns"), tag("ARTIST", "Die Band"),
                tag("DESCRIPTION", "Words", element(0x447A, latin1("eng")))),
            element(0x7373, element(0x63C0, element(0x68CA, big(70, 1))), tag("TITLE", "Series")),
            element(0x7373, element(0x63C0, element(0x63C5, big(1, 1))), tag("TITLE", "of a track")))
        func file(_ position: Int) -> (segment: [UInt8], tags: Int) {
            let seek = element(
                0x114D_9B74, element(0x4DBB, element(0x53AB, big(0x1254_C367, 4)), element(0x53AC, big(position, 4))))
            let front = seek + info + chapters + cluster
            return (element(0x1853_8067, front, tags), front.count)
        }
        let place = file(0).tags
        let found = try read(element(0x1A45_DFA3, element(0x4282, latin1("matroska"))) + file(place).segment)
        #expect(found.items.map(\.identifier.key) == ["TITLE", "ARTIST", "DESCRIPTION", "COLLECTION/TITLE"])
        #expect(found.items.best(.commonTitle, for: [])?.stringValue == "Über uns")
        #expect(found.items[2].extendedLanguageTag == "en")
        #expect(found.items.best(.commonAlbumName, for: [])?.stringValue == "Series")
        let groups = found.chapterGroups(bestMatching: ["zh"], duration: .seconds(9)) { "Chapter \($0)" }
        #expect(groups.map { $0.items.first?.stringValue } == ["黎明", "Chapter 2"])
        #expect(groups.map(\.timeRange.end) == [.seconds(4), .seconds(9)])
    }

    @Test("extreme numbers of comments: the rest is ignored")
    func bounds() throws {
        let texts = (0..<10_000).flatMap { number in
            ["CHAPTER\(number)=00:00:01.500", "CHAPTER\(number)NAME=x"].flatMap { little($0.utf8.count, 4) + Array($0.utf8) }
        }
        let comments = little(0, 4) + little(20_000, 4) + texts
        let found = try read(latin1("fLaC") + [0x84] + big(comments.count, 3) + comments)
        #expect(found.items.count == 4096 && found.chapters.count == 1000)
        #expect(found.chapters.allSatisfy { $0.items.first?.stringValue == "x" })
    }

    @Test("FLAC and Ogg have the same comments")
    func xiph() throws {
        let texts = ["TITLE=Lied", "artist=Wer", "CHAPTER001=00:00:01.500", "CHAPTER001NAME=Eins", "LANGUAGE=deu", "no sign"]
        let comments =
            little(4, 4) + latin1("test") + little(texts.count, 4) + texts.flatMap { little($0.utf8.count, 4) + Array($0.utf8) }
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 1]
        let picture = big(3, 4) + big(10, 4) + latin1("image/jpeg") + big(0, 4) + big(0, 16) + big(jpeg.count, 4) + jpeg
        let flac =
            latin1("fLaC") + [0] + big(34, 3) + [UInt8](repeating: 0, count: 34) + [4] + big(comments.count, 3) + comments + [
                0x86
            ]
            + big(picture.count, 3) + picture
        func page(_ packet: [UInt8]) -> [UInt8] {
            let full = packet.count / 255
            let table = [UInt8](repeating: 255, count: full) + [UInt8(packet.count % 255)]
            return latin1("OggS") + [0, 2] + big(0, 8) + little(7, 4) + big(0, 8) + [UInt8(table.count)] + table + packet
        }
        let ogg = page(latin1("OpusHead") + big(0, 11)) + page(latin1("OpusTags") + comments)
        for (bytes, hasPicture) in [(flac, true), (ogg, false)] {
            let found = try read(bytes)
            #expect(found.items.best(.commonTitle, for: [])?.stringValue == "Lied")
            #expect(found.items.best(.commonArtist, for: [])?.stringValue == "Wer")
            #expect((found.items.best(.commonArtwork, for: [])?.dataValue == jpeg) == hasPicture)
            #expect(found.chapters.first?.timeRange.start == .milliseconds(1500))
            #expect(found.availableChapterLanguages == ["de"])
        }
    }

    @Test("comments that are not in UTF-8 as they should be are read in the encoding of their writer")
    func xiphOfOthers() throws {
        let titles: [([UInt8], String)] = [
            (latin1("Déjà vu"), "Déjà vu"),
            ([0xC3, 0xF0, 0xF3, 0xEF, 0xEF, 0xE0, 0x20, 0xEA, 0xF0, 0xEE, 0xE2, 0xE8], "Группа крови"),
        ]
        for (bytes, title) in titles {
            let text = latin1("TITLE=") + bytes
            let comments = little(4, 4) + latin1("test") + little(1, 4) + little(text.count, 4) + text
            let flac =
                latin1("fLaC") + [0] + big(34, 3) + [UInt8](repeating: 0, count: 34) + [0x84] + big(comments.count, 3) + comments
            #expect(try read(flac).items.best(.commonTitle, for: [])?.stringValue == title)
        }
    }

    @Test("damage anywhere causes no crash and no endless loop", arguments: 0..<300)
    func damage(_ seed: Int) throws {
        let list = box("ilst", box("\u{A9}nam", data(1, latin1("Name"))), box("covr", data(13, [0xFF, 0xD8, 0xFF])))
        let handler = fullBox("hdlr", big(0, 4), latin1("mdir"), big(0, 12))
        let movie = box("ftyp", latin1("M4A "), big(0, 4)) + box("moov", box("udta", fullBox("meta", handler, list)))
        let matroska =
            element(0x1A45_DFA3, element(0x4282, latin1("webm")))
            + element(
                0x1853_8067,
                element(0x1254_C367, element(0x7373, element(0x67C8, element(0x45A3, latin1("A")), element(0x4487, latin1("b")))))
            )
        var bytes = seed % 2 == 0 ? movie : matroska
        let place = seed / 2 % bytes.count
        bytes[place] = UInt8(truncatingIfNeeded: seed &* 197 &+ 0x7F)
        #expect(try read(bytes).items.count <= 2)
        #expect(try read(Array(bytes.prefix(place))).items.count <= 2)
    }

    @Test("a file that is not a container has no metadata")
    func nothing() throws {
        #expect(try read([]).items.isEmpty)
        #expect(try read(latin1("<!doctype html><title>404</title>")).items.isEmpty)
    }

    private struct Unreachable: Error {}
    private final class BrokenBytes: RandomAccessBytes {
        let length: Int64? = nil
        func read(at offset: Int64, count: Int) throws -> [UInt8] { throw Unreachable() }
    }

    @Test("a read error is thrown and does not give an empty result")
    func unreachable() {
        #expect(throws: Unreachable.self) { try MediaMetadata(reading: BrokenBytes()) }
    }
}
