import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import Testing
import TestSupport

@testable import HLSStreaming

/// One segment, whose requests the test answers by hand.
@MainActor
private final class FetchBench {
    let loop: MainLoop
    let loader = HandLoader()
    let policy = ScriptedPolicy()
    let context: StreamContext
    private(set) var fetch: SegmentFetch!
    /// The events, in words.
    private(set) var events: [String] = []
    /// Called with each event, after it was recorded.
    var onEvent: (String) -> Void = { _ in }
    var place = (missed: 0, hasMediaBehind: true)

    init() throws {
        loop = try MainLoop(time: .simulated)
        context = StreamContext(loader: loader, codecs: FakeSegmentCodecs(), clock: loop.clock, policy: policy)
    }

    /// Starts to load the segment at `http://h/body`, with these tags before it.
    func begin(_ tags: String = "", isBlocking: Bool = false, listens: Bool = true) throws {
        let text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2\n\(tags)#EXTINF:2,\nbody\n"
        let segment = try #require(PlaylistParser().parse(text).playlist?.media?.segments.first)
        let piece = Piece(
            uri: segment.uri, range: segment.byteRange, map: segment.map, key: segment.key, mediaSequence: 0, sequence: 0,
            start: .zero, end: .seconds(2), isPart: false, next: .init(mediaSequence: 1, epoch: 0))
        var plan = piece.plan(role: .variant(0), playlistURL: "http://h/list.m3u8")
        plan.request.isBlocking = isBlocking
        fetch = SegmentFetch(
            plan, context: context, state: { ReadingState() }, place: { [weak self] in self?.place ?? (0, false) })
        events = []
        if listens { listen() }
        fetch.begin()
    }

    func listen() {
        fetch.listen { [weak self] event in
            guard let self else { return }
            let words =
                switch event {
                case .ready(let opening):
                    "ready \(opening.map.map { "\($0)" } ?? "-") \(opening.key.map { "\($0[0])" } ?? "-")"
                case .bytes(let bytes): "\(bytes)"
                case .finished: "finished"
                case .superseded: "superseded"
                case .skipped: "skipped"
                case .failed: "failed"
                }
            self.events.append(words)
            self.onEvent(words)
        }
    }

    /// The last request for the body.
    var body: HandTransfer { loader.transfer("http://h/body")! }
    var key: HandTransfer { loader.transfer("http://h/key")! }
    var map: HandTransfer { loader.transfer("http://h/init")! }

    func run(for length: Duration) { loop.run(within: length) { false } }
}

@Suite("The load of a segment", .serialized)
@MainActor
struct SegmentFetchTests {
    private static let key = [UInt8](repeating: 5, count: 16)
    private static let clearMapAndKey = "#EXT-X-MAP:URI=\"init\",BYTERANGE=\"3@6\"\n#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n"

    @Test("the key, the initialization section and the body are requested at once; the bytes of the body wait for the others")
    func order() throws {
        let bench = try FetchBench()
        try bench.begin(Self.clearMapAndKey)
        #expect(Set(bench.loader.urls) == ["http://h/init", "http://h/key", "http://h/body"])
        #expect(bench.map.request.range == 6..<9 && bench.key.request.range == nil && bench.body.request.range == nil)
        bench.body.send([1, 2])
        bench.key.complete(Self.key)
        bench.body.send([3])
        #expect(bench.events.isEmpty)
        bench.map.complete([7, 8, 9])
        #expect(bench.events == ["ready [7, 8, 9] 5", "[1, 2]", "[3]"])
        bench.body.send([4])
        bench.body.complete()
        #expect(bench.events.suffix(2) == ["[4]", "finished"] && bench.fetch.hasEnded)
        #expect(bench.policy.byteCounts.last == 4)
        // The next segment needs only its body.
        try bench.begin(Self.clearMapAndKey)
        #expect(bench.loader.urls.count == 4 && bench.events == ["ready [7, 8, 9] 5"])
    }

    @Test("a body that is complete before its key ends when the key has come")
    func lateKey() throws {
        let bench = try FetchBench()
        try bench.begin(Self.clearMapAndKey)
        bench.body.send([1, 2])
        bench.body.complete()
        bench.map.complete([7, 8, 9])
        #expect(bench.events.isEmpty)
        bench.key.complete(Self.key)
        #expect(bench.events == ["ready [7, 8, 9] 5", "[1, 2]", "finished"])
    }

    @Test("an encrypted initialization section is decrypted with the key of this box, not with that of another system")
    func encryptedMap() throws {
        let bench = try FetchBench()
        try bench.begin(
            """
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"
            #EXT-X-KEY:METHOD=AES-128,URI="key",IV=0x000102030405060708090a0b0c0d0e0f
            #EXT-X-MAP:URI="init"
            #EXT-X-KEY:METHOD=NONE

            """)
        #expect(Set(bench.loader.urls) == ["http://h/init", "http://h/key", "http://h/body"])
        bench.key.complete(Self.key)
        bench.map.complete(Enciphered.bytes([7, 8, 9], key: Self.key, vector: [UInt8](0...15)))
        #expect(bench.events == ["ready [7, 8, 9] -"])
    }

    @Test("a key of the wrong length ends the load, and its transfers with it")
    func wrongKey() throws {
        let bench = try FetchBench()
        try bench.begin(Self.clearMapAndKey)
        bench.body.send([1])
        bench.map.complete([7])
        bench.key.complete([1, 2, 3])
        #expect(bench.events == ["failed"] && bench.body.isCancelled)
    }

    @Test(
        "an initialization section that cannot be loaded decides for the segment, whose body is not loaded further",
        arguments: [(FailureAction.skip, "skipped"), (.fail, "failed"), (.use(variant: 3), "superseded")])
    func mapFails(_ action: FailureAction, _ event: String) throws {
        let bench = try FetchBench()
        bench.context.useVariant = { $0 == 3 }
        try bench.begin(Self.clearMapAndKey)
        bench.policy.actions = [action]
        bench.map.fail(.status(404))
        #expect(bench.events == [event] && bench.body.isCancelled && bench.fetch.hasEnded)
        // Another segment may need the key. This one does not begin any more.
        #expect(!bench.key.isCancelled)
        bench.key.complete(Self.key)
        #expect(bench.events == [event])
    }

    // MARK: Failures of the body

    @Test("a transfer that breaks continues after the last byte, within the range of the segment", arguments: [false, true])
    func resumed(_ hasRange: Bool) throws {
        let bench = try FetchBench()
        try bench.begin(hasRange ? "#EXT-X-BYTERANGE:4@100\n" : "")
        #expect(bench.body.request.range == (hasRange ? 100..<104 : nil))
        bench.body.send([1, 2, 3])
        bench.policy.actions = [.retry(after: .seconds(2))]
        bench.body.fail(.broken)
        bench.run(for: .milliseconds(1900))
        #expect(bench.loader.transfers.count == 1)
        bench.run(for: .milliseconds(200))
        #expect(bench.loader.transfers.count == 2 && bench.body.request.range == (hasRange ? 103..<104 : 3..<Int64.max))
        bench.body.send([4])
        bench.body.complete()
        #expect(bench.events == ["ready - -", "[1, 2, 3]", "[4]", "finished"] && bench.policy.byteCounts == [4])
    }

    @Test("a server without ranges sends the body again, and the bytes that are there already are passed over")
    func rangeIgnored() throws {
        let bench = try FetchBench()
        try bench.begin()
        bench.body.send([1, 2, 3, 4, 5])
        bench.policy.actions = [.retry(after: .zero), .retry(after: .zero)]
        bench.body.fail(.broken)
        bench.run(for: .milliseconds(1))
        #expect(bench.body.request.range == 5..<Int64.max)
        // That is no failure of the segment.
        bench.body.fail(.rangeIgnored)
        #expect(bench.loader.transfers.count == 3 && bench.body.request.range == nil && bench.policy.attempts == [1])
        bench.body.send([1, 2, 3])
        bench.body.send([4, 5, 6])
        #expect(bench.events.suffix(1) == ["[6]"])
        bench.body.fail(.broken)
        bench.run(for: .milliseconds(1))
        #expect(bench.body.request.range == nil && bench.policy.attempts == [1, 2])
        bench.body.send([1, 2, 3, 4, 5, 6, 7])
        bench.body.complete()
        #expect(bench.events == ["ready - -", "[1, 2, 3, 4, 5]", "[6]", "[7]", "finished"] && bench.policy.byteCounts == [7])
    }

    @Test("what a server sends beyond the range is not part of the segment, and is not asked for again")
    func beyondTheRange() throws {
        let bench = try FetchBench()
        try bench.begin("#EXT-X-BYTERANGE:3@100\n")
        bench.body.send([1, 2])
        bench.body.send([3, 4, 5])
        bench.body.send([6])
        bench.body.fail(.broken)
        bench.run(for: .seconds(10))
        #expect(bench.events == ["ready - -", "[1, 2]", "[3]", "finished"])
        #expect(bench.loader.transfers.count == 1 && bench.policy.attempts.isEmpty)
    }

    @Test("a segment that ends before its range, because its resource does, is a failure")
    func shortRange() throws {
        let bench = try FetchBench()
        try bench.begin("#EXT-X-BYTERANGE:50@100\n")
        bench.policy.actions = [.retry(after: .zero), .skip]
        bench.body.send([1, 2, 3])
        bench.body.complete()
        bench.run(for: .milliseconds(1))
        #expect(bench.body.request.range == 103..<150)
        bench.body.complete()
        #expect(bench.events == ["ready - -", "[1, 2, 3]", "skipped"] && bench.policy.attempts == [1, 2])
    }

    @Test("an initialization section that ends before its range is a failure")
    func shortMap() throws {
        let bench = try FetchBench()
        try bench.begin("#EXT-X-MAP:URI=\"init\",BYTERANGE=\"3@6\"\n")
        bench.policy.actions = [.fail]
        bench.map.complete([7, 8])
        #expect(bench.events == ["failed"])
    }

    @Test("the end of a line behind a key is no part of it; another length is none of a key")
    func keyWithLineEnd() throws {
        for (surplus, isKey) in [([0x0A], true), ([0x0D, 0x0A], true), ([7], false)] as [([UInt8], Bool)] {
            let bench = try FetchBench()
            try bench.begin("#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n")
            bench.key.complete(Self.key + surplus)
            #expect(bench.events == [isKey ? "ready - 5" : "failed"])
        }
    }

    @Test("a server that refuses the first range has failed")
    func firstRangeIgnored() throws {
        let bench = try FetchBench()
        try bench.begin("#EXT-X-BYTERANGE:4@100\n")
        bench.body.fail(.rangeIgnored)
        #expect(bench.events == ["ready - -", "failed"] && bench.loader.transfers.count == 1 && bench.policy.attempts == [1])
    }

    @Test("the policy is told of each failure with its count and what was missed before, and its answer ends the load")
    func failures() throws {
        for (action, hasVariant, event) in [
            (FailureAction.skip, false, "skipped"), (.fail, false, "failed"), (.use(variant: 3), true, "superseded"),
            (.use(variant: 3), false, "failed"),
        ] {
            let bench = try FetchBench()
            bench.context.useVariant = { _ in hasVariant }
            bench.place = (2, true)
            try bench.begin()
            bench.policy.actions = [.retry(after: .zero), action]
            bench.body.fail(.status(503))
            bench.run(for: .milliseconds(1))
            bench.body.fail(.status(503))
            #expect(bench.events == ["ready - -", event] && bench.policy.attempts == [1, 2])
            #expect(bench.policy.failures.allSatisfy { $0.missedSegments == 2 && $0.hasMediaBehind })
            bench.run(for: .seconds(60))
            #expect(bench.loader.transfers.count == 2)
        }
    }

    @Test("a body that the listener refuses is a failed load, and is loaded again from its beginning", arguments: [true, false])
    func refused(_ isAtEnd: Bool) throws {
        let bench = try FetchBench()
        bench.onEvent = { [unowned bench] in
            guard $0 == (isAtEnd ? "finished" : "[1]"), bench.policy.attempts.isEmpty else { return }
            bench.fetch.refuse(MediaError(.sourceFormat, "no media"))
        }
        try bench.begin()
        bench.policy.actions = [.retry(after: .seconds(1))]
        bench.body.send([1])
        if isAtEnd { bench.body.complete() }
        #expect(bench.fetch.isWaiting && bench.body.isCancelled == !isAtEnd)
        // It is no measurement, and the network has not delivered what was wanted.
        #expect(bench.policy.attempts == [1] && bench.policy.byteCounts.isEmpty)
        bench.run(for: .seconds(2))
        #expect(bench.loader.transfers.count == 2 && bench.body.request.range == nil && !bench.fetch.isWaiting)
        bench.body.send([2])
        bench.body.complete()
        #expect(bench.events.suffix(2) == ["[2]", "finished"] && bench.policy.byteCounts == [1])
    }

    @Test("a body that is refused before there was a listener ends its events there, and may end the load")
    func refusedLate() throws {
        let bench = try FetchBench()
        try bench.begin(listens: false)
        bench.body.send([1])
        bench.body.send([2])
        bench.body.complete()
        bench.policy.actions = [.skip]
        bench.onEvent = { [unowned bench] in
            if $0 == "[1]" { bench.fetch.refuse(MediaError(.sourceFormat, "no media")) }
        }
        bench.listen()
        #expect(bench.events == ["ready - -", "[1]", "skipped"] && bench.fetch.hasEnded)
    }

    @Test("a body that is shorter than what is already there is not its rest")
    func shorterBody() throws {
        let bench = try FetchBench()
        try bench.begin()
        bench.body.send([1, 2, 3, 4, 5])
        bench.policy.actions = [.retry(after: .zero), .retry(after: .zero)]
        bench.body.fail(.broken)
        bench.run(for: .milliseconds(1))
        bench.body.fail(.rangeIgnored)
        bench.body.send([9, 9])
        bench.body.complete()
        #expect(bench.events == ["ready - -", "[1, 2, 3, 4, 5]"] && bench.policy.attempts == [1, 2])
        bench.run(for: .milliseconds(1))
        bench.body.send([1, 2, 3, 4, 5, 6])
        bench.body.complete()
        #expect(bench.events.suffix(2) == ["[6]", "finished"])
    }

    // MARK: Progress

    @Test("the policy hears of each part of a body but the last, and may have the segment loaded from another variant")
    func progress() throws {
        let bench = try FetchBench()
        var used: [Int] = []
        bench.context.useVariant = {
            used.append($0)
            return used.count > 1
        }
        try bench.begin()
        bench.body.send([1, 2], expected: 5)
        bench.body.send([3])
        #expect(bench.policy.reports.map(\.received) == [2, 3] && bench.policy.reports.map(\.expected) == [5, nil])
        bench.policy.substitute = 4
        bench.body.send([4], expected: 5)
        // There is no such variant: the load goes on.
        #expect(used == [4] && bench.events.last == "[4]")
        bench.body.send([5], expected: 5)
        #expect(bench.policy.reports.count == 3)
        try bench.begin()
        bench.body.send([1], expected: 5)
        #expect(used == [4, 4] && bench.events.suffix(2) == ["[1]", "superseded"] && bench.body.isCancelled)
    }

    @Test("a request that the server holds until it has the part may take long, and its progress means nothing")
    func blocking() throws {
        let bench = try FetchBench()
        bench.policy.substitute = 4
        bench.context.useVariant = { _ in true }
        try bench.begin(isBlocking: true)
        #expect(bench.body.request.firstByteTimeout == .seconds(30))
        bench.body.send([1], expected: 5)
        #expect(bench.policy.reports.isEmpty && bench.events == ["ready - -", "[1]"])
        try bench.begin()
        #expect(bench.body.request.firstByteTimeout == .seconds(10))
    }

    // MARK: Listening and cancelling

    @Test("what happened before there was a listener is delivered to it, once and in order")
    func lateListener() throws {
        let bench = try FetchBench()
        try bench.begin(listens: false)
        bench.body.send([1])
        bench.body.send([2])
        #expect(bench.events.isEmpty)
        bench.listen()
        #expect(bench.events == ["ready - -", "[1]", "[2]"])
        bench.body.complete()
        bench.listen()
        #expect(bench.events == ["ready - -", "[1]", "[2]", "finished"])
    }

    @Test("a cancelled load is silent, and ends its transfer or its wait for the next attempt")
    func cancelled() throws {
        let bench = try FetchBench()
        try bench.begin(Self.clearMapAndKey, listens: false)
        bench.body.send([1])
        bench.fetch.cancel()
        #expect(bench.body.isCancelled && bench.fetch.hasEnded)
        bench.map.complete([7])
        bench.key.complete(Self.key)
        bench.listen()
        #expect(bench.events.isEmpty)
        let early = try FetchBench()
        try early.begin(listens: false)
        early.body.send([1])
        early.fetch.cancel()
        early.listen()
        #expect(early.events.isEmpty)
        let waiting = try FetchBench()
        try waiting.begin()
        waiting.policy.actions = [.retry(after: .seconds(2))]
        waiting.body.fail(.broken)
        waiting.fetch.cancel()
        waiting.run(for: .seconds(10))
        #expect(waiting.loader.transfers.count == 1 && waiting.events == ["ready - -"])
    }

    @Test("a listener may cancel the load at any event: it hears no more")
    func cancelledByListener() throws {
        for (last, expected) in [("ready [7, 8, 9] 5", 1), ("[1]", 2)] {
            let bench = try FetchBench()
            try bench.begin(Self.clearMapAndKey)
            bench.onEvent = { [unowned bench] in if $0 == last { bench.fetch.cancel() } }
            bench.body.send([1])
            bench.body.send([2])
            bench.body.complete()
            bench.map.complete([7, 8, 9])
            bench.key.complete(Self.key)
            #expect(bench.events.count == expected && bench.events.last == last)
        }
    }
}
