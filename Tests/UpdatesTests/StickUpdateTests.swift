import LinuxSupport
import Testing

@testable import Updates

@Suite("An update from a USB stick")
struct StickUpdateTests {
    private static let start = HostTime.zero + .seconds(100)

    private static func bundle(_ version: String, _ path: String = "/run/media/sda1/a.raucb") throws -> StickBundle {
        StickBundle(path: path, version: try #require(ReleaseVersion(version)))
    }

    private static func signature(_ text: String) -> [UInt8] {
        [0x30, 0x82, 0x05, 0x9D, 0xA0] + Array(text.utf8) + [0xA0, 0x82, 0x02, 0x00] + Array("version=9.9.9\n[update]\n".utf8)
    }

    private static let manifest =
        "[update]\ncompatible=marquee-raspberrypi\nversion=0.2.0+g18e10ec6\n\n[bundle]\nversion=7.0.0\nformat=verity\n"

    @Test("the manifest is read from the signature, its section `update` only")
    func manifest() throws {
        let facts = try #require(BundleFacts(signature: Self.signature(Self.manifest)))
        #expect(facts.compatible == "marquee-raspberrypi" && facts.version.description == "0.2.0+g18e10ec6")
    }

    @Test(
        "what has no usable manifest is no bundle",
        arguments: [
            "", "[update]\n", "[update]\ncompatible=marquee-x\n", "[update]\nversion=1.0.0\n",
            "[update]\ncompatible=\nversion=1.0.0\n",
            "[update]\ncompatible=marquee-x\nversion=one\n", "[update]\ncompatible=marquee-x\n[bundle]\nversion=1.0.0\n",
            "[update]\ncompatible=marquee-x\n\u{1}version=1.0.0\n",
        ])
    func noManifest(text: String) {
        let bytes: [UInt8] = [0x30, 0x82] + Array(text.utf8) + [0xA0]
        #expect(BundleFacts(signature: bytes) == nil)
    }

    @Test("damaged signatures of any length are read without a trap")
    func damaged() {
        var random = SeededGenerator(seed: 41)
        let whole = Self.signature(Self.manifest)
        for _ in 0..<2000 {
            var bytes = Array(whole.prefix(Int(random.next() % UInt64(whole.count + 1))))
            for _ in 0..<Int(random.next() % 4) where !bytes.isEmpty {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if let facts = BundleFacts(signature: bytes) { #expect(!facts.compatible.isEmpty) }
        }
        #expect(BundleFacts(signature: [UInt8](repeating: 0x41, count: BundleFacts.longestSignature + 1)) == nil)
    }

    @Test("the size of a signature has bounds")
    func sizes() {
        #expect(BundleFacts.signatureSize([0, 0, 0, 0, 0, 0, 5, 0xA1]) == 1441)
        #expect(BundleFacts.signatureSize([0, 0, 0, 0, 0, 1, 0, 0]) == 65_536)
        #expect(BundleFacts.signatureSize([0, 0, 0, 0, 0, 1, 0, 1]) == nil)
        #expect(BundleFacts.signatureSize([UInt8](repeating: 0, count: 8)) == nil)
        #expect(BundleFacts.signatureSize([UInt8](repeating: 0xFF, count: 8)) == nil)
        #expect(BundleFacts.signatureSize([1, 2]) == nil)
    }

    @Test("the newest bundle for this box is offered, none that is as old as the running system, and none that failed here")
    func best() throws {
        func facts(_ version: String, _ compatible: String = "marquee-raspberrypi") throws -> BundleFacts {
            try #require(BundleFacts(signature: Self.signature("[update]\ncompatible=\(compatible)\nversion=\(version)\n")))
        }
        let running = try #require(SlotFacts(Array("running=a\nversion=0.2.0+g1\ntrial=no\nrefused=0.9.0 it crashed\n".utf8)))
        let all = try [
            ("1", facts("0.1.0")), ("2", facts("0.2.0+g1")), ("3", facts("0.3.0")), ("4", facts("0.10.0", "marquee-qemu-virt")),
            ("5", facts("0.4.0")), ("6", facts("0.9.0")),
        ].map { (path: $0.0, facts: $0.1) }
        #expect(StickBundle.best(all, for: "marquee-raspberrypi", running: running)?.path == "5")
        #expect(StickBundle.best(Array(all.prefix(2)), for: "marquee-raspberrypi", running: running) == nil)
        let other = try [(path: "7", facts: facts("0.2.0+g2"))]
        #expect(
            StickBundle.best(other, for: "marquee-raspberrypi", running: running)?.path == "7",
            "another build of the same version")
        #expect(StickBundle.best([], for: "marquee-raspberrypi", running: running) == nil)
    }

    @Test("nothing is installed before the viewer wants it; then it is, and the box restarts")
    func course() throws {
        let bundle = try Self.bundle("0.3.0")
        var update = StickUpdate()
        #expect(update.accept(at: Self.start).isEmpty)
        #expect(!update.take(bundle).isEmpty && update.state == .found(bundle))
        #expect(update.take(bundle).isEmpty)
        #expect(!update.isBusy)
        #expect(update.accept(at: Self.start).contains(.install(bundle)))
        #expect(update.isBusy && update.accept(at: Self.start).isEmpty)
        #expect(update.take(.progress(percent: 400), of: "0.3.0", at: Self.start).isEmpty)
        #expect(update.state == .installing(bundle, percent: 100))
        #expect(
            update.take(nil as StickBundle?).isEmpty && update.isBusy, "the stick is gone; the installer says what comes of it")
        #expect(update.take(.installed, of: "0.4.0", at: Self.start).isEmpty, "the report is of another installation")
        #expect(update.take(.installed, of: "0.3.0", at: Self.start).contains(.restart))
        #expect(update.take(.installed, of: "0.3.0", at: Self.start).isEmpty, "it restarts once")
    }

    @Test("a failure is kept with its reason, and tried again only when the viewer wants it")
    func failure() throws {
        let bundle = try Self.bundle("0.3.0")
        var update = StickUpdate()
        _ = update.take(bundle)
        _ = update.accept(at: Self.start)
        _ = update.take(.failed("signature verification failed"), of: "0.3.0", at: Self.start)
        #expect(update.state == .failed(bundle, "signature verification failed") && !update.isBusy)
        #expect(update.take(bundle).isEmpty && update.state == .failed(bundle, "signature verification failed"))
        #expect(update.accept(at: Self.start).contains(.install(bundle)))
        _ = update.take(.failed("again"), of: "0.3.0", at: Self.start)
        let other = try Self.bundle("0.4.0")
        #expect(!update.take(other).isEmpty && update.state == .found(other))
        #expect(update.take(nil as StickBundle?).isEmpty && update.state == .none)
    }

    @Test("an installer that is silent for half an hour has failed")
    func silence() throws {
        let bundle = try Self.bundle("0.3.0")
        var update = StickUpdate()
        _ = update.take(bundle)
        _ = update.accept(at: Self.start)
        _ = update.take(.progress(percent: 3), of: "0.3.0", at: Self.start + .seconds(1000))
        #expect(update.look(at: Self.start + .seconds(2799)).isEmpty)
        #expect(update.look(at: Self.start + .seconds(2800)).first == .cancel)
        #expect(!update.isBusy && update.look(at: Self.start + .seconds(9000)).isEmpty)
    }
}
