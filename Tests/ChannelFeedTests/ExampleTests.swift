import MediaModel
import MediaTime
import Testing

@testable import ChannelFeed

@Suite("The examples of the feed's documentation")
struct ExampleTests {
    @Test("the smallest valid feed is good, with the defaults")
    func smallest() throws {
        let verdict = read(
            #"{"feedVersion": 1, "channels": [{"id": "news", "title": "News", "streams": [{"url": "https://cdn.example/news.m3u8"}]}]}"#
        )
        #expect(verdict.findings.isEmpty)
        #expect(verdict.exitCode == 0)
        let feed = try #require(verdict.feed)
        let channel = try #require(feed.channel("news"))
        #expect(channel.number == 1 && channel.kind == .live && !channel.resume && !channel.loop)
        #expect(feed.refresh == Refresh() && feed.refresh.interval == .seconds(900) && feed.refresh.jitterPercent == 20)
        #expect(feed.policy.snapBack == .first && !feed.policy.skippableAds && feed.policy.skipMode == .chapter)
    }

    @Test(
        "the full example is valid: its only finding is the warning that the unrated next episode is locked under its limit"
    )
    func fullExampleIsGood() throws {
        let verdict = read(fullExample)
        #expect(verdict.exitCode == 0)
        #expect(
            verdict.findings.map { "\($0.severity) \($0.code.rawValue) \($0.pointer)" } == [
                "warning FEED-044 /items/0/proposal/next"
            ])
    }

    @Test("the full example is parsed into every part of the model")
    func fullExampleIsRead() throws {
        let feed = try #require(read(fullExample).feed)
        #expect(feed.id == "hotel-7" && feed.revision == 412 && feed.start == .channel("news"))
        #expect(feed.channels.map(\.kind) == [.live, .playlist, .schedule])
        #expect(
            feed.channels[0].streams.map(\.location.name) == [
                "https://cdn.example/v/news/live.m3u8", "https://backup.example/news.m3u8",
            ])
        #expect(feed.channels[1].items == ["m1", "e101"] && feed.channels[1].loop)
        #expect(feed.channels[2].schedule.entries.map(\.item) == ["m1"])
        let item = try #require(feed.item("e101"))
        #expect(item.duration == .seconds(1320) && item.trim == Trim(start: .zero, end: .seconds(1300)))
        #expect(
            item.subtitles == [
                SubtitleTrack(language: "ar", url: "https://cdn.example/v/ar.vtt", kind: .sdh, charset: "windows-1256")
            ])
        #expect(item.markers.map(\.kind) == [.chapter, .intro, .credits])
        #expect(item.markers.map(\.end) == [.seconds(1300), .seconds(72), .seconds(1300)])
        let ad = try #require(item.interstitials.first)
        #expect(
            ad.range == TimeRange(start: .seconds(600), duration: .seconds(60)) && ad.isLinear && !ad.playsOnResume
                && ad.repetition == .once)
        #expect(ad.skip == Interstitial.SkipControl(offset: .seconds(5), duration: .seconds(20)))
        let proposal = try #require(feed.proposal(of: item))
        #expect(proposal.next == .item("e102") && proposal.streams == [.url("https://cdn.example/v/e102/master.m3u8")])
        #expect(proposal.title?.best(for: ["en"]) == "Second" && proposal.contentTimeForTransition == .seconds(1270))
        #expect(proposal.automaticAcceptanceInterval == .seconds(-1))
        #expect(feed.contents(of: feed.rows[1]) == [.item("e101")])
        #expect(feed.policy.parentalLimit?.age == 13 && feed.policy.metered == .low)
    }
}
