import Foundation
import HLSPlaylist
import Testing

@Suite struct PlaylistWriterTests {
    /// A playlist's content, without diagnostics and definitions, which are not written.
    private static func facts(_ parsed: ParsedPlaylist) throws -> NSDictionary {
        var object = try #require(
            try JSONSerialization.jsonObject(with: Data(InspectReport(parsed).json.utf8)) as? [String: Any])
        for key in ["errors", "warnings", "defines"] { object[key] = nil }
        return object as NSDictionary
    }

    @Test(.enabled(if: Corpus.isThere, "the corpus is not beside the project"), arguments: Corpus.playlists)
    func whatIsWrittenReadsBackAsTheSame(path: String) throws {
        let parsed = PlaylistParser().parse(try Corpus.bytes(path))
        guard let playlist = parsed.playlist else { return }
        let text = PlaylistWriter().text(of: playlist)
        // A playlist with only invalid tags, which are dropped, has no content to read back.
        let again = PlaylistParser().parse(text)
        if again.playlist == nil { #expect(again.errors.last?.code == .noContent) }
        guard again.playlist != nil else { return }
        #expect(try Self.facts(again) == Self.facts(parsed), "\(text)")
    }

    @Test func writesMediaPlaylistsWithOtherAddresses() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:7
            #EXT-X-TARGETDURATION:6
            #EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x1
            #EXT-X-MAP:URI="init.mp4"
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:5.5,Title
            a.mp4
            #EXT-X-ENDLIST
            """)
        let text = PlaylistWriter { "stored/" + $0 }.text(of: playlist)
        #expect(
            text == """
                #EXTM3U
                #EXT-X-VERSION:7
                #EXT-X-TARGETDURATION:6
                #EXT-X-KEY:METHOD=AES-128,URI="stored/key",IV=0x1
                #EXT-X-MAP:URI="stored/init.mp4"
                #EXT-X-KEY:METHOD=NONE
                #EXTINF:5.5,Title
                stored/a.mp4
                #EXT-X-ENDLIST

                """)
    }

    @Test func aVariableCannotAddLines() throws {
        let playlist = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DEFINE:QUERYPARAM=\"t\"\n#EXTINF:6,\na.ts?{$t}\n",
            url: "http://h/x?t=1%0A%23EXT-X-ENDLIST")
        let text = PlaylistWriter().text(of: playlist)
        #expect(text.contains("a.ts?1%0A#EXT-X-ENDLIST\n"))
        #expect(try !media(text).hasEndList)
    }
}
