import ChannelFeed
import Configuration
import Glibc
import LinuxSupport
import MediaTime
import NetworkConditions
import Signatures
import StatusModel
import TestSupport
import Testing

@testable import Housekeeping

@Suite("Settings from afar", .serialized)
@MainActor
struct SettingsKeeperTests {
    private typealias Rig = SettingsRig
    nonisolated private static let (working, next, spare) = (SettingsRig.working, SettingsRig.next, SettingsRig.spare)
    nonisolated private static let feedKey = SettingsRig.feedKey

    nonisolated private static func document(
        _ revision: Int, _ settings: String = #"{"sound":{"max_volume":60}}"#, _ more: String = ""
    ) -> String { SettingsRig.document(revision, settings, more) }

    @Test("a document of the server is taken, tried after a restart, and kept when everything was reached")
    func whole() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.publish(Self.document(7))
        rig.isWatched = true
        rig.run(minutes: 20)
        #expect(rig.keeper.status.state == .waiting && rig.keeper.status.waitsFor == ["watched"] && rig.restarts == [])
        #expect(rig.provisioning.configuration.mostVolume == 40)
        rig.isWatched = false
        rig.run(minutes: 1)
        #expect(rig.restarts == [.restartPlayer])
        (rig.isFeedReached, rig.hasNetwork) = (false, false)
        rig.start()
        #expect(rig.provisioning.configuration.mostVolume == 60 && rig.keeper.status.state == .trying)
        rig.run(minutes: 1)
        #expect(rig.keeper.status.waitsFor == ["network", "feed", "settings"])
        rig.hasNetwork = true
        rig.run(minutes: 6)
        #expect(rig.keeper.status.waitsFor == ["feed"])
        #expect(rig.feedsKept == 0)
        rig.isFeedReached = true
        rig.run(minutes: 1)
        let status = rig.keeper.status
        #expect(status.state == .settled && status.revision == 7 && status.givenUp == nil && status.trouble == nil)
        #expect(rig.feedsKept == 1)
        // The same document changes nothing any more, whatever comes.
        rig.run(minutes: 60)
        rig.start()
        #expect(rig.keeper.status.state == .settled && rig.provisioning.configuration.mostVolume == 60)
        #expect(rig.restarts == [.restartPlayer])
        #expect(rig.log.tail(1000).contains { $0.contains("settings: revision 7 is kept") })
    }

    @Test("settings that cut the box off are given up in time, stay given up, and the next ones are tried")
    func cutOff() throws {
        let rig = try Rig("[mqtt]\nurl = \"mqtts://broker.example\"")
        defer { rig.keeper.close() }
        rig.publish(Self.document(7, #"{"network":{"dns":["10.0.0.9"]}}"#))
        rig.run(minutes: 20)
        #expect(rig.restarts == [.restartMachine])
        // The system has the settings of the card until the machine has started again.
        rig.start()
        #expect(
            SystemFiles(rig.provisioning.configuration, serial: nil)
                == SystemFiles(Provisioning(file: rig.card, applied: nil).configuration, serial: nil))
        rig.run(minutes: 1)
        #expect(rig.restarts == [.restartMachine, .restartMachine])
        (rig.hasNetwork, rig.isFeedReached, rig.isBrokerReached) = (false, false, false)
        rig.boot += 1
        rig.start()
        let system = SystemFiles(
            SettingsFile(in: rig.folder.path).standing(for: Provisioning(file: rig.card, applied: nil)).configuration, serial: nil
        )
        #expect(system == SystemFiles(rig.provisioning.configuration, serial: nil))
        #expect(system.files.contains { $0.text.contains("DNS=10.0.0.9") })
        rig.run(minutes: 9.5)
        #expect(rig.keeper.status.state == .trying)
        rig.run(minutes: 1)
        #expect(rig.restarts.last == .restartMachine && rig.restarts.count == 3)
        (rig.hasNetwork, rig.isFeedReached, rig.isBrokerReached) = (true, true, true)
        rig.boot += 1
        rig.start()
        #expect(rig.provisioning.configuration.changes(since: Provisioning(file: rig.card, applied: nil).configuration) == [])
        rig.run(minutes: 60)
        let status = rig.keeper.status
        #expect(status.state == .settled && status.givenUp == 7 && status.revision == nil)
        #expect(
            status.trouble == "the network and the feed and the server of the settings and the broker were not reached")
        #expect(rig.restarts.count == 3 && rig.feedsKept == 0)
        var report = BoxReport(box: "room-1", version: "0.1.0")
        report.settings = status
        #expect(report.text.contains(#""settings":{"state":"settled","revision":null,"offered":null,"waitsFor":[],"givenUp":7,"#))
        #expect(report.metrics.contains { $0.name == "marquee_settings_given_up" && $0.samples.map(\.value) == [1] })
        rig.publish(Self.document(8))
        rig.run(minutes: 20)
        #expect(rig.restarts.count == 4 && rig.restarts.last == .restartPlayer)
    }

    @Test(
        "a document that is not the operator's, not for this box, older, or wrong, is refused in a sentence and changes nothing",
        arguments: [
            (document(5), feedKey, "names the key “k1”, which is not pinned"),
            (document(5), try! SigningKey(name: "s1"), "does not match its content"),
            (document(5, "{}", #","groups":["canary"]"#), working, "It is for other groups than “lobby”"),
            (document(5, "{}", #","boxes":["room-2"]"#), working, "other boxes than “room-1”"),
            (document(4), working, "Its revision 4 is not higher than 4"), (document(3), working, "not higher than 4"),
            (document(3), spare, "not higher than 4"), (document(5, #"{"box":{"nam":"x"}}"#), working, "no such key"),
            (document(5, #"{"sound":{"max_volume":"loud"}}"#), working, "whole number"),
            (document(5, #"{"settings":{"url":""}}"#), working, "could not be reached"),
            (document(5, #"{"settings":{"url":"http://other.example/s"}}"#), working, "plain http"),
            (document(5, #"{"report":{"url":"http://other.example/r"}}"#), working, "report.url is plain http"),
            (document(5, #"{"update":{"url":"http://other.example/u"}}"#), working, "update.url is plain http"),
            (document(5, #"{"mqtt":{"url":"mqtt://broker.example"}}"#), working, "mqtt.url is MQTT without TLS"),
            (document(5, "{}", #","spareKeys":["\#(next.pinned)"]"#), working, "only for documents that a spare key has signed"),
            (document(5, "{}", #","publicKeys":["\#(next.pinned)"]"#), working, "not among its publicKeys"),
            (document(5, "{}", #","publicKeys":["\#(spare.pinned)","\#(working.pinned)"]"#), working, "one name"),
            (document(5, "{}", #","spareKeys":["\#(next.pinned)"]"#), spare, "not among its spareKeys"),
            (document(5, "{\"x\":\"\(String(repeating: "x", count: 1 << 20))\"}"), working, "more than 64 KiB"),
        ])
    func refused(document: String, key: SigningKey, words: String) throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        // The card has 40: nothing changes, and it is kept at once.
        #expect(rig.take(Self.document(4, #"{"sound":{"max_volume":40}}"#)) == nil)
        rig.run(minutes: 0.1)
        let (file, status) = (try #require(rig.file), rig.keeper.status)
        #expect(status.revision == 4 && status.state == .settled)
        let sentence = try #require(rig.take(document, by: key))
        #expect(
            sentence.lowercased().contains(words.lowercased()) && sentence.hasSuffix(".") && !sentence.contains("\n"),
            "\(sentence)")
        rig.run(minutes: 0.1)
        #expect(rig.file == file && rig.restarts == [] && rig.keeper.status.refusals == 1)
        #expect(rig.keeper.status.state == .settled && rig.keeper.status.refusal != nil && rig.keeper.status.trouble == nil)
        for bad in ["", "s1", "s1\nAAAA", "s1\n" + String(repeating: "A", count: 1 << 20)] {
            #expect(rig.keeper.take(Array(Self.document(9).utf8), signature: Array(bad.utf8))?.contains("two lines") == true)
        }
        #expect(rig.file == file && rig.keeper.status.refusals == 5)
    }

    @Test("during a trial no other document is taken, and one that waits for its trial is replaced by a newer one")
    func onTrial() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.isWatched = true
        #expect(rig.take(Self.document(1)) == nil)
        rig.run(minutes: 0.1)
        #expect(rig.take(Self.document(2, #"{"sound":{"max_volume":70}}"#, #","critical":true"#)) == nil)
        rig.run(minutes: 1)
        #expect(rig.restarts == [.restartPlayer], "a critical one does not wait until nobody watches")
        rig.isFeedReached = false
        rig.start()
        #expect(rig.provisioning.configuration.mostVolume == 70)
        rig.run(minutes: 1)
        #expect(rig.take(Self.document(3))?.contains("on trial") == true)
        #expect(rig.take(Self.document(2, #"{"sound":{"max_volume":70}}"#, #","critical":true"#)) == nil)
        rig.isUpdating = true
        rig.run(minutes: 12)
        #expect(rig.restarts.count == 2 && rig.keeper.status.givenUp == 2)
        rig.start()
        #expect(rig.take(Self.document(3)) == nil)
        rig.run(minutes: 2)
        #expect(rig.restarts.count == 2 && rig.keeper.status.waitsFor == ["updating"])
    }

    @Test("where nothing starts the player again the trial waits, and says for what")
    func noManager() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.hasManager = false
        #expect(rig.take(Self.document(7)) == nil)
        rig.run(minutes: 10)
        let status = rig.keeper.status
        #expect(status.state == .waiting && status.offered == 7 && status.waitsFor == ["restart"] && status.revision == nil)
        #expect(rig.log.tail(1000).count { $0.contains("nothing starts the player again") } == 1)
        // A newer one takes its place, and one that changes nothing is kept at once.
        #expect(rig.take(Self.document(8, #"{"sound":{"max_volume":40}}"#)) == nil)
        rig.run(minutes: 1)
        #expect(rig.keeper.status.state == .settled && rig.keeper.status.revision == 8 && rig.keeper.status.offered == nil)
        #expect(rig.take(Self.document(9)) == nil)
        rig.run(minutes: 10)
        #expect(rig.keeper.status.waitsFor == ["restart"] && rig.keeper.status.offered == 9)
        #expect(rig.take(Self.document(10, #"{"sound":{"max_volume":70}}"#)) == nil)
        rig.run(minutes: 10)
        #expect(rig.keeper.status.waitsFor == ["restart"] && rig.keeper.status.offered == 10)
        #expect(rig.log.tail(1000).count { $0.contains("nothing starts the player again") } == 1)
        rig.isFeedReached = false
        rig.start()
        #expect(rig.keeper.status.state == .trying && rig.keeper.status.offered == 10)
        #expect(rig.provisioning.configuration.mostVolume == 70)
        rig.run(minutes: 11)
        #expect(rig.keeper.status.state == .waiting && rig.keeper.status.waitsFor == ["restart"])
        #expect(rig.keeper.status.givenUp == 10 && rig.keeper.status.offered == nil)
        #expect(rig.take(Self.document(11))?.contains("waits for its restart") == true)
        rig.start()
        #expect(rig.keeper.status.state == .settled)
    }

    @Test("a verdict that the disk refuses is none yet")
    func unwrittenVerdict() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        #expect(rig.take(Self.document(7)) == nil)
        rig.run(minutes: 1)
        rig.hasNetwork = false
        rig.start()
        mkdir(rig.folder.path + "/settings.json.new", 0o755)
        rig.hasNetwork = true
        rig.publish(Self.document(7))
        rig.run(minutes: 5)
        #expect(rig.keeper.status.state == .trying && rig.keeper.status.waitsFor == ["storage"])
        rmdir(rig.folder.path + "/settings.json.new")
        rig.run(minutes: 2)
        #expect(rig.keeper.status.state == .settled && rig.keeper.status.revision == 7)
    }

    @Test("what is told of a revision that was given up is not told of the next one, nor of a document that is refused")
    func trouble() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        let given = "the server of the settings was not reached"
        #expect(rig.take(Self.document(7)) == nil)
        rig.run(minutes: 1)
        rig.start()
        rig.run(minutes: 11)
        rig.start()
        #expect(rig.keeper.status.givenUp == 7 && rig.keeper.status.trouble == given && rig.keeper.status.refusal == nil)
        #expect(rig.take(Self.document(3)) != nil)
        #expect(rig.keeper.status.givenUp == 7 && rig.keeper.status.trouble == given)
        #expect(rig.keeper.status.refusal?.contains("its revision 3") == true)
        rig.isWatched = true
        #expect(rig.take(Self.document(8)) == nil)
        rig.run(minutes: 1)
        var status = rig.keeper.status
        #expect(status.offered == 8 && status.givenUp == nil && status.trouble == nil && status.refusal == nil)
        rig.start()
        status = rig.keeper.status
        #expect(status.state == .trying && status.offered == 8 && status.givenUp == nil && status.trouble == nil)
    }

    @Test("an older document that stays on the server counts once, and not during a trial")
    func olderOnServer() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.publish(Self.document(3))
        #expect(rig.take(Self.document(4)) == nil)
        rig.run(minutes: 1)
        rig.isFeedReached = false
        for _ in 1...3 {
            rig.start()
            rig.run(minutes: 1)
            #expect(rig.keeper.status.waitsFor == ["feed"], "it is proof that the server is reached")
            #expect(rig.keeper.status.refusals == 0 && rig.keeper.status.refusal == nil)
        }
        rig.isFeedReached = true
        rig.run(minutes: 120)
        #expect(rig.keeper.status.revision == 4 && rig.keeper.status.refusals == 1)
        #expect(rig.keeper.status.refusal?.contains("not higher than 4") == true)
        rig.publish(Self.document(2))
        rig.run(minutes: 60)
        #expect(rig.keeper.status.refusals == 2)
    }

    @Test("a trial is used up by crashes, not by orderly restarts, over which its time goes on")
    func restarts() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.isFeedReached = false
        #expect(rig.take(Self.document(7)) == nil)
        rig.run(minutes: 1)
        for _ in 1...5 {
            rig.start()
            rig.run(minutes: 1)
            #expect(rig.keeper.status.state == .trying && rig.provisioning.configuration.mostVolume == 60)
        }
        // Five of the ten minutes are left.
        rig.start()
        rig.run(minutes: 4.5)
        #expect(rig.keeper.status.state == .trying)
        rig.run(minutes: 1)
        #expect(rig.keeper.status.givenUp == 7)
        rig.start()
        #expect(rig.take(Self.document(8)) == nil)
        rig.run(minutes: 1)
        for _ in 1...3 {
            rig.crash()
            rig.run(minutes: 9.5)
            #expect(rig.keeper.status.state == .trying, "after a crash it has its whole length")
        }
        rig.crash()
        #expect(rig.keeper.status.givenUp == 8 && rig.provisioning.configuration.mostVolume == 40)
    }

    @Test("a document that has expired is refused once the date is known; what was taken before stays")
    func expired() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        let late = #","expires":"2026-12-31T01:00:00+01:00""#
        let end = try #require(FeedDate("2026-12-31T00:00:00Z"))
        rig.date = end
        rig.publish(Self.document(7, "{}", late))
        rig.run(minutes: 120)
        let words = "the document has expired at 2026-12-31T00:00:00Z"
        #expect(rig.keeper.status.refusal == words && rig.keeper.status.refusals == 1 && rig.keeper.status.revision == nil)
        #expect(rig.take(Self.document(8, "{}", late)) == "The document has expired at 2026-12-31T00:00:00Z.")
        rig.date = FeedDate(milliseconds: end.milliseconds - 1)
        #expect(rig.take(Self.document(8, "{}", late)) == nil)
        rig.run(minutes: 0.1)
        rig.date = nil
        #expect(rig.take(Self.document(9, "{}", late)) == nil)
        rig.run(minutes: 0.1)
        rig.date = end
        #expect(rig.take(Self.document(9, "{}", late)) == nil, "it is in use")
        #expect(rig.keeper.status.revision == 9)
    }

    @Test("a revision that was given up is refused wherever it is sent again, and told once where it stays on the server")
    func givenUpAgain() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        rig.isFeedReached = false
        rig.publish(Self.document(7))
        #expect(rig.take(Self.document(7)) == nil)
        rig.run(minutes: 1)
        rig.start()
        rig.run(minutes: 11)
        rig.start()
        let words = "its revision 7 was given up, because the feed was not reached; give the next one a higher number"
        func lines() -> Int { rig.log.tail(1000).count { $0.contains(words) } }
        let before = lines()
        rig.run(minutes: 120)
        #expect(rig.keeper.status.refusal == words && rig.keeper.status.refusals == 1)
        #expect(lines() == before + 1)
        let sentence = words.prefix(1).uppercased() + words.dropFirst() + "."
        // The same once more, and another document with its number.
        for document in [Self.document(7), Self.document(7, "{}")] { #expect(rig.take(document) == sentence) }
        #expect(rig.take(Self.document(6)) == "Its revision 6 is not higher than 7, the highest that the box has seen.")
        rig.run(minutes: 60)
        #expect(rig.keeper.status.refusal == words && rig.keeper.status.refusals == 4 && rig.keeper.status.givenUp == 7)
        // A spare that takes a key away counts its own numbers.
        let revocation = Self.document(7, "{}", #","publicKeys":["\#(Self.next.pinned)"]"#)
        #expect(rig.take(revocation, by: Self.spare) == nil)
    }

    @Test("keys rotate: two at once, one takes the other away, and none comes back")
    func rotation() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        let both = #","publicKeys":["\#(Self.working.pinned)","\#(Self.next.pinned)"]"#
        #expect(rig.take(Self.document(1, "{}"), by: Self.next)?.contains("not pinned") == true)
        #expect(rig.take(Self.document(1, "{}", both)) == nil)
        rig.run(minutes: 0.1)
        #expect(rig.take(Self.document(2, "{}"), by: Self.next) == nil)
        rig.run(minutes: 0.1)
        #expect(rig.take(Self.document(3, "{}", #","publicKeys":["\#(Self.next.pinned)"]"#), by: Self.next) == nil)
        rig.run(minutes: 0.1)
        rig.start()
        #expect(rig.take(Self.document(4, "{}"))?.contains("not pinned") == true)
        #expect(rig.take(Self.document(4, "{}", both), by: Self.next)?.contains("“s1” was taken away before") == true)
        #expect(rig.take(Self.document(4, "{}", both), by: Self.spare)?.contains("“s1” was taken away before") == true)
    }

    @Test("a thief of the working key can neither take the spare away nor outrun it")
    func theft() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        let most = 9_007_199_254_740_991
        let thief = #","publicKeys":["\#(Self.working.pinned)","\#(Self.feedKey.pinned)"]"#
        #expect(rig.take(Self.document(most, #"{"sound":{"max_volume":100}}"#, thief)) == nil)
        rig.run(minutes: 1)
        rig.start()
        rig.run(minutes: 1)
        #expect(rig.take(Self.document(8, "{}"), by: Self.spare)?.contains("not higher") == true)
        rig.publish(Self.document(most, #"{"sound":{"max_volume":100}}"#, thief))
        rig.run(minutes: 2)
        #expect(rig.keeper.status.state == .settled && rig.provisioning.configuration.mostVolume == 100)
        let revocation = Self.document(9, "{}", #","publicKeys":["\#(Self.next.pinned)"]"#)
        #expect(rig.take(revocation, by: Self.spare) == nil)
        rig.run(minutes: 1)
        for key in [Self.working, Self.feedKey] {
            #expect(rig.take(Self.document(most, "{}"), by: key)?.contains("not pinned") == true)
        }
        // Another name does not make another key.
        let again = "again:" + SettingsKeys.content(Self.working.pinned)
        let renamed = Self.document(10, "{}", #","publicKeys":["\#(Self.next.pinned)","\#(again)"]"#)
        #expect(rig.take(renamed, by: Self.spare)?.contains("was taken away before") == true)
        let twice = Self.document(
            10, "{}", #","publicKeys":["\#(Self.next.pinned)","x:\#(SettingsKeys.content(Self.next.pinned))"]"#)
        #expect(rig.take(twice, by: Self.spare)?.contains("one key is there twice") == true)
        let ofSpare = Self.document(
            10, "{}", #","publicKeys":["\#(Self.next.pinned)","x:\#(SettingsKeys.content(Self.spare.pinned))"]"#)
        #expect(rig.take(ofSpare, by: Self.spare)?.contains("One key would be there twice") == true)
        // Also when the trial of what else it says is given up.
        rig.isFeedReached = false
        rig.start()
        rig.run(minutes: 12)
        #expect(rig.keeper.status.givenUp == 9)
        rig.start()
        #expect(rig.take(Self.document(most, "{}"))?.contains("not pinned") == true)
        #expect(rig.take(Self.document(10, "{}"), by: Self.next) == nil)
        rig.run(minutes: 0.1)
        #expect(rig.take(revocation, by: Self.spare)?.contains("was given up") == true)
    }

    @Test("a disk that refuses the record leaves everything as it was, also for the system")
    func fullDisk() throws {
        let rig = try Rig()
        defer { rig.keeper.close() }
        // A folder in the place of the draft: nothing can be written.
        mkdir(rig.folder.path + "/settings.json.new", 0o755)
        #expect(rig.take(Self.document(1)) == nil)
        rig.run(minutes: 1)
        #expect(rig.file == nil && rig.restarts == [] && rig.keeper.status.state == .settled)
        rmdir(rig.folder.path + "/settings.json.new")
        #expect(rig.take(Self.document(1)) == nil)
        rig.run(minutes: 1)
        #expect(rig.restarts == [.restartPlayer])
        // A start that cannot be counted uses the old settings.
        mkdir(rig.folder.path + "/settings.json.new", 0o755)
        rig.start()
        rig.run(minutes: 5)
        #expect(rig.provisioning.configuration.mostVolume == 40 && rig.restarts == [.restartPlayer])
        #expect(rig.keeper.status.state == .waiting && rig.keeper.status.waitsFor == ["storage"])
    }
}
