import Configuration
import Glibc
import LinuxSupport
import Testing

@testable import Housekeeping

@Suite("The record of settings from afar", .serialized)
@MainActor
struct SettingsFileTests {
    private typealias Rig = SettingsRig

    /// Revision 4 by `s1`, which the spare key has then taken away with revision 5.
    private func revoked() throws -> Rig {
        let rig = try Rig()
        #expect(rig.take(Rig.document(4, "{}")) == nil)
        rig.run(minutes: 0.1)
        let revocation = Rig.document(5, #"{"sound":{"max_volume":40}}"#, #","publicKeys":["\#(Rig.next.pinned)"]"#)
        #expect(rig.take(revocation, by: Rig.spare) == nil)
        rig.run(minutes: 0.1)
        #expect(rig.keeper.status.revision == 5)
        return rig
    }

    private func expectRevoked(_ rig: Rig, _ comment: Comment) {
        #expect(rig.keeper.status.revision == 5, comment)
        #expect(rig.take(Rig.document(6), by: Rig.working)?.contains("not pinned") == true, comment)
        #expect(rig.take(Rig.document(4, "{}"), by: Rig.next)?.contains("not higher than 5") == true, comment)
        let back = Rig.document(6, "{}", #","publicKeys":["\#(Rig.working.pinned)"]"#)
        #expect(rig.take(back, by: Rig.spare)?.contains("was taken away before") == true, comment)
    }

    @Test(
        "a damaged record is replaced by its second copy, with revisions and revocations, and that is told",
        arguments: ["cut", "empty", "lost", "garbage", "digit", "key"])
    func damaged(kind: String) throws {
        let rig = try revoked()
        defer { rig.keeper.close() }
        let (whole, path) = (try #require(rig.file), rig.folder.path + "/settings.json")
        #expect(rig.copy == whole)
        var bytes = whole
        switch kind {
        case "cut": bytes = Array(bytes.prefix(bytes.count / 2))
        case "empty": bytes = []
        case "lost": unlink(path)
        case "garbage": bytes = Array(repeating: 0, count: bytes.count)
        default:
            // JSON all the same, with another revision or another key.
            let name = Array((kind == "digit" ? #""newest":5"# : Rig.next.pinned).utf8)
            let place = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
            bytes[place + name.count - (kind == "digit" ? 1 : 4)] ^= 1
        }
        if kind != "lost" { WholeFile.write(bytes, to: path) }
        rig.start()
        expectRevoked(rig, "\(kind)")
        let words = "settings.json was damaged or lost; its second copy is used"
        #expect(rig.log.tail(1000).contains { $0.contains("settings: \(words)") })
        #expect(rig.file == whole && rig.copy == whole)
        rig.start()
        #expect(rig.keeper.status.trouble == nil)
        // The other way round nothing is lost, and nothing is told.
        WholeFile.write(bytes, to: path + ".copy")
        rig.start()
        #expect(rig.copy == whole && rig.keeper.status.trouble == nil)
        expectRevoked(rig, "\(kind) copy")
    }

    @Test("that both copies are damaged is told until there is a new one")
    func lost() throws {
        let rig = try revoked()
        defer { rig.keeper.close() }
        for name in ["/settings.json", "/settings.json.copy"] { WholeFile.write([0], to: rig.folder.path + name) }
        for _ in 1...2 {
            rig.start()
            #expect(rig.keeper.status.trouble?.hasPrefix("settings.json and its second copy are damaged") == true)
        }
        #expect(rig.take(Rig.document(6, "{}"), by: Rig.working) == nil)
        rig.run(minutes: 0.1)
        rig.start()
        #expect(rig.keeper.status.trouble == nil && rig.keeper.status.revision == 6)
    }

    @Test("a power cut between the two copies, and a disk that takes no second one, leave the newer record")
    func olderCopy() throws {
        let rig = try revoked()
        defer { rig.keeper.close() }
        mkdir(rig.folder.path + "/settings.json.copy.new", 0o755)
        #expect(rig.take(Rig.document(6, "{}"), by: Rig.next) == nil)
        rig.run(minutes: 0.1)
        #expect(rig.copy != rig.file && rig.keeper.status.revision == 6)
        rmdir(rig.folder.path + "/settings.json.copy.new")
        rig.start()
        #expect(rig.copy == rig.file && rig.keeper.status.revision == 6 && rig.keeper.status.trouble == nil)
    }

    @Test("the order of the keys on the card is nothing, one that is other goes on, and only others alone begin anew")
    func card() throws {
        let rig = try revoked()
        defer { rig.keeper.close() }
        let (card, file) = (rig.card, rig.file)
        let (working, spare) = (Rig.working.pinned, Rig.spare.pinned)
        func pin(_ public: [String], _ spares: [String]) {
            rig.card = card.replacing("\"\(working)\"", with: `public`.map { "\"\($0)\"" }.joined(separator: ", "))
                .replacing("\"\(spare)\"", with: spares.map { "\"\($0)\"" }.joined(separator: ", "))
            rig.start()
        }
        // A mistake on the card, and its correction.
        pin([working], ["spare:" + SettingsKeys.content(Rig.feedKey.pinned)])
        #expect(rig.keeper.status.revision == nil && rig.take(Rig.document(6, "{}"))?.contains("not pinned") == true)
        pin([working], [spare])
        #expect(rig.file == file)
        expectRevoked(rig, "mended")
        // A key more; the working one that documents have brought is now on the card.
        pin([working, Rig.next.pinned], [spare])
        expectRevoked(rig, "a key more")
        pin([Rig.next.pinned, working], [spare])
        expectRevoked(rig, "another order")
        #expect(rig.take(Rig.document(6, "{}"), by: Rig.next) == nil)
        rig.run(minutes: 0.1)
        pin([working, Rig.next.pinned], [spare])
        #expect(rig.keeper.status.revision == 6)
        // Others alone begin anew, but for what was taken away.
        pin([working, Rig.feedKey.pinned], [])
        #expect(rig.keeper.status.revision == nil && rig.take(Rig.document(9, "{}"))?.contains("not pinned") == true)
        #expect(rig.take(Rig.document(1, "{}"), by: Rig.feedKey) == nil)
    }
}
