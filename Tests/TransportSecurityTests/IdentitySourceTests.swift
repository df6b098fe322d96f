import Foundation
import LinuxSupport
import Testing

@testable import TransportSecurity

/// Which certificate is used, and what the operator is told.
struct IdentitySourceTests {
    private let folder = TestFolder()
    /// 2026-11-23.
    private let now: Int64 = 1_795_392_000

    private func identity(_ source: IdentitySource, now: Int64? = nil) throws -> (identity: ServerIdentity, notes: [String]) {
        var notes: [String] = []
        let identity = try source.identity(storedIn: folder.path, now: now ?? self.now) { notes.append($0) }
        return (identity, notes)
    }

    private var operators: IdentitySource {
        var source = IdentitySource(name: "room-7")
        source.files = (folder.path + "/page.pem", folder.path + "/page-key.pem")
        return source
    }

    private func put(_ bytes: [UInt8], _ name: String) { WholeFile.write(bytes, to: "\(folder.path)/\(name)") }

    @Test func theBoxesOwnIsMadeOnceAndReadByNoOneElse() throws {
        let first = try identity(IdentitySource(name: "room-7"))
        let again = try identity(IdentitySource(name: "room-7"))
        #expect(first.identity.certificate == again.identity.certificate && first.notes.isEmpty && again.notes.isEmpty)
        #expect(first.identity.certificate.lastDay.description == "9999-12-31")
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(IdentitySource.ownFile)")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [0, 10, 300])
    func aDamagedOneIsMadeAgain(length: Int) throws {
        let first = try identity(IdentitySource(name: "room-7")).identity
        let file = "\(folder.path)/\(IdentitySource.ownFile)"
        put(Array(try #require(WholeFile.read(file)).prefix(length)), IdentitySource.ownFile)
        let second = try identity(IdentitySource(name: "room-7"))
        #expect(second.identity.certificate != first.certificate && second.notes.isEmpty)
        #expect(try identity(IdentitySource(name: "room-7")).identity.certificate == second.identity.certificate)
    }

    @Test func withoutAFolderTheBoxHasACertificateAllTheSame() throws {
        var notes: [String] = []
        _ = try IdentitySource(name: "room-7").identity(storedIn: nil, now: now) { notes.append($0) }
        #expect(notes.isEmpty)
        _ = try IdentitySource(name: "room-7").identity(storedIn: folder.path + "/none", now: now) { notes.append($0) }
        #expect(notes == ["api.certificate: the box's own could not be saved, so that it is another one after the next start."])
    }

    @Test func theOperatorsIsUsed() throws {
        let made = try SelfSignedCertificate(name: "cdn")
        put(made.certificate, "page.pem")
        put(made.key, "page-key.pem")
        let found = try identity(operators)
        #expect(found.notes.isEmpty)
        #expect(try found.identity.certificate == ServerIdentity(certificates: made.certificate, key: made.key).certificate)
        #expect(WholeFile.read("\(folder.path)/\(IdentitySource.ownFile)") == nil)
    }

    @Test func oneFileMayHoldBoth() throws {
        let made = try SelfSignedCertificate(name: "cdn")
        put(made.certificate + made.key, "page.pem")
        var source = IdentitySource(name: "room-7")
        source.files = (folder.path + "/page.pem", folder.path + "/page.pem")
        #expect(try identity(source).notes.isEmpty)
    }

    @Test func oneThatHasEndedIsUsedAndSaid() throws {
        let made = try SelfSignedCertificate(name: "cdn", lastSecond: "20260301120000Z")
        put(made.certificate, "page.pem")
        put(made.key, "page-key.pem")
        let found = try identity(operators)
        #expect(found.identity.certificate.lastDay.description == "2026-03-01")
        #expect(found.notes == ["api.certificate: it is not valid since 2026-03-01, and clients refuse it; renew it."])
        // A clock that is not yet set.
        #expect(try identity(operators, now: 0).notes.isEmpty)
    }

    @Test func oneThatCannotBeUsedIsReplacedByTheBoxesOwnWithASentence() throws {
        let (one, other) = (try SelfSignedCertificate(name: "a"), try SelfSignedCertificate(name: "b"))
        let own = try identity(IdentitySource(name: "room-7")).identity.certificate
        let cases: [(certificate: [UInt8]?, key: [UInt8]?, words: String)] = [
            (nil, one.key, "opening a file failed: \(folder.path)/page.pem: No such file or directory"),
            (one.certificate, nil, "opening a file failed: \(folder.path)/page-key.pem: No such file or directory"),
            (one.certificate, other.key, "using the key, which does not belong to the certificate, failed"),
            (Array("hello".utf8), one.key, "reading the certificate failed"),
            (one.certificate, Array("hello".utf8), "reading the key of the certificate failed"),
            ([UInt8](repeating: 10, count: 2 << 20), one.key, "page.pem: File too large"),
        ]
        for (certificate, key, words) in cases {
            for name in ["page.pem", "page-key.pem"] { unlink("\(folder.path)/\(name)") }
            if let certificate { put(certificate, "page.pem") }
            if let key { put(key, "page-key.pem") }
            let found = try identity(operators)
            #expect(found.identity.certificate == own)
            #expect(found.notes.count == 1 && found.notes.first?.contains(words) == true, "\(found.notes)")
        }
    }
}

/// A folder that is removed with this object.
private final class TestFolder {
    let path = FileManager.default.temporaryDirectory.path + "/marquee-identity-\(UUID().uuidString)"

    init() { mkdir(path, 0o700) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
