import LinuxSupport
import TestSupport
import Testing

@testable import Housekeeping

@Suite("A slot on trial is judged")
struct SlotTrialTests {
    private func seen(
        _ invocation: String? = "one", restarts: Int = 0, _ shortcomings: SlotHealth.Shortcoming...,
        parts: Set<SlotHealth.Part> = Set(SlotHealth.Part.allCases)
    ) -> SlotTrial.Observation {
        .init(invocation: invocation, restarts: restarts, shortcomings: shortcomings, parts: parts)
    }

    /// Observes every two seconds until there is a verdict.
    private func verdict(before: SlotRecord = SlotRecord(), _ observe: (_ second: Int) -> SlotTrial.Observation)
        -> (SlotTrial.Verdict, second: Int)
    {
        var trial = SlotTrial(before: before)
        for second in stride(from: 0, to: 1000, by: 2) {
            let verdict = trial.observe(observe(second), at: .seconds(second))
            if verdict != .undecided { return (verdict, second) }
        }
        return (.undecided, 1000)
    }

    @Test("good after a minute of the same run of the player with all that belongs to it, and not earlier")
    func good() {
        let (verdict, second) = verdict { _ in seen() }
        #expect(verdict == .good)
        #expect(second == 60)
    }

    @Test("a player that crashes every three seconds is not waited for")
    func crashing() {
        let (verdict, second) = verdict { seen("run \($0 / 3)", restarts: $0 / 3) }
        #expect(verdict == .bad("the player was restarted 4 times"))
        #expect(second == 12)
    }

    @Test("a player that crashes every fifty seconds never runs for a minute")
    func slowlyCrashing() {
        let (verdict, second) = verdict { seen("run \($0 / 50)", restarts: $0 / 50) }
        #expect(verdict == .bad("the player has run for 10 s only, after 2 restarts"))
        #expect(second == 110)
    }

    @Test("a player that someone restarts has to begin its minute again, although the manager counts no restart")
    func startedAgain() {
        let (verdict, second) = verdict { seen($0 < 30 ? "one" : "two") }
        #expect(verdict == .good)
        #expect(second == 90)
    }

    @Test("a player that does not run is bad at the limit")
    func gone() {
        let (verdict, second) = verdict { _ in seen(nil) }
        #expect(verdict == .bad("the player does not run"))
        #expect(second == 110)
    }

    @Test("what is missing may still come, until the limit")
    func late() {
        let (verdict, second) = verdict { seen("one", restarts: 0, $0 < 80 ? .date : .sound, $0 < 80 ? .channels : .units) }
        #expect(second == 110)
        #expect(verdict == .bad(SlotHealth.Shortcoming.sound.words + "; " + SlotHealth.Shortcoming.units.words))
        let (other, then) = self.verdict { $0 < 80 ? seen("one", restarts: 0, .date) : seen() }
        #expect(other == .good)
        #expect(then == 80)
    }

    @Test("what the version before lacked too is excused", arguments: SlotHealth.Shortcoming.allCases)
    func excused(_ shortcoming: SlotHealth.Shortcoming) {
        let (verdict, _) = verdict(before: SlotRecord(shortcoming.rawValue)) { _ in seen("one", restarts: 0, shortcoming) }
        switch shortcoming {
        case .sound, .channels, .units, .date: #expect(verdict == .good)
        case .player, .picture, .safeMode, .data: #expect(verdict == .bad(shortcoming.words))
        }
        #expect(self.verdict { _ in seen("one", restarts: 0, shortcoming) }.0 == .bad(shortcoming.words))
    }
}

@Suite("The record of the version before a trial")
struct SlotRecordTests {
    @Test("a part that the machine had is missed, and one that it never had is not", arguments: SlotHealth.Part.allCases)
    func lostParts(_ part: SlotHealth.Part) {
        let rest = Set(SlotHealth.Part.allCases).subtracting([part])
        #expect(SlotRecord(part.rawValue).held(against: [], rest) == [part.wordsWhenLost])
        #expect(SlotRecord(part.rawValue).held(against: [], [part]) == [])
        #expect(SlotRecord().held(against: [], rest) == [])
    }

    @Test("it is the same after it was written and read, and skips words that it does not know")
    func text() {
        let health = SlotHealth(
            player: .init(faults: ["noSound"], flips: 300), hasScreen: true, hasSoundCard: true, namesFeed: true, failedUnits: 0,
            isDateKnown: false, hasNetwork: true, hasData: true, parts: [.display, .soundCard])
        let record = SlotRecord(health)
        #expect(record.lines == ["sound", "date", "has-display", "has-sound-card"])
        #expect(SlotRecord((["newer", ""] + record.lines).joined(separator: "\n") + "\n") == record)
        #expect(record.held(against: [.sound, .date, .units], []).count == 3, "a failed unit, and two lost parts")
    }
}

@Suite("What a version on trial lacks")
struct SlotHealthTests {
    private typealias Shortcoming = SlotHealth.Shortcoming

    /// A machine that lacks nothing, but for what is said.
    private func shortcomings(
        faults: [String] = [], flips: UInt64 = 300, hasScreen: Bool = true, hasSoundCard: Bool = true, namesFeed: Bool = true,
        failedUnits: Int = 0, isDateKnown: Bool = true, hasNetwork: Bool = true, hasData: Bool = true
    ) -> [Shortcoming] {
        SlotHealth(
            player: .init(faults: faults, flips: flips), hasScreen: hasScreen, hasSoundCard: hasSoundCard, namesFeed: namesFeed,
            failedUnits: failedUnits, isDateKnown: isDateKnown, hasNetwork: hasNetwork, hasData: hasData, parts: []
        ).shortcomings
    }

    @Test("each thing by itself")
    func each() {
        #expect(shortcomings() == [])
        #expect(shortcomings(flips: 299) == [.picture])
        #expect(shortcomings(faults: ["safeMode"]) == [.safeMode])
        #expect(shortcomings(faults: ["noSound"]) == [.sound])
        #expect(shortcomings(faults: ["noChannels"]) == [.channels])
        #expect(shortcomings(failedUnits: 1) == [.units])
        #expect(shortcomings(isDateKnown: false) == [.date])
        #expect(shortcomings(hasData: false) == [.data])
        #expect(shortcomings(faults: ["feedNotCurrent", "storageFull", "dateUnknown"]) == [], "the last good feed plays")
    }

    @Test("what the machine does not have is not missing")
    func absent() {
        #expect(shortcomings(faults: ["screenLost"], flips: 0, hasScreen: false) == [])
        #expect(shortcomings(faults: ["noSound"], hasSoundCard: false) == [])
        #expect(shortcomings(faults: ["noChannels"], namesFeed: false) == [])
        #expect(shortcomings(isDateKnown: false, hasNetwork: false) == [])
    }

    @Test("a player that does not answer is missing, whatever the machine has")
    func silent() {
        let health = SlotHealth(
            player: nil, hasScreen: false, hasSoundCard: false, namesFeed: false, failedUnits: 2, isDateKnown: true,
            hasNetwork: false, hasData: false, parts: [])
        #expect(health.shortcomings == [.player, .units, .data])
    }

    @Test("screens and sound cards are found as the kernel lists them")
    func machine() {
        let folder = ScratchFolder("slot-health")
        let (root, drm) = (folder.path, folder.path + "/sys/class/drm")
        #expect(!SlotHealth.hasScreen(root: root))
        #expect(!SlotHealth.hasSoundCard(root: root))
        Folder.make(drm + "/card0-HDMI-A-1")
        Folder.make(root + "/proc/asound")
        let (status, cards) = (drm + "/card0-HDMI-A-1/status", root + "/proc/asound/cards")
        WholeFile.write(Array("disconnected\n".utf8), to: status)
        WholeFile.write(Array("--- no soundcards ---\n".utf8), to: cards)
        #expect(!SlotHealth.hasScreen(root: root))
        #expect(!SlotHealth.hasSoundCard(root: root))
        WholeFile.write(Array("connected\n".utf8), to: status)
        WholeFile.write(Array(" 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0\n".utf8), to: cards)
        #expect(SlotHealth.hasScreen(root: root))
        #expect(SlotHealth.hasSoundCard(root: root))
    }

    @Test("parts of the machine are found whether something is connected to them or not")
    func parts() {
        let folder = ScratchFolder("slot-parts")
        let (root, net) = (folder.path, folder.path + "/sys/class/net")
        Folder.make(net + "/lo")
        #expect(SlotHealth.parts(root: root) == [])
        Folder.make(root + "/sys/class/drm/card0-HDMI-A-1")
        WholeFile.write(Array("disconnected\n".utf8), to: root + "/sys/class/drm/card0-HDMI-A-1/status")
        #expect(SlotHealth.parts(root: root) == [.display])
        Folder.make(net + "/eth0/device")
        Folder.make(root + "/proc/asound")
        WholeFile.write(Array(" 0 [vc4hdmi0       ]: vc4-hdmi\n".utf8), to: root + "/proc/asound/cards")
        #expect(SlotHealth.parts(root: root) == Set(SlotHealth.Part.allCases))
    }

    @Test(
        "the data partition has to be mounted, for writing",
        arguments: [
            ("/dev/vda4 /data ext4 rw,noatime,errors=remount-ro 0 0", true), ("/dev/vda4 /data ext4 ro,noatime 0 0", false),
            ("/dev/vda1 /firmware vfat rw 0 0", false), ("tmpfs /database tmpfs rw 0 0", false), ("/dev/vda4 /data ext4", false),
            ("", false),
        ])
    func data(_ line: String, _ isGood: Bool) {
        let folder = ScratchFolder("slot-data")
        Folder.make(folder.path + "/proc/self")
        WholeFile.write(Array("proc /proc proc rw 0 0\n\(line)\n".utf8), to: folder.path + "/proc/self/mounts")
        #expect(SlotHealth.hasData(root: folder.path) == isGood)
    }
}
