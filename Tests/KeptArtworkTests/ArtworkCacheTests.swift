import Glibc
import LinuxSupport
import MediaModel
import NetworkConditions
import Testing

@testable import KeptArtwork
@testable import SegmentStore

@Suite("Artwork kept on the disk")
@MainActor
struct ArtworkCacheTests {
    @Test("what was shown is there after a restart with the server down, and a changed picture comes when the server is back")
    func restart() throws {
        let before = try ArtworkRig()
        before.put("a", "old")
        before.put("b", "same")
        #expect(before.words(of: "a") == "old" && before.words(of: "b") == "same")
        before.settle()

        let rig = try ArtworkRig(after: before)
        rig.script.fail("https://cdn.example/*", with: .refusal)
        #expect(rig.words(of: "a") == "old" && rig.words(of: "b") == "same")
        rig.run(for: 600)
        #expect(rig.takeChanges() == [])
        #expect(rig.warnings.count == 1, "\(rig.warnings)")

        rig.put("a", "new")
        rig.script.heal()
        // Nothing is drawn meanwhile.
        rig.run(for: 121)
        #expect(rig.takeChanges() == [ArtworkRig.address("a")])
        #expect(rig.words(of: "a") == "new" && rig.words(of: "b") == "same")
        #expect(rig.requests(for: "b").last == ["If-None-Match: \"2\""])

        let again = try ArtworkRig(after: rig)
        again.script.fail("https://cdn.example/*", with: .refusal)
        #expect(again.words(of: "a") == "new" && again.words(of: "b") == "same")
    }

    @Test("nothing is written when nothing has changed, with an ETag and without")
    func writesNothing() throws {
        let before = try ArtworkRig()
        before.put("tagged", "same")
        before.script.put(at: ArtworkRig.address("plain")) { _ in ArtworkRig.picture("same") }
        _ = before.words(of: "tagged")
        _ = before.words(of: "plain")
        before.settle()
        let rig = try ArtworkRig(after: before)
        _ = rig.words(of: "tagged")
        let written = rig.disk.log.count
        for _ in 0..<5 {
            #expect(rig.words(of: "tagged") == "same" && rig.words(of: "plain") == "same")
            rig.run(for: 3601)
        }
        #expect(rig.requests(for: "tagged").count >= 5 && rig.requests(for: "plain").count >= 5)
        #expect(rig.disk.log.count == written)
        #expect(rig.takeChanges() == [])
    }

    @Test("what its server has no longer goes; what it cannot give now stays", arguments: [404, 410, 403, 500, 503])
    func status(_ status: Int) throws {
        let before = try ArtworkRig()
        before.put("a", "old")
        _ = before.words(of: "a")
        before.settle()
        let rig = try ArtworkRig(after: before)
        rig.script.fail("https://cdn.example/*", with: .status(status))
        #expect(rig.words(of: "a") == "old")
        rig.settle()
        let isGone = status == 404 || status == 410
        #expect(rig.takeChanges() == (isGone ? [ArtworkRig.address("a")] : []))
        #expect(rig.words(of: "a") == (isGone ? nil : "old"))
        #expect(rig.bodies.count == (isGone ? 0 : 1))
    }

    @Test("a web page, or anything else that is no picture, takes the place of none and is not kept")
    func webPage() throws {
        let before = try ArtworkRig()
        before.put("a", "old")
        _ = before.words(of: "a")
        before.settle()
        let rig = try ArtworkRig(after: before)
        rig.script.fail("https://cdn.example/*", with: .body(Array("<!DOCTYPE html><title>Sign in</title>".utf8)))
        #expect(rig.words(of: "a") == "old" && rig.words(of: "b") == nil)
        rig.run(for: 7200)
        #expect(rig.words(of: "a") == "old" && rig.takeChanges() == [] && rig.bodies.count == 1)
        // Asked for ever more rarely, and told once each.
        #expect(rig.requests(for: "b").count < 10 && rig.warnings.count == 2, "\(rig.warnings)")
        rig.put("b", "there")
        rig.script.heal()
        rig.cache.networkReturned()
        rig.settle()
        #expect(rig.takeChanges() == [ArtworkRig.address("b")] && rig.words(of: "b") == "there")
    }

    @Test(
        "what a server forbids to keep is not kept, also when it was; what it lets be kept is not asked about again before its time"
    )
    func cacheControl() throws {
        let before = try ArtworkRig()
        before.put("a", "secret", cacheControl: "private, no-store")
        before.put("b", "long", cacheControl: "public, max-age=7200")
        before.put("c", "once")
        for name in ["a", "b", "c"] { _ = before.words(of: name) }
        before.settle()
        #expect(before.bodies.count == 2)
        for minute in 0..<4 * 60 {
            before.cache.use(ArtworkRig.address("b"))
            before.run(for: 60)
            if minute == 110 { #expect(before.requests(for: "b").count == 1) }
        }
        #expect(before.requests(for: "b").count == 2)
        before.put("c", "never again", cacheControl: "no-store")
        before.cache.use(ArtworkRig.address("c"))
        before.settle()
        #expect(before.takeChanges() == [ArtworkRig.address("c")] && before.bodies.count == 1)
    }

    @Test("a picture is asked for once for all sizes, and comes by a timer when its server is there, or at once with the network")
    func timer() throws {
        let rig = try ArtworkRig()
        rig.put("a", "late")
        rig.script.fail("https://cdn.example/*", with: .refusal)
        #expect(rig.words(of: "a") == nil)
        rig.run(for: 3)
        rig.script.heal()
        #expect(rig.words(of: "a") == nil)
        rig.run(for: 3)
        #expect(rig.takeChanges() == [ArtworkRig.address("a")])
        var answers = 0
        for name in ["a", "b", "b", "b"] { rig.cache.load(ArtworkRig.address(name)) { _ in answers += 1 } }
        rig.settle()
        #expect(answers == 4 && rig.requests(for: "b").count == 1)

        rig.script.fail("https://cdn.example/*", with: .refusal)
        #expect(rig.words(of: "c") == nil)
        rig.run(for: 1000)
        rig.put("c", "there")
        rig.script.heal()
        rig.cache.networkReturned()
        rig.settle()
        #expect(rig.takeChanges() == [ArtworkRig.address("c")] && rig.words(of: "c") == "there")
    }

    @Test("a server that is slow holds up nothing that is on the disk, and is asked for few pictures at a time")
    func slowServer() throws {
        let before = try ArtworkRig()
        for number in 0..<40 {
            before.put("\(number)", "\(number)")
            #expect(before.words(of: "\(number)") == "\(number)")
        }
        before.settle()
        let requests = before.script.requests.count
        let rig = try ArtworkRig(after: before)
        rig.script.fail("https://cdn.example/*", with: .silence)
        let start = rig.loop.clock.now
        for number in 0..<40 { #expect(rig.words(of: "\(number)") == "\(number)") }
        #expect(rig.loop.clock.now - start < .milliseconds(1))
        rig.run(for: 5)
        #expect(rig.script.requests.count - requests <= 4)
        // Those of the first attempts, and then one at a time.
        rig.run(for: 3600)
        #expect(rig.script.requests.count - requests < 45)
        rig.script.heal()
        rig.run(for: 121)
        for number in 0..<40 { #expect(rig.requests(for: "\(number)").last?.count == 1, "asked with its ETag") }
    }

    @Test("no token is on the disk or in the log, an address that is signed anew finds its picture, and files are not copied")
    func secrets() throws {
        let signed = "https://user:hunter2@cdn.example/a.jpg?token=hunter2&Signature=hunter2&size=1"
        let before = try ArtworkRig()
        before.script.put(ArtworkRig.picture("signed"), at: signed)
        #expect(before.load(address: signed) != nil)
        before.settle()
        #expect(before.bodies.count == 1)
        let scratch = ScratchPicture()
        #expect(before.load(address: scratch.path) == nil)
        before.script.put(ArtworkRig.picture("file"), at: "file:///stick/a.jpg")
        #expect(before.load(address: "file:///stick/a.jpg") != nil)
        before.settle()
        #expect(before.bodies.count == 1)

        let rig = try ArtworkRig(after: before)
        rig.script.fail("https://cdn.example/*", with: .refusal)
        rig.script.fail("https://user:hunter2@cdn.example/*", with: .refusal)
        #expect(rig.load(address: "https://cdn.example/a.jpg?token=other&size=1") == ArtworkRig.picture("signed"))
        #expect(rig.load(address: "https://cdn.example/a.jpg?token=other&size=2") == nil)
        #expect(rig.load(address: signed) == ArtworkRig.picture("signed"))
        rig.run(for: 60)
        let secret = Array("hunter2".utf8)
        for (name, file) in rig.disk.contents.names {
            #expect(!name.contains("hunter2") && rig.disk.contents.files[file]?.firstRange(of: secret) == nil)
        }
        #expect(!(before.log.tail(1000) + rig.log.tail(1000)).contains { $0.contains("hunter2") })
    }

    /// A path at which there is nothing.
    private struct ScratchPicture { let path = "/nowhere/a.jpg" }
}
