import Testing
import WireFormats

@testable import Cryptography

@Suite("Cryptography")
struct CryptographyTests {
    @Test(
        "SHA-256 of the examples in FIPS 180-4",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func digest(_ text: String, _ digest: String) {
        #expect(SHA256.hexadecimal(of: text) == digest)
    }

    @Test("texts are equal if every byte is, and not if one is a prefix of the other")
    func equality() {
        #expect(ConstantTime.areEqual("", "") && ConstantTime.areEqual("token", "token"))
        for other in ["", "toke", "tokens", "tokem", "Token"] { #expect(!ConstantTime.areEqual("token", other), "\(other)") }
    }

    @Test("a digest of pieces is that of the whole")
    func pieces() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        let running = RunningSHA256()
        for start in stride(from: 0, to: 1000, by: 77) { running.update(Array(bytes[start...].prefix(77))) }
        running.update([])
        #expect(running.finish() == SHA256.digest(bytes))
        #expect(RunningSHA256().finish() == SHA256.digest([]))
    }

    @Test("Poly1305: the test vector of RFC 8439, 2.5.2, whole and in pieces")
    func polynomial() throws {
        let key = try #require(
            [UInt8](hexadecimal: "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b"))
        let text = Array("Cryptographic Forum Research Group".utf8)
        for size in [1, 16, 17, 34] {
            let running = RunningPoly1305(key: key)
            for start in stride(from: 0, to: text.count, by: size) { running.update(Array(text[start...].prefix(size))) }
            running.update([])
            #expect(running.finish().hexadecimal == "a8061dc1305136c6c22b8baf0c0127a9")
        }
    }

    @Test("AES-256-GCM: test case 14 of the specification of GCM is opened")
    func openedFromElsewhere() {
        let sealed: [UInt8] =
            [UInt8](repeating: 0, count: 12)
            + [0xce, 0xa7, 0x40, 0x3d, 0x4d, 0x60, 0x6b, 0x6e, 0x07, 0x4e, 0xc5, 0xd3, 0xba, 0xf3, 0x9d, 0x18]
            + [0xd0, 0xd1, 0xc8, 0xa7, 0x99, 0x99, 0x6b, 0xf0, 0x26, 0x5b, 0x98, 0xb5, 0xd4, 0x8a, 0xb9, 0x19]
        #expect(AESGCM.open(sealed[...], key: [UInt8](repeating: 0, count: 32)) == [UInt8](repeating: 0, count: 16))
    }

    @Test("what was sealed is opened with the same key and context only, and no byte of it may change")
    func sealing() {
        let key = AESGCM.makeKey()
        for count in [0, 1, 16, 1000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let sealed = AESGCM.seal(bytes, key: key, context: [1])
            #expect(sealed.count == count + AESGCM.overhead && sealed != AESGCM.seal(bytes, key: key, context: [1]))
            #expect(AESGCM.open(sealed[...], key: key, context: [1]) == bytes)
            #expect(AESGCM.open(sealed[...], key: key) == nil)
            #expect(AESGCM.open(sealed[...], key: AESGCM.makeKey(), context: [1]) == nil)
            #expect(AESGCM.open(sealed.dropLast(), key: key, context: [1]) == nil)
            for index in [0, 11, 12, sealed.count - 1] {
                var changed = sealed
                changed[index] ^= 1
                #expect(AESGCM.open(changed[...], key: key, context: [1]) == nil)
            }
        }
        #expect(AESGCM.open([], key: key) == nil)
    }
}
