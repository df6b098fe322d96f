import HLSPlaylist
import MediaTime
import Testing

@Suite struct DateRangeTests {
    private func dateRanges(_ lines: String) throws -> [DateRange] {
        try media("#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + lines + "\n#EXTINF:6,\na.ts\n").dateRanges
    }

    @Test func anInterstitialHasAllItsAttributes() throws {
        let range = try dateRanges(
            """
            #EXT-X-DATERANGE:ID="ad1",CLASS="com.apple.hls.interstitial",START-DATE="2026-03-01T20:00:00Z",DURATION=15.0,CUE="PRE,ONCE",\
            X-ASSET-URI="https://ads.example/1.m3u8",X-RESUME-OFFSET=0,X-PLAYOUT-LIMIT=12.5,X-SNAP="OUT,IN",X-RESTRICT="SKIP,JUMP",\
            X-TIMELINE-OCCUPIES="RANGE",X-TIMELINE-STYLE="PRIMARY",X-CONTENT-MAY-VARY="NO",X-SKIP-CONTROL-OFFSET=5,\
            X-SKIP-CONTROL-DURATION=4.5,X-SKIP-CONTROL-LABEL-ID="skip",X-COM-EXAMPLE="yes"
            """
        )[0]
        #expect(range.cue == [.pre, .once])
        #expect(range.duration == .seconds(15))
        #expect(range.resolvedEndDate?.description == "2026-03-01T20:00:15.000Z")
        let interstitial = try #require(range.interstitial)
        #expect(interstitial.assetURI == "https://ads.example/1.m3u8")
        #expect(interstitial.assetListURI == nil)
        #expect(interstitial.resumeOffset == .zero)
        #expect(interstitial.playoutLimit == MediaTime(25, 2))
        #expect(interstitial.snap == [.out, .in])
        #expect(interstitial.restrictions == [.skip, .jump])
        #expect(interstitial.timelineOccupancy == .range)
        #expect(interstitial.timelineStyle == .primary)
        #expect(!interstitial.contentMayVary)
        #expect(interstitial.skipControlOffset == .seconds(5))
        #expect(interstitial.skipControlDuration == MediaTime(9, 2))
        #expect(interstitial.skipControlLabelID == "skip")
        #expect(range.attributes["X-COM-EXAMPLE"] == "yes")
    }

    @Test func anInterstitialHasTheDefaultsOfTheSpecification() throws {
        let range = try dateRanges(
            "#EXT-X-DATERANGE:ID=\"i\",CLASS=\"com.apple.hls.interstitial\",START-DATE=\"2026-03-01T20:00:00Z\",X-ASSET-LIST=\"l.json\""
        )[0]
        let interstitial = try #require(range.interstitial)
        #expect(interstitial.resumeOffset == nil && interstitial.playoutLimit == nil)
        #expect(interstitial.snap.isEmpty && interstitial.restrictions.isEmpty)
        #expect(interstitial.timelineOccupancy == .point && interstitial.timelineStyle == .highlight)
        #expect(interstitial.contentMayVary)
    }

    @Test func tagsWithOneIDAreOneDateRange() throws {
        let ranges = try dateRanges(
            """
            #EXT-X-DATERANGE:ID="splice",START-DATE="2026-03-01T20:00:00Z",PLANNED-DURATION=60,SCTE35-OUT=0xFC00
            #EXT-X-DATERANGE:ID="splice",DURATION=59.994,SCTE35-IN=0xFC01
            """
        )
        #expect(ranges.count == 1)
        #expect(ranges[0].plannedDuration == .seconds(60))
        #expect(ranges[0].duration == MediaTime(59_994, 1000))
        #expect(ranges[0].scte35Out == "0xFC00" && ranges[0].scte35In == "0xFC01" && ranges[0].scte35Command == nil)
    }

    @Test func endOnNextEndsAtTheNextOfItsClass() throws {
        let ranges = try dateRanges(
            """
            #EXT-X-DATERANGE:ID="1",CLASS="show",START-DATE="2026-03-01T20:00:00Z",END-ON-NEXT=YES
            #EXT-X-DATERANGE:ID="2",CLASS="other",START-DATE="2026-03-01T20:10:00Z"
            #EXT-X-DATERANGE:ID="3",CLASS="show",START-DATE="2026-03-01T20:30:00Z",END-ON-NEXT=YES
            """
        )
        #expect(ranges.map { $0.resolvedEndDate?.description } == ["2026-03-01T20:30:00.000Z", nil, nil])
    }

    @Test func scheduleAndPreloadClassesAreRead() throws {
        let ranges = try dateRanges(
            """
            #EXT-X-DATERANGE:ID="s",CLASS="com.apple.hls.daterange-schedule",START-DATE="2026-03-01T20:00:00Z",X-URI="s.json",X-SCHEDULE-OFFSET=-3
            #EXT-X-DATERANGE:ID="p",CLASS="com.apple.hls.preload",START-DATE="2026-03-01T20:00:00Z",X-TARGET-ID="ad1",X-URI="p.m3u8"
            """
        )
        #expect(ranges[0].schedule?.kind == .dateRangeSchedule)
        #expect(ranges[0].schedule?.uri == "s.json" && ranges[0].schedule?.scheduleOffset == .seconds(-3))
        #expect(ranges[1].schedule?.kind == .preload && ranges[1].schedule?.targetID == "ad1")
    }

    @Test(arguments: [
        ("2026-03-01T20:15:00Z", "2026-03-01T20:15:00.000Z"),
        ("2026-03-01T20:15:00.123456789Z", "2026-03-01T20:15:00.123456789Z"),
        ("2026-03-01T20:15:00+05:30", "2026-03-01T14:45:00.000Z"), ("2026-03-01T20:15:00-0800", "2026-03-02T04:15:00.000Z"),
        ("2026-03-01t20:15:00z", "2026-03-01T20:15:00.000Z"), ("2026-03-01 20:15:00", "2026-03-01T20:15:00.000Z"),
        ("2024-02-29T23:59:60Z", "2024-03-01T00:00:00.000Z"), ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
        ("20260301T201500Z", "2026-03-01T20:15:00.000Z"), ("2026-03-01T20:15Z", "2026-03-01T20:15:00.000Z"),
        ("2026-03-01", "2026-03-01T00:00:00.000Z"), ("1900-03-01T00:00:00Z", "1900-03-01T00:00:00.000Z"),
    ])
    func readsDates(text: String, canonical: String) {
        #expect(WallClockTime(iso8601: text)?.description == canonical)
    }

    @Test(arguments: [
        "", "foo", "2026", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-03-01T25:00:00Z", "2026-03-01T20:61:00Z",
        "2026-03-01T20:15:00+99:00", "2026-03-01T20:15:00.Z", "2026-03-01T20:15:00Zjunk", "0001-01-01T00:00:00Z", "2026-03-01T",
    ])
    func refusesWhatIsNoDate(text: String) {
        #expect(WallClockTime(iso8601: text) == nil)
    }
}
