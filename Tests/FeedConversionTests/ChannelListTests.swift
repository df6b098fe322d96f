import ChannelFeed
import Testing

@testable import FeedConversion

@Suite("Conversion from M3U")
struct ChannelListTests {
    private static let source = """
        #EXTM3U url-tvg="https://epg.example/guide.xml.gz" x-tvg-url="https://epg.example/other.xml"
        #EXTINF:-1 tvg-id="one.uk" tvg-name="One" tvg-logo="https://h.example/1.png" tvg-chno="7" group-title="News;Local",One, the first
        https://h.example/one.m3u8
        #EXTINF:-1 tvg-id="one.uk" group-title="News",One, the first
        #EXTVLCOPT:http-user-agent=Player/1.0
        https://backup.example/one.m3u8
        #EXTINF:-1 tvg-chno="7" group-title='Music' radio="true",Radio "Z"
        https://h.example/radio|User-Agent=x
        #EXTINF:-1,Nothing follows
        #EXTINF:0,Udp
        udp://@239.0.0.1:1234
        #EXTINF:0,Srt
        srt://10.0.0.9:9000
        #EXTGRP:Films
        #EXTINF:5400 tvg-logo="p.jpg",A Film
        films/a film.mp4
        #EXTINF:1320,Boats S01E02
        films/boats2.mkv
        #EXTINF:1320,Boats S01 E01 - Oars
        films/boats1.mkv
        """

    @Test("channels with numbers, guide, groups and alternatives; files as items; episodes as a series")
    func whole() throws {
        let result = convert(Self.source, base: "https://h.example/lists/")
        let feed = try feed(result)
        #expect(feed.channels.map { $0.title.best(for: []) } == ["One, the first", "Radio \"Z\"", "Udp"])
        #expect(feed.channels.map(\.number) == [7, 8, 9])
        #expect(feed.channels[2].streams.map(\.location.name) == ["udp://@239.0.0.1:1234"])
        let one = feed.channels[0]
        #expect(one.id == "one.uk")
        #expect(one.streams.map(\.location.name) == ["https://h.example/one.m3u8", "https://backup.example/one.m3u8"])
        #expect(one.guide?.xmltv == "https://epg.example/guide.xml.gz")
        #expect(one.guide?.id == "one.uk")
        #expect(one.tags == ["News", "Local"])
        #expect(feed.channels[1].streams.map(\.location.name) == ["https://h.example/radio"])
        #expect(feed.items.map(\.type) == [.movie, .episode, .episode])
        #expect(feed.items[0].streams.map(\.location.name) == ["https://h.example/lists/films/a%20film.mp4"])
        #expect(feed.items[0].duration == .seconds(5400))
        let series = try #require(feed.series.first)
        #expect(series.title.best(for: []) == "Boats")
        #expect(
            series.seasons.first?.episodes.map { feed.item($0)?.streams.first?.location.name.suffix(10) } == [
                "boats1.mkv", "boats2.mkv",
            ])
        #expect(feed.rows.map { $0.title.best(for: []) } == ["News", "Local", "Music", "Films"])
        #expect(feed.rows[3].entries == [.item(feed.items[0].id), .series(series.id)])
    }

    @Test("each loss is reported with its line")
    func losses() {
        let result = convert(Self.source, base: "https://h.example/lists/")
        for place in ["warning line 5", "warning line 8", "warning line 9", "warning line 7", "error line 13"] {
            #expect(result.places.contains(place), "\(place)")
        }
        #expect(result.exitCode == 3)
    }

    @Test("plain http is left out unless the host is allowed")
    func plainHTTP() throws {
        let source = "#EXTM3U\n#EXTINF:-1,A\nhttp://h.example/a.m3u8\n#EXTINF:-1,B\nhttps://h.example/b.m3u8\n"
        let refused = convert(source)
        #expect(try feed(refused).channels.count == 1)
        #expect(refused.places == ["error line 3"])
        #expect(refused.findings[0].remedy.contains("--allow-http"))
        let allowed = convert(source, allowing: ["h.example"])
        #expect(try feed(allowed, allowing: ["h.example"]).channels.count == 2)
        #expect(allowed.exitCode == 0)
    }

    @Test("a guide is matched by id, then by name, and a channel that it does not have is reported")
    func guide() throws {
        let guide = SourceGuide(
            url: "https://epg.example/g.xml", ids: ["one.uk", "2", "three.uk"],
            names: ["one.uk": ["One"], "2": ["Two", "Channel Two"]])
        let result = convert(
            """
            #EXTM3U
            #EXTINF:-1 tvg-id="ONE.UK",First
            https://h.example/1
            #EXTINF:-1 tvg-id="",channel two
            https://h.example/2
            #EXTINF:-1 tvg-id="three",Three
            https://h.example/3
            #EXTINF:-1 tvg-id="Three.UK",Three without a description in the guide
            https://h.example/4
            """, guide: guide)
        #expect(try feed(result).channels.map { $0.guide?.id } == ["one.uk", "2", nil, "three.uk"])
        #expect(result.places == ["warning line 6"])
    }

    @Test("ids are legal and unique for titles in any script, and the same in another order")
    func ids() throws {
        let names = ["Новости", "ニュース", "News", "News HD!", "a/b", "a b", String(repeating: "long ", count: 40), "News"]
        func list(_ names: [String]) -> String {
            "#EXTM3U\n" + names.enumerated().map { "#EXTINF:-1,\($1)\nhttps://h.example/\($0)\n" }.joined()
        }
        let feed = try feed(convert(list(names)))
        #expect(feed.channels.count == names.count)
        #expect(Set(feed.channels.map(\.id)).count == names.count)
        let turned = try self.ids(of: list(names.reversed()))
        #expect(Set(feed.channels.map(\.id)) == turned)
    }

    private func ids(of list: String) throws -> Set<String> { Set(try feed(convert(list)).channels.map(\.id)) }

    @Test("a missing quotation mark costs the attribute and not the title")
    func quotes() throws {
        let result = convert("#EXTM3U\n#EXTINF:-1 tvg-id=\"x group-title=\"News\",One\nhttps://h.example/1\n")
        #expect(try feed(result).channels.first?.title.best(for: []) == "One")
    }

    @Test("a comma before the attributes does not make them the title")
    func comma() throws {
        let made = try feed(
            convert(
                "#EXTM3U\n#EXTINF:0, tvg-logo=\"https://h.example/l.png\" group-title=\"General\",Action, and more\nhttps://h.example/1\n"
            ))
        #expect(made.channels.first?.title.best(for: []) == "Action, and more")
        #expect(made.channels.first?.artwork?.poster == "https://h.example/l.png")
    }

    @Test("an HLS playlist is refused with its line")
    func playlist() {
        let result = convert("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n")
        #expect(result.exitCode == 1)
        #expect(result.places == ["refusal line 2"])
    }

    @Test(
        "titles without a season and an episode are not episodes",
        arguments: ["S", "S1", "SE", "CSI E01", "1x02", "s01e", "S01E02"])
    func noEpisode(_ title: String) { #expect(ListedEpisodes.Name(title) == nil) }

    @Test("lines end at LF, CR LF or CR, and at nothing else")
    func lineEnds() throws {
        let lines = [
            "#EXTM3U", "#EXTINF:-1 group-title=\"A\u{85}B\",One\u{2028}two\u{B}", "https://h.example/1.m3u8", "#EXTINF:-1,Three",
            "https://h.example/3.m3u8",
        ]
        for end in ["\n", "\r\n", "\r"] {
            let result = convert(lines.joined(separator: end), base: "https://h.example/")
            let feed = try feed(result)
            #expect(feed.channels.map { $0.title.best(for: []) } == ["One two", "Three"], "\(end.debugDescription)")
            #expect(
                feed.channels.map { $0.streams.first?.location.name } == ["https://h.example/1.m3u8", "https://h.example/3.m3u8"])
            #expect(result.findings.isEmpty)
        }
    }

    @Test("control characters, with which files are filled up, are neither an address nor part of one")
    func fillings() throws {
        let list = "#EXTM3U\n#EXTINF:-1,O\u{1}ne\nhttps://h.example/1.m3u8\0\0\n\u{1A}" + String(repeating: "\0", count: 500)
        let result = convert(list, base: "https://h.example/")
        let feed = try feed(result)
        #expect(feed.channels.map { $0.title.best(for: []) } == ["One"] && feed.items.isEmpty)
        #expect(feed.channels.first?.streams.first?.location.name == "https://h.example/1.m3u8")
        #expect(result.findings.isEmpty)
    }

    @Test("a station is a channel, whatever its address looks like", arguments: ["true", "TRUE", "1", "yes"])
    func radio(word: String) throws {
        let feed = try feed(
            convert(
                """
                #EXTM3U
                #EXTINF:-1 radio="\(word)",Station
                https://h.example/live.mp3
                #EXTINF:3600 radio="\(word)",Second
                https://h.example/second
                #EXTINF:-1 radio="false",Song
                https://h.example/song.mp3
                """, base: "https://h.example/"))
        #expect(feed.channels.map { $0.title.best(for: []) } == ["Station", "Second"] && feed.items.count == 1)
    }

    @Test("television from a headend becomes channels, also where a list states a length; a wrong address is told with its line")
    func datagrams() throws {
        let list = """
            #EXTM3U
            #EXTINF:-1 tvg-chno="1",One
            udp://@239.0.0.1:1234
            #EXTINF:3600,Two
            rtp://239.0.0.2:5004?pkt_size=1316
            #EXTINF:-1,Three
            UDP://10.0.0.9@232.1.1.1:1234
            #EXTINF:-1,Four
            rtp://@[ff15::1]:5004
            #EXTINF:-1,Five
            udp://me:secret@239.0.0.1:1234
            #EXTINF:-1,Six
            srt://10.0.0.9:9000
            """
        let result = convert(list, base: "https://h.example/")
        let feed = try feed(result)
        #expect(
            feed.channels.flatMap { $0.streams.map(\.location.name) } == [
                "udp://@239.0.0.1:1234", "rtp://239.0.0.2:5004?pkt_size=1316", "udp://10.0.0.9@232.1.1.1:1234",
                "rtp://@[ff15::1]:5004",
            ])
        #expect(feed.items.isEmpty)
        let found = result.findings.map { "\($0)" }.joined()
        #expect(
            found.contains("line 11") && found.contains("line 13") && found.contains("SRT") && !found.contains("secret"),
            "\(found)")
    }

    @Test("a list of addresses alone is recognised, and a title may stand without a comma before it")
    func simple() throws {
        let plain = try feed(convert("https://h.example/a.m3u8\r\nhttps://h.example/b/index.m3u8\r\n"))
        #expect(plain.channels.map { $0.title.best(for: []) } == ["a.m3u8", "index.m3u8"])
        let loose = try feed(
            convert(
                "#EXTM3U\n#EXTINF:-1 tvg-id=\"x\" tvg-logo=l.png Great Channel\nhttps://h.example/w.m3u8\n",
                base: "https://h.example/"))
        #expect(loose.channels.map { $0.title.best(for: []) } == ["Great Channel"])
    }

    /// A list with one channel, by gzip.
    private static let packed: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 83, 118, 141, 8, 241, 53, 14, 229, 82, 6, 210, 158, 126, 110, 86, 186, 134, 58, 254, 121,
        169,
        92, 25, 37, 37, 5, 197, 86, 250, 250, 25, 122, 169, 21, 137, 185, 5, 57, 169, 250, 134, 122, 185, 198, 165, 22, 92, 0,
        243, 0,
        50, 202, 48, 0, 0, 0,
    ]

    @Test("a list that is compressed is read, and one in another compression, or cut, is refused in words")
    func compressed() throws {
        func converted(_ bytes: [UInt8]) -> ConversionResult { FeedConverter.convert(bytes, options: ConversionOptions()) }
        #expect(try feed(converted(Self.packed)).channels.map { $0.title.best(for: []) } == ["One"])
        let cut = converted(Array(Self.packed.dropLast(12)))
        #expect(cut.feed == nil && cut.text().contains("the gzip file is incomplete"), "\(cut.text())")
        let other = converted(Array("BZh91AY&SY".utf8))
        #expect(other.feed == nil && other.text().contains("it is compressed with bzip2"), "\(other.text())")
    }
}
