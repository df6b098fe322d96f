import Appliance
import BoxModel
import ChannelFeed
import Configuration
import Glibc
import LinuxSupport
import Screens
import Signatures
import TestSupport
import Testing

@testable import BoxAssembly
@testable import Housekeeping
@testable import marquee

/// Feeds signed outside the test with a key of 32 bytes, 0 to 31.
enum Signed {
    static let key = "k1:A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="
    static func feed(_ revision: Int?) -> String {
        let words = revision.map { "\"revision\": \($0), " } ?? ""
        return
            "{\"feedVersion\": 1, \"id\": \"t\", \(words)\"channels\": [{\"id\": \"n\", \"title\": \"N\", \"streams\": [{\"url\": \"https://cdn.example/n.m3u8\"}]}]}"
    }
    static func mark(_ revision: Int?) -> String {
        switch revision {
        case 5: "k1\nJ3JHPRNtrAchFvJGDEDzi5APKGbJt69JBkrpCfE71Itjx1LBvOB27AR6Hj6PZxou2OueFXQMFzxhMJMZaVp+Dg==\n"
        case 4: "k1\nwsRzArckYwgUdC7HKoobmKs6izehGK3J0Fk+xotpZg+JprjAiszKxy3zVq6QRiGDTJPvjRTNudSXnztfdiMkDw==\n"
        default: "k1\nHowbZC7qI16bg2M68kGHJ1rwKAiC5kkAO/4CC9MZAUdpjUm8NumpMAR+0A1H/8HgvBN4CVjncxapUmu9ErZzAQ==\n"
        }
    }
}

@Suite("Where a feed comes from, and who signed it", .serialized)
@MainActor
struct FeedSourceTests {
    private static func toml(_ more: String = "", keys: Bool = true) -> String {
        "[feed]\nfile = \"feed.json\"\n\(keys ? "public_keys = [\"\(Signed.key)\"]\n" : "")\(more)"
    }

    private func desk(_ revision: Int?, mark: String?, _ more: String = "", state: [String: String] = [:]) throws -> Desk {
        var files = state
        files["firmware/feed.json"] = Signed.feed(revision)
        files["firmware/feed.json.sig"] = mark
        return try Desk(Self.toml(more), files: files)
    }

    @Test(
        "a feed signed by a pinned key is accepted and its revision stored; any other is FEED-090, with a message on the screen")
    func signed() throws {
        let good = try desk(5, mark: Signed.mark(5))
        defer { good.close() }
        good.keeping.start()
        #expect(good.run(until: { good.box.appliance.offersChannels }), "\(good.log)")
        #expect(good.folder.get("state/feed/revision")?.hasSuffix("\n5\n") == true)
        for mark in [nil, Signed.mark(4), "k2" + Signed.mark(5).dropFirst(2), "nonsense"] {
            let bad = try desk(5, mark: mark)
            defer { bad.close() }
            bad.keeping.start()
            #expect(bad.run(until: { bad.log.contains("FEED-090") }), "\(mark ?? "none"): \(bad.log)")
            bad.run(for: .seconds(10))
            #expect(!bad.box.appliance.offersChannels)
            #expect(bad.screen.setUp?.paragraphs.first?.hasSuffix("(FEED-090)") == true)
        }
    }

    @Test("settings on trial whose feed is not reached leave the channels that the box had")
    func onTrial() throws {
        let keys = SettingsKeys(working: ["s1:\(String(repeating: "B", count: 42))A="])
        let text = #"{"settingsVersion":1,"revision":7,"settings":{"feed":{"url":"http://127.0.0.1:1/feed.json"}}}"#
        let record = SettingsRecord(pinned: keys).taking(
            try SettingsDocument(Array(text.utf8)), text: text, isOfSpare: false, way: .restartPlayer, boot: nil)
        let desk = try Desk(
            "[feed]\nfile = \"feed.json\"\n[settings]\npublic_keys = [\"\(keys.working[0])\"]\n",
            files: ["state/settings.json": String(decoding: record.bytes, as: UTF8.self)])
        defer { desk.close() }
        let copy = FeedCopy(folder: desk.folder.path + "/state/feed", address: desk.folder.path + "/firmware/feed.json")
        #expect(copy.write([.init(bytes: Array(Signed.feed(5).utf8), signature: [], url: copy.address)]))
        desk.keeping.start()
        #expect(desk.run(until: { desk.box.appliance.offersChannels }), "\(desk.log)")
        desk.run(for: .seconds(60))
        #expect(desk.box.appliance.offersChannels && desk.screen.setUp == nil)
        #expect(desk.keeping.life.feedStatus.trouble != nil && desk.keeping.life.feedStatus.source?.contains("127.0.0.1") == true)
    }

    @Test("without pinned keys any feed is accepted, signed or not")
    func unsigned() throws {
        let desk = try Desk(Self.toml(keys: false), files: ["firmware/feed.json": Signed.feed(nil)])
        defer { desk.close() }
        desk.keeping.start()
        #expect(desk.run(until: { desk.box.appliance.offersChannels }))
    }

    @Test("the first feed does not wake a box that was sent to sleep before it came, and its commands are carried out")
    func asleep() throws {
        let feed = """
            {"feedVersion": 1, "id": "t", "start": {"channel": "n"},
             "channels": [{"id": "n", "title": "N", "streams": [{"url": "https://cdn.example/n.m3u8"}]}]}
            """
        for sleeps in [true, false] {
            let desk = try Desk(Self.toml(keys: false))
            defer { desk.close() }
            let door = BoxDoor(desk.box.appliance)
            #expect(door.perform(.refreshFeed, from: "web") == .failed(.notSupported), "nobody keeps a feed yet")
            door.add(desk.keeping.life)
            desk.keeping.start()
            desk.run(for: .seconds(5))
            if sleeps { #expect(door.perform(.standby, from: "web") == .success) }
            desk.folder.put(feed, "firmware/feed.json")
            #expect(door.perform(.refreshFeed, from: "web") == .success)
            #expect(desk.run(within: .seconds(5), until: { desk.box.appliance.offersChannels }), "\(desk.log)")
            desk.run(for: .seconds(5))
            #expect(desk.box.appliance.isInStandby == sleeps && (desk.box.appliance.nowPlaying.id == nil) == sleeps)
            let report = desk.keeping.life.makeReport()
            #expect(report.text.contains(#""state":"standby","screenOff":true"#) == sleeps)
            #expect(
                report.metrics.first { $0.name == "marquee_screen_off" }?.samples.map(\.value) == [sleeps ? 1 : 0])
            // No service manager would start the player again, and this is not the image.
            #expect(door.perform(.restartPlayer, from: "web") == .failed(.notSupported) && !desk.supervisor.isRestartAsked)
            #expect(door.perform(.reboot, from: "web") == .failed(.notSupported))
            #expect(door.perform(.setVolume(percent: 30), from: "web") == .success && desk.box.player.volume == 0.3)
        }
    }

    @Test("with pinned keys a revision is required and must not decrease, unless that is allowed")
    func rollback() throws {
        for (revision, more, isTaken) in [
            (4, "", false), (5, "", true), (4, "allow_rollback = true\n", true), (nil, "allow_rollback = true\n", false),
        ] as [(Int?, String, Bool)] {
            let desk = try desk(revision, mark: Signed.mark(revision), more)
            defer { desk.close() }
            desk.folder.put("\(desk.folder.path)/firmware/feed.json\n5\n", "state/feed/revision")
            desk.keeping.start()
            let words = "revision \(revision.map(String.init) ?? "none") \(more): \(desk.log)"
            if isTaken {
                #expect(desk.run(until: { desk.box.appliance.offersChannels }), "\(words)")
            } else {
                #expect(desk.run(until: { desk.log.contains("FEED-091") }), "\(words)")
                #expect(!desk.box.appliance.offersChannels)
            }
        }
    }

    @Test("the last good feed is used at the start only if a currently pinned key has signed it")
    func kept() throws {
        for (mark, isTaken) in [(Signed.mark(5), true), (Signed.mark(4), false), ("", false)] {
            // The source itself is gone; only the disk is left.
            let desk = try Desk(Self.toml())
            defer { desk.close() }
            let address = desk.folder.path + "/firmware/feed.json"
            #expect(
                FeedCopy(folder: desk.folder.path + "/state/feed", address: address).write(
                    [FeedCopy.Page(bytes: Array(Signed.feed(5).utf8), signature: Array(mark.utf8), url: address)]))
            desk.keeping.start()
            desk.run(for: .seconds(3))
            #expect(desk.box.appliance.offersChannels == isTaken, "\(desk.log)")
        }
    }

    @Test("the address of a signature")
    func addresses() {
        #expect(FeedTrust.signatureAddress(of: "https://a.example/f.json") == "https://a.example/f.json.sig")
        #expect(FeedTrust.signatureAddress(of: "https://a.example/f.json?box=1#x") == "https://a.example/f.json.sig?box=1#x")
        #expect(FeedTrust.signatureAddress(of: "/firmware/what?.json") == "/firmware/what?.json.sig")
    }

    @Test("a disk with a feed signed by a pinned key replaces the box's own feed while it is present, if that is allowed")
    func disk() throws {
        let own = Signed.feed(5).replacing("\"N\"", with: "\"Own\"")
        for (more, keys, mark, isTaken) in [
            ("allow_usb = true\n", true, Signed.mark(5), true), ("", true, Signed.mark(5), false),
            ("allow_usb = true\n", true, Signed.mark(4), false), ("allow_usb = true\n", false, Signed.mark(5), false),
        ] {
            let desk = try Desk(
                Self.toml(more, keys: keys), files: ["media/sda1/feed.json": Signed.feed(5), "media/sda1/feed.json.sig": mark])
            defer { desk.close() }
            if !keys { desk.folder.put(own, "firmware/feed.json") }
            desk.keeping.start()
            desk.run(for: .seconds(8))
            #expect(
                desk.log.contains("is signed by a pinned key and is used") == isTaken, "\(more) \(keys) \(mark): \(desk.log)")
            guard isTaken else { continue }
            #expect(desk.box.appliance.offersChannels)
            // Another disk with an older revision is not used.
            desk.folder.put(Signed.feed(4), "media/sda1/feed.json")
            desk.folder.put(Signed.mark(4), "media/sda1/feed.json.sig")
            desk.run(for: .seconds(6))
            #expect(desk.log.contains("FEED-091") && desk.log.contains("the disk with the feed was removed"), "\(desk.log)")
        }
    }

    @Test("an unprovisioned box asks about feeds that it finds; one with a file asks only if the file allows it")
    func found() throws {
        let stick = ["media/sda1/feed.json": Signed.feed(nil)]
        for (toml, asks) in [
            (nil, true), ("[box]\nname = \"a\"\n", false), ("[feed]\nallow_usb = true\n", true),
            ("[feed]\nallow_discovery = true\n", false),
        ] as [(String?, Bool)] {
            let desk = try Desk(toml, files: stick)
            defer { desk.close() }
            desk.keeping.start()
            desk.run(for: .seconds(1))
            #expect((desk.screen.setUp?.kind == .question) == asks, "\(toml ?? "no file")")
            guard asks else { continue }
            #expect(desk.screen.setUp?.paragraphs.first == "Found: feed.json on a USB stick.")
            #expect(desk.press(.ok) == .success)
            #expect(desk.run(until: { desk.box.appliance.offersChannels }), "\(desk.log)")
            #expect(desk.folder.get("state/adopted.toml")?.contains("adopted.json") == true)
        }
    }

    @Test("Not Now, or Back, returns to the first screen; the same feed is asked about again when its stick is plugged in again")
    func declined() throws {
        let feed = Signed.feed(nil)
        for keys in [[RemoteKey.right, .ok], [.back]] {
            let desk = try Desk(nil, files: ["media/sda1/feed.json": feed])
            defer { desk.close() }
            desk.keeping.start()
            desk.run(for: .seconds(1))
            #expect(desk.screen.setUp?.secondButton == "Not Now" && desk.screen.setUp?.isSecondFocused == false)
            #expect(desk.press(.left) == .failed(.noChange))
            for key in keys { #expect(desk.press(key) == .success) }
            #expect(desk.screen.setUp?.kind == .setUp)
            desk.run(for: .seconds(20))
            #expect(desk.screen.setUp?.kind == .setUp && desk.folder.get("state/adopted.toml") == nil)
            #expect(unlink("\(desk.folder.path)/media/sda1/feed.json") == 0)
            desk.run(for: .seconds(6))
            desk.folder.put(feed, "media/sda1/feed.json")
            desk.run(for: .seconds(6))
            #expect(desk.screen.setUp?.kind == .question && desk.screen.setUp?.isSecondFocused == false)
            #expect(desk.press(.right) == .success && desk.screen.setUp?.isSecondFocused == true)
            desk.run(for: .seconds(6))
            #expect(desk.screen.setUp?.isSecondFocused == true, "focus stays when the screen is shown again")
            #expect(desk.press(.left) == .success && desk.press(.ok) == .success)
            #expect(desk.run(until: { desk.box.appliance.offersChannels }), "\(desk.log)")
        }
    }

    @Test("a feed announced on the network is offered if the box may ask, after one on a disk, and is used from then on")
    func announced() throws {
        let address = "https://announced.example/feed.json"
        for (toml, asks) in [
            (nil, true), ("[feed]\nallow_discovery = true\n", true), ("[feed]\nallow_usb = true\n", false),
            ("[box]\nname = \"a\"\n", false),
        ] as [(String?, Bool)] {
            let desk = try Desk(toml, announced: ["gopher://old.example/", address])
            defer { desk.close() }
            desk.keeping.start()
            desk.run(for: .seconds(12))
            #expect((desk.screen.setUp?.kind == .question) == asks, "\(toml ?? "no file")")
            guard asks else { continue }
            #expect(desk.screen.setUp?.paragraphs.first == "Found: \(address).")
            #expect(desk.press(.ok) == .success)
            #expect(desk.folder.get("state/adopted.toml") == "[feed]\nurl = \"\(address)\"\n")
        }
        let both = try Desk(nil, files: ["media/sda1/feed.json": Signed.feed(nil)], announced: [address])
        defer { both.close() }
        both.keeping.start()
        both.run(for: .seconds(12))
        #expect(both.screen.setUp?.paragraphs.first == "Found: feed.json on a USB stick.")
    }

    @Test("each feed request identifies the box and its group and has the configured headers")
    func headers() throws {
        let server = try LoopbackServer { _ in .body(Array(Signed.feed(nil).utf8), type: "application/json") }
        defer { server.stop() }
        let desk = try Desk(
            "[box]\nname = \"room-1\"\ngroup = \"canary\"\n[feed]\nurl = \"\(server.url("/{group}/{box}.json"))\"\nheaders = { X-Own = \"yes\" }\n"
        )
        defer { desk.close() }
        desk.keeping.start()
        #expect(desk.run(until: { desk.box.appliance.offersChannels }), "\(desk.log)")
        let request = try #require(server.requests.first)
        #expect(request.path == "/canary/room-1.json")
        for line in ["X-Own: yes", "X-Marquee-Box: room-1", "X-Marquee-Group: canary"] {
            #expect(request.headers.contains(line), "\(request.headers)")
        }
    }
}
