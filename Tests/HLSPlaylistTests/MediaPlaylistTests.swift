import HLSPlaylist
import MediaTime
import Testing

@Suite struct MediaPlaylistTests {
    static let vod = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-TARGETDURATION:10
        #EXT-X-MEDIA-SEQUENCE:5
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES
        #EXT-X-MAP:URI="init.mp4",BYTERANGE="720@0"
        #EXTINF:9.009,First, of three
        a.m4s
        #EXTINF:9.009,
        b.m4s
        #EXT-X-DISCONTINUITY
        #EXT-X-MAP:URI="ad.mp4"
        #EXTINF:3.003
        c.m4s
        #EXT-X-ENDLIST
        """

    @Test func readsAVideoOnDemandPlaylist() throws {
        let parsed = PlaylistParser().parse(Self.vod)
        #expect(parsed.errors.isEmpty && parsed.warnings.isEmpty)
        let playlist = try #require(parsed.playlist?.media)
        #expect(playlist.version == 7)
        #expect(playlist.targetDuration == .seconds(10))
        #expect(playlist.mediaSequence == 5)
        #expect(playlist.playlistType == .vod)
        #expect(playlist.hasEndList && playlist.hasIndependentSegments && !playlist.isIFramesOnly)
        #expect(playlist.start?.timeOffset == MediaTime(-25, 2))
        #expect(playlist.start?.isPrecise == true)
        #expect(playlist.duration == .finite(MediaTime(21_021, 1000)))
        #expect(playlist.segments.map(\.uri) == ["a.m4s", "b.m4s", "c.m4s"])
        #expect(playlist.segments.map(\.title) == ["First, of three", "", ""])
        #expect(playlist.segments.map(\.duration) == [MediaTime(9009, 1000), MediaTime(9009, 1000), MediaTime(3003, 1000)])
        #expect(playlist.segments.map(\.startTime) == [.zero, MediaTime(9009, 1000), MediaTime(18_018, 1000)])
        #expect(playlist.segments.map(\.mediaSequence) == [5, 6, 7])
        #expect(playlist.segments.map(\.discontinuitySequence) == [0, 0, 1])
        #expect(playlist.segments.map(\.isDiscontinuity) == [false, false, true])
        #expect(playlist.segments.map { $0.map?.uri } == ["init.mp4", "init.mp4", "ad.mp4"])
        #expect(playlist.segments[0].map?.byteRange?.description == "720@0")
        #expect(playlist.segments[2].map?.byteRange == nil)
    }

    @Test("segments that all have no length have the target duration, also after a reload; a single one may be that short")
    func zeroDurations() throws {
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"
        let zeros = head + "#EXTINF:0,\na.ts\n#EXTINF:0.000,\nb.ts\n"
        let first = try media(zeros)
        #expect(first.segments.map(\.duration) == [.seconds(6), .seconds(6)] && first.totalDuration == .seconds(12))
        let more = Array((zeros + "#EXTINF:0,\nc.ts\n#EXT-X-ENDLIST\n").utf8)
        let reloaded = try #require(PlaylistParser().parse(more, reusing: first).playlist?.media)
        #expect(reloaded.segments.map(\.startTime) == [.zero, .seconds(6), .seconds(12)])
        let one = try media(head + "#EXTINF:6,\na.ts\n#EXTINF:0,\nb.ts\n")
        #expect(one.segments.map(\.duration) == [.seconds(6), .zero])
        #expect(try media("#EXTM3U\n#EXT-X-TARGETDURATION:0\n#EXTINF:0,\na.ts\n").totalDuration == .seconds(1))
    }

    @Test("what a file is filled up with is no address", arguments: ["\0\0\0", "\u{1A}", "\n\0\0\n", " \0 \n"])
    func padding(filler: String) throws {
        let playlist = try media("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\0\n#EXT-X-ENDLIST\n" + filler)
        #expect(playlist.segments.map(\.uri) == ["a.ts"] && playlist.hasEndList && playlist.totalDuration == .seconds(6))
    }

    @Test func findsSegmentsByTimeAndBySequence() throws {
        let segments = try media(Self.vod).segments
        #expect(segments.index(containing: .zero) == 0)
        #expect(segments.index(containing: MediaTime(9009, 1000)) == 1)
        #expect(segments.index(containing: MediaTime(9_008_999_999, 1_000_000_000)) == 0)
        #expect(segments.index(containing: MediaTime(21_021, 1000)) == nil)
        #expect(segments.index(containing: .seconds(-1)) == nil)
        #expect(segments.index(ofMediaSequence: 7) == 2)
        #expect(segments.index(ofMediaSequence: 4) == nil)
        #expect(segments.index(ofMediaSequence: 8) == nil)
    }

    @Test func sumsDecimalDurationsExactly() throws {
        let lines = (0..<1000).map { "#EXTINF:0.1,\n\($0).ts\n" }.joined()
        let playlist = try media("#EXTM3U\n#EXT-X-TARGETDURATION:1\n" + lines + "#EXT-X-ENDLIST\n")
        #expect(playlist.totalDuration == .seconds(100))
        #expect(playlist.segments[999].startTime == MediaTime(999, 10))
    }
}
