import Testing

@testable import Signatures

@Suite("Signatures of pinned keys")
struct PinnedKeysTests {
    // RFC 8032, 7.1, test 2: one byte, 0x72.
    private static let key = "PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw="
    private static let mark = "kqAJqfDUyrhyDoILX2QlQKKye1QWUD+Ps3YiI+vbadoIWsHkPhWZbkWPNhPQ8R2MOHsurrQwKu6wDSkWErsMAA=="

    private func sign(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("data signed with a pinned key is accepted, with any line endings")
    func right() throws {
        let keys = PinnedKeys(["other:" + String(repeating: "B", count: 42) + "A=", "k1:" + Self.key])
        for text in ["k1\n\(Self.mark)\n", "k1\n\(Self.mark)", "k1\r\n\(Self.mark)\r\n"] {
            try keys.verify([0x72], signature: sign(text))
        }
    }

    @Test("other bytes, a wrong key, an unpinned key and an incomplete signature each give their own error")
    func wrong() {
        let keys = PinnedKeys(["k1:" + Self.key])
        let text = sign("k1\n\(Self.mark)\n")
        #expect(throws: PinnedKeys.Fault.wrong("k1")) { try keys.verify([0x73], signature: text) }
        #expect(throws: PinnedKeys.Fault.wrong("k1")) { try keys.verify([], signature: text) }
        #expect(throws: PinnedKeys.Fault.wrong("k1")) {
            try PinnedKeys(["k1:" + String(repeating: "B", count: 42) + "A="]).verify([0x72], signature: text)
        }
        #expect(throws: PinnedKeys.Fault.unknownKey("k2")) {
            try keys.verify([0x72], signature: sign("k2\n\(Self.mark)\n"))
        }
        #expect(throws: PinnedKeys.Fault.unknownKey("k1")) { try PinnedKeys([]).verify([0x72], signature: text) }
        for half in ["", "k1\n", "k1\n\(Self.mark.dropLast(4))\n", "k1\n\(Self.mark)\nmore\n", "\(Self.mark)\nk1\n", "k1\n!!!!"] {
            #expect(throws: PinnedKeys.Fault.unreadable) { try keys.verify([0x72], signature: sign(half)) }
        }
    }

    /// Points of the orders 1, 2, 4 and 8, also as libcrypto reads them that are not reduced, and with the sign of x.
    @Test(
        "a key for which anybody can sign is none",
        arguments: [
            "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIA=",
            "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "JuiVj8KyJ7BFw/SJ8u+Y8NXfrAXTxjM5sTgCiG1T/AU=",
            "xxdqcD1N2E+6PAt2DRBnDyogU/osOczGTsf9d5KsA3o=", "7P///////////////////////////////////////38=",
            "7f///////////////////////////////////////38=", "7v///////////////////////////////////////38=",
        ])
    func smallOrder(_ key: String) {
        let keys = PinnedKeys(["k1:" + key])
        #expect(keys.isEmpty)
        // The neutral element and zero: right for one message in as many as the order of the point.
        let forged = "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="
        for message in UInt8(0)..<64 {
            #expect(throws: PinnedKeys.Fault.unknownKey("k1")) { try keys.verify([message], signature: sign("k1\n\(forged)\n")) }
        }
    }

    @Test("any flipped bit in the signature is detected")
    func bits() throws {
        let keys = PinnedKeys(["k1:" + Self.key])
        let letters = Array(Self.mark)
        for index in stride(from: 0, to: 85, by: 5) {
            var turned = letters
            turned[index] = turned[index] == "A" ? "B" : "A"
            #expect(throws: PinnedKeys.Fault.wrong("k1")) { try keys.verify([0x72], signature: sign("k1\n\(String(turned))\n")) }
        }
    }

    @Test("a signature whose Base64 is damaged is unreadable")
    func base64() {
        let keys = PinnedKeys(["k1:" + Self.key])
        let mark = Self.mark
        let damaged = [
            String(mark.dropLast()), String(mark.dropLast(2)), mark + "=", "-" + mark.dropFirst(),
            mark.prefix(40) + "=" + mark.dropFirst(41),
        ]
        for text in damaged {
            #expect(throws: PinnedKeys.Fault.unreadable, "\(text)") { try keys.verify([0x72], signature: sign("k1\n\(text)\n")) }
        }
    }
}
