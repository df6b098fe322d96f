import ChannelFeed
import LinuxSupport
import NetworkConditions
import Signatures
import StatusModel
import TestSupport
import Testing

@testable import Housekeeping

@Suite("Refreshing a feed")
@MainActor
struct FeedKeeperTests {
    private static func feed(_ id: String) -> String {
        #"{"feedVersion": 1, "id": "\#(id)", "refresh": {"interval": 60, "jitterPercent": 0}, "channels": [{"id": "n", "title": "N", "streams": [{"url": "https://cdn.example/n.m3u8"}]}]}"#
    }

    @MainActor
    private final class Rig {
        let loop: MainLoop
        let script = OriginScript()
        private(set) var news: [String] = []
        private(set) var keeper: FeedKeeper!

        init(
            folder: String? = nil, address: String = "https://operator.example/feed.json", seed: UInt64 = 1,
            trust: FeedTrust? = nil, before: FeedKeeper.Source? = nil
        ) throws {
            loop = try MainLoop(time: .simulated)
            keeper = FeedKeeper(
                FeedKeeper.Source(address: address, plainHTTPHosts: [], trust: trust, seed: seed), before: before,
                loader: SimulatedOrigin(clock: loop.clock, script: script), clock: loop.clock, log: LogBook(clock: loop.clock),
                folder: folder
            ) { [unowned self] news in
                switch news {
                case .feed(let feed): self.news.append(feed.id ?? "-")
                case .unchanged: break
                case .refused(let code): self.news.append(code)
                case .failed(let code): self.news.append(code.rawValue)
                }
            }
        }

        func run(for length: Duration) { loop.run(within: length, until: { false }) }
        /// When requests came, in seconds after the start.
        var times: [Int] { script.requests.map { Int($0.elapsed / .seconds(1)) } }
    }

    @Test("a feed whose server states an ETag is sent again only after a change")
    func condition() throws {
        let rig = try Rig()
        rig.script.put(FeedKeeperTests.feed("one"), at: "/feed.json")
        rig.keeper.start()
        rig.run(for: .seconds(70))
        rig.script.put(FeedKeeperTests.feed("two"), at: "/feed.json")
        rig.run(for: .seconds(60))
        rig.script.put("nothing that is a feed", at: "/feed.json")
        rig.run(for: .seconds(120))
        let three = Array(FeedKeeperTests.feed("three").utf8)
        rig.script.put(at: "/feed.json") { _ in three }
        rig.run(for: .seconds(120))
        let tags = rig.script.requests.map { $0.headers.first { $0.hasPrefix("If-None-Match") } ?? "-" }
        // A refused answer leaves the tag of the feed that is in use; an answer without one leaves none.
        let (one, two) = (#"If-None-Match: "1""#, #"If-None-Match: "2""#)
        #expect(tags == ["-", one, one, two, two, two, "-"])
        #expect(rig.news == ["one", "two", "FEED-102", "FEED-102", "three"])
        rig.keeper.close()
    }

    @Test("on request at once, and then again at its interval; requests during a request are one")
    func onRequest() throws {
        let rig = try Rig()
        rig.script.put(FeedKeeperTests.feed("one"), at: "/feed.json")
        rig.keeper.start()
        rig.run(for: .seconds(20))
        rig.script.put(FeedKeeperTests.feed("two"), at: "/feed.json")
        for _ in 0..<100 { rig.keeper.loadNow() }
        rig.run(for: .seconds(1))
        #expect(rig.times == [0, 20] && rig.news == ["one", "two"])
        rig.run(for: .seconds(62))
        #expect(rig.times == [0, 20, 80])
        rig.keeper.close()
        rig.keeper.loadNow()
        rig.run(for: .seconds(600))
        #expect(rig.times.count == 3)
    }

    @Test("at the feed's own interval; identical bytes are not reported, a changed feed is")
    func interval() throws {
        let rig = try Rig()
        rig.script.put(FeedKeeperTests.feed("one"), at: "/feed.json")
        rig.keeper.start()
        rig.run(for: .seconds(130))
        #expect(rig.times == [0, 60, 120])
        #expect(rig.news == ["one"])
        rig.script.put(FeedKeeperTests.feed("two"), at: "/feed.json")
        rig.run(for: .seconds(60))
        #expect(rig.news == ["one", "two"])
        rig.keeper.close()
        rig.run(for: .seconds(600))
        #expect(rig.times.count == 4, "a request was sent after closing")
    }

    @Test("a box that was switched on without a network has its feed within half a minute after the network came")
    func noNetworkAtPowerOn() throws {
        let rig = try Rig()
        rig.script.put(FeedKeeperTests.feed("one"), at: "/feed.json")
        rig.script.fail("/feed.json", with: .status(503), during: Duration.zero..<Duration.seconds(3600))
        rig.keeper.start()
        rig.run(for: .seconds(3600))
        #expect(!rig.news.contains("one"))
        rig.run(for: .seconds(30))
        #expect(rig.news.last == "one")
        rig.keeper.close()
    }

    @Test("a failure is retried soon, a refusal at the interval; neither removes the feed")
    func failures() throws {
        let rig = try Rig()
        rig.script.put(FeedKeeperTests.feed("one"), at: "/feed.json")
        rig.script.fail("/feed.json", with: .status(500), times: 2)
        rig.keeper.start()
        rig.run(for: .seconds(30))
        #expect(rig.news.count == 3 && rig.news.last == "one", "\(rig.news)")
        #expect(rig.times.count == 3 && (4...6).contains(rig.times[1]), "\(rig.times)")
        rig.script.put("{\"feedVersion\": 99}", at: "/feed.json")
        rig.run(for: .seconds(60))
        #expect(rig.news.count == 4 && rig.news[3].hasPrefix("FEED-"), "\(rig.news)")
        let count = rig.times.count
        rig.run(for: .seconds(40))
        #expect(rig.times.count == count, "asked again too soon after a refusal: \(rig.times)")
        rig.run(for: .seconds(10))
        #expect(rig.times.count == count + 1, "not asked again after the interval: \(rig.times)")
        rig.keeper.close()
    }

    @Test("the last good feed is available before the network is, and plain http is never requested")
    func kept() throws {
        let folder = ScratchFolder("feed")
        let first = try Rig(folder: folder.path)
        first.script.put(FeedKeeperTests.feed("one"), at: "/feed.json")
        first.keeper.start()
        first.run(for: .seconds(1))
        first.keeper.close()
        let second = try Rig(folder: folder.path)
        second.script.fail("/feed.json", with: .status(500), times: 100)
        second.keeper.start()
        #expect(second.news == ["one"])
        second.run(for: .seconds(3))
        second.keeper.close()
        let plain = try Rig(folder: folder.path, address: "http://operator.example/feed.json")
        plain.keeper.start()
        plain.run(for: .seconds(100))
        #expect(plain.news == ["FEED-060"] && plain.times.isEmpty)
        plain.keeper.close()
    }

    @Test("the feed of the settings before is shown until that of the settings on trial arrives", arguments: ["address", "key"])
    func onTrial(kind: String) throws {
        let folder = ScratchFolder("feed")
        let (old, new) = (try SigningKey(name: "k1"), try SigningKey(name: "k2"))
        let (place, other) = ("https://operator.example/feed.json", "https://other.example/feed.json")
        let before = FeedKeeper.Source(
            address: place, plainHTTPHosts: [], trust: FeedTrust([old.pinned], allowsRollback: false), seed: 1)
        func publish(_ id: String, by key: SigningKey, _ rig: Rig) {
            let feed = FeedKeeperTests.feed(id).replacing(#""feedVersion": 1"#, with: #""feedVersion": 1, "revision": 1"#)
            rig.script.put(feed, at: "/feed.json")
            rig.script.put(String(decoding: key.signature(of: Array(feed.utf8)), as: UTF8.self), at: "/feed.json.sig")
        }
        let first = try Rig(folder: folder.path, address: place, trust: before.trust)
        publish("one", by: old, first)
        first.keeper.start()
        first.run(for: .seconds(1))
        #expect(first.news == ["one"])
        first.keeper.close()
        let second = try Rig(
            folder: folder.path, address: kind == "address" ? other : place,
            trust: FeedTrust([(kind == "address" ? old : new).pinned], allowsRollback: false), before: before)
        second.script.fail("/feed.json", with: .status(404), times: 1)
        second.keeper.start()
        #expect(second.news == ["one"] && !second.keeper.isReached, "that is no proof of the trial")
        second.run(for: .seconds(1))
        #expect(second.news.count == 2 && second.times.count == 1, "it is asked at once: \(second.news)")
        publish("two", by: kind == "address" ? old : new, second)
        second.run(for: .seconds(10))
        #expect(second.news.last == "two" && second.keeper.isReached)
        second.keeper.close()
        // The trial is given up, and the server is down: the channels of the settings before are on the disk.
        let back = try Rig(folder: folder.path, address: place, trust: before.trust)
        back.keeper.start()
        #expect(back.news == ["one"])
        back.keeper.close()
        // Another trial is kept: its feed is there instead, also for one that was loaded before the verdict.
        let kept = try Rig(
            folder: folder.path, address: kind == "address" ? other : place,
            trust: FeedTrust([(kind == "address" ? old : new).pinned], allowsRollback: false), before: before)
        publish("three", by: kind == "address" ? old : new, kept)
        kept.keeper.start()
        kept.run(for: .seconds(1))
        kept.keeper.settle()
        kept.run(for: .seconds(1))
        kept.keeper.close()
        let after = try Rig(
            folder: folder.path, address: kind == "address" ? other : place,
            trust: FeedTrust([(kind == "address" ? old : new).pinned], allowsRollback: false))
        after.keeper.start()
        #expect(after.news == ["three"])
        after.keeper.close()
        // Without a trial nothing of another address or another key is shown.
        let third = try Rig(folder: folder.path, address: "https://third.example/feed.json", trust: before.trust)
        third.keeper.start()
        #expect(third.news == [])
        third.keeper.close()
    }

    @Test("a box with a stored feed asks for a newer one within the interval of its start, others at another time")
    func afterPowerFailure() throws {
        var starts: [Int] = []
        for seed in 1...6 as ClosedRange<UInt64> {
            let folder = ScratchFolder("feed")
            let first = try Rig(folder: folder.path, seed: seed)
            first.script.put(FeedKeeperTests.feed("one"), at: "/feed.json")
            first.keeper.start()
            first.run(for: .seconds(1))
            first.keeper.close()
            let second = try Rig(folder: folder.path, seed: seed)
            second.script.put(FeedKeeperTests.feed("two"), at: "/feed.json")
            second.keeper.start()
            #expect(second.news == ["one"])
            second.run(for: .seconds(61))
            #expect(second.news == ["one", "two"], "box \(seed)")
            second.keeper.close()
            starts.append(try #require(second.times.first))
        }
        #expect(Set(starts).count > 3, "\(starts)")
    }
}
