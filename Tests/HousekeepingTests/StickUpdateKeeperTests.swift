import Glibc
import LinuxSupport
import MediaTime
import StatusModel
import TestSupport
import Testing
import Updates

@testable import Housekeeping

@Suite("An update from a USB stick, carried out", .serialized)
@MainActor
struct StickUpdateKeeperTests {
    /// A box without a network and without an operator's address for updates, and a folder in which the test is the installer.
    @MainActor
    private final class Rig {
        let loop: MainLoop
        let folder = ScratchFolder("stick-update")
        let media = ScratchFolder("stick-media")
        let log: LogBook
        let keeper: StickUpdateKeeper
        var found: [String] = []

        init(slots: String? = "running=a\nversion=0.1.0\ntrial=no\n") throws {
            loop = try MainLoop(time: .simulated)
            log = LogBook(clock: loop.clock)
            if let slots { folder.put(slots, "slots") }
            keeper = StickUpdateKeeper(folder: folder.path, board: "raspberrypi", clock: loop.clock, log: log, media: media.path)
            keeper.onChange = { [weak self] in
                if case .found(let bundle) = self?.keeper.state { self?.found.append(bundle.version.description) }
            }
            keeper.start()
        }

        func run(_ seconds: Int64) { loop.run(within: .seconds(seconds), until: { false }) }

        /// A bundle: what comes before the signature does not matter.
        func put(_ version: String, _ path: String, compatible: String = "marquee-raspberrypi", isCut: Bool = false) {
            let signature =
                [0x30, 0x82] + Array("[update]\ncompatible=\(compatible)\nversion=\(version)\n\n[bundle]\nformat=verity\n".utf8)
                + [0xA0, 0x82]
            let size = (0..<8).map { UInt8(truncatingIfNeeded: signature.count >> (56 - $0 * 8)) }
            let bytes = [UInt8](repeating: 0x68, count: 5000) + signature + size
            Folder.make(media.path + "/" + path.prefix { $0 != "/" })
            WholeFile.write(isCut ? bytes.dropLast(20) : bytes, to: media.path + "/" + path)
        }

        func text(_ name: String) -> String? {
            WholeFile.read(folder.path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
        }

        func remove(_ name: String) { unlink(folder.path + "/" + name) }
    }

    @Test("it is found, asked about, installed by the door of all updates, and the box restarts")
    func course() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.run(12)
        #expect(rig.found.isEmpty && rig.keeper.state == .none && !rig.keeper.accept())
        rig.put("0.2.0", "sda1/marquee-raspberrypi.raucb")
        rig.run(60)
        #expect(rig.found == ["0.2.0"])
        #expect(rig.text("request") == nil, "nothing happens without the viewer")
        #expect(rig.keeper.accept() && !rig.keeper.accept())
        rig.run(1)
        #expect(rig.text("request") == "version=0.2.0\nbundle=\(rig.media.path)/sda1/marquee-raspberrypi.raucb\n")
        rig.remove("request")
        rig.folder.put("version=0.2.0\nstate=installing\npercent=40\n", "state")
        rig.run(10)
        guard case .installing(_, percent: 40) = rig.keeper.state else {
            Issue.record("it is not installing: \(rig.keeper.state)")
            return
        }
        #expect(rig.text("restart") == nil)
        rig.folder.put("version=0.2.0\nstate=installed\n", "state")
        rig.run(10)
        #expect(rig.text("restart") == "")
    }

    @Test("a failure is kept with the installer's sentence, and one of an earlier attempt does not count")
    func failure() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.folder.put("version=0.2.0\nstate=failed\nmessage=old\n", "state")
        rig.put("0.2.0", "sda1/a.raucb")
        rig.run(10)
        #expect(rig.keeper.accept())
        rig.run(10)
        #expect(rig.keeper.isBusy && rig.text("state") == nil)
        rig.folder.put("version=0.2.0\nstate=failed\nmessage=signature verification failed\n", "state")
        rig.run(10)
        guard case .failed(_, "signature verification failed") = rig.keeper.state else {
            Issue.record("the failure is not there: \(rig.keeper.state)")
            return
        }
        #expect(!rig.keeper.isBusy && rig.text("restart") == nil)
        rig.run(60)
        #expect(rig.text("request")?.hasPrefix("version=0.2.0") == true, "the request is not repeated by itself")
    }

    @Test("the newest bundle for this board is taken; what is no bundle is passed over")
    func choice() throws {
        let rig = try Rig(slots: "running=b\nversion=0.2.0\ntrial=no\nrefused=0.8.0 it crashed\n")
        defer { rig.keeper.close() }
        rig.put("0.1.0", "sda1/old.raucb")
        rig.put("0.2.0", "sda1/same.raucb")
        rig.put("0.9.0", "sda1/board.raucb", compatible: "marquee-qemu-virt")
        rig.put("0.8.0", "sda1/failed.raucb")
        rig.put("0.7.0", "sda1/cut.raucb", isCut: true)
        rig.put("0.6.0", "sda1/with space.raucb")
        rig.put("0.6.0", "sda1/other.img")
        WholeFile.write([], to: rig.media.path + "/sda1/empty.raucb")
        Folder.make(rig.media.path + "/sda1/folder.raucb")
        symlink("/dev/zero", rig.media.path + "/sda1/link.raucb")
        mkfifo(rig.media.path + "/sda1/pipe.raucb", 0o644)
        rig.run(10)
        #expect(rig.found.isEmpty)
        rig.put("0.3.0", "sda1/new.raucb")
        rig.put("0.4.0", "sdb1/newest.raucb")
        rig.run(10)
        #expect(rig.found == ["0.4.0"])
        Folder.remove(rig.media.path + "/sdb1")
        rig.run(10)
        #expect(rig.found == ["0.4.0", "0.3.0"])
    }

    @Test("nothing is offered before the system has said what runs, nor installed while the installer works for another")
    func waits() throws {
        let rig = try Rig(slots: nil)
        defer { rig.keeper.close() }
        rig.put("0.2.0", "sda1/a.raucb")
        rig.run(30)
        #expect(rig.found.isEmpty)
        rig.folder.put("running=a\nversion=0.1.0\ntrial=no\n", "slots")
        rig.keeper.isInstallerTaken = { true }
        rig.run(10)
        #expect(rig.found == ["0.2.0"] && !rig.keeper.accept() && !rig.keeper.isBusy)
        rig.keeper.isInstallerTaken = { false }
        #expect(rig.keeper.accept())
    }

    @Test("a folder that cannot be written is a failure with its reason")
    func unwritable() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.put("0.2.0", "sda1/a.raucb")
        rig.run(10)
        Folder.make(rig.folder.path + "/request.new")
        #expect(rig.keeper.accept())
        rig.run(1)
        guard case .failed(_, let reason) = rig.keeper.state else {
            Issue.record("it has not failed: \(rig.keeper.state)")
            return
        }
        #expect(reason.contains("Is a directory"))
    }
}
