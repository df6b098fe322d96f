import Foundation
import Glibc
import Testing

@testable import Signatures

@Suite("Signing with an operator's key")
struct SigningKeyTests {
    @Test("a signature is accepted by boxes that pin the key, and by no others")
    func accepted() throws {
        let key = try SigningKey(name: "k1")
        let feed = Array("{\"feedVersion\": 1}".utf8)
        let signature = key.signature(of: feed)
        try PinnedKeys([key.pinned]).verify(feed, signature: signature)
        #expect(throws: PinnedKeys.Fault.wrong("k1")) { try PinnedKeys([key.pinned]).verify(feed + [0x20], signature: signature) }
        let other = try SigningKey(name: "k1")
        #expect(throws: PinnedKeys.Fault.wrong("k1")) { try PinnedKeys([other.pinned]).verify(feed, signature: signature) }
    }

    @Test("a key is the same after it was written and read, and an empty document can be signed")
    func kept() throws {
        let key = try SigningKey(name: "k1")
        let again = try SigningKey(name: "k1", pem: key.pem)
        #expect(again.pinned == key.pinned)
        #expect(again.signature(of: []) == key.signature(of: []), "Ed25519 is deterministic")
        try PinnedKeys([key.pinned]).verify([], signature: again.signature(of: []))
    }

    @Test(
        "what is not an Ed25519 key is refused",
        arguments: ["", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", "\0"])
    func unreadable(_ text: String) throws {
        #expect(throws: SigningKey.Fault.unreadable) { try SigningKey(name: "k1", pem: Array(text.utf8)) }
        let whole = try SigningKey(name: "k1").pem
        for length in stride(from: 0, to: whole.count - 28, by: 9) {
            #expect(throws: SigningKey.Fault.unreadable) { try SigningKey(name: "k1", pem: Array(whole.prefix(length))) }
        }
    }

    @Test(
        "a name that cannot be the first line of a signature or a part of public_keys is refused",
        arguments: ["", "a b", "a:b", "é", "a\n"])
    func names(_ name: String) { #expect(throws: SigningKey.Fault.badName(name)) { try SigningKey(name: name) } }

    @Test("the file of a key is for its owner alone, and never replaced")
    func file() throws {
        let folder = try Folder()
        let path = folder.path("k1.pem")
        #expect(KeyFile.create([1, 2, 3], at: path))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(!KeyFile.create([4], at: path))
        #expect(errno == EEXIST)
        #expect(try folder.read("k1.pem") == [1, 2, 3])
        #expect(symlink(folder.path("elsewhere"), folder.path("link.pem")) == 0)
        #expect(!KeyFile.create([4], at: folder.path("link.pem")))
        #expect(!KeyFile.create([4], at: folder.path("nowhere/k.pem")))
    }

    // MARK: OpenSSL

    @Test("OpenSSL reads the key, and verifies the signature")
    func openSSLVerifies() throws {
        let folder = try Folder()
        let key = try SigningKey(name: "k1")
        let feed = Array("{\"feedVersion\": 1}\n".utf8)
        try folder.write(key.pem, "k1.pem")
        try folder.write(feed, "feed.json")
        let lines = String(decoding: key.signature(of: feed), as: UTF8.self).split(separator: "\n")
        try folder.write(Array(try #require(Data(base64Encoded: String(lines[1])))), "raw.sig")
        let exported = try folder.openSSL("pkey", "-in", "k1.pem", "-pubout", "-outform", "DER", "-out", "public.der")
        #expect(exported == 0)
        let der = try folder.read("public.der")
        #expect("k1:" + Data(der.suffix(32)).base64EncodedString() == key.pinned)
        let verified = try folder.openSSL(
            "pkeyutl", "-verify", "-inkey", "public.der", "-pubin", "-keyform", "DER", "-rawin", "-in", "feed.json", "-sigfile",
            "raw.sig")
        #expect(verified == 0)
    }

    @Test("a key and a signature of OpenSSL are read")
    func openSSLSigns() throws {
        let folder = try Folder()
        #expect(try folder.openSSL("genpkey", "-algorithm", "ed25519", "-out", "k2.pem") == 0)
        let key = try SigningKey(name: "k2", pem: try folder.read("k2.pem"))
        let feed = Array("{}".utf8)
        try folder.write(feed, "feed.json")
        #expect(try folder.openSSL("pkeyutl", "-sign", "-inkey", "k2.pem", "-rawin", "-in", "feed.json", "-out", "raw.sig") == 0)
        let mark = Data(try folder.read("raw.sig")).base64EncodedString()
        try PinnedKeys([key.pinned]).verify(feed, signature: Array("k2\n\(mark)\n".utf8))
        #expect(key.signature(of: feed) == Array("k2\n\(mark)\n".utf8))
    }

    @Test("a key of another algorithm is refused")
    func otherAlgorithm() throws {
        let folder = try Folder()
        #expect(try folder.openSSL("genpkey", "-algorithm", "x25519", "-out", "x.pem") == 0)
        let pem = try folder.read("x.pem")
        #expect(throws: SigningKey.Fault.unreadable) { try SigningKey(name: "x", pem: pem) }
    }
}

/// A folder for files that OpenSSL shares with a test.
private final class Folder {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("marquee-keys-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
    func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: url.appendingPathComponent(name)) }
    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url.appendingPathComponent(name))) }

    /// Runs openssl in the folder and returns its exit code.
    func openSSL(_ arguments: String...) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }
}
