import LinuxSupport
import MediaModel
import Playback
import StatusModel
import TestSupport
import Testing

@testable import Housekeeping

@Suite("The logs of playbacks on the disk")
@MainActor
struct SessionFolderTests {
    private func log(_ session: String) -> PlaybackLog {
        var log = PlaybackLog(sessionID: session)
        log.note(MediaError(.sourceMissing, "Gone."), url: "https://cdn.example/a.m3u8", date: nil, isFatal: true)
        return log
    }

    @Test("what was kept before the end is on the disk; a playback that ends after it, and a second end, do no harm")
    func closed() throws {
        let (loop, state) = (try MainLoop(time: .simulated), ScratchFolder("sessions"))
        let folder = SessionFolder(
            in: state.path, clock: loop.clock, log: LogBook(clock: loop.clock), wallClock: { 7_000_000_000 })
        folder.keep(log("before"))
        folder.close()
        folder.keep(log("after"))
        folder.close()
        #expect(SessionFolder.sessions(in: SessionFolder.path(in: state.path)) == ["000000000007-before"])
    }
}
