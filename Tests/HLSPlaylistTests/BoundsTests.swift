import HLSPlaylist
import MediaTime
import Testing

/// Numbers at and beyond the bounds of docs/streaming.md, "Bounds": the value is used up to the bound, and reported beyond it.
@Suite struct BoundsTests {
    private static let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"

    private func parsed(_ text: String) -> (media: MediaPlaylist?, errors: [String]) {
        let parsed = PlaylistParser().parse(text)
        // The report formats every number.
        #expect(!InspectReport(parsed).text.isEmpty && !InspectReport(parsed).json.isEmpty)
        return (parsed.playlist?.media, parsed.errors.map(\.message))
    }

    /// RFC 8216, 4.2: a decimal-integer is up to 2^64-1. Nanoseconds since 1970 are in use.
    @Test(arguments: [
        "9007199254740993", "1760000000000000000", "9223372036854775807", "9223372036854775808", "18446744073709551615",
        "18446744073709551616",
    ])
    func sequenceNumbersHave64Bits(number: String) throws {
        let isWithin = UInt64(number) != nil
        for tag in ["EXT-X-MEDIA-SEQUENCE", "EXT-X-DISCONTINUITY-SEQUENCE"] {
            let (media, errors) = parsed(
                Self.head + "#\(tag):\(number)\n#EXTINF:6,\na.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\nb.ts\n")
            let playlist = try #require(media)
            let value = tag == "EXT-X-MEDIA-SEQUENCE" ? playlist.mediaSequence : playlist.discontinuitySequence
            #expect(SequenceNumber.text(value) == (isWithin ? number : "0"))
            #expect(errors.isEmpty == isWithin && errors.count <= 1)
            #expect(playlist.segments.index(ofMediaSequence: playlist.segments[1].mediaSequence) == 1)
            #expect(PlaylistWriter().text(of: playlist).contains(isWithin ? "#\(tag):\(number)\n" : "#EXTINF"))
        }
    }

    @Test(arguments: ["86401", "31622400", "31622400.000000001", "100000000", "3000000000", "9223372036854775807"])
    func durationsEndAtAYear(text: String) throws {
        let seconds = Int64(text).flatMap { $0 <= 31_622_400 ? $0 : nil }
        let isWithin = seconds != nil
        let (media, errors) = parsed(Self.head + "#EXTINF:\(text),\na.ts\n#EXTINF:\(text),\nb.ts\n")
        #expect(try #require(media).totalDuration == .seconds(seconds.map { $0 * 2 } ?? 12))
        #expect(errors.count == (isWithin ? 0 : 2))
        let target = parsed("#EXTM3U\n#EXT-X-TARGETDURATION:\(text)\n#EXTINF:6,\na.ts\n")
        #expect(try #require(target.media).targetDuration == .seconds(seconds ?? 6))
        let part = parsed(
            Self.head + "#EXT-X-PART-INF:PART-TARGET=\(text)\n#EXTINF:6,\na.ts\n#EXT-X-PART:DURATION=\(text),URI=\"p\"\n")
        #expect(try #require(part.media).trailingParts.count == (isWithin ? 1 : 0))
        let hold = parsed(Self.head + "#EXT-X-SERVER-CONTROL:HOLD-BACK=\(text)\n#EXTINF:6,\na.ts\n")
        #expect((try #require(hold.media).serverControl?.holdBack == nil) == !isWithin)
    }

    @Test func bitRatesEndAt100Gigabits() throws {
        let within = parsed(Self.head + "#EXT-X-BITRATE:100000000\n#EXTINF:6,\na.ts\n")
        #expect(within.media?.segments.first?.bitrate == 100_000_000 && within.errors.isEmpty)
        for number in ["100000001", "9223372036854775807"] {
            let beyond = parsed(Self.head + "#EXT-X-BITRATE:\(number)\n#EXTINF:6,\na.ts\n")
            #expect(beyond.media?.segments.first?.bitrate == 100_000_000 && beyond.errors.count == 1)
        }
        let variant = try #require(
            PlaylistParser().parse("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9223372036854775807,AVERAGE-BANDWIDTH=100000000001\nv\n")
                .playlist)
        guard case .multivariant(let playlist) = variant else { throw WrongKind() }
        #expect(playlist.variants.first?.bandwidth == 100_000_000_000)
        #expect(playlist.variants.first?.averageBandwidth == 100_000_000_000)
    }

    @Test(arguments: [
        ("16384x16384", true), ("16385x1", false), ("4294967296x4294967296", false), ("1x9223372036854775807", false),
    ])
    func picturesEndAt16384(text: String, isWithin: Bool) throws {
        let playlist = try multivariant(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=\(text),FRAME-RATE=\(isWithin ? "1000" : "1000.1")\nv\n")
        let resolution = try #require(playlist.variants.first?.resolution)
        #expect(max(resolution.width, resolution.height) == 16_384)
        #expect(playlist.variants.first?.frameRate == Ratio(1000))
    }

    @Test func datesCenturiesApartCanBeSubtracted() throws {
        let (media, errors) = parsed(
            Self.head + "#EXT-X-PROGRAM-DATE-TIME:1700-01-01T00:00:00Z\n#EXTINF:6,\na.ts\n"
                + "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-22T00:00:00Z\",DURATION=31622401\n")
        let playlist = try #require(media)
        #expect(playlist.segments.first?.date == nil && errors.count == 2)
        #expect(playlist.dateRanges.first?.duration == nil)
        let first = try #require(WallClockTime(iso8601: "1900-01-01T00:00:00Z")),
            last = try #require(WallClockTime(iso8601: "2189-12-31T23:59:59Z"))
        #expect(last - first == .seconds(9_151_574_399) && first - last == .seconds(-9_151_574_399))
        #expect(WallClockTime(iso8601: "1899-12-31T23:59:59Z") == nil && WallClockTime(iso8601: "2190-01-01T00:00:00Z") == nil)
        for end in [WallClockTime(nanosecondsSinceEpoch: .min), WallClockTime(nanosecondsSinceEpoch: .max)] {
            #expect(!end.description.isEmpty && end + .seconds(.max) > end - .seconds(.max))
            #expect(SegmentDates(playlist.segments).time(of: end) == nil)
        }
        #expect(WallClockTime(millisecondsSinceEpoch: .max).nanosecondsSinceEpoch == .max)
    }

    @Test func byteRangesEndAt2ToThe62() {
        #expect(ByteRange(length: 1, offset: (1 << 62) - 1)?.end == 1 << 62)
        #expect(ByteRange(length: 2, offset: (1 << 62) - 1) == nil && ByteRange(length: .max, offset: .max) == nil)
        #expect(ByteRange(length: -1, offset: 0) == nil && ByteRange(length: 0, offset: -1) == nil)
    }

    /// Each definition doubles the one before it: 30 of them would be 10 GB.
    @Test func variablesThatDoubleStopAt64KiB() {
        var text = Self.head + "#EXT-X-VERSION:8\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0123456789\"\n"
        for number in 1...30 {
            text += "#EXT-X-DEFINE:NAME=\"v\(number)\",VALUE=\"{$v\(number - 1)}{$v\(number - 1)}\"\n"
        }
        let parsed = PlaylistParser().parse(text + "#EXTINF:6,\n{$v30}.ts\n")
        #expect(parsed.playlist == nil)
        #expect(parsed.errors.contains { $0.message.contains("64 KiB") })
    }

    @Test func oneVariableUsedOftenStopsAt16MiB() throws {
        let value = String(repeating: "x", count: 60 << 10)
        let head = Self.head + "#EXT-X-VERSION:8\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(value)\"\n"
        let some = try media(head + String(repeating: "#EXTINF:6,\n{$v}.ts\n", count: 10))
        #expect(some.segments.count == 10 && some.segments.last?.uri == value + ".ts")
        let many = PlaylistParser().parse(head + String(repeating: "#EXTINF:6,\n{$v}.ts\n", count: 300))
        #expect(many.playlist == nil && many.errors.last?.message.contains("16 MiB") == true)
        let long = PlaylistParser().parse(head + "#EXTINF:6,\n{$v}{$v}.ts\n")
        #expect(long.playlist == nil && long.errors.last?.message.contains("64 KiB") == true)
    }

    @Test func listsOfDefinitionsAreBounded() throws {
        let attributes = (0..<5000).map { "X-A\($0)=1" }.joined(separator: ",")
        let range = try #require(
            parsed(Self.head + "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-11-22T00:00:00Z\",\(attributes)\n#EXTINF:6,\na.ts\n")
                .media
        ).dateRanges.first
        #expect(range?.attributes.count == 256)
        let keys = (0..<500).map { "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\",KEYFORMAT=\"f\($0)\"\n" }.joined()
        #expect(try #require(parsed(Self.head + keys + "#EXTINF:6,\na.ts\n").media).segments.first?.keys.count == 8)
        let segments = parsed(Self.head + String(repeating: "#EXTINF:1,\nx\n", count: 303_400))
        #expect(segments.media?.segments.count == 302_400)
        #expect(segments.errors.filter { $0.contains("302400 segments") }.count == 1)
        let variants = String(repeating: "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", count: 600)
        let list = PlaylistParser().parse("#EXTM3U\n" + variants)
        guard case .multivariant(let playlist) = list.playlist else { throw WrongKind() }
        #expect(playlist.variants.count == 500 && list.errors.contains { $0.message.contains("500 variants") })
    }

    @Test func aDateRangeOfManyTagsHasABoundedNumberOfAttributes() throws {
        let tags = (0..<400).map { "#EXT-X-DATERANGE:ID=\"r\",START-DATE=\"2026-11-22T12:00:00Z\",X-\($0)=1\n" }
        let (media, errors) = parsed(Self.head + tags.joined() + "#EXTINF:6,\na.ts\n")
        let range = try #require(media?.dateRanges.first)
        #expect(range.attributes.count == 256 && range.attributes["X-0"] == "1" && range.attributes["X-399"] == nil)
        #expect(errors.contains { $0.contains("more than 256 attributes") })
    }

    @Test func textOfDateRangesIsBounded() throws {
        let text = String(repeating: "x", count: 1000)
        let ranges = (0..<6000).map {
            "#EXT-X-DATERANGE:ID=\"\($0)\",START-DATE=\"2026-11-22T00:00:00Z\",X-T=\"\(text)\"\n"
        }.joined()
        let (media, errors) = parsed(Self.head + ranges + "#EXTINF:6,\na.ts\n")
        let found = try #require(media).dateRanges
        #expect((4000..<4194).contains(found.count) && found.last?.id == "\(found.count - 1)")
        #expect(errors.contains { $0.contains("more than 4 MiB of attributes") })
    }

    @Test func rangesThatEndOnTheNextAreResolved() throws {
        let ranges = (0..<5).map {
            "#EXT-X-DATERANGE:ID=\"\($0)\",CLASS=\"c\",START-DATE=\"2026-11-22T00:00:0\(4 - $0 / 2 * 2)Z\",END-ON-NEXT=YES\n"
        }.joined()
        let found = try #require(parsed(Self.head + ranges + "#EXTINF:6,\na.ts\n").media).dateRanges
        #expect(
            found.map { $0.resolvedEndDate.map { String($0.description.dropFirst(17).prefix(2)) } } == [
                nil, nil, "04", "04", "02",
            ])
    }
}
