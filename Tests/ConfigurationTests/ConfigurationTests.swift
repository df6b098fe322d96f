import Testing

@testable import Configuration

@Suite("marquee.toml")
struct ConfigurationTests {
    @Test("a valid file is applied key by key, without showing secrets")
    func good() throws {
        let configuration = try Configuration(
            """
            [box]
            language = "fr"
            kiosk = true
            [feed]
            url = "https://cdn.example/feed.json"
            allow_http = ["10.0.0.5"]
            headers = { Authorization = "Bearer x" }
            [display]
            mode = "auto"
            overscan = 3
            """)
        #expect(configuration.language == "fr")
        #expect(configuration.isKiosk)
        #expect(configuration.feedURL == "https://cdn.example/feed.json")
        #expect(configuration.plainHTTPHosts == ["10.0.0.5"])
        #expect(configuration.displayMode == nil)
        #expect(configuration.overscanPercent == 3)
        #expect(configuration.verdicts.allSatisfy { $0.outcome == .applied })
        #expect(!configuration.report.contains("Bearer"))
        #expect(configuration.report.contains("line 7: feed.headers applied: (secret)"))
    }

    @Test(
        "a wrong key is reported with its line and the allowed values, and the others are applied",
        arguments: [
            ("overscan = 9", "line 3: display.overscan wrong: write a whole number from 0 to 5"),
            ("overscan = \"2\"", "line 3: display.overscan wrong: write a whole number from 0 to 5"),
            ("refresh_matching = 1", "line 3: display.refresh_matching wrong: write true or false"),
            ("overscann = 1", "line 3: display.overscann ignored: there is no such key; did you mean display.overscan?"),
        ])
    func wrong(line: String, verdict: String) throws {
        let configuration = try Configuration("# box\n[display]\n\(line)\nmode = \"1280x720@50\"\n")
        #expect(configuration.verdicts.map(\.description).contains(verdict))
        #expect(configuration.displayMode == "1280x720@50")
    }

    @Test("windows, digests and words are checked")
    func shapes() throws {
        let configuration = try Configuration(
            """
            [update]
            window = "02:00-25:00"
            [download]
            window = "01:00-06:00"
            [api]
            token_sha256 = "abc"
            [network]
            metered = "maybe"
            """)
        #expect(
            configuration.verdicts.filter { $0.outcome == .wrong }.map(\.name) == [
                "update.window", "api.token_sha256", "network.metered",
            ])
    }

    @Test("a text that is not TOML changes nothing and reports the position of the error")
    func broken() {
        #expect {
            _ = try Configuration("[box]\nname = \"room\nkiosk = true\n")
        } throws: { error in
            (error as? ConfigurationError)?.line == 2
        }
    }

    @Test("an unknown section is reported with the existing ones")
    func section() throws {
        let verdict = try #require(try Configuration("[boxx]\na = 1\n").verdicts.first)
        #expect(verdict.outcome == .ignored)
        #expect(verdict.remark.contains("download, feed"))
    }
}
