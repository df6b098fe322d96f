import Testing
import WireFormats

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
            ("rotation = 45", "line 3: display.rotation wrong: write one of the numbers 0, 90, 180, 270, without quotes"),
            ("rotation = \"90\"", "line 3: display.rotation wrong: write one of the numbers 0, 90, 180, 270, without quotes"),
            ("overscan = 9", "line 3: display.overscan wrong: write a whole number from 0 to 5"),
            ("overscan = \"2\"", "line 3: display.overscan wrong: write a whole number from 0 to 5"),
            ("refresh_matching = 1", "line 3: display.refresh_matching wrong: write true or false"),
            ("hdr = \"on\"", "line 3: display.hdr wrong: write one of \"auto\", \"off\""),
            ("overscann = 1", "line 3: display.overscann ignored: there is no such key; did you mean display.overscan?"),
        ])
    func wrong(line: String, verdict: String) throws {
        let configuration = try Configuration("# box\n[display]\n\(line)\nmode = \"1280x720@50\"\n")
        #expect(configuration.verdicts.map(\.description).contains(verdict))
        #expect(configuration.displayMode == "1280x720@50")
    }

    /// Each key that takes texts, so that a new one has the rule too.
    @Test(
        "no text and no name of the file can write a line of the report",
        arguments: ["\\n  box.name applied: x", "\\u001B[31m", "\\u2028", "\\u202E"])
    func oneLine(_ trick: String) throws {
        for key in ConfigurationKey.all {
            let value: String? =
                switch key.kind {
                case .text: "\"a\(trick)\""
                case .list: "[\"a\(trick)\"]"
                case .table: "{ a = \"a\(trick)\" }"
                case .truth, .wholeNumber, .numberOf: nil
                }
            guard let value else { continue }
            let configuration = try Configuration("\(key.name) = \(value)\n")
            let verdict = try #require(configuration.verdicts.first { $0.name == key.name })
            #expect(verdict.outcome == .wrong, "\(key.name)")
            #expect(configuration.report.split(whereSeparator: \.isNewline).count == 1)
        }
        let report = try Configuration("[box]\n\"x\(trick)\" = 1\n[\"y\(trick)\"]\n[feed.headers]\n\"z\(trick)\" = \"1\"\n")
            .report
        #expect(report.split(separator: "\n").allSatisfy { $0.hasPrefix("line ") && JSONText.isOneLine(String($0)) }, "\(report)")
    }

    @Test("a key for which anybody can sign is refused wherever keys are pinned")
    func weakKey() throws {
        for key in ConfigurationKey.all where key.name.hasSuffix("_keys") {
            let text = "\(key.name) = [\"k1:\(String(repeating: "A", count: 43))=\"]\n"
            #expect(try Configuration(text).verdicts.first?.outcome == .wrong, "\(key.name)")
        }
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

    @Test(
        "what would end the parser is reported with its position",
        arguments: [
            "a = 2026-11-22T", "a = 2026-11-22Tx", "a = [ 2026-11-22t ]", "[=box]", "[[ =a]]", "a = 1\n [é]",
            "# x\n[box]\na = \"\\\"#\" # y\nb = 2026-11-22T:", "a = [}", "a = [ # b\n [1], }", "a = { b = [1, } ]",
            "a" + String(repeating: ".a", count: 100_000) + " = 1",
            "[box]\nb = { a" + String(repeating: ".\"a\"", count: 33) + " = 1 }",
        ])
    func hazards(text: String) {
        #expect { try Configuration(text) } throws: {
            guard case .syntax(let line, let column) = ($0 as? ConfigurationError)?.code else { return false }
            return line == text.split(separator: "\n", omittingEmptySubsequences: false).count && column > 0
        }
        #expect(throws: ConfigurationError.self) { try KeyMapFile.read(text, name: "keys.toml") }
    }

    @Test("a key with a NUL in its name is ignored", arguments: ["\"\\u0000\"", "\"name\\u0000\"", "\"a\\u0000b\""])
    func nul(key: String) throws {
        let settings = try Configuration("[box]\n\(key) = 1\nkiosk = true\n")
        #expect(settings.verdicts.map(\.outcome).sorted { "\($0)" < "\($1)" } == [.applied, .ignored])
        // The caller says that there is no such code.
        let codes = try KeyMapFile.read("[remote]\n\(key) = \"menu\"\n", name: "keys.toml")
        #expect(codes["remote"]?.keys.map { $0.unicodeScalars.contains("\0") } == [true])
    }

    @Test(
        "verdicts have the lines of names, not of values or of similar text",
        arguments: [
            ("[box]\n# kiosk = 1\nname = \"\"\"\nkiosk = 1\"\"\"\n\n \"kiosk\" = 1", "box.kiosk", 6),
            ("box.name = \"a\"\nbox.kiosk = 3", "box.kiosk", 2),
            ("[feed]\nheaders.a =   1\nheaders.b = 2", "feed.headers", 2),
            ("feed = { allow_usb = [\n1\n], url = \"x\" }", "feed.url", 3),
            ("[box]\nkiosk = true\n[ nothing ]\n[nothing.else]", "nothing", 3),
        ])
    func lines(text: String, name: String, line: Int) throws {
        let verdicts = try Configuration(text).verdicts
        #expect(verdicts.first { $0.name == name }?.line == line)
    }

    @Test(
        "the same in strings, comments and arrays is left to the parser",
        arguments: [
            "a = \"2026-11-22T\"", "a = '2026-11-22T'", "a = \"\"\"\n2026-11-22T \"x\\\"\"\"\"", "a = '''\n2026-11-22T\n'''",
            "# 2026-11-22T", "a = 2026-11-22T12:00:00Z",
            "a" + String(repeating: ".a", count: 32) + " = [1.5, 2.5]",
            "a = 2026-11-22 # b", "a = [\n[\n{ b = 1 }], [[]]]", "a = 2026-11-22 12:00:00",
        ])
    func otherDates(text: String) throws {
        #expect(try Configuration("[x]\n" + text).verdicts.map(\.outcome) == [.ignored])
    }
}
