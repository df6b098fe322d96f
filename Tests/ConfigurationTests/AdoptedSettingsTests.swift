import Testing

@testable import Configuration

@Suite("Settings that a viewer adopts")
struct AdoptedSettingsTests {
    @Test("what a viewer adopts lies over the file: the rest of it stays, but not what is for the operator's own feed")
    func adopted() throws {
        let file = Provisioning(
            file: """
                [box]
                name = "den"
                [feed]
                public_keys = ["k1:A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="]
                headers = { Authorization = "Bearer x" }
                allow_discovery = true
                """, applied: nil)
        let found = file.adopting(try Configuration("[feed]\nurl = \"https://a.example/f.json\"\n")).configuration
        #expect(found.feedURL == "https://a.example/f.json" && found.name(serial: nil) == "den" && found.allowsDiscovery)
        #expect(found.publicKeys.count == 1 && !found.feedRequestHeaders(serial: nil).contains { $0.contains("Bearer") })
        let copied = file.adopting(try Configuration("[feed]\nfile = \"/a.json\"\n")).configuration
        #expect(copied.feedFile == "/a.json" && copied.publicKeys.isEmpty && !copied.allowsDiscovery)
        #expect(copied.name(serial: nil) == "den")
        let whole = file.adopting(try Configuration("[box]\nname = \"attic\"\n[feed]\nurl = \"https://a.example/f.json\"\n"))
        #expect(whole.configuration.name(serial: nil) == "attic" && whole.fileWithoutSecrets == file.fileWithoutSecrets)
    }
}
