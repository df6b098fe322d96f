import BoxModel
import ChannelFeed
import Configuration
import ControlServer
import Cryptography
import Display
import Glibc
import Library
import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Shell
import Supervision
import TestSupport
import Testing
import Viewing

@testable import Appliance
@testable import BoxAssembly
@testable import Housekeeping
@testable import marquee

@Suite("Each key of marquee.toml takes effect", .serialized)
@MainActor
struct KeyTests {
    private static let digest = String(repeating: "ab", count: 32)
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBfjCCASOgAwIBAgIUVlCbH2gqAb+tz4XAOxsugoh6ElowCgYIKoZIzj0EAwIw
        EzERMA8GA1UEAwwIb3BlcmF0b3IwIBcNMjYxMTI4MDgzNzIyWhgPMjEyNjExMDQw
        ODM3MjJaMBMxETAPBgNVBAMMCG9wZXJhdG9yMFkwEwYHKoZIzj0CAQYIKoZIzj0D
        AQcDQgAE/xlHpPtk45ZiMrkB+qFx6eaTnM1tCPp9GAGjFyjFQpT6/PF3j25cJ47M
        EH7tyRc5Soa6dNfuW31OfJ6Ysv9h+aNTMFEwHQYDVR0OBBYEFITPhrUi9uDu4Ds7
        xBFt2U+Q9cDwMB8GA1UdIwQYMBaAFITPhrUi9uDu4Ds7xBFt2U+Q9cDwMA8GA1Ud
        EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSQAwRgIhAK0UDhEG5KUtt6zC6tmxYlPI
        HoWQnfFWiUZJocfD5oxQAiEA/QDTh1m6H3B+q2iFsJnH251WdBgnoGwrw9fhV6tG
        yL4=
        -----END CERTIFICATE-----

        """

    @Test("name, language, kiosk, overscan, parental control, sound, network")
    func values() throws {
        let desk = try Desk(
            """
            [box]
            name = "room-{serial}"
            language = "de"
            kiosk = true
            [display]
            overscan = 3
            mode = "1280x720@50"
            rotation = 90
            refresh_matching = false
            hdr = "off"
            [playback]
            hardware_decoding = "off"
            [parental]
            pin_sha256 = "\(Self.digest)"
            limit = "12"
            [audio]
            delay_ms = -120
            passthrough = true
            [sound]
            start_volume = 25
            min_volume = 10
            max_volume = 70
            [network]
            proxy = "http://10.0.0.1:3128"
            metered = "yes"
            [api]
            token_sha256 = "\(Self.digest.uppercased())"
            tokens = { grafana = "look:\(String(repeating: "CD", count: 32))" }
            """)
        defer { desk.close() }
        let appliance = desk.box.appliance
        #expect(appliance.parts.viewer.facts([]).name == "room-77")
        #expect(appliance.machine.strings.language == "de" && appliance.parts.languages == ["de"])
        #expect(appliance.machine.policy.isKiosk)
        #expect(appliance.machine.policy.overscanPercent == 3)
        #expect(appliance.machine.policy.hasPIN)
        #expect(appliance.parts.viewer.parentalLimit == ParentalLimit(value: "12"))
        #expect(desk.plan.picture.preferredMode == DisplayMode(text: "1280x720@50"))
        #expect(desk.plan.picture.rotation == .quarter)
        #expect(!appliance.parts.services.matchesRefresh && !appliance.parts.services.showsHighRange)
        #expect(!desk.plan.picture.decodesInHardware)
        #expect(appliance.parts.services.soundDelay == .milliseconds(-120))
        #expect(appliance.parts.services.passesSoundThrough)
        #expect(desk.box.player.volume == 0.25)
        #expect(appliance.parts.services.isMetered())
        #expect(desk.plan.network.transfer.proxy == "http://10.0.0.1:3128")
        let grafana = AccessToken(name: "grafana", right: .look, digest: String(repeating: "cd", count: 32))
        #expect(desk.plan.doors.tokens == [AccessToken(name: "token_sha256", right: .configure, digest: Self.digest), grafana])
    }

    @Test("limits of the volume that contradict each other are told, and the most counts")
    func volumes() throws {
        let configuration = try Configuration("[sound]\nstart_volume = 90\nmin_volume = 60\nmax_volume = 40\n")
        var plan = BoxPlan()
        plan.apply(configuration, files: nil, options: try .parse([]), serial: nil, folder: nil)
        #expect(plan.sound.volume == VolumeLimits(start: 40, least: 40, most: 40))
        let told = configuration.refusing(plan.remarks).verdicts
        #expect(told.filter { $0.outcome == .wrong }.map(\.name) == ["sound.start_volume", "sound.min_volume"])
        plan = BoxPlan()
        plan.apply(try Configuration("[sound]\nmin_volume = 20\n"), files: nil, options: try .parse([]), serial: nil, folder: nil)
        #expect(plan.remarks.isEmpty && plan.sound.volume == VolumeLimits(least: 20))
    }

    @Test("a token allows what its entry says, and another text nothing")
    func tokens() {
        #expect(AccessToken.check([]) == nil)
        let check = AccessToken.check([
            AccessToken(name: "a", right: .look, digest: SHA256.hexadecimal(of: "one")),
            AccessToken(name: "b", right: .steer, digest: SHA256.hexadecimal(of: "two")),
            AccessToken(name: "c", right: .configure, digest: SHA256.hexadecimal(of: "one")),
        ])
        #expect(check?("two") == .steer)
        #expect(check?("one") == .configure, "the greater right of two entries for one token")
        #expect(check?("three") == nil && check?("") == nil)
    }

    @Test("the configured sound device is opened, unless the command line names another")
    func audio() throws {
        let configuration = try Configuration("[audio]\noutput = \"hdmi:CARD=x\"\n")
        var plan = BoxPlan()
        plan.apply(configuration, files: nil, options: try .parse([]), serial: nil, folder: nil)
        #expect(plan.sound.output == .preferred(device: "hdmi:CARD=x"))
        var other = BoxPlan(audio: .null)
        other.apply(configuration, files: nil, options: try .parse([]), serial: nil, folder: nil)
        #expect(other.sound.output == .null)
    }

    @Test("hardware decoders are tried in real time, unless the operator forbids them", arguments: ["auto", "off"])
    func hardware(_ word: String) throws {
        var plan = BoxPlan(display: .headless(DisplayMode(text: "320x180@60")!), audio: .null)
        plan.apply(
            try Configuration("[playback]\nhardware_decoding = \"\(word)\"\n"), files: nil, options: try .parse([]), serial: nil,
            folder: nil)
        let box = try Box(plan)
        defer { box.close() }
        #expect(box.player.services.decodesInHardware == (word == "auto"))
    }

    @Test("without keys the documented defaults apply")
    func standard() throws {
        let desk = try Desk("")
        defer { desk.close() }
        #expect(!desk.box.appliance.machine.policy.isKiosk)
        #expect(desk.box.appliance.parts.viewer.facts([]).name == "marquee-77")
        #expect(
            desk.plan.network.transfer.authorities == nil && desk.plan.doors.tokens.isEmpty && desk.plan.doors.keyMaps.isEmpty
        )
        #expect(desk.box.appliance.parts.services.soundDelay == .zero)
        #expect(desk.box.appliance.parts.services.matchesRefresh && desk.box.appliance.parts.services.showsHighRange)
        #expect(desk.plan.picture.decodesInHardware)
        #expect(desk.plan.remarks == [])
    }

    @Test("certificates and a key map are next to the file; an unusable one is reported and skipped")
    func besides() throws {
        let toml = "[network]\nca_file = \"operator-ca.pem\"\n[remote]\nkeymap = \"remote.toml\"\n"
        let good = try Desk(
            toml,
            files: [
                "firmware/operator-ca.pem": Self.certificate,
                "firmware/remote.toml": "KEY_RED = \"subtitle\"\n[\"IR receiver\"]\nKEY_F1 = \"none\"\n",
            ])
        defer { good.close() }
        #expect(good.plan.network.transfer.authorities == good.folder.path + "/state/authorities.pem")
        #expect(good.folder.get("state/authorities.pem")?.hasSuffix(Self.certificate) == true)
        #expect(good.plan.doors.keyMaps == ["*": ["KEY_RED": "subtitle"], "IR receiver": ["KEY_F1": "none"]])

        let bad = try Desk(
            toml, files: ["firmware/operator-ca.pem": "no certificate", "firmware/remote.toml": "KEY_RED = \"dance\"\n"])
        defer { bad.close() }
        #expect(bad.plan.network.transfer.authorities == nil && bad.plan.doors.keyMaps.isEmpty)
        #expect(bad.plan.remarks.count == 2)
        bad.keeping.start()
        let lines = try #require(bad.screen.verdict?.lines)
        #expect(lines.contains { $0.contains("operator-ca.pem is not a PEM certificate") })
        #expect(lines.contains { $0.contains("dance, given for KEY_RED, is not a key") })

        let missing = try Desk(toml)
        defer { missing.close() }
        missing.keeping.start()
        #expect(
            missing.screen.verdict?.lines.contains { $0.contains("there is no file operator-ca.pem in the folder of this one") }
                == true)
    }

    @Test("the verdict is shown for 30 seconds, and not again for the same file")
    func verdict() throws {
        let desk = try Desk("[box]\nnam = \"x\"\n")
        defer { desk.close() }
        desk.keeping.start()
        #expect(desk.screen.verdict?.lines.first?.contains("box.nam ignored") == true)
        desk.run(for: .seconds(29))
        #expect(desk.screen.verdict != nil)
        desk.run(for: .seconds(2))
        #expect(desk.screen.verdict == nil)
        #expect(desk.folder.get("state/verdict")?.contains("box.nam") == true)
    }

    @Test(
        "on a metered network the feed's limit applies, and without one the box selects the lowest variant"
    )
    func metered() throws {
        #expect(NetworkUse.Rule(.deny, isMetered: false) == .everything)
        #expect(NetworkUse.Rule(.allow, isMetered: true) == .everything)
        #expect(NetworkUse.Rule(.low, isMetered: true) == .lowest)
        #expect(NetworkUse.Rule(nil, isMetered: true) == .lowest)
        let feed = """
            {"feedVersion": 1, "channels": [{"id": "n", "title": "N", "streams": [{"url": "http://127.0.0.1:9/n.m3u8"}]}],
             "start": {"channel": "n"}, "policy": {"metered": "deny"}}
            """
        let desk = try Desk(
            "[network]\nmetered = \"yes\"\n[feed]\nfile = \"feed.json\"\n", files: ["firmware/feed.json": feed])
        defer { desk.close() }
        desk.keeping.start()
        #expect(desk.run(until: { desk.box.appliance.firstFailure != nil }))
        #expect(desk.box.appliance.firstFailure?.code == .networkMetered, "\(desk.log)")
        #expect(desk.box.appliance.currentLog?.accessEvents.isEmpty != false)
    }

    @Test("a time zone applies to the whole process")
    func timeZone() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let configuration = try Configuration("[box]\ntimezone = \"Asia/Tokyo\"\n")
            configuration.prepareProcess()
            var time = time_t(0)
            var local = tm()
            localtime_r(&time, &local)
            // 1 January 1970, nine in the morning.
            exit(local.tm_hour == 9 ? 7 : 1)
        }
    }
}

@Suite("The output of marquee doctor", .serialized)
@MainActor
struct DoctorTests {
    private func line(_ facts: [(String, String)], _ name: String) -> String? { facts.first { $0.0 == name }?.1 }

    @Test("updates have lines: what runs, what was given up, whose bundles are accepted, and how long the image is supported")
    func updates() throws {
        let folder = ScratchFolder("doctor-updates")
        #expect(BoxExamination.updates(slots: folder.path + "/slots").isEmpty)
        folder.put("running=b\nversion=0.2.0+g1\ntrial=yes\nrefused=0.4.0 it crashed\nrefused=0.3.0 no sound\n", "slots")
        #expect(
            line(BoxExamination.updates(slots: folder.path + "/slots"), "updates")
                == "0.2.0+g1 runs from slot b; on trial; 0.3.0 was given up: no sound; 0.4.0 was given up: it crashed")
        folder.put("ID=debian\nSUPPORT_END=2031-12-31\n", "release")
        #expect(BoxExamination.support(release: folder.path + "/release").isEmpty)
        folder.put("ID=marquee\nVERSION_ID=1\n", "release")
        #expect(
            line(BoxExamination.support(release: folder.path + "/release"), "support")
                == "the vendor states no end and no contact")
        folder.put("ID=marquee\nBUG_REPORT_URL=\"mailto:a@operator.example\"\nSUPPORT_END=2031-12-31\n", "release")
        #expect(
            line(BoxExamination.support(release: folder.path + "/release"), "support")
                == "until 2031-12-31; vulnerabilities to mailto:a@operator.example")
        #expect(MachineExamination.updateAuthorities(folder.path + "/none").isEmpty)
        folder.put("no certificate", "keyring.pem")
        #expect(
            line(MachineExamination.updateAuthorities(folder.path + "/keyring.pem"), "update authority")?
                .hasSuffix("no update is accepted") == true)
    }

    @Test("a setting that only a newer version knows stays when this one saves; a default removes a known one")
    func settingsOfNewerVersions() throws {
        let folder = ScratchFolder("newer-settings")
        let loop = try MainLoop(time: .simulated)
        let library = Library(path: folder.path + "/library.sqlite", clock: loop.clock)
        defer { library.close() }
        library.setValue("yes", "viewer.newer.setting")
        library.setValue("sepia", "viewer.captions.colour")
        library.setValue("true", "viewer.interface.larger-text")
        let store = LibrarySettings(library)
        var settings = ViewerSettings(entries: store.entries)
        settings[.largerText] = false
        settings[.highContrast] = true
        store.save(settings.entries)
        #expect(
            store.entries.map { "\($0.name)=\($0.value)" }
                == ["captions.colour=sepia", "interface.high-contrast=true", "newer.setting=yes"])
    }

    @Test("slot, network, feed, settings and parts have a line each")
    func lines() throws {
        let folder = ScratchFolder("box")
        folder.put("quiet marquee.slot=b root=x\n", "cmdline")
        folder.put("slot=a\ntry=b\nleft=2\n", "slot.txt")
        #expect(
            line(BoxExamination.slot(commandLine: folder.path + "/cmdline", file: folder.path + "/slot.txt"), "slot")
                == "b; good is a; b is on trial, 2 starts left")
        folder.put("quiet\n", "cmdline")
        #expect(BoxExamination.slot(commandLine: folder.path + "/cmdline").isEmpty)
        let provisioning = Provisioning(
            file:
                "[feed]\nurl = \"https://a.example/{box}.json\"\npublic_keys = [\"\(Signed.key)\"]\nallow_usb = true\n[network]\nmetered = \"yes\"\nproxy = \"http://10.0.0.1:1\"\nwifi_ssid = \"x\"\n[update]\nwindow = \"02:00-05:00\"\n",
            applied: nil)
        let network = try #require(line(BoxExamination.network(provisioning.configuration, serial: nil), "network"))
        for words in ["metered", "http://10.0.0.1:1", "Wi-Fi is off"] { #expect(network.contains(words)) }
        #expect(
            line(BoxExamination.feed(provisioning, stateFolder: folder.path, serial: "77"), "feed")
                == "https://a.example/marquee-77.json; signed by one of 1 pinned keys; or from a disk, signed by them; no last good feed"
        )
        #expect(
            line(BoxExamination.feed(Provisioning(file: nil, applied: nil), stateFolder: nil, serial: nil), "feed")?.hasPrefix(
                "no source") == true)
        let settings = BoxExamination.settings(.success(provisioning))
        #expect(line(settings, "settings") == "marquee.toml: 7 applied, 0 ignored, 0 wrong.")
        let desk = try Desk("")
        defer { desk.close() }
        let parts = FoundParts.facts(of: desk.box)
        for name in ["display", "mode", "video memory", "interface memory", "sound", "found"] {
            #expect(line(parts, name) != nil)
        }
    }
}

@Suite("Reset, kiosk and safe mode on a whole box", .serialized)
@MainActor
struct BoxLifeTests {
    private static let items = """
        {"feedVersion": 1, "channels": [{"id": "loop", "title": "Loop", "kind": "playlist", "loop": true, "items": ["a", "b"]}], "items": [
         {"id": "a", "type": "movie", "title": "Film A", "streams": [{"url": "http://127.0.0.1:9/a.mp4"}]},
         {"id": "b", "type": "movie", "title": "Film B", "streams": [{"url": "http://127.0.0.1:9/b.mp4"}]}], "start": {"channel": "loop"}}
        """
    private static let toml = "[feed]\nfile = \"feed.json\"\n"

    @Test(
        "a file named reset is announced with a countdown of ten seconds before anything is deleted; without a unit to do it the box continues"
    )
    func reset() throws {
        let desk = try Desk(Self.toml, files: ["firmware/reset": "", "firmware/feed.json": Self.items])
        defer { desk.close() }
        desk.keeping.start()
        #expect(desk.screen.setUp?.kind == .reset)
        #expect(desk.screen.setUp?.paragraphs.first?.contains("In 10\u{A0}s") == true)
        desk.run(for: .seconds(7))
        #expect(desk.screen.setUp?.paragraphs.first?.contains("In 3\u{A0}s") == true)
        #expect(desk.press(.ok) == .failed(.notSupported), "no key shortens the wait")
        #expect(desk.run(until: { desk.box.appliance.offersChannels }))
        #expect(desk.log.contains("not possible without a runtime folder"))
    }

    @Test(
        "a reset requested in Settings can be undone with Back for ten seconds; a feed that arrives meanwhile does not hide that"
    )
    func asked() throws {
        func feed(_ name: String) -> String {
            """
            {"feedVersion": 1, "id": "\(name)", "refresh": {"interval": 4, "jitterPercent": 0},
             "channels": [{"id": "n", "title": "N", "streams": [{"url": "https://cdn.example/n.m3u8"}]}]}
            """
        }
        let desk = try Desk("[feed]\nfile = \"feed.json\"\n", files: ["firmware/feed.json": feed("first")])
        defer { desk.close() }
        desk.keeping.start()
        #expect(desk.run(until: { desk.box.appliance.offersChannels }))
        for key in [.up, .right, .right, .right, .ok] as [RemoteKey] { desk.press(key) }
        #expect(desk.settingsPage == "top", "\(desk.screen)")
        for _ in 0..<20 { desk.press(.down) }
        for key in [.ok, .down, .ok] as [RemoteKey] { desk.press(key) }
        #expect(desk.screen.setUp?.kind == .reset)
        #expect(desk.screen.setUp?.paragraphs.first?.hasPrefix("In 10\u{A0}s") == true)
        desk.folder.put(feed("second"), "firmware/feed.json")
        desk.run(for: .seconds(5))
        #expect(desk.keeping.life.feedInUse?.id == "second")
        #expect(desk.screen.setUp?.paragraphs.first?.hasPrefix("In 5\u{A0}s") == true)
        #expect(desk.press(.ok) == .failed(.notSupported))
        #expect(desk.press(.back) == .success)
        #expect(desk.screen.setUp == nil && desk.settingsPage == "top")
        desk.run(for: .seconds(30))
        #expect(desk.screen.setUp == nil && !desk.log.contains("factory reset:"))
        desk.press(.ok)
        desk.press(.down)
        desk.press(.ok)
        #expect(desk.run(within: .seconds(15), until: { desk.log.contains("factory reset: asked for in Settings") }))
        #expect(desk.screen.setUp == nil && desk.log.contains("not possible without a runtime folder"))
    }

    @Test("with a runtime folder the request for a factory reset is written there, for the unit that performs it")
    func wish() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            try await MainActor.run {
                let runtime = ScratchFolder("box")
                setenv("RUNTIME_DIRECTORY", runtime.path, 1)
                let desk = try Desk("", files: ["firmware/RESET": ""])
                desk.keeping.start()
                desk.run(for: .seconds(9))
                let early = runtime.get("reset")
                desk.run(for: .seconds(2))
                let late = runtime.get("reset")
                desk.close()
                exit(early == nil && late != nil ? 7 : 1)
            }
        }
    }

    @Test("after five crashes nothing is opened: the safe screen shows the box's name, address and page; OK tries again at once")
    func safe() throws {
        let decision = CrashPolicy.Decision(staysSafe: true, triesAgainAfter: .seconds(300))
        let desk = try Desk(
            "[box]\nlanguage = \"de\"\n" + Self.toml, files: ["firmware/feed.json": Self.items],
            session: Session(id: "a", boot: "x"), decision: decision, pagePort: 8080)
        defer { desk.close() }
        desk.keeping.start()
        desk.run(for: .seconds(60))
        let view = try #require(desk.screen.setUp)
        #expect(view.kind == .safe && view.title == "Es tritt immer wieder ein Fehler auf." && view.button == "Erneut versuchen")
        #expect(view.paragraphs.last?.contains("4 Minuten") == true, "\(view.paragraphs)")
        if let address = MachineFacts.address {
            #expect(view.facts.last?.value == "http://\(address):8080/" && view.code == "http://\(address):8080/")
        }
        #expect(!desk.box.appliance.offersChannels)
        #expect(desk.press(.ok) == .success)
        #expect(desk.run(until: { desk.box.appliance.offersChannels }))
        #expect(desk.screen.setUp == nil)
    }

    @Test("the safe screen tries again by itself after its time")
    func safeEnds() throws {
        let decision = CrashPolicy.Decision(staysSafe: true, triesAgainAfter: .seconds(300))
        let desk = try Desk(Self.toml, files: ["firmware/feed.json": Self.items], decision: decision)
        defer { desk.close() }
        desk.keeping.start()
        desk.run(for: .seconds(290))
        #expect(!desk.box.appliance.offersChannels)
        #expect(desk.run(within: .seconds(30), until: { desk.box.appliance.offersChannels }))
    }

    @Test(
        "an item that stopped the box three times is skipped, with a message in the box's language, and its queue starts with the next"
    )
    func leftOut() throws {
        let desk = try Desk(
            "[box]\nlanguage = \"fr\"\n" + Self.toml, files: ["firmware/feed.json": Self.items],
            decision: .init(skipped: ["a"]))
        defer { desk.close() }
        desk.keeping.start()
        #expect(desk.run(until: { desk.box.appliance.nowPlaying.id == "b" }), "\(desk.log)")
        #expect(desk.screen.toast?.hasPrefix("Film A a été ignoré") == true)
    }

    @Test("in a kiosk the settings need the operator's PIN, and its only channel starts by itself")
    func kiosk() throws {
        // SHA-256 of 1234.
        let pin = "03ac674216f3e15c761ee1a5e255f067953623c8b388b4459e13f978d7c846f4"
        let feed = Self.items.replacing(", \"start\": {\"channel\": \"loop\"}", with: "")
        let desk = try Desk(
            "[box]\nkiosk = true\n[parental]\npin_sha256 = \"\(pin)\"\n" + Self.toml, files: ["firmware/feed.json": feed])
        defer { desk.close() }
        desk.keeping.start()
        #expect(desk.run(until: { desk.box.appliance.nowPlaying.id != nil }), "\(desk.log)")
        #expect(["a", "b"].contains(desk.box.appliance.nowPlaying.id ?? ""))
        #expect(desk.press(.home) != .success || desk.screen.screen != .home, "a viewer cannot leave it")
    }
}

extension Desk {
    /// The open page of Settings.
    fileprivate var settingsPage: SettingsView.Page? { if case .settings(let view)? = screen.page { view.page } else { nil } }
}
