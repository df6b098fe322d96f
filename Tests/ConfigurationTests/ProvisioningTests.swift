import Glibc
import TestSupport
import Testing

@testable import Configuration

@Suite("Provisioning")
struct ProvisioningTests {
    private static let password = "correct horse battery"
    private static let file = """
        # The box in room 214.
        [box]
        name = "room-214"   # on the door
        [network]
        wifi_ssid = "hotel"
        wifi_password = "\(password)"
        wifi_country = "FR"
        [feed]
        url = "https://cdn.example/feeds/{group}/{box}.json"
        headers = { Authorization = "Bearer xyzzy" }

        """

    @Test("an invalid value leaves the previous valid one applied")
    func previousValue() {
        let first = Provisioning(file: "[display]\noverscan = 3\n", applied: nil)
        let second = Provisioning(file: "[display]\noverscan = 30\n", applied: first.configuration.appliedText)
        #expect(second.configuration.overscanPercent == 3)
        #expect(second.configuration.problems.map(\.outcome) == [.wrong])
        #expect(
            second.report.contains(
                "line 2: display.overscan wrong: write a whole number from 0 to 5; until then the previous value is used"))
        let third = Provisioning(file: "[display]\n", applied: second.configuration.appliedText)
        #expect(third.configuration.overscanPercent == 0, "a removed key has its default again")
    }

    @Test("a file that is not TOML leaves the previous one applied and reports the position of the error")
    func broken() {
        let before = Provisioning(file: Self.file, applied: nil).configuration.appliedText
        let broken = Provisioning(file: "[box]\nname = \"room\nkiosk = true\n", applied: before)
        #expect(broken.configuration.boxName == "room-214")
        #expect(broken.problem?.line == 2)
        #expect(broken.report.hasPrefix("marquee.toml could not be read at line 2, column "))
        #expect(broken.fileWithoutSecrets == nil)
    }

    @Test("a removed file leaves the previous one applied")
    func gone() {
        let before = Provisioning(file: Self.file, applied: nil).configuration.appliedText
        #expect(Provisioning(file: nil, applied: before).configuration.boxName == "room-214")
    }

    @Test("secrets are removed from the file in place, and everything else stays as it was written")
    func wiped() throws {
        let provisioning = Provisioning(file: Self.file, applied: nil)
        let wiped = try #require(provisioning.fileWithoutSecrets)
        #expect(
            wiped
                == Self.file.replacing("\"\(Self.password)\"", with: "\"(stored)\"").replacing(
                    "\"Bearer xyzzy\"", with: "\"(stored)\""))
        #expect(!provisioning.report.contains("horse") && !provisioning.report.contains("xyzzy"))
        let again = Provisioning(file: wiped, applied: provisioning.configuration.appliedText)
        #expect(again.configuration.values == provisioning.configuration.values)
        #expect(again.isFlawless)
        #expect(again.fileWithoutSecrets == nil)
    }

    @Test(
        "secrets are removed whatever the layout",
        arguments: [
            "[network]\nwifi_password = 'correct horse battery'\n",
            "network.wifi_password = \"correct horse battery\"\n",
            "network = { wifi_password = \"correct horse battery\" }\n",
            "[network]\nwifi_password = \"\"\"correct horse battery\"\"\"\n",
            "[network]\nwifi_password = \"\\u0063orrect horse battery\"\n",
            "[network]\nwifi_password = \"correct horse battery\" # correct horse battery\n",
            "[network]\nwifi_ssid = \"correct horse battery\"\nwifi_password = \"correct horse battery\"\n",
        ])
    func layouts(file: String) throws {
        let provisioning = Provisioning(file: file, applied: nil)
        #expect(provisioning.configuration.text("network.wifi_password") == Self.password)
        let wiped = try #require(provisioning.fileWithoutSecrets)
        let again = Provisioning(file: wiped, applied: provisioning.configuration.appliedText)
        #expect(again.configuration.values == provisioning.configuration.values)
        // A secret that is also another key's value stays there: it is not a secret there.
        #expect(wiped.contains(Self.password) == file.contains("wifi_ssid"))
    }

    @Test("keep_secrets leaves the file unchanged; a placeholder without a stored value is invalid; a removed line deletes")
    func secretsKept() {
        #expect(
            Provisioning(file: "[box]\nkeep_secrets = true\n" + Self.file.dropFirst(29), applied: nil).fileWithoutSecrets == nil)
        let marked = Provisioning(file: "[network]\nwifi_password = \"(stored)\"\n", applied: nil)
        #expect(marked.configuration.problems.map(\.remark) == ["the box has no stored value: write the value itself"])
        let forgotten = Provisioning(file: "[network]\n", applied: "[network]\nwifi_password = \"\(Self.password)\"\n")
        #expect(forgotten.configuration.text("network.wifi_password") == nil)
    }

    @Test("stored values read back unchanged, whatever they contain")
    func keptText() throws {
        let configuration = try Configuration(
            "[feed]\nheaders = { X-Odd = \"a\\\"b\\\\c ü\" }\nallow_http = [\"10.0.0.5\", \"a.example\"]\n[audio]\ndelay_ms = -20\n[box]\nkiosk = true\n"
        )
        #expect(configuration.problems.isEmpty)
        #expect(try Configuration(configuration.appliedText).values == configuration.values)
    }

    @Test("the name and the address of the feed contain the box's name")
    func names() throws {
        let plain = try Configuration("[feed]\nurl = \"https://cdn.example/{group}/{box}.json\"\n")
        #expect(plain.feedAddress(serial: "10000000ABCDEF12") == "https://cdn.example/default/marquee-cdef12.json")
        let named = try Configuration(
            "[box]\nname = \"room-{serial}\"\ngroup = \"canary\"\n[feed]\nurl = \"https://cdn.example/{group}/{box}\"\n")
        #expect(named.feedAddress(serial: "77") == "https://cdn.example/canary/room-77")
        #expect(Configuration().name(serial: nil) == "marquee")
    }

    @Test(
        "each kind of value is checked",
        arguments: [
            ("box", "name = \"-x\""), ("box", "name = \"ro om\""), ("box", "language = \"english\""),
            ("box", "timezone = \"../etc/passwd\""),
            ("box", "group = \"a/b\""), ("feed", "url = \"cdn.example/feed.json\""),
            ("feed", "url = \"https://me:pw@cdn.example/\""),
            ("feed", "public_keys = [\"k1:abc\"]"), ("feed", "allow_http = [\"http://10.0.0.5\"]"),
            ("feed", "headers = { A = 1 }"),
            ("feed", "headers = { A = \"x\\r\\nB: y\" }"), ("network", "wifi_country = \"France\""),
            ("network", "wifi_password = \"short\""),
            ("network", "address = \"10.0.0.20\""), ("network", "address = \"10.0.0.20/33\""),
            ("network", "dns = [\"dns.example\"]"),
            ("network", "proxy = \"10.0.0.1:3128\""), ("network", "ca_file = \"/etc/passwd\""),
            ("network", "metered = \"maybe\""),
            ("display", "mode = \"1920\""), ("display", "rotation = 91"), ("display", "overscan = 6"), ("audio", "output = \"\""),
            ("audio", "delay_ms = 5000"),
            ("sound", "start_volume = 101"), ("sound", "min_volume = -1"), ("sound", "max_volume = \"50\""),
            ("remote", "keymap = \"../x\""), ("api", "token_sha256 = \"abc\""), ("api", "tokens = { a = \"look\" }"),
            ("api", "tokens = { a = \"own:abc\" }"),
            ("api", "tokens = [\"look\"]"), ("parental", "limit = \"adults\""),
            ("parental", "pin_sha256 = 1234"), ("update", "window = \"02:00-25:00\""), ("report", "interval = 5"),
            ("download", "max_kbit = 0"), ("download", "keep_free_mib = -1"),
        ])
    func wrongValues(section: String, line: String) throws {
        let configuration = try Configuration("[\(section)]\n\(line)\n")
        #expect(configuration.verdicts.map(\.outcome) == [.wrong])
        #expect(configuration.verdicts.first?.line == 2)
        let name = "\(section).\(line.prefix { $0 != " " })"
        #expect(configuration.values == (GuardedKey.byName[name]?.strictest).map { [name: $0] } ?? [:])
    }

    @Test("every key of the table accepts a valid value and says whether this version applies it")
    func everyKey() throws {
        let digest = String(repeating: "a1", count: 32)
        let file = """
            [box]
            name = "room-214"
            group = "canary"
            start = "news"
            language = "zh-Hant"
            timezone = "Europe/Paris"
            hours = ["mon-fri 08:00-18:00", "2026-12-25 closed"]
            kiosk = true
            keep_secrets = false
            [feed]
            url = "https://cdn.example/feeds/{group}/{box}.json"
            file = "feed.json"
            public_keys = ["k1:\(String(repeating: "B", count: 42))A="]
            allow_rollback = false
            allow_http = ["10.0.0.5"]
            allow_usb = false
            allow_discovery = false
            headers = { Authorization = "Bearer x" }
            [network]
            wifi_ssid = "hotel"
            wifi_password = "correct horse battery"
            wifi_country = "FR"
            address = "10.0.0.20/24 via 10.0.0.1"
            dns = ["10.0.0.1"]
            ntp = ["time.example"]
            proxy = "http://10.0.0.1:3128"
            ca_file = "operator-ca.pem"
            metered = "auto"
            [display]
            hdr = "off"
            mode = "1920x1080@59.94"
            refresh_matching = true
            overscan = 2
            rotation = 270
            [playback]
            hardware_decoding = "auto"
            [audio]
            output = "hdmi:CARD=vc4hdmi0"
            passthrough = false
            delay_ms = 20
            [sound]
            start_volume = 40
            min_volume = 0
            max_volume = 80
            [remote]
            keymap = "remote.toml"
            [api]
            token_sha256 = "\(digest)"
            tokens = { prometheus = "look:\(digest)", panel = "steer:\(digest)" }
            certificate = "page.pem"
            key = "page-key.pem"
            allow_http = false
            announce = true
            [parental]
            pin_sha256 = "\(digest)"
            limit = "PG-13"
            [update]
            url = "https://cdn.example/updates"
            public_keys = ["u1:\(String(repeating: "B", count: 42))A="]
            window = "02:00-05:00"
            [report]
            url = "https://cdn.example/reports"
            interval = 900
            plays = true
            sign_plays = true
            headers = { Authorization = "Bearer y" }
            [settings]
            url = "https://cdn.example/settings/{group}.json"
            public_keys = ["s1:\(String(repeating: "C", count: 42))A="]
            spare_keys = ["spare:\(String(repeating: "B", count: 42))A="]
            trial_minutes = 20
            [mqtt]
            url = "mqtts://broker.example:8884"
            user = "boxes"
            password = "correct horse"
            certificate = "box.pem"
            key = "box-key.pem"
            topic = "hotel/floor-2"
            discovery = "homeassistant"
            allow = "configure"
            [download]
            window = "01:00-06:00"
            max_kbit = 4000
            keep_free_mib = 512
            """
        let configuration = try Configuration(file)
        #expect(configuration.broker == BrokerAddress("mqtts://broker.example:8884") && configuration.broker?.port == 8884)
        #expect(configuration.discoveryPrefix == "homeassistant")
        #expect(configuration.settingsAddress(serial: nil) == "https://cdn.example/settings/canary.json")
        #expect(configuration.settingsKeys.all.map { $0.prefix { $0 != ":" } } == ["spare", "s1"])
        #expect(configuration.settingsTrial == .seconds(1200) && configuration.updateKeys.first?.hasPrefix("u1:") == true)
        #expect(configuration.brokerTopic == "hotel/floor-2" && configuration.brokerRight == "configure")
        for (text, address) in [
            ("mqtts://broker.example", "broker.example 8883"), ("mqtt://10.0.0.5", "10.0.0.5 1883"),
            ("MQTTS://[fd00::1]:8883/", "fd00::1 8883"),
            ("https://broker.example", ""), ("mqtts://", ""), ("mqtts://a:0", ""), ("mqtts://a:70000", ""),
            ("mqtts://user@a", ""), ("mqtts://a/b", ""),
        ] {
            #expect((BrokerAddress(text).map { "\($0.host) \($0.port)" } ?? "") == address, "\(text)")
        }
        #expect(configuration.problems.map(\.description) == [] && configuration.reportsPlays && configuration.signsPlays)
        #expect(
            configuration.reportHeaders == ["Authorization: Bearer y"] && configuration.feedHeaders == ["Authorization: Bearer x"]
        )
        #expect(Set(configuration.verdicts.map(\.name)) == Set(ConfigurationKey.all.map(\.name)))
        #expect(
            configuration.report.contains(
                "update.window applied: \"02:00-05:00\""))
        #expect(configuration.report.contains("download.max_kbit applied: 4000"))
        #expect(configuration.downloadWindow == "01:00-06:00" && configuration.downloadBitRate == 4_000_000)
        #expect(configuration.downloadFreeBytes == 512 << 20)
        #expect(configuration.report.contains("api.token_sha256 applied: (secret)"))
        #expect(configuration.report.contains("api.tokens applied: (secret)"))
        #expect(
            configuration.tokens.map { "\($0.name) \($0.right)" } == ["token_sha256 configure", "panel steer", "prometheus look"])
        #expect(
            configuration.text(hidingSecrets: true).contains(
                "tokens = { \"panel\" = \"(stored)\", \"prometheus\" = \"(stored)\" }"))
    }
}

/// Files in a temporary folder.
final class Workbench {
    private let scratch = ScratchFolder("provisioning")
    var folder: String { scratch.path }
    var firmware: String { folder + "/firmware" }
    var data: String { folder + "/provision" }
    var files: ProvisioningFiles { ProvisioningFiles(file: firmware + "/marquee.toml", folder: data) }

    init() {
        mkdir(firmware, 0o755)
    }

    func put(_ text: String, _ name: String) { _ = try? SmallFile.write(text, to: name, mode: 0o644) }
    func get(_ name: String) -> String? {
        (try? SmallFile.read(name)).flatMap { $0 }.map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite("The files of provisioning")
struct ProvisioningFilesTests {
    @Test("values are stored, reported next to the file and wiped from it; a second run writes nothing")
    func whole() throws {
        let bench = Workbench()
        bench.put("[network]\nwifi_password = \"correct horse battery\"\n[box]\nnam = \"x\"\n", bench.files.file)
        let first = try bench.files.write(try bench.files.read())
        #expect(first == [.kept, .report, .wiped])
        #expect(bench.get(bench.files.file) == "[network]\nwifi_password = \"(stored)\"\n[box]\nnam = \"x\"\n")
        #expect(bench.get(bench.data + "/applied.toml") == "[network]\nwifi_password = \"correct horse battery\"\n")
        let report = try #require(bench.get(bench.firmware + "/applied.txt"))
        #expect(report.hasPrefix("marquee.toml: 1 applied, 1 ignored, 0 wrong.\n"))
        #expect(report.contains("line 4: box.nam ignored: there is no such key; did you mean box.name?"))
        #expect(!report.contains("horse"))
        var opened = 0
        #expect(try bench.files.write(try bench.files.read(), opening: { opened += 1 }) == [])
        #expect(opened == 0, "a partition with a correct file is not made writable")
        var status = stat()
        #expect(stat(bench.data + "/applied.toml", &status) == 0 && status.st_mode & 0o077 == 0)
    }

    @Test("a power cut between storing and wiping loses nothing")
    func interrupted() throws {
        let bench = Workbench()
        bench.put("[network]\nwifi_password = \"correct horse battery\"\n", bench.files.file)
        struct Cut: Error {}
        let cut = ConfigurationError(code: .system(EIO), description: "cut")
        #expect(throws: cut) {
            try bench.files.write(try bench.files.read(), opening: { () throws(ConfigurationError) in throw cut })
        }
        #expect(bench.get(bench.files.file)?.contains("horse") == true)
        #expect(try bench.files.write(try bench.files.read()) == [.report, .wiped])
        #expect(try bench.files.read().configuration.text("network.wifi_password") == "correct horse battery")
    }

    @Test("a file that is not TOML changes only the report")
    func broken() throws {
        let bench = Workbench()
        bench.put("[box]\nname = \"room-214\"\n", bench.files.file)
        _ = try bench.files.write(try bench.files.read())
        bench.put("[box\n", bench.files.file)
        #expect(try bench.files.write(try bench.files.read()) == [.report])
        #expect(try bench.files.read().configuration.boxName == "room-214")
        #expect(bench.get(bench.firmware + "/applied.txt")?.hasPrefix("marquee.toml could not be read at line 1") == true)
    }

    @Test("reset is recognised in any case of letters")
    func reset() {
        let bench = Workbench()
        #expect(!bench.files.isResetAskedFor)
        bench.put("", bench.firmware + "/other")
        bench.put("x", bench.firmware + "/RESET")
        #expect(bench.files.isResetAskedFor)
    }

    @Test("the system's services get the configured values")
    func system() throws {
        let bench = Workbench()
        let fixed = try Configuration(
            "[network]\naddress = \"10.0.0.20/24 via 10.0.0.1\"\ndns = [\"10.0.0.1\"]\nntp = [\"time.example\"]\nwifi_ssid = \"Café\"\nwifi_password = \"correct horse\"\nwifi_country = \"FR\"\n[box]\nname = \"room-{serial}\"\n"
        )
        try SystemFiles(fixed, serial: "7").write(below: bench.folder + "/system")
        #expect(bench.get(bench.folder + "/system/hostname") == "room-7\n")
        let network = try #require(bench.get(bench.folder + "/system/network/10-marquee.network"))
        for line in ["Address=10.0.0.20/24", "Gateway=10.0.0.1", "DNS=10.0.0.1", "UseDNS=no"] {
            #expect(network.contains(line + "\n"))
        }
        #expect(!network.contains("DHCP=yes"))
        #expect(
            bench.get(bench.folder + "/system/iwd/=436166c3a9.psk")
                == "[Security]\nPassphrase=correct horse\n\n[Settings]\nAutoConnect=true\n")
        let radio = try #require(bench.get(bench.folder + "/system/iwd/main.conf"))
        #expect(radio.contains("[General]\nCountry=FR\n"))
        #expect(radio.hasSuffix("\n[Blacklist]\nInitialTimeout=5\nMultiplier=2\nMaximumTimeout=20\n"))
        try SystemFiles(Configuration(), serial: "7").write(below: bench.folder + "/system")
        #expect(bench.get(bench.folder + "/system/iwd/=436166c3a9.psk") == nil, "the previous network is removed")
        #expect(bench.get(bench.folder + "/system/network/10-marquee.network")?.contains("DHCP=yes") == true)
        #expect(
            SystemFiles.radioRemark(try Configuration("[network]\nwifi_ssid = \"hotel\"\n"))?.contains("wifi_country") == true)
    }
}

@Suite("The page on the local network")
struct PageAnnouncementTests {
    private let digest = String(repeating: "0a", count: 32)

    @Test("it is announced when it is asked for and other machines can reach it")
    func announced() throws {
        let asked = try Configuration("[box]\nname = \"room-{serial}\"\n[api]\nannounce = true\ntoken_sha256 = \"\(digest)\"\n")
        #expect(PageAnnouncement(asked, serial: "7")?.description == "room-7._marquee._tcp.local, https, port 8080")
        #expect(PageAnnouncement.remark(asked) == nil)
        let plain = try Configuration("[api]\nannounce = true\nallow_http = true\ntoken_sha256 = \"\(digest)\"\n")
        #expect(PageAnnouncement(plain, serial: nil)?.description == "marquee._marquee._tcp.local, http, port 8080")
        let closed = try Configuration("[api]\nannounce = true\n")
        #expect(PageAnnouncement(closed, serial: "7") == nil)
        #expect(PageAnnouncement.remark(closed)?.contains("[api] tokens") == true)
        let quiet = try Configuration("[api]\ntoken_sha256 = \"\(digest)\"\n")
        #expect(PageAnnouncement(quiet, serial: "7") == nil && PageAnnouncement.remark(quiet) == nil)
    }

    @Test("systemd-resolved gets the service and permission for multicast, and loses both")
    func files() throws {
        let bench = Workbench()
        let system = bench.folder + "/system"
        let asked = try Configuration("[box]\nname = \"room-7\"\n[api]\nannounce = true\ntoken_sha256 = \"\(digest)\"\n")
        try SystemFiles(asked, serial: nil).write(below: system)
        #expect(
            bench.get(system + "/dnssd/marquee.dnssd")
                == "[Service]\nName=room-7\nType=_marquee._tcp\nPort=8080\nTxtText=txtvers=1 scheme=https path=/\n")
        #expect(bench.get(system + "/resolved.conf.d/multicast.conf") == "[Resolve]\nMulticastDNS=yes\n")
        #expect(bench.get(system + "/network/10-marquee.network")?.contains("\nMulticastDNS=yes\n") == true)
        try SystemFiles(Configuration(), serial: nil).write(below: system)
        #expect(bench.get(system + "/dnssd/marquee.dnssd") == nil)
        #expect(bench.get(system + "/resolved.conf.d/multicast.conf") == nil)
        #expect(bench.get(system + "/network/10-marquee.network")?.contains("\nMulticastDNS=no\n") == true)
    }
}

@Suite("Sources for a box that was not provisioned")
struct FoundSourceTests {
    private func hexadecimal(_ text: String) -> String {
        text.utf8.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    @Test("a USB disk comes before the network, and a file on it without a feed is ignored")
    func order() throws {
        let bench = Workbench()
        var places = FoundSource.Places(copy: bench.folder + "/feed.json")
        places.media = bench.folder + "/media"
        places.leases = bench.folder + "/leases"
        #expect(FoundSource.all(places).first == nil)
        let announced = ["ftp://no.example/", "https://announced.example/feed.json"]
        #expect(FoundSource.all(places, announced: announced).first?.words == announced[1])
        #expect(FoundSource.all(places, asksNetwork: false, announced: announced).first == nil)
        for folder in ["", "/stick", "/other"] { mkdir(places.media + folder, 0o755) }
        mkdir(places.leases, 0o755)
        bench.put("ADDRESS=10.0.0.9\nOPTION_224=\(hexadecimal("https://cdn.example/feed.json"))00\n", places.leases + "/2")
        #expect(
            FoundSource.all(places, announced: announced).first?.settings == "[feed]\nurl = \"https://cdn.example/feed.json\"\n")
        bench.put("[box]\nname = \"x\"\n", places.media + "/other/marquee.toml")
        #expect(FoundSource.all(places).first?.words == "https://cdn.example/feed.json")
        bench.put("{}", places.media + "/stick/feed.json")
        let stick = try #require(FoundSource.all(places).first)
        #expect(stick.words == "feed.json on the disk “stick”")
        #expect(stick.feed == places.media + "/stick/feed.json")
        #expect(try Configuration(stick.settings).feedFile == places.copy)
        bench.put("[feed]\nurl = \"https://a.example/f.json\"\n", places.media + "/other/marquee.toml")
        #expect(FoundSource.all(places).first?.words == "marquee.toml on the disk “other”")
    }

    @Test(
        "an option that is not an address is ignored",
        arguments: ["OPTION_224=zz", "OPTION_224=6", "OPTION_224=", "OPTION_225=68747470733a2f2f612e6578616d706c652f", ""])
    func options(line: String) { #expect(FoundSource.address(inLease: line + "\n") == nil) }
}

@Suite("Files next to the settings, and what the network announces")
struct BesideTests {
    @Test("a key map has keys for all devices and for single ones")
    func keyMap() throws {
        let maps = try KeyMapFile.read(
            "KEY_RED = \"subtitle\"\n0x2c0 = \"menu\"\n[\"IR receiver\"]\nKEY_F1 = \"none\"\n", name: "r.toml")
        #expect(maps == ["*": ["KEY_RED": "subtitle", "0x2c0": "menu"], "IR receiver": ["KEY_F1": "none"]])
        #expect(try KeyMapFile.read("", name: "r.toml").isEmpty)
        for text in ["KEY_RED = 3\n", "KEY_RED = \n", "[x]\nKEY_RED = true\n", "\"a\\nb\" = 3\n", "3 =n\n", "3 =n\r\n"] {
            let error = #expect(throws: ConfigurationError.self) { try KeyMapFile.read(text, name: "r.toml") }
            #expect(error?.description.contains("\n") == false)
        }
    }

    @Test("a named file that does not exist is reported with its line, and the key is not applied")
    func missing() throws {
        let bench = Workbench()
        bench.put("[network]\nca_file = \"ca.pem\"\n[remote]\nkeymap = \"r.toml\"\n", bench.files.file)
        bench.put("x", bench.firmware + "/r.toml")
        let configuration = try bench.files.read().configuration
        #expect(
            configuration.problems.map(\.description) == [
                "line 2: network.ca_file wrong: there is no file ca.pem in the folder of this one; put it there, or remove the key"
            ])
        #expect(configuration.authorityFile == nil && configuration.keyMapFile == "r.toml")
        #expect(bench.files.beside("r.toml") == bench.firmware + "/r.toml")
    }

    @Test("a phone's keyword in the lease, or no link except a modem's, means a metered network")
    func metered() throws {
        let word = "ANDROID_METERED".utf8.map { String($0, radix: 16) }.joined()
        #expect(MeteredLink.isMetered(lease: "ADDRESS=10.0.0.9\nVENDOR_SPECIFIC=\(word)\n"))
        #expect(!MeteredLink.isMetered(lease: "VENDOR_SPECIFIC=0102\nOPTION_224=\(word)\n"))
        let bench = Workbench()
        let (leases, links) = (bench.folder + "/leases", bench.folder + "/net")
        for folder in [leases, links, links + "/lo", links + "/wwan0", links + "/eth0"] { mkdir(folder, 0o755) }
        bench.put("1\n", links + "/lo/carrier")
        #expect(!MeteredLink.isAnnounced(leases: leases, links: links))
        bench.put("1\n", links + "/wwan0/carrier")
        bench.put("0\n", links + "/eth0/carrier")
        #expect(MeteredLink.isAnnounced(leases: leases, links: links))
        bench.put("1\n", links + "/eth0/carrier")
        #expect(!MeteredLink.isAnnounced(leases: leases, links: links))
        bench.put("VENDOR_SPECIFIC=\(word)\n", leases + "/2")
        #expect(MeteredLink.isAnnounced(leases: leases, links: links))
    }
}
