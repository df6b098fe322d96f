import BoxModel
import Testing

struct PassphraseTests {
    @Test(arguments: ["", "seven77", String(repeating: "x", count: 64), "tab\there1", "umlaut ä1"])
    func whatNoNetworkCanHaveIsNoPassphrase(text: String) {
        #expect(Passphrase(text) == nil)
    }
}
