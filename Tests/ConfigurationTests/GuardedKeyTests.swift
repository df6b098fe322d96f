import Testing

@testable import Configuration

@Suite("Keys that a mistake must not weaken")
struct GuardedKeyTests {
    private static let password = "correct horse battery"
    private static let key = "k1:\(String(repeating: "B", count: 42))A="
    private static let digest = String(repeating: "a", count: 64)
    private static let network = "[network]\nwifi_country = \"FR\"\nwifi_ssid = \"hotel\"\n"

    /// The paths of the networks that iwd is given.
    private func networks(_ configuration: Configuration) -> [String] {
        SystemFiles(configuration, serial: nil).files.map(\.path).filter { $0.hasPrefix("iwd/") && $0 != "iwd/main.conf" }
    }

    @Test(
        "a network whose password has a mistake in its value or its name is not joined, and the file says why",
        arguments: [
            "[network]\nwifi_password = \"short\"\n", "[network]\nwifi_password = 12345678\n",
            "[network]\nwifi_password = \"\(String(repeating: "g", count: 64))\"\n",
            "[network]\nwifi_password = \"(stored)\"\n", "[network]\nwifi_password = [\"\(password)\"]\n",
            "[network]\nwifi_password = \"pass\\u0000word\"\n",
            "[network]\nwifi_pasword = \"\(password)\"\n", "[network]\nwifi-password = \"\(password)\"\n",
            "[network]\nWIFI_PASSWORD = \"\(password)\"\n",
            "[network]\nwifi_psk = \"\(password)\"\n", "[network]\npassword = \"\(password)\"\n",
            "[network]\nkey = \"\(password)\"\n",
            "[network]\nwifi = { password = \"\(password)\" }\n", "[netwrok]\nwifi_password = \"\(password)\"\n",
            "[wifi]\npassword = \"\(password)\"\n",
            "[box]\nwifi_password = \"\(password)\"\n",
        ])
    func wireless(_ mistake: String) throws {
        let file = mistake.hasPrefix("[network]") ? Self.network + mistake.dropFirst("[network]\n".count) : Self.network + mistake
        let configuration = try Configuration(file)
        #expect(networks(configuration) == [] && configuration.wirelessName == nil)
        let verdict = try #require(configuration.verdicts.first { $0.name == "network.wifi_ssid" })
        #expect(
            verdict.outcome == .wrong && verdict.remark.contains("would be open")
                && verdict.remark.contains("no network is joined"))
        // The next start, also without the file, does not join it either.
        let kept = Provisioning(file: nil, applied: configuration.appliedText)
        #expect(networks(kept.configuration) == [])
        // A top-level key comes before all sections.
        let early = try Configuration("wifi_password = \"\(Self.password)\"\n" + Self.network)
        #expect(networks(early) == [])
    }

    @Test("a network is open when nothing in the file may be its password, or when the password is empty")
    func open() throws {
        #expect(networks(try Configuration(Self.network)) == ["iwd/hotel.open"])
        #expect(networks(try Configuration(Self.network + "metred = \"yes\"\n")) == ["iwd/hotel.open"])
        #expect(networks(try Configuration(Self.network + "wifi_password = \"\"\nwifi_psk = \"\"\n")) == ["iwd/hotel.open"])
    }

    @Test("with a mistake the network that was applied before stays, with its own password")
    func before() throws {
        let previous = try Configuration(Self.network + "wifi_password = \"\(Self.password)\"\n")
        let same = try Configuration(Self.network + "wifi_password = \"short\"\n", previous: previous)
        #expect(networks(same) == ["iwd/hotel.psk"] && same.text("network.wifi_password") == Self.password)
        let misspelt = try Configuration(Self.network + "wifi_pasword = \"another one\"\n", previous: previous)
        #expect(networks(misspelt) == ["iwd/hotel.psk"] && misspelt.text("network.wifi_password") == Self.password)
        let moved = Self.network.replacing("hotel", with: "house")
        for line in ["wifi_password = \"short\"\n", "wifi_psk = \"another one\"\n"] {
            let other = try Configuration(moved + line, previous: previous)
            #expect(networks(other) == ["iwd/hotel.psk"])
            #expect(other.verdicts.contains { $0.name == "network.wifi_ssid" && $0.remark.contains("applied before is joined") })
        }
        // A network that was open and is to have a password now.
        let opened = try Configuration(Self.network)
        #expect(networks(try Configuration(Self.network + "wifi_password = \"short\"\n", previous: opened)) == [])
        // The password of a network whose name is wrong is not told to the previous one.
        let long = Self.network.replacing("hotel", with: String(repeating: "h", count: 33))
        let nameless = try Configuration(long + "wifi_password = \"another one\"\n", previous: previous)
        #expect(networks(nameless) == ["iwd/hotel.psk"] && nameless.text("network.wifi_password") == Self.password)
    }

    @Test(
        "a mistake in a lock or in the keys of signatures locks",
        arguments: [
            ("[feed]\npublic_keys = [\"k1:abc\"]\n", "feed.public_keys"),
            ("[feed]\npublic_keys = \"\(key)\"\n", "feed.public_keys"),
            ("[feed]\npublic_keys = [\"\(key)\", \"k2\"]\n", "feed.public_keys"),
            ("[feed]\npublic_key = [\"\(key)\"]\n", "feed.public_keys"),
            ("[feed]\npublickeys = [\"\(key)\"]\n", "feed.public_keys"), ("[feed]\nsigning = \"\(key)\"\n", "feed.public_keys"),
            ("[fed]\npublic_keys = [\"\(key)\"]\n", "feed.public_keys"), ("public_keys = [\"\(key)\"]\n", "feed.public_keys"),
            ("[update]\npublic_keys = [\"u1\"]\n", "update.public_keys"),
            ("[update]\nsigning_key = \"\(key)\"\n", "update.public_keys"),
            ("[settings]\npublic_keys = [\"s1\"]\n", "settings.public_keys"),
            ("[settings]\nspare_keys = [\"s1\"]\n", "settings.spare_keys"),
            ("[box]\nkiosk = \"true\"\n", "box.kiosk"), ("[box]\nkiosk = 1\n", "box.kiosk"),
            ("[box]\nkiosk_mode = true\n", "box.kiosk"),
            ("kiosk = true\n", "box.kiosk"), ("[parental]\nlimit = \"adults\"\n", "parental.limit"),
            ("[parental]\nlimit = 12\n", "parental.limit"),
            ("[parental]\nlimt = \"12\"\n", "parental.limit"), ("[parental]\nrating = \"12\"\n", "parental.limit"),
            ("[parent]\nlimit = \"12\"\n", "parental.limit"),
            ("[parental]\npin_sha256 = \"1234\"\n", "parental.pin_sha256"),
            ("[parental]\npin = \"1234\"\n", "parental.pin_sha256"),
            ("[parental]\npin_sha256 = \"(stored)\"\n", "parental.pin_sha256"),
            ("pin_sha256 = \"\(digest)\"\n", "parental.pin_sha256"),
            ("[box]\npin_sha256 = \"\(digest)\"\n", "parental.pin_sha256"),
            ("limit = \"12\"\n", "parental.limit"),
            ("[[parental]]\npin_sha256 = \"\(digest)\"\n", "parental.pin_sha256"),
            ("[[parental]]\nlimit = \"12\"\n", "parental.limit"),
            ("[[box]]\nname = \"hall\"\n[[box]]\nkiosk = true\n", "box.kiosk"), ("box = [{ kiosk = true }]\n", "box.kiosk"),
            ("[[feed]]\npublic_keys = [\"\(key)\"]\n", "feed.public_keys"),
            ("[[update]]\npublic_keys = [\"\(key)\"]\n", "update.public_keys"),
            ("[[settings]]\nspare_keys = [\"\(key)\"]\n", "settings.spare_keys"),
        ])
    func locks(_ file: String, _ name: String) throws {
        let guarded = try #require(GuardedKey.byName[name])
        let configuration = try Configuration(file)
        #expect(configuration.values[name] == guarded.strictest)
        #expect(configuration.verdicts.contains { $0.outcome != .applied && $0.remark.contains(guarded.words) })
        // What was kept is read as strictly.
        #expect(Provisioning(file: nil, applied: configuration.appliedText).configuration.values[name] == guarded.strictest)
        // Nothing in the file is a secret of the box, so that it is not written again.
        #expect(Provisioning(file: file, applied: nil).fileWithoutSecrets == nil)
    }

    @Test("what stands where a section belongs is told so", arguments: ["[[box]]\nkiosk = true\n", "box = 3\n", "box = []\n"])
    func noSection(_ file: String) throws {
        let verdict = try #require(try Configuration(file).verdicts.first)
        #expect(verdict.name == "box" && verdict.outcome == .ignored && verdict.line == 1)
        #expect(
            verdict.remark.hasPrefix(
                "this is a section; write [box] once, in single brackets, and its keys on the lines below it"))
    }

    @Test(
        "a name that does not exist locks what it means, and nothing else",
        arguments: [
            ("settings.publickeys", ["settings.public_keys"]), ("settings.public_key", ["settings.public_keys"]),
            ("setings.public_keys", ["settings.public_keys"]), ("settings.pubkey", ["settings.public_keys"]),
            ("settings.ed25519_key", ["settings.public_keys"]), ("remote_settings.publickeys", ["settings.public_keys"]),
            ("settings.spare_key", ["settings.spare_keys"]), ("settings.sparekeys", ["settings.spare_keys"]),
            ("settings.spare", ["settings.spare_keys"]), ("spare_keys", ["settings.spare_keys"]),
            ("update.publickey", ["update.public_keys"]), ("update.ed25519_keys", ["update.public_keys"]),
            ("updates.pubkeys", ["update.public_keys"]), ("feed.publickeys", ["feed.public_keys"]),
            ("publickeys", ["feed.public_keys"]), ("box.pubkey", ["feed.public_keys"]),
            ("parental.limt", ["parental.limit"]), ("parental.rating", ["parental.limit"]),
            ("parental.pin", ["parental.pin_sha256"]),
            ("parental.lock", ["parental.limit", "parental.pin_sha256"]), ("network.wifi_pswd", [WirelessPair.password]),
            ("network.key", [WirelessPair.password]), ("mqtt.passphrase", []), ("mqtt.psk", []), ("network.wifi_cuntry", []),
            ("network.wifi_coutnry", []), ("settings.trial_minute", []), ("settings.urls", []), ("feed.ulr", []),
        ])
    func meant(_ unknown: String, _ names: [String]) {
        #expect(GuardedKey.meant(by: unknown).map(\.name) == names)
    }

    @Test("keys of settings from afar whose line has a mistake keep their previous value, and the file says so")
    func settings() throws {
        let lines =
            "[settings]\npublic_keys = [\"\(Self.key)\"]\nspare_keys = [\"spare:\(String(repeating: "C", count: 42))A=\"]\n"
        let previous = try Configuration(lines)
        for (right, wrong) in [("public_keys", "publickeys"), ("spare_keys", "spare_key"), ("spare_keys", "backup")] {
            let file = lines.replacing(right, with: wrong)
            let mistaken = try Configuration(file, previous: previous)
            #expect(mistaken.settingsKeys == previous.settingsKeys && mistaken.publicKeys == [] && mistaken.updateKeys == [])
            #expect(mistaken.problems.map(\.name) == ["settings.\(wrong)"])
            #expect(mistaken.problems.first?.remark.contains("until then settings.\(right) keeps its previous value") == true)
            let alone = try Configuration(file)
            #expect(alone.settingsKeys.all.count == 1 && alone.problems.first?.remark.contains("key counts") == true)
        }
    }

    @Test("with a previous value a mistake changes nothing, and without the key its default counts")
    func previous() throws {
        let previous = try Configuration(
            "[parental]\nlimit = \"12\"\n[feed]\npublic_keys = [\"\(Self.key)\"]\n[box]\nkiosk = false\n")
        let wrong = try Configuration(
            "[parental]\nlimt = \"14\"\n[feed]\npublic_keys = [\"k1\"]\n[box]\nkiosk = 1\n", previous: previous)
        #expect(wrong.parentalLimit == "12" && wrong.publicKeys == [Self.key] && !wrong.isKiosk)
        let removed = try Configuration("[feed]\nurl = \"https://cdn.example/f.json\"\nrefresh = 5\n", previous: previous)
        #expect(removed.parentalLimit == nil && removed.publicKeys == [] && !removed.isKiosk)
    }

    @Test("every key that a mistake could weaken exists, and its strictest value is one that the file could have")
    func table() {
        for guarded in GuardedKey.all { #expect(ConfigurationKey.byName[guarded.name] != nil, "\(guarded.name)") }
        #expect(Configuration.Value.text("0") == GuardedKey.byName["parental.limit"]?.strictest && TextRule.rating.allows("0"))
    }
}

@Suite("Addresses that a box refuses")
struct RefusedAddressTests {
    @Test(
        "a network address that the machine's service would refuse is wrong",
        arguments: [
            "10.0.0.0/24", "10.0.0.255/24", "0.0.0.0/8", "127.0.0.1/8", "224.0.0.1/24", "255.255.255.255/32",
            "10.0.0.20/24 via 192.168.9.1",
            "10.0.0.20/24 via 10.0.0.20", "10.0.0.20/24 via fe80::1", "10.0.0.20/24 via 10.0.0.255", "fd00::20/64 via 10.0.0.1",
            "fd00::20/64 via fd01::1",
            "::1/64", "::/64", "ff02::1/64", "10.0.0.20/0", "10.0.0.20/24 via", "10.0.0.20/33",
        ])
    func network(_ address: String) throws {
        #expect(try Configuration("[network]\naddress = \"\(address)\"\n").verdicts.map(\.outcome) == [.wrong])
    }

    @Test(
        "the others are applied",
        arguments: [
            "10.0.0.20/24", "10.0.0.20/24 via 10.0.0.1", "10.0.0.0/31 via 10.0.0.1", "10.0.0.7/32", "fd00::20/64 via fd00::1",
            "fd00::20/64 via fe80::1", "dhcp",
        ])
    func good(_ address: String) throws {
        #expect(try Configuration("[network]\naddress = \"\(address)\"\n").verdicts.map(\.outcome) == [.applied])
    }

    @Test(
        "an address that no request can be made of is wrong",
        arguments: [
            "https://:443/feed", "https://host:0/feed", "https://host:70000/feed", "https://host:x/feed", "https://ho%20st/feed",
            "https://[::1/feed",
            "https://[10.0.0.1]/feed", "https://-host/feed", "https://a..b/feed", "https://host|/feed",
            "https://\(String(repeating: "a", count: 64)).example/feed",
        ])
    func web(_ address: String) throws {
        #expect(try Configuration("[feed]\nurl = \"\(address)\"\n").verdicts.map(\.outcome) == [.wrong])
    }

    @Test(
        "what a value needs is said of that value, and not of another mistake",
        arguments: [
            ("feed.url", "ftp://cdn.example/f", "write an address that begins with https://"),
            ("feed.url", "https://cdn.example/fü/€", "write %C3%BC for “ü”"),
            ("feed.url", "https://cdn.example/a b", "write %20 for a space"),
            ("feed.url", "https://bücher.example/f", "with xn-- if it has other letters"),
            ("feed.url", "https://cdn.example:70000/f", "write a port from 1 to 65535"),
            ("feed.url", "https://cdn.example:/f", "write a port"), ("feed.url", "https://cdn.example:+80/f", "write a port"),
            (
                "feed.url", "https://me:secret@cdn.example/f",
                "leave out the part before the @; what the server asks for belongs into feed.headers"
            ),
            ("report.url", "https://me@cdn.example/f", "belongs into report.headers"),
            ("feed.url", "https://2001:db8::1/f", "IPv6 in brackets"),
            ("feed.url", "https://[10.0.0.1]/f", "within the brackets"),
            ("feed.url", "https:///f", "write the name of a host"),
            ("feed.url", "https://a..b/f", "letters, digits, hyphens and dots"),
            ("feed.url", "https://cdn.example/{grup}.json", "there is no {grup}; write {group} or {box}"),
            ("update.url", "https://cdn.example/{Box}.json", "there is no {Box}"),
            ("settings.url", "https://{site}.example/s.json", "there is no {site}"),
            ("feed.url", "https://cdn.example/{group.json", "write %7B and %7D for braces"),
            ("feed.url", "https://cdn.example/}{", "%7D"),
            ("report.url", "https://cdn.example/{box}", "nothing is put in place of {box} here"),
            ("network.proxy", "http://{group}:3128", "nothing is put in place of {group} here"),
            ("network.proxy", "https://proxy.example:3128", "write http://HOST:PORT"),
            ("network.wifi_password", "pässwörter", "of ASCII only; for a password with others"),
            ("network.wifi_password", "kurz", "write 8 to 63 characters"),
            (
                "network.wifi_ssid", "Hôtel des Étrangers à Évian-les-Bains",
                "this one has 41, since a letter beyond ASCII has two or more"
            ),
            ("network.wifi_ssid", "the network of the hotel at the lake", "this one has 36"),
        ])
    func remedies(_ name: String, _ value: String, _ words: String) throws {
        let parts = name.split(separator: ".")
        let verdict = try Configuration("[\(parts[0])]\n\(parts[1]) = \"\(value)\"\n").verdicts.first
        #expect(verdict?.name == name && verdict?.outcome == .wrong)
        #expect(
            verdict?.remark.contains(words) == true
                && verdict?.remark.contains("until") == (GuardedKey.byName[name]?.strictest != nil), "\(verdict?.remark ?? "")")
    }

    @Test("plain http is refused from hosts that are not allowed, and the file says so")
    func plain() throws {
        for section in ["feed", "update", "report", "settings"] {
            // What is asked for without a key is of no use either.
            let keys = ["update", "settings"].contains(section) ? "public_keys = [\"\(Self.key("C"))\"]\n" : ""
            func read(_ address: String, _ more: String = "") throws -> Configuration {
                try Configuration("[\(section)]\nurl = \"\(address)\"\n\(keys)\(more)")
            }
            let refused = try read("http://cdn.example/x.json")
            #expect(refused.verdicts.first?.outcome == .wrong && refused.verdicts.first?.remark.contains("allow_http") == true)
            let list = "\(section == "feed" ? "" : "[feed]\n")allow_http = [\"cdn.example\"]\n"
            #expect(try read("http://CDN.example:8080/x.json", list).problems.isEmpty)
            #expect(try read("http://127.0.0.1/x.json").problems.isEmpty)
        }
        let broker = try Configuration("[mqtt]\nurl = \"mqtt://broker.example\"\n")
        #expect(broker.problems.first?.remark.contains("write mqtts://, or add \"broker.example\"") == true)
        #expect(try Configuration("[mqtt]\nurl = \"mqtt://b.example\"\n[feed]\nallow_http = [\"B.example\"]\n").problems.isEmpty)
        #expect(try Configuration("[feed]\nurl = \"https://{group}.cdn.example/{box}.json\"\n").problems.isEmpty)
    }

    @Test(
        "a time zone is a file of rules, and not a folder or a table beside them",
        arguments: ["Europe", "zone.tab", "tzdata.zi", "posix"])
    func zones(_ name: String) throws {
        #expect(try Configuration("[box]\ntimezone = \"\(name)\"\n").verdicts.map(\.outcome) == [.wrong])
    }

    private static let nine = "BCDEFGHIJ".enumerated().map { "\"\(key(String($1), "n\($0)"))\"" }.joined(separator: ", ")

    private static func key(_ letter: String, _ name: String = "k1") -> String {
        "\(name):\(String(repeating: letter, count: 42))A="
    }

    @Test(
        "keys with which documents are refused, and addresses that are not asked, are wrong",
        arguments: [
            (
                "[settings]\npublic_keys = [\"\(key("C"))\"]\nspare_keys = [\"\(key("C"))\"]\n", "settings.spare_keys",
                "one key is there twice"
            ),
            (
                "[settings]\npublic_keys = [\"\(key("C"))\"]\nspare_keys = [\"\(key("C", "spare"))\"]\n", "settings.spare_keys",
                "one key is there twice"
            ),
            ("[settings]\npublic_keys = [\"\(key("C"))\"]\nspare_keys = [\"\(key("B"))\"]\n", "settings.spare_keys", "one name"),
            ("[settings]\npublic_keys = [\"\(key("C"))\", \"\(key("B"))\"]\n", "settings.public_keys", "one name"),
            ("[feed]\npublic_keys = [\"\(key("C"))\", \"\(key("B"))\"]\n", "feed.public_keys", "only the last"),
            ("[update]\npublic_keys = [\"\(key("C"))\", \"\(key("B"))\"]\n", "update.public_keys", "only the last"),
            ("[settings]\nurl = \"https://cdn.example/s.json\"\n", "settings.url", "no settings are asked for"),
            ("[settings]\npublic_keys = [\(nine)]\n", "settings.public_keys", "write at most 8 keys"),
            (
                "[settings]\npublic_keys = [\"\(key("C"))\"]\nspare_keys = [\(nine)]\n", "settings.spare_keys",
                "write at most 8 keys"
            ),
            ("[settings]\nspare_keys = [\"\(key("C", "my key"))\"]\n", "settings.spare_keys", "write a name of 1 to 64 letters"),
            ("[feed]\npublic_keys = [\"\(key("C", "clé"))\"]\n", "feed.public_keys", "write a name of 1 to 64 letters"),
            ("[update]\nurl = \"https://cdn.example/u.json\"\n", "update.url", "no updates are made"),
        ])
    func useless(file: String, name: String, words: String) throws {
        let problems = try Configuration(file).problems
        #expect(problems.map(\.name) == [name] && problems.first?.remark.contains(words) == true, "\(problems)")
    }

    @Test("a key in Base64 with bits that no key has is wrong")
    func loose() throws {
        let name = "[feed]\npublic_keys = [\"k1:\(String(repeating: "A", count: 42))B=\"]\n"
        #expect(try Configuration(name).verdicts.map(\.outcome) == [.wrong])
    }

    @Test("what a trial of the files finds is the verdict of their keys")
    func trial() throws {
        let read = Provisioning(file: "[network]\nca_file = \"ca.pem\"\n[box]\nname = \"a\"\n", applied: nil)
        let tried = read.refusing(["network.ca_file: it is no certificate.", "Another sentence."])
        #expect(
            tried.configuration.verdicts.map(\.description) == [
                "line 2: network.ca_file wrong: it is no certificate", "line 4: box.name applied: \"a\"",
            ])
        #expect(!tried.isFlawless && tried.summary == "marquee.toml: 1 applied, 0 ignored, 1 wrong.")
    }

    @Test("blanks and backslashes of a password reach iwd")
    func escapes() throws {
        let configuration = try Configuration(
            "[network]\nwifi_country = \"FR\"\nwifi_ssid = \"a\"\nwifi_password = ' two \\ blanks '\n")
        #expect(SystemFiles(configuration, serial: nil).files.contains { $0.text.contains("Passphrase=\\stwo \\\\ blanks\\s\n") })
    }
}
