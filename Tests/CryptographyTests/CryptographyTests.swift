import Testing

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
}
