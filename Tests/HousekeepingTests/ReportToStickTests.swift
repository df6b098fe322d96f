import Glibc
import LinuxSupport
import Screens
import StatusModel
import TestSupport
import Testing

@testable import Housekeeping

@Suite("A report for a USB stick")
@MainActor
struct ReportToStickTests {
    @MainActor
    private final class Rig {
        let loop: MainLoop
        let folder = ScratchFolder("stick")
        let folders: ReportToStick.Folders
        private(set) var stick: ReportToStick!
        private(set) var states: [ReportToStick.State] = []
        private(set) var bundleCount = 0
        var bundle: [UInt8]? = Array("bundle".utf8)

        init(hasService: Bool = true) throws {
            loop = try MainLoop(time: .simulated)
            folders = ReportToStick.Folders(spool: folder.path, answer: folder.path)
            stick = ReportToStick(
                clock: loop.clock, log: LogBook(clock: loop.clock), folders: hasService ? folders : nil,
                bundle: { [unowned self] completion in
                    bundleCount += 1
                    completion(bundle)
                }
            ) { [unowned self] in states.append(stick.state ?? .failed) }
        }

        func run(for length: Duration) { loop.run(within: length, until: { false }) }

        /// What the service does with the bundle; returns what it found.
        func answer(_ words: String) -> String? {
            let found = folder.get("report.tar.zst")
            folder.put(words, "result")
            unlink(folders.bundle)
            return found
        }
    }

    @Test(
        "the bundle is handed to the service, whose answer becomes the words on the screen",
        arguments: [
            (
                "saved marquee-report-b-1.tar.zst\n", ReportToStick.State.saved("marquee-report-b-1.tar.zst"),
                "marquee-report-b-1.tar.zst"
            ),
            ("no-stick\n", .noStick, "There is no USB stick."), ("full\n", .full, "is full"),
            ("read-only\n", .readOnly, "write-protected"),
            ("failed\n", .failed, "couldn’t be saved"), ("", .failed, "couldn’t be saved"),
            ("saved\n", .failed, "couldn’t be saved"),
            ("saved two words\n", .failed, "couldn’t be saved"),
        ])
    func answers(answer: String, state: ReportToStick.State, words: String) throws {
        let rig = try Rig()
        rig.stick.save()
        rig.run(for: .seconds(5))
        #expect(rig.states == [.saving])
        #expect(rig.answer(answer) == "bundle")
        rig.run(for: .seconds(2))
        #expect(rig.states == [.saving, state])
        var screens = SetUpScreens(name: "b")
        screens.report = state
        for view in [
            screens.setUp(), screens.waiting(.loading), screens.safe(waits: .seconds(60)), screens.question(.address("a")),
        ] {
            #expect(view.paragraphs.last?.contains(words) == true, "\(view.paragraphs)")
        }
        rig.stick.close()
    }

    @Test("an older answer is not taken for that of this report, and one report is made at a time")
    func repeated() throws {
        let rig = try Rig()
        rig.folder.put("no-stick\n", "result")
        rig.stick.save()
        rig.stick.save()
        rig.run(for: .seconds(3))
        rig.stick.save()
        #expect(rig.states == [.saving] && rig.bundleCount == 1)
        _ = rig.answer("saved a\n")
        rig.run(for: .seconds(2))
        rig.stick.save()
        rig.run(for: .seconds(2))
        _ = rig.answer("full\n")
        rig.run(for: .seconds(2))
        #expect(rig.states == [.saving, .saved("a"), .saving, .full] && rig.bundleCount == 2)
        rig.stick.close()
    }

    @Test("without a bundle, a service, an answer or room it fails, and nothing is left for a later copy")
    func failures() throws {
        let none = try Rig()
        none.bundle = nil
        none.stick.save()
        #expect(none.states == [.saving, .failed])
        let unserved = try Rig(hasService: false)
        unserved.stick.save()
        #expect(unserved.states == [.saving, .failed])
        let silent = try Rig()
        silent.stick.save()
        silent.run(for: ReportToStick.patience + .seconds(2))
        #expect(silent.states == [.saving, .failed] && silent.folder.get("report.tar.zst") == nil)
        silent.stick.close()
        let missing = try Rig()
        Folder.remove(missing.folder.path)
        missing.stick.save()
        missing.run(for: .seconds(1))
        #expect(missing.states == [.saving, .failed])
        missing.stick.close()
        let closed = try Rig()
        closed.stick.save()
        closed.stick.close()
        closed.run(for: .seconds(300))
        #expect(closed.states == [.saving])
    }
}
