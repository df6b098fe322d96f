import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import HLSStreaming

@Suite("Actions after a failed load")
struct FailureLadderTests {
    /// Three rungs: variants 0 and 1 are one rung on two pathways, 2 is the rung above, 3 the highest.
    private static let playlist = """
        #EXTM3U
        #EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="avc1.64001f",PATHWAY-ID="A"
        low-a.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=1000000,CODECS="avc1.64001f",PATHWAY-ID="B"
        low-b.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.64001f",PATHWAY-ID="A"
        middle.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=6000000,CODECS="avc1.64001f",PATHWAY-ID="A"
        high.m3u8
        """

    private let ladder: VariantLadder
    private let pathways: PathwayOrder

    init() throws {
        guard case .multivariant(let playlist) = PlaylistParser().parse(Self.playlist).playlist else {
            throw MediaError(.sourceFormat, "The playlist of the test is not one of variants.")
        }
        let variants = playlist.variants
        ladder = VariantLadder(variants, selection: VariantSelection(width: 1920, height: 1080) { _ in true })
        pathways = PathwayOrder(variants)
    }

    /// A ladder with exact delays.
    private func failures() -> FailureLadder {
        var policy = FailurePolicy()
        policy.jitter = 0
        return FailureLadder(policy: policy, seed: 1)
    }

    private func failure(
        _ kind: ResourceKind = .segment, of variant: Int? = 3, _ fault: LoadFault, attempts: Int = 1, sequence: Int64? = 7,
        hasMediaBehind: Bool = false, hasDelivered: Bool = true, at seconds: Int = 0, isBlocking: Bool = false,
        isReload: Bool = false, behindLive: MediaTime? = nil
    ) -> StreamFailure {
        StreamFailure(
            request: StreamRequest(
                kind: kind, role: variant.map { .variant($0) } ?? .presentation, url: "http://h/x", mediaSequence: sequence,
                isBlocking: isBlocking, isReload: isReload),
            error: MediaError(.sourceTimeout, "Loading x failed.", fault: fault), attempts: attempts, missedSegments: 0,
            hasMediaBehind: hasMediaBehind,
            state: ReadingState(hasDelivered: hasDelivered, behindLive: behindLive, now: HostTime.zero + .seconds(seconds)))
    }

    @Test("the rungs of the test are as its comments say")
    func rungs() { #expect(ladder.rungs.map(\.variants) == [[0, 1], [2], [3]]) }

    // MARK: Kinds of faults

    @Test(
        "a fault is final, temporary, a broken connection or an outage",
        arguments: [
            (LoadFault.status(404), FaultKind.final), (.status(403), .final), (.status(499), .final), (.status(408), .passing),
            (.status(425), .passing), (.status(429), .passing), (.status(500), .passing), (.status(503), .passing),
            (.broken, .broken), (.wrongLength, .broken), (.noFirstByte, .outage), (.stalled, .outage), (.overdue, .outage),
            (.unreachable, .outage), (.unresolved, .outage), (.insecure, .final), (.redirects, .final), (.rangeIgnored, .final),
            (.tooLong, .final), (.refused, .final), (.unreadable, .final),
        ])
    func kinds(_ fault: LoadFault, _ kind: FaultKind) {
        #expect(FaultKind(MediaError(.sourceFormat, "x", fault: fault)) == kind)
    }

    @Test("an error without a fault is an outage if its code means one")
    func kindsByCode() {
        #expect(FaultKind(MediaError(.networkDown, "x")) == .outage)
        #expect(FaultKind(MediaError(.sourceTimeout, "x")) == .outage)
        #expect(FaultKind(MediaError(.sourceFormat, "x")) == .final)
        #expect(FaultKind(MediaError(.sourceMissing, "x")) == .final)
    }

    // MARK: Retries

    @Test("after a server error the load is retried with doubled delays, as often as the kind of resource allows")
    func retries() {
        var failures = failures()
        func action(_ kind: ResourceKind, _ attempts: Int) -> FailureAction {
            failures.action(after: failure(kind, of: nil, .status(503), attempts: attempts), ladder: ladder, pathways: pathways)
        }
        #expect(action(.segment, 1) == .retry(after: .milliseconds(500)))
        #expect(action(.segment, 2) == .retry(after: .seconds(1)))
        #expect(action(.segment, 3) == .skip)
        #expect(action(.part, 2) == .retry(after: .seconds(1)))
        #expect(action(.part, 3) == .skip)
        #expect(action(.initialization, 2) == .retry(after: .seconds(1)))
        #expect(action(.initialization, 3) == .fail)
        #expect(action(.playlist, 1) == .retry(after: .seconds(1)))
        #expect(action(.playlist, 3) == .retry(after: .seconds(4)))
        #expect(action(.playlist, 4) == .fail)
        #expect(action(.key, 3) == .retry(after: .seconds(4)))
        #expect(action(.key, 4) == .fail)
        #expect(action(.assetList, 1) == .retry(after: .seconds(1)))
        #expect(action(.assetList, 2) == .skip)
        #expect(action(.steering, 1) == .retry(after: .seconds(1)))
        #expect(action(.steering, 2) == .skip)
    }

    @Test("doubling ends at the longest delay")
    func longestDelay() {
        var policy = FailurePolicy()
        policy.jitter = 0
        policy.lists = .init(attempts: 10, firstDelay: .seconds(3), longestDelay: .seconds(8))
        var failures = FailureLadder(policy: policy, seed: 1)
        let delays = (1...4).map {
            failures.action(after: failure(.playlist, of: nil, .status(503), attempts: $0), ladder: ladder, pathways: pathways)
        }
        #expect(delays == [3, 6, 8, 8].map { .retry(after: .seconds($0)) })
    }

    @Test("delays have an even jitter of at most half")
    func jitter() {
        var failures = FailureLadder(seed: 5)
        var delays: [Duration] = []
        for _ in 0..<200 {
            guard
                case .retry(let delay) = failures.action(
                    after: failure(.playlist, .status(503)), ladder: ladder, pathways: pathways)
            else { continue }
            delays.append(delay)
        }
        #expect(delays.count == 200)
        #expect(delays.min()! >= .milliseconds(500) && delays.min()! < .milliseconds(600))
        #expect(delays.max()! <= .milliseconds(1500) && delays.max()! > .milliseconds(1400))
    }

    @Test("a broken connection is retried at once the first time, with a delay the second")
    func broken() {
        var failures = failures()
        #expect(failures.action(after: failure(of: 3, .broken), ladder: ladder, pathways: pathways) == .retry(after: .zero))
        #expect(
            failures.action(after: failure(of: 3, .broken, attempts: 2), ladder: ladder, pathways: pathways)
                == .retry(after: .seconds(1)))
    }

    // MARK: Other pathways and variants

    @Test("a resource that is gone is loaded from the same rung on another pathway, and its pathway is excluded for five minutes")
    func otherPlace() {
        var failures = failures()
        #expect(failures.action(after: failure(of: 0, .status(404)), ladder: ladder, pathways: pathways) == .use(variant: 1))
        #expect(failures.isExcluded(0, at: HostTime.zero + .milliseconds(299_999)))
        #expect(!failures.isExcluded(0, at: HostTime.zero + .seconds(300)))
        #expect(!failures.isExcluded(1, at: .zero))
    }

    @Test("without another pathway the next lower rung is used, and the variant is excluded for one minute")
    func lowerRung() {
        var failures = failures()
        #expect(failures.action(after: failure(of: 3, .status(404)), ladder: ladder, pathways: pathways) == .use(variant: 2))
        #expect(failures.isExcluded(3, at: HostTime.zero + .milliseconds(59_999)))
        #expect(!failures.isExcluded(3, at: HostTime.zero + .seconds(60)))
    }

    @Test("a segment is tried once in every variant down the ladder; then it is a gap, and no variant is excluded for it")
    func downTheLadder() {
        var failures = failures()
        func gone(_ variant: Int) -> FailureAction {
            failures.action(after: failure(of: variant, .status(404)), ladder: ladder, pathways: pathways)
        }
        #expect(gone(2) == .use(variant: 0))
        #expect(gone(0) == .use(variant: 1))
        #expect(gone(1) == .use(variant: 3))
        #expect(gone(3) == .skip)
        for variant in 0...3 { #expect(!failures.isExcluded(variant, at: .zero), "\(variant)") }
    }

    @Test("attempts for one segment do not count for the next one")
    func nextSegment() {
        var failures = failures()
        _ = failures.action(after: failure(of: 3, .status(404), sequence: 7), ladder: ladder, pathways: pathways)
        // After the exclusion has ended, variant 3 may be used again for another segment, and not for the same one.
        let later = 61
        #expect(
            failures.action(after: failure(of: 2, .status(404), sequence: 7, at: later), ladder: ladder, pathways: pathways)
                == .use(variant: 0))
        var others = self.failures()
        _ = others.action(after: failure(of: 3, .status(404), sequence: 7), ladder: ladder, pathways: pathways)
        _ = others.action(after: failure(of: 0, .status(404), sequence: 8, at: later), ladder: ladder, pathways: pathways)
        _ = others.action(after: failure(of: 1, .status(404), sequence: 8, at: later), ladder: ladder, pathways: pathways)
        #expect(
            others.action(after: failure(of: 2, .status(404), sequence: 8, at: later), ladder: ladder, pathways: pathways)
                == .use(variant: 3))
    }

    @Test("a variant that is excluded is not tried for the next segment either")
    func excluded() {
        var failures = failures()
        func gone(_ variant: Int, _ sequence: Int64) -> FailureAction {
            failures.action(after: failure(of: variant, .status(404), sequence: sequence), ladder: ladder, pathways: pathways)
        }
        #expect(gone(3, 7) == .use(variant: 2))
        #expect(gone(2, 8) == .use(variant: 0))
        #expect(gone(0, 8) == .use(variant: 1))
        #expect(gone(1, 8) == .skip)
    }

    @Test("the pathway that content steering prefers is used first")
    func steered() {
        var order = pathways
        #expect(order.ordered([0, 1]) == [0, 1])
        order.priority = ["B", "A"]
        #expect(order.ordered([0, 1]) == [1, 0])
        order.priority = ["C", "A"]
        #expect(order.ordered([1, 0]) == [0, 1])
        var failures = failures()
        order.priority = ["B"]
        #expect(failures.action(after: failure(of: 2, .status(404)), ladder: ladder, pathways: order) == .use(variant: 1))
    }

    @Test("an asset list and a steering manifest are never requested from another variant")
    func extras() {
        var failures = failures()
        for kind in [ResourceKind.assetList, .steering] {
            #expect(failures.action(after: failure(kind, of: 0, .status(404)), ladder: ladder, pathways: pathways) == .skip)
        }
        #expect(!failures.isExcluded(0, at: .zero))
    }

    // MARK: Live playlists

    @Test(
        "a live playlist is asked for four times, whatever the answer, before another variant is used",
        arguments: [403, 404, 503])
    func reload(_ status: Int) {
        var failures = failures()
        func action(_ variant: Int?, _ attempts: Int) -> FailureAction {
            failures.action(
                after: failure(.playlist, of: variant, .status(status), attempts: attempts, sequence: nil, isReload: true),
                ladder: ladder, pathways: pathways)
        }
        #expect((1...3).map { action(3, $0) } == [1, 2, 4].map { .retry(after: .seconds($0)) })
        #expect(action(3, 4) == .use(variant: 2))
        // Without another variant the known one is reloaded later.
        #expect((1...3).map { action(nil, $0) } == [1, 2, 4].map { .retry(after: .seconds($0)) })
        #expect(action(nil, 4) == .skip)
    }

    @Test("a blocking reload that the server refuses is not repeated as such")
    func refusedDirectives() {
        var failures = failures()
        func action(_ status: Int) -> FailureAction {
            failures.action(
                after: failure(.playlist, of: 3, .status(status), sequence: nil, isBlocking: true, isReload: true),
                ladder: ladder,
                pathways: pathways)
        }
        #expect(action(400) == .skip && action(503) == .retry(after: .seconds(1)))
    }

    @Test("variants that failed are tried again for a live playlist after half a minute, even when all are excluded")
    func retrial() {
        var failures = failures()
        func action(_ variant: Int, _ seconds: Int) -> FailureAction {
            failures.action(
                after: failure(.playlist, of: variant, .status(404), attempts: 4, sequence: nil, at: seconds, isReload: true),
                ladder: ladder, pathways: pathways)
        }
        #expect(action(3, 0) == .use(variant: 2) && action(2, 7) == .use(variant: 0) && action(0, 14) == .use(variant: 1))
        #expect(action(1, 21) == .skip && action(1, 29) == .skip)
        // Variant 3 was tried 30 seconds ago, variants 2 and 0 later.
        #expect(action(1, 30) == .use(variant: 3))
        #expect(action(3, 44) == .use(variant: 2))
        var hours = self.failures()
        var used: Set<Int> = []
        var current = 3
        for seconds in stride(from: 0, to: 4 * 3600, by: 8) {
            let action = hours.action(
                after: failure(.playlist, of: current, .status(404), attempts: 4, sequence: nil, at: seconds, isReload: true),
                ladder: ladder, pathways: pathways)
            if case .use(let other) = action { current = other }
            if seconds > 3 * 3600 { used.insert(current) }
        }
        #expect(used == [0, 1, 2, 3])
    }

    @Test("in a live stream that has begun, a missing key or initialization section is a gap")
    func liveKeys() {
        for kind in [ResourceKind.key, .initialization] {
            for (delivered, behindLive, expected) in [
                (true, MediaTime.zero, FailureAction.skip), (false, .zero, .fail), (true, nil, .fail),
            ] as [(Bool, MediaTime?, FailureAction)] {
                var failures = failures()
                #expect(
                    failures.action(
                        after: failure(
                            kind, of: nil, .status(404), sequence: nil, hasDelivered: delivered, behindLive: behindLive),
                        ladder: ladder, pathways: pathways) == expected)
            }
        }
    }

    // MARK: Giving up

    @Test("a segment that no variant has is a gap, unless nothing was delivered and nothing follows")
    func last() {
        func action(_ kind: ResourceKind, behind: Bool, delivered: Bool) -> FailureAction {
            var failures = failures()
            return failures.action(
                after: failure(kind, of: nil, .status(404), hasMediaBehind: behind, hasDelivered: delivered), ladder: ladder,
                pathways: pathways)
        }
        #expect(action(.segment, behind: false, delivered: false) == .fail)
        #expect(action(.segment, behind: true, delivered: false) == .skip)
        #expect(action(.segment, behind: false, delivered: true) == .skip)
        #expect(action(.part, behind: false, delivered: false) == .fail)
        #expect(action(.playlist, behind: true, delivered: true) == .fail)
        #expect(action(.key, behind: true, delivered: true) == .fail)
        #expect(action(.initialization, behind: true, delivered: true) == .fail)
    }

    // MARK: Patience

    /// A failure of media of a run that began at time zero, with some of it buffered.
    private func starving(
        _ fault: LoadFault, buffered: Int = 0, at seconds: Int, missed: Int = 0, role: RenditionRole = .audio(TrackID(1)),
        kind: ResourceKind = .segment, attempts: Int = 3, began: Int = 0, hasDelivered: Bool = true
    ) -> StreamFailure {
        var failure = failure(
            kind, of: nil, fault, attempts: attempts, hasMediaBehind: true, hasDelivered: hasDelivered, at: seconds)
        failure.request.role = role
        failure.missedSegments = missed
        failure.state.bufferedDuration = .seconds(Int64(buffered))
        failure.state.began = HostTime.zero + .seconds(began)
        return failure
    }

    @Test("media that fails is requested again as long as the buffer lasts, with a back-off that does not pass its end")
    func bufferLasts() {
        var failures = failures()
        func action(_ fault: LoadFault, _ buffered: Int, _ attempts: Int, kind: ResourceKind = .segment) -> FailureAction {
            failures.action(
                after: starving(fault, buffered: buffered, at: 30 - buffered, kind: kind, attempts: attempts), ladder: ladder,
                pathways: pathways)
        }
        #expect(action(.status(404), 30, 1) == .retry(after: .milliseconds(500)))
        #expect(action(.status(404), 29, 2) == .retry(after: .seconds(1)))
        #expect(action(.status(404), 25, 9) == .retry(after: .seconds(4)))
        #expect(action(.status(404), 10, 10) == .retry(after: .seconds(2)))
        #expect(action(.status(404), 8, 11) == .retry(after: .seconds(4)) && action(.status(404), 3, 12) == .skip)
        #expect(action(.status(403), 9, 1, kind: .key) == .retry(after: .seconds(1)))
        #expect(
            action(.status(403), 8, 1, kind: .key) == .retry(after: .seconds(2))
                && action(.status(403), 3, 2, kind: .key) == .fail)
    }

    @Test("the variants take turns as long as the buffer lasts, and none is excluded for it afterwards")
    func turns() {
        var failures = failures()
        func action(_ variant: Int, _ seconds: Int, buffered: Int) -> FailureAction {
            failures.action(
                after: starving(.status(404), buffered: buffered, at: seconds, role: .variant(variant), attempts: 1),
                ladder: ladder, pathways: pathways)
        }
        for (round, order) in [[3, 2, 0, 1], [1, 0, 2, 3], [3, 2, 0, 1]].enumerated() {
            for (variant, next) in zip(order, order.dropFirst()) {
                #expect(action(variant, 4 * round, buffered: 20) == .use(variant: next))
            }
            #expect(action(order[3], 4 * round, buffered: 20) == .retry(after: .milliseconds(Int64(500) << Int64(round))))
            for variant in 0...3 { #expect(!failures.isExcluded(variant, at: HostTime.zero + .seconds(4 * round)), "\(variant)") }
        }
    }

    @Test("with an empty buffer a faulty server is waited for, twice as long after each gap, and a quarter of an hour in all")
    func faultyServer() {
        var failures = failures()
        func action(_ seconds: Int, _ missed: Int) -> FailureAction {
            failures.action(after: starving(.status(503), at: seconds, missed: missed), ladder: ladder, pathways: pathways)
        }
        #expect(action(100, 0) == .retry(after: .seconds(2)) && action(114, 0) == .retry(after: .seconds(2)))
        #expect(action(115, 0) == .skip)
        #expect(action(116, 1) == .retry(after: .seconds(2)) && action(145, 1) == .retry(after: .seconds(2)))
        #expect(action(146, 1) == .skip)
        #expect(action(147, 7) == .retry(after: .seconds(2)) && action(999, 7) == .retry(after: .seconds(2)))
        #expect(action(1000, 7) == .fail)
        // One segment is enough to begin anew.
        failures.didLoad(StreamRequest(kind: .segment, role: .audio(TrackID(1)), url: "u"))
        #expect(action(2000, 0) == .retry(after: .seconds(2)) && action(2014, 0) == .retry(after: .seconds(2)))
    }

    @Test("a refused segment is waited for five seconds, further ones in a row twice as long, up to half a minute")
    func refusedSegments() {
        var failures = failures()
        var began = 0
        func action(_ seconds: Int, _ missed: Int) -> FailureAction {
            failures.action(after: starving(.status(404), at: seconds, missed: missed), ladder: ladder, pathways: pathways)
        }
        for (missed, patience) in [(0, 5), (1, 10), (2, 20), (3, 30), (6, 30), (100, 30)] {
            for second in 0..<patience { #expect(action(began + second, missed) != .skip) }
            began += patience
            #expect(action(began, missed) == .skip)
        }
    }

    @Test("at the start a faulty server is waited for half a minute, and a stream without any media fails after a minute")
    func patienceAtStart() {
        var failures = failures()
        func action(_ fault: LoadFault, _ seconds: Int, _ missed: Int, began: Int = 0) -> FailureAction {
            failures.action(
                after: starving(fault, at: seconds, missed: missed, began: began, hasDelivered: false), ladder: ladder,
                pathways: pathways)
        }
        #expect(action(.status(503), 0, 0) != .skip && action(.status(503), 29, 0) != .skip)
        #expect(action(.status(503), 30, 0) == .skip)
        #expect(action(.status(503), 31, 1) != .skip && action(.status(404), 60, 9) == .fail)
        // What the server refuses is not waited for long.
        #expect(action(.status(404), 62, 0, began: 62) != .skip && action(.status(404), 63, 0, began: 62) == .skip)
        // A seek begins a new run.
        #expect(action(.status(503), 70, 0, began: 65) == .retry(after: .seconds(2)))
    }

    @Test("captions and key pictures are not waited for, and sound does not use up the patience with pictures")
    func families() {
        var failures = failures()
        var caption = starving(.status(404), buffered: 20, at: 0, role: .text(TrackID(2)))
        caption.state.began = nil
        #expect(failures.action(after: caption, ladder: ladder, pathways: pathways) == .skip)
        func action(_ role: RenditionRole, _ seconds: Int) -> FailureAction {
            failures.action(after: starving(.status(503), at: seconds, role: role), ladder: ladder, pathways: pathways)
        }
        #expect(action(.audio(TrackID(1)), 0) != .skip && action(.audio(TrackID(3)), 9) != .skip)
        #expect(action(.audio(TrackID(1)), 15) == .skip && action(.audio(TrackID(3)), 23) != .skip)
        #expect(action(.audio(TrackID(3)), 24) == .skip)
    }

    // MARK: Outages

    @Test("during an outage the player waits a minute before the first media, and a quarter of an hour after it")
    func outage() {
        for (delivered, patience) in [(false, 60), (true, 900)] {
            var failures = failures()
            func action(_ attempts: Int, _ seconds: Int) -> FailureAction {
                failures.action(
                    after: failure(.playlist, of: nil, .unreachable, attempts: attempts, hasDelivered: delivered, at: seconds),
                    ladder: ladder, pathways: pathways)
            }
            #expect(action(1, 100) == .retry(after: .milliseconds(100)))
            #expect(action(2, 101) == .retry(after: .seconds(1)))
            #expect(action(3, 103) == .retry(after: .seconds(2)))
            #expect(action(9, 100 + patience - 1) == .retry(after: .seconds(8)))
            #expect(action(9, 100 + patience) == .fail)
        }
    }

    @Test("any successful load ends the outage and resets the waiting time")
    func outageEnds() {
        var failures = failures()
        func action(_ seconds: Int) -> FailureAction {
            failures.action(
                after: failure(.key, of: nil, .stalled, attempts: 9, hasDelivered: false, at: seconds), ladder: ladder,
                pathways: pathways)
        }
        #expect(action(0) == .retry(after: .seconds(8)))
        failures.didLoad(StreamRequest(kind: .playlist, role: .presentation, url: "http://h/x"))
        #expect(action(60) == .retry(after: .seconds(8)))
        #expect(action(119) == .retry(after: .seconds(8)))
        #expect(action(120) == .fail)
    }

    @Test("the second timeout on one pathway switches to another; if there is none, the player waits for the network")
    func silence() {
        var failures = failures()
        #expect(
            failures.action(after: failure(of: 0, .noFirstByte), ladder: ladder, pathways: pathways)
                == .retry(after: .milliseconds(100)))
        #expect(
            failures.action(after: failure(of: 0, .noFirstByte, attempts: 3), ladder: ladder, pathways: pathways)
                == .use(variant: 1))
        // The other pathway is excluded now, so that none is left.
        #expect(
            failures.action(after: failure(of: 1, .noFirstByte, attempts: 3), ladder: ladder, pathways: pathways)
                == .retry(after: .seconds(1)))
        #expect(
            failures.action(after: failure(of: 3, .noFirstByte, attempts: 2), ladder: ladder, pathways: pathways)
                == .retry(after: .milliseconds(500)))
    }

    @Test("optional resources are not waited for")
    func outageOfExtras() {
        var failures = failures()
        #expect(
            failures.action(after: failure(.assetList, of: nil, .unreachable), ladder: ladder, pathways: pathways)
                == .retry(after: .seconds(1)))
        #expect(
            failures.action(after: failure(.assetList, of: nil, .unreachable, attempts: 2), ladder: ladder, pathways: pathways)
                == .skip)
    }
}
