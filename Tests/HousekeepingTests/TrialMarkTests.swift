import Glibc
import LinuxSupport
import Testing

@testable import Housekeeping

@Suite("Whether the running system is on trial")
struct TrialMarkTests {
    @Test(
        "it is while the initramfs said so and the system has not found it good",
        arguments: [
            ("running=b\nversion=1.0.0+b\ntrial=no\n", false),
            ("running=b\nversion=1.0.0+b\ntrial=no\nrefused=1.0.0+a it crashed\n", false),
            ("running=b\nversion=1.0.0+b\ntrial=yes\n", true),
            // Given up: the machine is about to restart.
            ("running=b\nversion=1.0.0+b\ntrial=no\nrefused=1.0.0+b it crashed\n", true),
            ("nonsense", true),
            ("", true),
            (nil, true),
        ] as [(String?, Bool)])
    func isOnTrial(slots: String?, isOnTrial: Bool) throws {
        var template = Array("/tmp/marquee-trial-XXXXXX".utf8CString)
        let folder = template.withUnsafeMutableBufferPointer { String(cString: mkdtemp($0.baseAddress!)) }
        defer { Folder.remove(folder) }
        Folder.make(folder + "/update")
        if let slots { WholeFile.write(Array(slots.utf8), to: folder + "/update/slots") }
        let mark = folder + "/trial"
        #expect(!TrialMark(runtimeFolder: folder, mark: mark).isOnTrial, "a start that is no trial")
        try #require(WholeFile.write([], to: mark))
        #expect(TrialMark(runtimeFolder: folder, mark: mark).isOnTrial == isOnTrial)
        #expect(TrialMark(runtimeFolder: nil, mark: mark).isOnTrial)
    }
}
