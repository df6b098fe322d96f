import MediaSources
import MediaTime
import TestSupport
import Testing

@testable import Playback

@Suite("How much must be buffered")
struct BufferedStretchTests {
    private func stretch(_ milliseconds: Int64) -> BufferedStretch {
        BufferedStretch(position: seconds(10), until: seconds(10) + .milliseconds(milliseconds))
    }

    private func live(edge: MediaTime, isLowLatency: Bool = false, isLive: Bool = true) -> LiveStatus {
        var status = LiveStatus(
            isLive: isLive, seekableTimeRange: TimeRange(start: .zero, end: edge), edge: edge, edgeInstant: 0,
            recommendedTimeOffsetFromLive: seconds(6), targetDuration: seconds(2))
        status.isLowLatency = isLowLatency
        return status
    }

    @Test(
        "playback starts with three quarters of a second, and not with less",
        arguments: [(749, false), (750, true), (5000, true)])
    func start(_ milliseconds: Int64, _ isEnough: Bool) { #expect(stretch(milliseconds).isEnoughToStart == isEnough) }

    @Test(
        "playback continues with two seconds after the first stall, two more for each further stall, and at most eight",
        arguments: [(0, 2), (1, 2), (2, 4), (3, 6), (4, 8), (5, 8), (100, 8)])
    func goOn(_ stalls: Int, _ needed: Int64) {
        #expect(stretch(needed * 1000).isEnoughToGoOn(after: stalls))
        #expect(!stretch(needed * 1000 - 1).isEnoughToGoOn(after: stalls))
    }

    @Test("everything up to the end is enough, also when the length is unknown")
    func complete() {
        var whole = stretch(10)
        whole.isComplete = true
        #expect(whole.isEnoughToStart && whole.isEnoughToGoOn(after: 4))
        #expect(BufferedStretch(position: seconds(10), until: nil).isEnoughToStart)
    }

    @Test(
        "at the live edge there is nothing more to wait for",
        arguments: [(10_000, false), (10_599, false), (10_600, true), (11_000, true)])
    func edge(_ until: Int64, _ isEnough: Bool) {
        let edge = BufferedStretch(position: seconds(10), until: .milliseconds(until), live: live(edge: seconds(10, 700)))
        #expect(edge.isEnoughToStart == isEnough)
    }

    @Test("with low latency there is no wait, nor after reading has ended")
    func lowLatency() {
        var early = stretch(10)
        early.live = live(edge: seconds(60))
        #expect(!early.isEnoughToStart)
        early.isCancelled = true
        #expect(early.isEnoughToStart)
        early.isCancelled = false
        early.live = live(edge: seconds(60), isLowLatency: true)
        #expect(early.isEnoughToStart)
    }

    @Test("a live stream that has ended waits like any other")
    func over() {
        var over = stretch(10)
        over.live = live(edge: seconds(10), isLowLatency: true, isLive: false)
        over.isCancelled = true
        #expect(!over.isEnoughToStart)
    }
}
