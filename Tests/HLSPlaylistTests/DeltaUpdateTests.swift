import HLSPlaylist
import MediaTime
import Testing

@Suite struct DeltaUpdateTests {
    private static let before = """
        #EXTM3U
        #EXT-X-VERSION:10
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:100
        #EXT-X-DISCONTINUITY-SEQUENCE:7
        #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24
        #EXT-X-MAP:URI="init.mp4"
        #EXT-X-KEY:METHOD=AES-128,URI="k1",IV=0x1
        #EXT-X-BITRATE:800
        #EXT-X-PROGRAM-DATE-TIME:2026-03-01T20:00:00Z
        #EXTINF:4.004,Title
        100.mp4
        #EXT-X-DISCONTINUITY
        #EXTINF:4.004,
        101.mp4
        #EXTINF:4.004,
        #EXT-X-BYTERANGE:10@0
        102.mp4
        #EXT-X-PART:DURATION=4.004,URI="103.0.mp4"
        #EXTINF:4.004,
        103.mp4
        #EXT-X-DATERANGE:ID="gone",START-DATE="2026-03-01T20:00:00Z"
        #EXT-X-DATERANGE:ID="stays",START-DATE="2026-03-01T20:00:01Z"
        """

    private static let full = """
        #EXTM3U
        #EXT-X-VERSION:10
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:101
        #EXT-X-DISCONTINUITY-SEQUENCE:7
        #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24
        #EXT-X-MAP:URI="init.mp4"
        #EXT-X-KEY:METHOD=AES-128,URI="k1",IV=0x1
        #EXT-X-BITRATE:800
        #EXT-X-PROGRAM-DATE-TIME:2026-03-01T20:00:04.004Z
        #EXT-X-DISCONTINUITY
        #EXTINF:4.004,
        101.mp4
        #EXTINF:4.004,
        #EXT-X-BYTERANGE:10@0
        102.mp4
        #EXT-X-PART:DURATION=4.004,URI="103.0.mp4"
        #EXTINF:4.004,
        103.mp4
        #EXT-X-DISCONTINUITY
        #EXTINF:3,
        104.mp4
        #EXT-X-KEY:METHOD=NONE
        #EXTINF:4,
        105.mp4
        """

    private static let delta = """
        #EXTM3U
        #EXT-X-VERSION:10
        #EXT-X-TARGETDURATION:4
        #EXT-X-MEDIA-SEQUENCE:101
        #EXT-X-DISCONTINUITY-SEQUENCE:7
        #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24
        #EXT-X-SKIP:SKIPPED-SEGMENTS=2,RECENTLY-REMOVED-DATERANGES="gone"
        #EXT-X-PART:DURATION=4.004,URI="103.0.mp4"
        #EXTINF:4.004,
        103.mp4
        #EXT-X-DISCONTINUITY
        #EXTINF:3,
        104.mp4
        #EXT-X-KEY:METHOD=NONE
        #EXTINF:4,
        105.mp4
        #EXT-X-DATERANGE:ID="new",START-DATE="2026-03-01T20:00:09Z"
        """

    @Test func segmentsOfADeltaUpdateHaveTheirSequenceNumbers() throws {
        let delta = try media(Self.delta)
        #expect(delta.skipped?.segmentCount == 2)
        #expect(delta.skipped?.removedDateRangeIDs == ["gone"])
        #expect(delta.segments.map(\.mediaSequence) == [103, 104, 105])
        #expect(delta.nextMediaSequence == 106)
    }

    @Test func aCompletedDeltaUpdateEqualsTheFullPlaylist() throws {
        let merged = try media(Self.delta).merging(into: try media(Self.before))
        let full = try media(Self.full)
        #expect(merged.skipped == nil)
        #expect(merged.mediaSequence == 101)
        #expect(merged.segments.map(\.uri) == full.segments.map(\.uri))
        #expect(merged.segments.map(\.startTime) == full.segments.map(\.startTime))
        #expect(merged.segments.map(\.discontinuitySequence) == [8, 8, 8, 9, 9])
        #expect(merged.segments.map(\.mediaSequence) == full.segments.map(\.mediaSequence))
        #expect(merged.segments.map(\.date) == full.segments.map(\.date))
        #expect(merged.segments.map(\.keys) == full.segments.map(\.keys))
        #expect(merged.segments.map(\.map) == full.segments.map(\.map))
        #expect(merged.segments.map(\.bitrate) == full.segments.map(\.bitrate))
        #expect(merged.segments.map(\.byteRange) == full.segments.map(\.byteRange))
        #expect(merged.segments.map(\.parts) == full.segments.map(\.parts))
        #expect(merged.totalDuration == full.totalDuration)
        #expect(merged.dateRanges.map(\.id) == ["stays", "new"])
    }

    @Test func aCompletedUpdateCanCompleteTheNext() throws {
        let merged = try media(Self.delta).merging(into: try media(Self.before))
        let next = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:102\n#EXT-X-DISCONTINUITY-SEQUENCE:8\n"
                + "#EXT-X-SKIP:SKIPPED-SEGMENTS=4\n#EXTINF:4,\n106.mp4\n")
        let segments = try next.merging(into: merged).segments
        #expect(segments.map(\.mediaSequence) == [102, 103, 104, 105, 106])
        #expect(segments.map(\.uri) == ["102.mp4", "103.mp4", "104.mp4", "105.mp4", "106.mp4"])
        #expect(segments.map(\.discontinuitySequence) == [8, 8, 9, 9, 9])
        #expect(segments[4].keys.isEmpty && segments[4].map?.uri == "init.mp4")
        #expect(segments[4].startTime == MediaTime(15_008, 1000))
    }

    @Test func unknownSegmentsCannotBeCompleted() throws {
        let delta = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:200\n#EXT-X-SKIP:SKIPPED-SEGMENTS=4\n#EXTINF:4,\nx.mp4\n")
        let before = try media(Self.before)
        let error = #expect(throws: DeltaUpdateError.self) { try delta.merging(into: before) }
        #expect(error == .skippedSegmentsUnknown(first: 200, known: 100...103))
        #expect(
            error?.description
                == "Could not complete the delta update of the playlist: it skips segments from 200 on and 100 to 103 are known; load the playlist in full."
        )
        #expect(throws: DeltaUpdateError.previousIsIncomplete) { try delta.merging(into: delta) }
    }

    @Test func whatNobodyKnowsIsLeftOut() throws {
        func delta(_ first: Int, _ skipped: Int) throws -> MediaPlaylist {
            try media(
                "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n"
                    + "#EXTINF:4,\nx.mp4\n#EXTINF:4,\ny.mp4\n")
        }
        let before = try media(Self.before)
        let alone = try delta(200, 4).withoutUnknownSegments(after: nil)
        #expect(alone.skipped == nil && alone.segments.map(\.mediaSequence) == [204, 205])
        #expect(alone.segments.map(\.startTime) == [.zero, .seconds(4)])
        // What leads up to the listed segments is known: from there on it is whole, with the key and the map of before.
        let joined = try delta(90, 14).withoutUnknownSegments(after: before)
        #expect(joined.segments.map(\.mediaSequence) == [100, 101, 102, 103, 104, 105])
        #expect(joined.segments[5].map == before.segments[3].map && joined.segments[5].keys == before.segments[3].keys)
        // After a hole the newest known ones are still the best guess.
        let apart = try delta(90, 30).withoutUnknownSegments(after: before)
        #expect(apart.segments.map(\.mediaSequence) == [120, 121] && apart.segments[0].map == before.segments[3].map)
        let next = try delta(92, 14).withoutUnknownSegments(after: joined)
        #expect(next.segments.map(\.mediaSequence) == [100, 101, 102, 103, 104, 105, 106, 107])
    }

    @Test func aFullPlaylistNeedsNoCompletion() throws {
        let full = try media(Self.full)
        #expect(try full.merging(into: try media(Self.before)) == full)
    }
}

@Suite struct ReloadTests {
    private static func text(_ count: Int, tail: String = "", first: String = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n") -> String {
        var text = first
        for index in 0..<count {
            if index % 7 == 3 { text += "#EXT-X-DISCONTINUITY\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\(index)\"\n" }
            if index % 5 == 0 {
                text += "#EXT-X-DATERANGE:ID=\"d\(index)\",CLASS=\"c\",START-DATE=\"2026-03-01T20:00:00Z\",END-ON-NEXT=YES\n"
            }
            text +=
                "#EXT-X-PROGRAM-DATE-TIME:2026-03-01T20:00:\(10 + index % 50)Z\n#EXTINF:5.\(index % 10),t\(index)\nseg-\(index).ts\n"
        }
        return text + tail
    }

    @Test(arguments: [
        (text(20), text(21)), (text(20), text(20)), (text(20), text(40, tail: "#EXT-X-ENDLIST\n")), (text(1), text(2)),
        (
            text(20, tail: "#EXT-X-PART:DURATION=1,URI=\"p\"\n#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"2026-03-01T20:00:00Z\"\n"),
            text(22)
        ),
        (text(20, tail: "#EXT-X-KEY:METHOD=NONE\n"), text(20, tail: "#EXTINF:1,\nlast.ts")),
        (text(20), text(19)), (text(20), text(20, first: "#EXTM3U\n#EXT-X-TARGETDURATION:7\n")), (text(20), "#EXTM3U\n"),
        (text(20, first: "#EXTM3U\n"), text(22, first: "#EXTM3U\n")),
        (text(3).replacing("\n", with: "\r\n"), text(4).replacing("\n", with: "\r\n")),
        ("#EXTM3U\n#EXTINF:5,\na.ts\nb.ts\n", "#EXTM3U\n#EXTINF:5,\na.ts\nb.ts\n#EXTINF:9,\nc.ts\n"),
        // The control character was in the replaced line.
        ("#EXTM3U\n#EXTINF:5,\na.ts\n#\u{1}\n", "#EXTM3U\n#EXTINF:5,\na.ts\n#EXTINF:5,\nb.ts\n"),
        // Only the replaced lines tell that it is a playlist, and of which kind.
        (
            "#EXTM3U\n#EXT-X-TARGETDURATION:5\na.ts\n#EXTINF:5,\n",
            "#EXTM3U\n#EXT-X-TARGETDURATION:5\na.ts\n#EXT-X-STREAM-INF:BANDWIDTH=1\nb.m3u8\n"
        ),
        ("#EXT-X-TARGETDURATION:5\n#EXTINF:5,\na.ts\n#EXTM3U\n", "#EXT-X-TARGETDURATION:5\n#EXTINF:5,\na.ts\n#EXTINF:5,\nb.ts\n"),
    ])
    func whatIsReusedIsWhatAFullParseGives(before: String, after: String) throws {
        let previous = try #require(PlaylistParser().parse(before).playlist?.media)
        let reused = PlaylistParser().parse(Array(after.utf8), reusing: previous)
        #expect(reused == PlaylistParser().parse(after))
        // A second reload, based on the reused one.
        guard let again = reused.playlist?.media else { return }
        #expect(PlaylistParser().parse(Array(after.utf8), reusing: again) == PlaylistParser().parse(after))
    }

    @Test func aChangeInEarlierTextIsDetected() throws {
        let original = Array(Self.text(6).utf8)
        let previous = try #require(PlaylistParser().parse(original).playlist?.media)
        for place in original.indices where original[place] >= 0x30 && original[place] <= 0x39 {
            var changed = original
            changed[place] = changed[place] == 0x31 ? 0x32 : 0x31
            #expect(PlaylistParser().parse(changed, reusing: previous) == PlaylistParser().parse(changed))
        }
    }

    @Test func successiveReloadsEqualAFullParse() throws {
        var playlist = try media(Self.text(1))
        for count in 2...60 {
            let text = Self.text(count, tail: count % 3 == 0 ? "#EXT-X-PART:DURATION=1,URI=\"p\(count)\"\n" : "")
            let parsed = PlaylistParser().parse(Array(text.utf8), reusing: playlist)
            #expect(parsed == PlaylistParser().parse(text))
            playlist = try #require(parsed.playlist?.media)
        }
        #expect(playlist.segments.count == 60)
    }
}
