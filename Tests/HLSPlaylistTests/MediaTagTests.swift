import HLSPlaylist
import MediaTime
import Testing

/// One test for each tag of a media playlist.
@Suite struct MediaTagTests {
    private static let head = "#EXTM3U\n#EXT-X-VERSION:13\n#EXT-X-TARGETDURATION:6\n"

    private func playlist(_ lines: String) throws -> MediaPlaylist { try media(Self.head + lines) }

    @Test func byteRangesWithoutOffsetContinueTheRangeBefore() throws {
        let segments = try playlist(
            """
            #EXTINF:6,
            #EXT-X-BYTERANGE:1000@200
            all.ts
            #EXTINF:6,
            #EXT-X-BYTERANGE:500
            all.ts
            #EXTINF:6,
            #EXT-X-BYTERANGE:70@0
            all.ts
            """
        ).segments
        #expect(segments.map { $0.byteRange?.description } == ["1000@200", "500@1200", "70@0"])
    }

    @Test func aByteRangeInQuotationMarksIsOne() throws {
        let parsed = PlaylistParser().parse(
            "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n#EXT-X-BYTERANGE:\"1000@200\"\nall.ts\n#EXT-X-ENDLIST\n"
        )
        guard case .media(let media)? = parsed.playlist else { return #expect(Bool(false)) }
        #expect(media.segments.first?.byteRange?.description == "1000@200")
        #expect(parsed.errors.map(\.code) == [.invalidValue])
    }

    @Test func aKeyAppliesUntilTheNextOfItsFormatAndNoneEndsAll() throws {
        let segments = try playlist(
            """
            #EXTINF:6,
            clear.ts
            #EXT-X-KEY:METHOD=AES-128,URI="k1",IV=0x0000000000000000000000000000ABCD
            #EXTINF:6,
            a.ts
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1/2"
            #EXTINF:6,
            b.ts
            #EXT-X-KEY:METHOD=AES-128,URI="k2"
            #EXTINF:6,
            c.ts
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:6,
            d.ts
            """
        ).segments
        #expect(segments.map { $0.keys.compactMap(\.uri) } == [[], ["k1"], ["k1", "skd://x"], ["k2", "skd://x"], []])
        #expect(segments[1].key?.method == .aes128)
        #expect(segments[1].key?.initializationVector == [UInt8](repeating: 0, count: 14) + [0xAB, 0xCD])
        #expect(segments[2].keys[1].keyFormatVersions == [1, 2])
        #expect(segments[2].key?.keyFormat == "identity")
    }

    @Test func theMediaSequenceIsTheVectorOfAKeyWithoutOne() throws {
        let playlist = try playlist("#EXT-X-MEDIA-SEQUENCE:258\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:6,\na.ts\n")
        let segment = playlist.segments[0]
        #expect(
            segment.key?.initializationVector(mediaSequence: segment.mediaSequence) == [UInt8](repeating: 0, count: 14) + [1, 2])
    }

    @Test func aMapAppliesToLaterSegmentsAndKeepsItsKeys() throws {
        let segments = try playlist(
            """
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
            #EXT-X-MAP:URI="init.mp4",BYTERANGE="600@10"
            #EXTINF:6,
            a.m4s
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:6,
            b.m4s
            """
        ).segments
        #expect(segments[1].map?.uri == "init.mp4")
        #expect(segments[1].map?.byteRange?.offset == 10)
        #expect(segments[1].map?.keys.first?.uri == "k")
        #expect(segments[1].keys.isEmpty)
    }

    @Test func datesAreComputedForwardAndBackward() throws {
        let playlist = try playlist(
            """
            #EXTINF:6,
            a.ts
            #EXTINF:4.5,
            #EXT-X-PROGRAM-DATE-TIME:2026-03-01T20:15:00.250+01:00
            b.ts
            #EXTINF:6,
            c.ts
            """
        )
        let dates = playlist.segments.map { $0.date?.description }
        #expect(dates == ["2026-03-01T19:14:54.250Z", "2026-03-01T19:15:00.250Z", "2026-03-01T19:15:04.750Z"])
        #expect(playlist.segments.map { $0.programDateTime != nil } == [false, true, false])
        let inB = try #require(WallClockTime(iso8601: "2026-03-01T19:15:01.250Z"))
        let places = SegmentDates(playlist.segments)
        #expect(places.time(of: inB) == .seconds(7))
        #expect(playlist.segments.date(at: .seconds(7)) == inB)
        // Before the first and after the last date they are counted from these, in a gap is the segment after it.
        #expect(places.time(of: inB - .seconds(60)) == .seconds(7 - 60) && places.time(of: inB + .seconds(60)) == .seconds(67))
        let gap = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:2026-03-01T19:00:00Z\n#EXTINF:6,\na.ts\n"
                + "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2026-03-01T20:00:00Z\n#EXTINF:6,\nb.ts\n")
        let inGap = try #require(WallClockTime(iso8601: "2026-03-01T19:30:00Z"))
        #expect(SegmentDates(gap.segments).time(of: inGap) == .seconds(6))
    }

    @Test func gapAndBitrateMarkSegments() throws {
        let segments = try playlist(
            """
            #EXT-X-BITRATE:1200
            #EXTINF:6,
            a.ts
            #EXT-X-GAP
            #EXTINF:6,
            b.ts
            #EXTINF:6,
            #EXT-X-BYTERANGE:100@0
            c.ts
            #EXT-X-BITRATE:900
            #EXTINF:6,
            d.ts
            """
        ).segments
        #expect(segments.map(\.isGap) == [false, true, false, false])
        #expect(segments.map(\.bitrate) == [1200, 1200, nil, 900])
    }

    @Test func discontinuitiesCountFromTheDeclaredSequence() throws {
        let segments = try playlist(
            "#EXT-X-DISCONTINUITY-SEQUENCE:40\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\na.ts\n#EXTINF:6,\nb.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\nc.ts\n"
        ).segments
        #expect(segments.map(\.discontinuitySequence) == [41, 41, 42])
    }

    @Test func partsBelongToTheSegmentAfterThemAndTheRestTrails() throws {
        let playlist = try playlist(
            """
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.02,HOLD-BACK=18,CAN-SKIP-UNTIL=36,CAN-SKIP-DATERANGES=YES
            #EXT-X-PART-INF:PART-TARGET=0.33334
            #EXTINF:6,
            a.mp4
            #EXT-X-PART:DURATION=0.33334,URI="b.0.mp4",INDEPENDENT=YES
            #EXT-X-PART:DURATION=0.33334,URI="b.mp4",BYTERANGE="20000@0"
            #EXT-X-PART:DURATION=0.2,URI="b.mp4",BYTERANGE="23000",GAP=YES
            #EXTINF:6,
            b.mp4
            #EXT-X-PART:DURATION=0.33334,URI="c.0.mp4"
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="c.1.mp4",BYTERANGE-START=5,BYTERANGE-LENGTH=7
            #EXT-X-PRELOAD-HINT:TYPE=MAP,URI="init2.mp4"
            #EXT-X-RENDITION-REPORT:URI="../1M/x.m3u8",LAST-MSN=273,LAST-PART=2
            """
        )
        #expect(playlist.segments[0].parts.isEmpty)
        let parts = playlist.segments[1].parts
        #expect(parts.map(\.uri) == ["b.0.mp4", "b.mp4", "b.mp4"])
        #expect(parts.map { $0.byteRange?.description } == [nil, "20000@0", "23000@20000"])
        #expect(parts.map(\.isIndependent) == [true, false, false])
        #expect(parts.map(\.isGap) == [false, false, true])
        #expect(parts[0].duration == MediaTime(33_334, 100_000))
        #expect(playlist.trailingParts.map(\.uri) == ["c.0.mp4"])
        #expect(playlist.partTargetDuration == MediaTime(33_334, 100_000))
        let control = try #require(playlist.serverControl)
        #expect(control.canSkipUntil == .seconds(36) && control.canSkipDateRanges && control.canBlockReload)
        #expect(control.holdBack == .seconds(18) && control.partHoldBack == MediaTime(102, 100))
        #expect(playlist.preloadHints.map(\.type) == ["PART", "MAP"])
        #expect(playlist.preloadHints[0].byteRangeStart == 5 && playlist.preloadHints[0].byteRangeLength == 7)
        #expect(playlist.preloadHints[1].byteRangeStart == 0 && playlist.preloadHints[1].byteRangeLength == nil)
        let report = try #require(playlist.renditionReports.first)
        #expect(report.uri == "../1M/x.m3u8" && report.lastMediaSequence == 273 && report.lastPart == 2)
    }

    @Test func keyFramePlaylistsAndTypesAreRecognised() throws {
        let playlist = try playlist("#EXT-X-I-FRAMES-ONLY\n#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:6,\n#EXT-X-BYTERANGE:1@0\na.ts\n")
        #expect(playlist.isIFramesOnly)
        #expect(playlist.playlistType == .event)
        #expect(playlist.duration == .live)
    }

    @Test func unknownTagsAndCommentsAreIgnored() throws {
        let parsed = PlaylistParser().parse(
            Self.head + "# a comment\n#EXT-X-NEW-THING:A=1\n#EXTINF:6,\n\n#another\na.ts\n#EXT-X-CUE-OUT:30\n")
        #expect(parsed.errors.isEmpty && parsed.warnings.isEmpty)
        #expect(parsed.playlist?.media?.segments.map(\.uri) == ["a.ts"])
    }

    @Test func linesMayEndInCarriageReturnsAndHaveBlanksAround() throws {
        let crlf = try media("\u{FEFF}#EXTM3U\r\n#EXT-X-TARGETDURATION:6\r\n#EXTINF:6,\r\n  a.ts \r\n")
        #expect(crlf.segments.map(\.uri) == ["a.ts"])
        let lone = try media("#EXTM3U\r#EXT-X-TARGETDURATION:6\r#EXTINF:6,\ra.ts\r#EXTINF:5,\rb.ts")
        #expect(lone.segments.map(\.uri) == ["a.ts", "b.ts"])
    }
}
