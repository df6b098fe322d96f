import CZstd
import Foundation
import TestSupport
import Testing

@testable import SupportBundle

@Suite("Support bundle")
struct SupportBundleTests {
    private static let digest = String(repeating: "0aF9", count: 16)

    private func bundle(secrets: [String] = [], limits: SupportBundle.Limits = .init()) -> SupportBundle {
        SupportBundle(
            box: "room <7> & version 1.2.3", date: 1_795_168_800_000_000_000, dateText: "2026-11-20T10:00:00Z", secrets: secrets,
            limits: limits)
    }

    private func unpacked(_ bundle: SupportBundle) throws -> [UInt8] {
        let archive = try bundle.archive()
        let size = Int(ZSTD_getFrameContentSize(archive, archive.count))
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = ZSTD_decompress(buffer.baseAddress, buffer.count, archive, archive.count)
            #expect(count == size)
        }
    }

    @Test("it is a tar archive that the tar of every system reads, with the files as they were given")
    func readByTar() throws {
        var bundle = bundle()
        bundle.add("one\ntwo\n", as: "log.txt", "The log")
        bundle.add(picture: Array(0...255) + Array(repeating: 7, count: 1000), as: "screen.jpg", "The screen")
        bundle.add("", as: "empty.txt", "Nothing")
        bundle.add(String(repeating: "x", count: 512), as: "block.txt", "A whole block")
        let folder = ScratchFolder("bundle")
        let tar = try unpacked(bundle)
        #expect(tar.count % 512 == 0 && tar.suffix(1024).allSatisfy { $0 == 0 })
        try Data(tar).write(to: URL(fileURLWithPath: folder.path + "/bundle.tar"))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["tar", "-C", folder.path, "-xf", folder.path + "/bundle.tar"]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        func content(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/\(name)")))
        }
        #expect(try content("log.txt") == Array("one\ntwo\n".utf8))
        #expect(try content("screen.jpg") == Array(0...255) + Array(repeating: 7, count: 1000))
        #expect(try content("empty.txt").isEmpty)
        #expect(try content("block.txt").count == 512)
        let page = String(decoding: try content("index.html"), as: UTF8.self)
        #expect(page.contains("room &lt;7&gt; &amp; version 1.2.3, 2026-11-20T10:00:00Z"))
        for name in ["log.txt", "screen.jpg", "empty.txt", "block.txt"] {
            #expect(page.contains("<a href=\"\(name)\">\(name)</a>"))
        }
    }

    @Test(
        "what a box knows to be secret, digests, and what addresses and headers carry is removed",
        arguments: [
            ("pin 4711-secret here", "pin REDACTED here"), ("4711-secret", "REDACTED"), ("a4711-secretb", "aREDACTEDb"),
            ("parental \(digest)", "parental REDACTED"), ("x\(digest)0 y", "xREDACTED y"),
            ("build 0123456789abcdef0123456789abcdef01234567", "build 0123456789abcdef0123456789abcdef01234567"),
            ("GET https://u:p@cdn/a.m3u8?token=S&x=1#f", "GET https://cdn/a.m3u8?token=REDACTED&x=REDACTED#REDACTED"),
            ("Authorization: Bearer S", "Authorization: REDACTED"), ("password=S other", "password=REDACTED other"),
            ("long-secret and long", "REDACTED and long"), ("no secret", "no secret"), ("", ""),
        ])
    func secrets(text: String, clean: String) {
        let filter = SecretFilter(secrets: ["long-secret", "4711-secret", "secret-of-none", "", "abc"])
        #expect(filter.clean(text) == clean)
        #expect(filter.clean(clean) == clean)
    }

    @Test("of a value with several parts each long part is a secret, and the words around it are not")
    func parts() {
        let filter = SecretFilter(secrets: ["Bearer abcdefgh1", "look:9f86d081x"])
        #expect(filter.clean("abcdefgh1, 9f86d081x, Bearer, look") == "REDACTED, REDACTED, Bearer, look")
    }

    @Test("in JSON only strings are cleaned, and it stays JSON")
    func json() {
        let filter = SecretFilter(secrets: ["se\"cret", "12345"])
        #expect(
            filter.clean(json: #"{"a":"se\"cret","u":"https://u:p@cdn/a?t=S","n":12345,"b":"x\\"}"# + "\n[]")
                == #"{"a":"REDACTED","u":"https://cdn/a?t=REDACTED","n":12345,"b":"x\\"}"# + "\n[]")
        #expect(filter.clean(json: #"["open"#) == #"["REDACTED""#)
        #expect(filter.clean(json: #"["open\"#) == #"["REDACTED""#)
        #expect(filter.clean(json: "") == "")
    }

    @Test("a secret that contains another one is removed whole")
    func nested() {
        #expect(SecretFilter(secrets: ["12345", "1234567890"]).clean("a 1234567890 b 12345 c") == "a REDACTED b REDACTED c")
    }

    @Test("of a long text the newest lines stay, and no half of a secret at the cut")
    func long() throws {
        var limits = SupportBundle.Limits()
        limits.text = 100
        limits.picture = 10
        limits.parts = 3
        var bundle = bundle(secrets: ["a-long-secret"], limits: limits)
        let lines = (1...200).map { "line \($0) a-long-secret\n" }.joined()
        bundle.add(lines, as: "log.txt", "The log")
        bundle.add(picture: Array(repeating: 1, count: 11), as: "screen.jpg", "The screen")
        bundle.add("three", as: "three.txt", "Three")
        bundle.add("four", as: "four.txt", "Four")
        let text = String(decoding: try unpacked(bundle), as: UTF8.self)
        #expect(text.contains("line 200 REDACTED\n") && !text.contains("line 100 ") && !text.contains("secret"))
        #expect(text.contains("bytes were left out.)\nline 19"))
        #expect(text.contains("The picture has 11 bytes, more than the limit of 10.") && text.contains("screen.jpg.txt"))
        #expect(text.contains("three.txt") && !text.contains("four.txt"))
    }
}
