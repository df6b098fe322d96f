import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime
import Playback
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
        report.state = "playing"
        report.feed = ("f", 7)
        report.feedTrouble = "NET-DOWN"
        let tally = PlaybackTally(next: nil)
        var log = PlaybackLog(sessionID: "1")
        log.begin(RenditionFacts(url: "https://h/a"), type: "VOD", date: nil, offset: .zero)
        log.note(MediaError(.sourceMissing, "Gone."), url: nil, date: nil, isFatal: true)
        report.playback = tally.sum(with: log)
        let families = report.metrics
        func samples(_ name: String) -> [MetricFamily.Sample] { families.first { $0.name == name }?.samples ?? [] }
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
}
