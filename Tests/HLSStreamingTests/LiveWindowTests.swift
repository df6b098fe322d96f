import HLSPlaylist
import MediaModel
import MediaTime
import Testing

@testable import HLSStreaming

@Suite("The window of a live playlist")
struct LiveWindowTests {
    /// Ten segments of four seconds after the given header lines.
    private func playlist(_ head: String = "", parts: Int = 0, ends: Bool = false) throws -> MediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:4\n\(head)"
        for index in 0..<10 { text += "#EXTINF:4,\n\(index).ts\n" }
        for index in 0..<parts { text += "#EXT-X-PART:DURATION=1,URI=\"10.\(index).ts\"\n" }
        if ends { text += "#EXT-X-ENDLIST\n" }
        guard case .media(let playlist) = PlaylistParser().parse(text).playlist else {
            throw MediaError(.sourceFormat, "The playlist of the test was refused.")
        }
        return playlist
    }

    private func window(_ head: String = "", parts: Int = 0, ends: Bool = false) throws -> LiveWindow {
        LiveWindow(of: try playlist(head, parts: parts, ends: ends), anchor: .seconds(100))
    }

    @Test("on live the hold-back is three target durations, and the server cannot make it shorter")
    func holdBack() throws {
        let plain = try window()
        #expect(plain.isLive && !plain.isLowLatency)
        #expect(plain.start == .seconds(100) && plain.edge == .seconds(140))
        #expect(plain.holdBack == .seconds(12))
        #expect(plain.seekable == TimeRange(start: .seconds(100), end: .seconds(128)))
        #expect(try window("#EXT-X-SERVER-CONTROL:HOLD-BACK=20\n").holdBack == .seconds(20))
        #expect(try window("#EXT-X-SERVER-CONTROL:HOLD-BACK=5\n").holdBack == .seconds(12))
    }

    @Test("with parts the hold-back is the server's, otherwise three parts, and never less than two")
    func parts() throws {
        func low(_ control: String) throws -> LiveWindow {
            try window("#EXT-X-PART-INF:PART-TARGET=1\n" + control, parts: 2)
        }
        let plain = try low("")
        #expect(plain.isLowLatency && plain.edge == .seconds(142) && plain.holdBack == .seconds(3))
        #expect(try low("#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=5\n").holdBack == .seconds(5))
        #expect(try low("#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=1\n").holdBack == .seconds(2))
        // A part target without parts is an ordinary live stream.
        let none = try window("#EXT-X-PART-INF:PART-TARGET=1\n")
        #expect(!none.isLowLatency && none.holdBack == .seconds(12))
    }

    @Test("an ended playlist has no hold-back, and trailing parts do not count")
    func ended() throws {
        let window = try window(ends: true)
        #expect(!window.isLive && !window.isLowLatency && window.holdBack == .zero)
        #expect(window.edge == .seconds(140) && window.seekable == TimeRange(start: .seconds(100), end: .seconds(140)))
        #expect(window.start(by: nil) == .seconds(100))
    }

    @Test("a playlist that states VOD begins at its beginning, unless segments have left it; EVENT is joined at its edge")
    func types() throws {
        let onDemand = try playlist("#EXT-X-PLAYLIST-TYPE:VOD\n")
        let window = LiveWindow(of: onDemand, anchor: .seconds(100))
        #expect(!window.isLive && window.start(by: nil) == .seconds(100) && window.seekable.end == .seconds(140))
        #expect(onDemand.duration == .finite(.seconds(40)))
        let sliding = LiveWindow(of: onDemand, anchor: .seconds(100), slides: true)
        #expect(sliding.isLive && sliding.start(by: nil) == .seconds(128))
        let event = try self.window("#EXT-X-PLAYLIST-TYPE:EVENT\n")
        #expect(event.isLive && event.seekable.start == .seconds(100) && event.start(by: nil) == .seconds(128))
    }

    @Test("a start offset counts from the start, or from the live edge if it is negative, and stays inside the window")
    func startPoints() throws {
        func start(_ seconds: Int, ends: Bool = false) throws -> MediaTime {
            let playlist = try playlist("#EXT-X-START:TIME-OFFSET=\(seconds)\n", ends: ends)
            return LiveWindow(of: playlist, anchor: .seconds(100)).start(by: playlist.start)
        }
        #expect(try window().start(by: nil) == .seconds(128))
        #expect(try start(0) == .seconds(100))
        #expect(try start(10) == .seconds(110))
        #expect(try start(35) == .seconds(128))
        #expect(try start(-15) == .seconds(125))
        #expect(try start(-5) == .seconds(128))
        #expect(try start(-60) == .seconds(100))
        #expect(try start(35, ends: true) == .seconds(135))
        #expect(try start(50, ends: true) == .seconds(140))
    }
}
