import CLZMA
import ChannelFeed
import Testing

@testable import ProgrammeGuide

/// Guides as they are written in the world.
@Suite struct WorldGuideTests {
    private static let day = FeedDate("2026-11-20T00:00:00Z")!..<FeedDate("2026-11-22T00:00:00Z")!

    private func read(_ bytes: [UInt8]) throws -> GuideListings {
        try XMLTVReader.read(bytes, within: Self.day, name: "guide.xml")
    }

    private static func programme(_ hour: Int, _ inside: String, stop: String? = nil) -> String {
        "<programme start=\"20261120\(hour)0000 +0000\" stop=\"\(stop ?? "20261120\(hour + 1)0000 +0000")\" channel=\"c\">\(inside)</programme>\n"
    }

    private static func guide(_ middle: String, head: String = "<?xml version=\"1.0\"?>\n") -> [UInt8] {
        Array(
            (head + "<tv>\n" + programme(19, "<title>Now</title>") + middle + programme(21, "<title>Later</title>") + "</tv>\n")
                .utf8)
    }

    private func titles(_ bytes: [UInt8]) throws -> [String] {
        try read(bytes).programmes["c"]?.compactMap { $0.title.best(for: []) } ?? []
    }

    @Test(
        "a fault costs its programme at most, and the rest of the guide is there",
        arguments: [
            ("Dailey & Vincent", "Dailey & Vincent"), ("Caf&eacute;&nbsp;Noir", "Café Noir"), ("Ne\u{1A}xt", "Next"),
            ("<![CDATA[Ne<b>xt</b> & more]]>", "Ne<b>xt</b> & more"), ("a < b", "a < b"),
        ])
    func characters(_ title: String, _ wanted: String) throws {
        let listings = try read(Self.guide(Self.programme(20, "<title>\(title)</title>")))
        #expect(listings.programmes["c"]?.compactMap { $0.title.best(for: []) } == ["Now", wanted, "Later"])
        #expect(listings.remarks.isEmpty)
    }

    @Test(
        "what is not well formed costs its programme, and is reported with its line",
        arguments: [
            "<title>Cut<br></title>", "<title>Next</titel>", "<title>Next</title></tv>", "<title lang=en>Next</title>",
            "<title>Next",
        ])
    func structure(_ inside: String) throws {
        let listings = try read(Self.guide(Self.programme(20, inside)))
        let found = listings.programmes["c"]?.compactMap { $0.title.best(for: []) } ?? []
        #expect(found.first == "Now" && found.last == "Later", "\(found)")
        #expect(listings.remarks.first?.hasPrefix("line ") == true, "\(listings.remarks)")
        #expect(listings.remarks.first?.contains("ends early") == false)
    }

    @Test("guides that were put together one behind the other are all read")
    func joined() throws {
        let one = Self.guide("")
        let other = Array(String(decoding: one, as: UTF8.self).replacing("20261120", with: "20261121").utf8)
        #expect(try titles(one + other) == ["Now", "Later", "Now", "Later"])
    }

    @Test("a thousand faults cost a thousand programmes")
    func manyFaults() throws {
        let broken = (0..<1000).map { _ in Self.programme(20, "<title>x</titel>") }.joined()
        let listings = try read(Self.guide(broken))
        #expect(listings.programmes["c"]?.compactMap { $0.title.best(for: []) } == ["Now", "Later"])
        #expect(listings.remarks.count == 10)
    }

    @Test("encodings that Expat lacks, white space and marks before the declaration")
    func encodings() throws {
        let text = String(decoding: Self.guide("@", head: "<?xml version=\"1.0\" encoding=\"windows-1251\"?>"), as: UTF8.self)
        let halves = text.split(separator: "@").map { Array($0.utf8) }
        var bytes: [UInt8] = halves[0] + Array("<programme start=\"20261120200000\" channel=\"c\"><title>".utf8)
        bytes += [0xCD, 0xEE, 0xE2]
        bytes += Array("</title></programme>".utf8) + halves[1]
        #expect(try titles(bytes) == ["Now", "Нов", "Later"])
        #expect(try titles(Array("\n\n".utf8) + Self.guide("")) == ["Now", "Later"])
        #expect(try titles([0xEF, 0xBB, 0xBF] + Array("\r\n".utf8) + Self.guide("")) == ["Now", "Later"])
        let wide = String(decoding: Self.guide(""), as: UTF8.self).utf16.flatMap {
            [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)]
        }
        #expect(try titles([0xFF, 0xFE] + wide) == ["Now", "Later"])
    }

    @Test("an end that is not after the start counts as none")
    func stopBeforeStart() throws {
        for stop in ["20261120190000 +0000", "20261120200000 +0000"] {
            let listings = try read(Self.guide(Self.programme(20, "<title>Next</title>", stop: stop)))
            #expect(listings.programmes["c"]?.map(\.end)[1] == FeedDate("2026-11-20T21:00:00Z"))
        }
    }

    @Test(
        "times in ISO 8601 and in seconds since 1970 are read",
        arguments: [
            "2026-11-20T20:30:00Z", "2026-11-20T21:30:00+01:00", "2026-11-20 20:30:00", "2026-11-20 20:30",
            "2026-11-20 21:30:00 +0100",
            "20261120T203000Z", "2026-11-20T20:30:00.000Z", "1795206600", "1795206600000", "20261120213000+01",
            "20261120213000CET",
        ])
    func dates(_ text: String) { #expect(XMLTVDate.read(text) == FeedDate("2026-11-20T20:30:00Z")) }

    @Test("sub-title, episode, category, picture and rating are read")
    func details() throws {
        let inside = """
            <title>Show</title><sub-title lang="en">The Pilot</sub-title><sub-title lang="de">Der Anfang</sub-title><desc>It begins.</desc>
            <category lang="en">Drama</category><category lang="en">Series</category><icon src="https://h.example/i.jpg"/><icon src="x"/>
            <episode-num system="xmltv_ns">0 . 4 . 0/2</episode-num><episode-num system="onscreen">S1 E5</episode-num>
            <rating system="MPAA"><value>PG</value><icon src="pg.png"/></rating><star-rating><value>3/5</value></star-rating>
            """
        let details = try #require(try read(Self.guide(Self.programme(20, inside))).programmes["c"]?[1].details)
        #expect(details.subtitle?.best(for: ["de"]) == "Der Anfang" && details.subtitle?.best(for: ["en"]) == "The Pilot")
        #expect(details.summary?.best(for: []) == "It begins." && details.category?.best(for: ["en"]) == "Drama")
        #expect(details.icon == "https://h.example/i.jpg" && details.episode == "S1 E5" && details.rating == "PG")
    }

    @Test(
        "the numbers of xmltv_ns count from zero",
        arguments: [
            ("0.4.", "S1 E5"), (".11.", "E12"), ("2..", "S3"), ("1 / 3 . 0 / 8 . ", "S2 E1"), ("..", nil), ("x", nil),
            ("-1.2.0", "E3"),
        ])
    func episodes(_ text: String, _ wanted: String?) throws {
        let inside = "<title>T</title><episode-num system=\"xmltv_ns\">\(text)</episode-num>"
        #expect(try read(Self.guide(Self.programme(20, inside))).programmes["c"]?[1].details.episode == wanted)
    }

    @Test("the channels of a guide are those that its programmes name, described or not")
    func channels() throws {
        var bytes = Self.guide("")
        bytes = Array(
            String(decoding: bytes, as: UTF8.self).replacing(
                "<tv>", with: "<tv><channel id=\"d\"/><channel id=\"e\"><display-name>E</display-name></channel>"
            ).utf8)
        #expect(try read(bytes).channels == ["c", "e"])
    }

    // MARK: Packed files

    private func packed(_ bytes: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: lzma_stream_buffer_bound(bytes.count))
        let room = result.count
        var made = 0
        let status = lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nil, bytes, bytes.count, &result, &made, room)
        #expect(status == LZMA_OK)
        return Array(result.prefix(made))
    }

    @Test("a guide in xz, of one stream or several, is read; a damaged one up to the damage")
    func xz() throws {
        let plain = Self.guide(Self.programme(20, "<title>Next</title>"))
        #expect(try titles(packed(plain)) == ["Now", "Next", "Later"])
        #expect(try titles(packed(Array(plain.prefix(100))) + packed(Array(plain.dropFirst(100)))) == ["Now", "Next", "Later"])
        let whole = packed(plain)
        for length in stride(from: 6, to: whole.count, by: 7) {
            do { _ = try read(Array(whole.prefix(length))) } catch let error as GuideError {
                #expect(error.description.contains("the xz file is incomplete"), "\(error)")
            }
        }
        for place in stride(from: 6, to: whole.count, by: 5) {
            var file = whole
            file[place] ^= 0x55
            _ = try? read(file)
        }
        #expect(throws: GuideError.self) { try read(packed([UInt8](repeating: 0x20, count: XMLTVReader.mostBytes + 10))) }
    }

    @Test("a guide in lzma is read, with its size stated or not, and other compressions are named")
    func lzma() throws {
        // With a size the end mark may follow all the same (liblzma accepts it since 5.2.6).
        let plain = Self.guide(Self.programme(20, "<title>Next</title>"))
        for isSized in [false, true] {
            var file = try Self.lzmaAlone(plain)
            if isSized { for place in 0..<8 { file[5 + place] = UInt8(truncatingIfNeeded: plain.count >> (8 * place)) } }
            #expect(try titles(file) == ["Now", "Next", "Later"], "sized: \(isSized)")
        }
        let signatures: [([UInt8], String)] = [
            (Array("BZh91AY".utf8), "bzip2"), ([0x28, 0xB5, 0x2F, 0xFD, 4], "Zstandard"),
            ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0], "7-Zip"),
            ([0x1F, 0x9D, 0x90], "compress"),
        ]
        for (bytes, name) in signatures {
            do { _ = try read(bytes) } catch let error as GuideError {
                #expect(error.description.contains("it is compressed with \(name)"), "\(error)")
            }
        }
    }

    /// A file of LZMA_Alone with an end mark, by liblzma.
    private static func lzmaAlone(_ bytes: [UInt8]) throws -> [UInt8] {
        var options = lzma_options_lzma()
        try #require(lzma_lzma_preset(&options, 6) == 0)
        var stream = marquee_lzma_stream()
        try #require(lzma_alone_encoder(&stream, &options) == LZMA_OK)
        defer { lzma_end(&stream) }
        var result = [UInt8](repeating: 0, count: bytes.count * 2 + 1000)
        let room = result.count
        bytes.withUnsafeBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                (stream.next_in, stream.avail_in) = (input.baseAddress, input.count)
                (stream.next_out, stream.avail_out) = (output.baseAddress, output.count)
                #expect(lzma_code(&stream, LZMA_FINISH) == LZMA_STREAM_END)
            }
        }
        return Array(result.prefix(room - stream.avail_out))
    }

    @Test("the first file of a zip is read, stored")
    func zip() throws {
        let plain = Self.guide(Self.programme(20, "<title>Next</title>"))
        let size: [UInt8] = [UInt8(plain.count & 0xFF), UInt8(plain.count >> 8), 0, 0]
        var head: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        head += size
        head += size
        head += [5, 0, 0, 0]
        head += Array("g.xml".utf8)
        #expect(try titles(head + plain) == ["Now", "Next", "Later"])
        for length in 4..<head.count { #expect(throws: GuideError.self) { try read(Array(head.prefix(length))) } }
    }

    @Test("folders before the file in a zip are passed over")
    func folders() throws {
        func entry(_ name: String, _ data: [UInt8]) -> [UInt8] {
            let size: [UInt8] = [UInt8(data.count & 0xFF), UInt8(data.count >> 8), 0, 0]
            let head: [UInt8] = [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
            return head + size + size + [UInt8(name.utf8.count), 0, 0, 0] + Array(name.utf8) + data
        }
        let file = entry("a/", []) + entry("a/b/", []) + entry("a/b/g.xml", Self.guide(Self.programme(20, "<title>Next</title>")))
        #expect(try titles(file) == ["Now", "Next", "Later"])
        for length in 4..<90 { #expect(throws: GuideError.self) { try read(Array(file.prefix(length))) } }
    }

    @Test(
        "fractions of a second, and zones that lack zeros, are read",
        arguments: [
            "20261120203000.000 +0000", "20261120203000.5+0000", "20261120213000 +1", "20261120213000 +100", "20261120203000 +0",
            "20261120213000 UTC+1", "20261120213000 GMT+01:00",
            "20261120193000 -100",
        ])
    func sparseZones(_ text: String) {
        let time = XMLTVDate.read(text).map { $0.milliseconds / 1000 }
        #expect(time == FeedDate("2026-11-20T20:30:00Z").map { $0.milliseconds / 1000 })
    }

    @Test("white space around the name of a channel is none of it")
    func namesWithBlanks() throws {
        let guide = String(decoding: Self.guide(Self.programme(20, "<title>Next</title>")), as: UTF8.self)
        let spaced = guide.split(separator: "channel=\"c\"").joined(separator: "channel=\" c \n\"")
        #expect(spaced != guide)
        #expect(try titles(Array(spaced.utf8)) == ["Now", "Next", "Later"])
    }
}
