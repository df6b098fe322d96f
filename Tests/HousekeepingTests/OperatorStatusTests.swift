import ChannelFeed
import Foundation
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import StatusModel
import TestSupport
import Testing

@testable import Housekeeping

/// What operators are told about feed, playbacks and machine.
@Suite("What operators are told")
@MainActor
struct OperatorStatusTests {
    // MARK: The feed

    private func check(_ feed: String) -> FeedCheck {
        FeedCheck(FeedReader.read(Array(feed.utf8), baseURL: "https://cdn.example/feed.json"))
    }

    @Test("a check has the validator's verdict, summary and findings")
    func verdicts() throws {
        let refused = check("{")
        #expect(refused.verdict == .refused && refused.findingCount == 1)
        #expect(refused.findings.first?.severity == "refusal")
        let dropped = check(
            #"{"feedVersion":1,"id":"f","items":[{"id":"a","type":"movie","title":"A","duration":"22m","streams":[{"url":"https://h/a.mp4"}]}]}"#
        )
        #expect(dropped.verdict == .dropped || dropped.verdict == .refused)
        let finding = try #require(dropped.findings.first { $0.pointer == "/items/0/duration" })
        #expect(finding.line == 1 && !finding.remedy.isEmpty && !finding.message.isEmpty)
    }

    @Test("of many findings the severest are kept")
    func bounds() {
        let items = (0..<500).map {
            #"{"id":"\#($0)","type":"movie","title":"T","unknown\#($0)":1,"streams":[{"url":"https://h/a"}]}"#
        }
        let bad = #"{"id":"bad","type":"movie","title":"T","duration":"22m","streams":[{"url":"https://h/a"}]}"#
        let check = check(#"{"feedVersion":1,"id":"f","items":["# + (items + [bad]).joined(separator: ",") + "]}")
        #expect(check.findings.count == FeedStatus.mostFindings)
        #expect(check.findingCount > check.findings.count)
        #expect(check.findings.first?.severity != "warning", "the error is at the end of the feed")
    }

    @Test("a message has no secrets")
    func secrets() {
        #expect(
            FeedCheck(refused: "Loading https://u:p@h/a?token=t failed.").summary == "Loading https://h/a?token=REDACTED failed.")
    }

    // MARK: Counters

    @Test("counters do not shrink when a log drops its oldest entries")
    func countersOnlyGrow() {
        let tally = PlaybackTally(next: nil)
        var log = PlaybackLog(sessionID: "1")
        var last = PlaybackTally.Sum()
        for number in 0..<3 * PlaybackLog.mostEvents {
            log.begin(RenditionFacts(url: "https://h/\(number)"), type: "LIVE", date: nil, offset: .zero)
            if number == 0 { log.started(after: .seconds(2)) }
            log.watched(.seconds(1))
            log.stalled()
            log.dropped(2)
            log.note(MediaError(number == 0 ? .sourceMissing : .sourceTimeout, "Slow."), url: nil, date: nil, isFatal: false)
            let sum = tally.sum(with: log)
            #expect(sum.watched > last.watched && sum.stalls > last.stalls && sum.droppedFrames > last.droppedFrames)
            last = sum
        }
        let count = 3 * PlaybackLog.mostEvents
        #expect(last.watched == .seconds(count) && last.stalls == count && last.droppedFrames == 2 * count)
        #expect(last.startups == 1 && last.startup == .seconds(2))
        #expect(last.errors["SRC-404"]?.count == 1, "its entry was dropped long ago")
        #expect(last.errors["SRC-TIMEOUT"]?.count == count - 1)
    }

    @Test("metrics have the values of the report")
    func metrics() {
        var report = BoxReport(box: "b", version: "1.2")
        report.state.word = "playing"
        report.feed = ("f", 7)
        report.feedTrouble = "NET-DOWN"
        let tally = PlaybackTally(next: nil)
        var log = PlaybackLog(sessionID: "1")
        log.begin(RenditionFacts(url: "https://h/a"), type: "VOD", date: nil, offset: .zero)
        log.note(MediaError(.sourceMissing, "Gone."), url: nil, date: nil, isFatal: true)
        report.playback = tally.sum(with: log)
        let families = report.metrics
        func samples(_ name: String) -> [MetricFamily.Sample] { families.first { $0.name == name }?.samples ?? [] }
        #expect(
            samples("marquee_box").map(\.labels) == [
                [.init("box", "b"), .init("group", "default"), .init("board", ""), .init("version", "1.2")]
            ])
        #expect(samples("marquee_health").filter { $0.value == 1 }.map(\.labels) == [[.init("status", "ok")]])
        #expect(samples("marquee_fault") == [])
        report.health = BoxHealth(faults: [.screenLost, .noSound], isInStandby: true)
        #expect(report.metrics.first { $0.name == "marquee_fault" }?.samples == [.init(1, labels: [.init("fault", "noSound")])])
        #expect(samples("marquee_state").filter { $0.value == 1 }.map(\.labels) == [[.init("state", "playing")]])
        #expect(samples("marquee_feed_revision").map(\.value) == [7])
        #expect(samples("marquee_feed_trouble").map(\.labels) == [[.init("code", "NET-DOWN")]])
        #expect(samples("marquee_playback_sessions").map(\.value) == [1])
        #expect(
            samples("marquee_playback_errors") == [
                .init(0, labels: [.init("code", "SRC-404"), .init("fatal", "0")]),
                .init(1, labels: [.init("code", "SRC-404"), .init("fatal", "1")]),
            ])
        #expect(Set(families.map(\.name)).count == families.count)
    }

    @Test("of the machine only what could be read is told")
    func machine() {
        var state = MachineState()
        state.temperature = 52_340
        let families = MachineMetrics.families(state)
        #expect(families.first { $0.name == "marquee_temperature_celsius" }?.samples == [.init(52.34)])
        #expect(families.first { $0.name == "marquee_storage_free_bytes" }?.samples == [])
    }

    @Test("network devices are told with their kind, carrier, speed and addresses")
    func links() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("marquee-links-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        func add(_ path: String, _ text: String) throws {
            let file = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try add("eth0/device/uevent", "")
        try add("eth0/carrier", "1\n")
        try add("eth0/speed", "1000\n")
        try add("wlan0/device/uevent", "")
        try add("wlan0/phy80211/name", "phy0\n")
        try add("wlan0/carrier", "0\n")
        try add("wlan0/speed", "-1\n")
        try add("wwan0/device/uevent", "")
        try add("br0/carrier", "1\n")
        try add("lo/carrier", "1\n")
        try add("host0/carrier", "1\n")
        let links = MachineExaminer.links(
            addresses: [("host0", "10.0.0.2"), ("eth0", "192.0.2.7"), ("eth0", "2001:db8::7")], folder: root.path)
        #expect(
            links == [
                .init(name: "eth0", kind: .wired, hasCarrier: true, speed: 1000, addresses: ["192.0.2.7", "2001:db8::7"]),
                .init(name: "host0", kind: .wired, hasCarrier: true, addresses: ["10.0.0.2"]),
                .init(name: "wlan0", kind: .wireless, hasCarrier: false), .init(name: "wwan0", kind: .mobile, hasCarrier: false),
            ], "a bridge without an address and the loopback link are left out")
    }

    @Test("the machine is described by what could be read")
    func description() {
        var state = MachineState()
        (state.uptime, state.memory, state.storage, state.freeStorage) = (5, 1 << 30, 100, 40)
        let description = state.description
        #expect(description.uptime == 5 && description.storage == .init(size: 100, free: 40) && description.memory == nil)
    }
}
