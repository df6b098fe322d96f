import ChannelFeed
import MediaModel
import MediaTime
import Playback
import StatusModel
import TestSupport
import Testing

@testable import Appliance

/// What the local page is told about the library and the errors of playbacks.
@Suite("The published library")
@MainActor
struct PublishedLibraryTests {
    private static let items = #"""
        [{"id": "a", "title": "The Sea", "artwork": "https://cdn.example/a.jpg", "streams": [{"url": "a.mp4"}]},
         {"id": "b", "title": "Über Land", "streams": [{"url": "b.mp4"}]}, {"id": "c", "title": "Seals", "streams": [{"url": "c.mp4"}]}]
        """#

    @Test("rows are those of Home, each in part")
    func rows() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        #expect(rig.box.published.home(HomeQuery(offset: 0, limit: 9)).isEmpty, "there is no feed yet")
        try rig.apply(items: Self.items)
        let rows = rig.box.published.home(HomeQuery(offset: 1, limit: 1))
        let row = try #require(rows.first)
        #expect(rows.count == 1 && row.total == 3 && row.entries.map(\.id) == ["b"])
        #expect(rig.box.published.home(HomeQuery(row: row.id, offset: 2, limit: 9)).first?.entries.map(\.id) == ["c"])
        #expect(rig.box.published.home(HomeQuery(row: row.id, offset: .max, limit: .max)).first?.entries.isEmpty == true)
        #expect(rig.box.published.home(HomeQuery(row: "none", offset: 0, limit: 9)).isEmpty)
    }

    @Test("the search finds what Search on the screen finds")
    func search() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        let before = rig.box.published.librarySearch
        try rig.apply(items: Self.items)
        #expect(before.find("sea").isEmpty, "it searches what was there when it was made")
        let search = rig.box.published.librarySearch
        #expect(search.find("sea").map(\.id) == ["c", "a"] && search.find("uber").map(\.id) == ["b"])
        #expect(search.find("").isEmpty && search.find("<b>").isEmpty)
    }

    @Test("a picture that would reveal what the PIN protects is not given")
    func lockedPictures() throws {
        var viewer = ViewerParts(pinDigest: "x")
        viewer.parentalLimit = ParentalLimit(age: 12)
        let rig = try BoxRig(viewer: viewer)
        defer { rig.close() }
        try rig.apply(
            items: #"""
                [{"id": "a", "type": "movie", "title": "A", "artwork": "https://cdn.example/a.jpg", "streams": [{"url": "a.mp4"}],
                  "rating": {"system": "MPA", "value": "R"}},
                 {"id": "b", "type": "movie", "title": "B", "artwork": "https://cdn.example/b.jpg", "streams": [{"url": "b.mp4"}],
                  "rating": {"system": "MPA", "value": "G"}}]
                """#)
        let entries = try #require(rig.box.published.home(HomeQuery(offset: 0, limit: 9)).first?.entries)
        #expect(entries.map(\.isLocked) == [true, false] && entries.map(\.hasPicture) == [false, true])
        #expect(rig.box.published.artwork(of: "a") == nil)
        #expect(rig.box.published.artwork(of: "b") == "https://cdn.example/b.jpg")
        #expect(rig.box.published.artwork(of: "none") == nil)
    }

    @Test("the text of the logs is that of the moment of the question")
    func logText() {
        let logs = SessionLogs()
        func log(_ session: String) -> PlaybackLog {
            var log = PlaybackLog(sessionID: session)
            log.note(MediaError(.sourceMissing, "S."), url: nil, date: nil, isFatal: true)
            return log
        }
        logs.keep(log("first"))
        let asked = logs.text(errors: true, current: log("current"), date: nil)
        logs.keep(log("later"))
        let text = asked?.text ?? ""
        #expect(text.contains("\"first\"") && text.contains("\"current\"") && !text.contains("later"))
        #expect(logs.text(errors: true, session: "gone", current: nil, date: nil) == nil)
    }

    @Test("errors are the newest first")
    func errors() {
        let logs = SessionLogs()
        func log(_ session: String, _ codes: [ErrorCode]) -> PlaybackLog {
            var log = PlaybackLog(sessionID: session)
            for code in codes { log.note(MediaError(code, "S."), url: nil, date: nil, isFatal: code == .sourceMissing) }
            return log
        }
        logs.keep(log("1", [.sourceTimeout, .sourceMissing]))
        logs.keep(log("2", [.sourceMissing]))
        let current = log("3", [.sourceTimeout])
        let all = logs.lastErrors(9, current: current).map(PlaybackFault.init)
        #expect(all.map(\.session) == ["3", "2", "1", "1"] && all.map(\.isFatal) == [false, true, true, false])
        #expect(logs.lastErrors(2, current: nil).map(\.playbackSessionID) == ["2", "1"])
    }
}
