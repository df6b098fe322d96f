import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Metadata
import TestSupport
import Testing

@testable import Playback

@Suite("Interstitials that are not spliced into a film", .serialized)
@MainActor
struct InterstitialTests {
    private static let film = FakeMedia()

    private func makeRig() throws -> PlayerRig {
        let rig = try PlayerRig()
        for name in ["a", "b"] { rig.loader.put(FakeMedia(frameCount: 50, soundDuration: .seconds(2)), at: name) }
        return rig
    }

    private func event(
        _ id: String, at second: Int64, _ assets: Interstitial.Assets, cue: Interstitial.Cue = [],
        resumes offset: MediaTime? = .zero,
        limit: MediaTime? = nil, aligned: Bool = false, restrictions: Interstitial.Restrictions = []
    ) -> Interstitial {
        Interstitial(
            id: id,
            event: Interstitial.Event(
                time: seconds(second), cue: cue, assets: assets, resumptionOffset: offset, playoutLimit: limit,
                alignsResumptionWithSegmentBoundary: aligned),
            restrictions: restrictions)
    }

    /// Plays to the end.
    private func play(_ rig: PlayerRig) -> Bool {
        rig.player.play()
        return rig.run { rig.isAtEnd }
    }

    @Test(
        "its assets are requested once, ahead of its position, and play one after another; no frame is lost, neither of them nor of the film"
    )
    func list() throws {
        let rig = try makeRig()
        defer { rig.close() }
        let (source, _) = rig.present(Self.film) { $0.interstitials = [event("x", at: 6, .list(url: "list"))] }
        var pictures = 0
        rig.onEvent = { if case .interstitialFrame = $0 { pictures += 1 } }
        rig.player.play()
        #expect(rig.run { !source.requests.isEmpty })
        #expect(rig.player.currentTime < seconds(6))
        source.requests[0].answer(["a", "b"])
        #expect(rig.run { rig.isAtEnd })
        #expect(source.requests.count == 1)
        #expect(rig.interstitialLines == ["begin x 1/2", "begin x 2/2", "end x completed"])
        #expect(pictures == 100, "the frames of its assets are told apart")
        #expect(firstDifference(rig.frames.map(\.time), (0..<250).map { Self.film.time(of: $0) }) == nil)
        let lengths = rig.clock.now - HostTime.zero
        #expect(lengths > .seconds(14) && lengths < .seconds(15))
    }

    @Test("a request for assets is cancelled when the item is removed, or when the viewer leaves the wait for it")
    func cancelled() throws {
        let rig = try makeRig()
        defer { rig.close() }
        let (first, _) = rig.present(Self.film) { $0.interstitials = [event("x", at: 6, .list(url: "list"))] }
        rig.player.play()
        #expect(rig.run { !first.requests.isEmpty })
        rig.player.replaceCurrentItem(with: nil)
        #expect(first.requests[0].isCancelled)
        rig.forget()
        // The event is due before its list is known, and is given up after its time limit.
        let (second, _) = rig.present(Self.film) { $0.interstitials = [event("x", at: 1, .list(url: "list"))] }
        rig.player.play()
        #expect(rig.run { rig.isAtEnd })
        #expect(second.requests.count == 1 && second.requests[0].isCancelled)
        #expect(rig.frames.count == 250)
    }

    @Test("an event exactly where another one resumes begins before any frame is shown there")
    func adjacent() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.present(Self.film) {
            $0.interstitials = [
                event("x", at: 2, .asset(url: "a"), resumes: .seconds(2)), event("y", at: 4, .asset(url: "b")),
            ]
        }
        var shownBefore: Int?
        rig.onEvent = { [unowned rig] event in
            if case .interstitial(.presenting(let status)) = event, status.interstitial.id == "y" {
                shownBefore = shownBefore ?? rig.frames.count { $0.time >= seconds(4) }
            }
        }
        #expect(play(rig))
        #expect(rig.interstitialLines == ["begin x 1/1", "end x completed", "begin y 1/1", "end y completed"])
        #expect(shownBefore == 0)
        #expect(!rig.saw(2..<4) && rig.saw(4..<5))
    }

    @Test("without an offset the film resumes later by the time that was played, and at a segment boundary if that is requested")
    func resumption() throws {
        for (aligned, place) in [(false, seconds(5, 400)), (true, seconds(6))] {
            let rig = try makeRig()
            defer { rig.close() }
            rig.loader.put(FakeMedia(frameCount: 60, soundDuration: seconds(2, 400)), at: "long")
            rig.present(Self.film) {
                $0.interstitials = [event("x", at: 3, .asset(url: "long"), resumes: nil, aligned: aligned)]
            }
            #expect(play(rig))
            let next = try #require(rig.frames.first { $0.time >= seconds(3) })
            // The measured duration is accurate to a frame or two.
            #expect((next.time - place).magnitude <= (aligned ? .zero : .milliseconds(150)), "\(next.time)")
        }
    }

    @Test(
        "an asset that cannot be loaded, or does not start in time, is skipped; if none plays, the film continues where it was left"
    )
    func failures() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.loader.put(FakeMedia(), at: "slow")
        rig.loader.setGate(.zero, at: "slow")
        let (source, _) = rig.present(Self.film) {
            $0.interstitials = [
                event("x", at: 2, .list(url: "x"), resumes: .seconds(4)),
                event("y", at: 7, .list(url: "y"), resumes: .seconds(2)),
            ]
        }
        rig.player.play()
        #expect(rig.run { !source.requests.isEmpty })
        source.requests[0].answer(["missing", "a"])
        #expect(rig.run { source.requests.count == 2 })
        source.requests[1].answer(["missing", "slow"])
        #expect(rig.run { rig.isAtEnd })
        #expect(
            rig.interstitialLines == [
                "begin x 1/2", "begin x 2/2", "end x completed", "begin y 1/2", "begin y 2/2", "end y failed",
            ])
        #expect(!rig.saw(2..<6))
        // An event that could not be played replaces no part of the film.
        #expect(rig.saw(7..<8) && rig.saw(8..<9))
    }

    @Test("leaving an event for the position where it began does not start it again; going back before it does")
    func left() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.present(Self.film) { $0.interstitials = [event("x", at: 6, .asset(url: "a"))] }
        rig.player.play()
        #expect(rig.run { rig.player.interstitialStatus != nil })
        rig.run(for: .seconds(1))
        rig.player.seek(to: seconds(6), toleranceBefore: .zero, toleranceAfter: .zero)
        #expect(rig.run { rig.player.currentTime >= seconds(7) })
        #expect(rig.interstitialLines == ["begin x 1/1", "end x abandoned"])
        rig.player.seek(to: seconds(5), toleranceBefore: .zero, toleranceAfter: .zero)
        #expect(rig.run { rig.isAtEnd })
        #expect(rig.interstitialLines == ["begin x 1/1", "end x abandoned", "begin x 1/1", "end x completed"])
    }

    @Test("a skip control or a linear event decides what the viewer may do; a jump over a required event leads to it first")
    func restrictions() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.present(Self.film) {
            var skippable = event("x", at: 2, .asset(url: "a"), restrictions: .requiresPlaybackAtPreferredRateForAdvancement)
            skippable.skip = Interstitial.SkipControl(offset: .seconds(1))
            $0.interstitials = [
                skippable, event("y", at: 6, .asset(url: "b"), restrictions: .constrainsSeekingForwardInPrimaryContent),
            ]
        }
        rig.player.play()
        #expect(rig.run { rig.player.interstitialStatus.map { $0.elapsed > .milliseconds(500) } ?? false })
        #expect(rig.seek(to: seconds(8)) == false)
        #expect(!rig.player.skipInterstitial() && !rig.player.setRate(Ratio(2)))
        #expect(rig.player.currentTime == seconds(2))
        rig.run(for: .seconds(1))
        #expect(rig.player.skipInterstitial())
        #expect(rig.run { rig.player.currentTime >= seconds(3) })
        rig.forget()
        rig.player.seek(to: seconds(9), toleranceBefore: .zero, toleranceAfter: .zero)
        #expect(rig.run { rig.isAtEnd })
        #expect(rig.interstitialLines == ["begin y 1/1", "end y completed"])
        #expect(!rig.saw(4..<9) && rig.saw(9..<10))
    }

    @Test("a jump over events that touch plays each of them in order, then leads to its target", arguments: [true, false])
    func pod(isAtOnePlace: Bool) throws {
        let rig = try makeRig()
        defer { rig.close() }
        let required = Interstitial.Restrictions.constrainsSeekingForwardInPrimaryContent
        rig.present(Self.film) {
            $0.interstitials =
                isAtOnePlace
                ? ["x", "y", "z"].map { event($0, at: 3, .asset(url: "a"), restrictions: required) }
                : [("x", 3), ("y", 4), ("z", 5)].map {
                    event($0, at: $1, .asset(url: "b"), resumes: .seconds(1), restrictions: required)
                }
        }
        rig.player.play()
        #expect(rig.run { rig.player.currentTime >= seconds(1) })
        rig.forget()
        rig.player.seek(to: seconds(8), toleranceBefore: .zero, toleranceAfter: .zero)
        #expect(rig.run { rig.isAtEnd })
        #expect(
            rig.interstitialLines == [
                "begin x 1/1", "end x completed", "begin y 1/1", "end y completed", "begin z 1/1", "end z completed",
            ])
        #expect(!rig.saw(2..<8) && rig.saw(8..<9))
    }

    @Test("events before the film and after its end play there, and the end is reported once, after them")
    func cues() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.present(Self.film) {
            $0.interstitials = [
                event("first", at: 0, .asset(url: "a"), cue: .joinCue), event("x", at: 5, .asset(url: "a")),
                event("last", at: 0, .asset(url: "b"), cue: .leaveCue),
            ]
        }
        var lines: [String] = []
        rig.onEvent = { event in
            switch event {
            case .interstitial(.ended(let interstitial, _)): lines.append(interstitial.id)
            case .frame(let record) where record.time == .zero: lines.append("first frame")
            case .didPlayToEnd: lines.append("end")
            default: break
            }
        }
        #expect(play(rig))
        rig.run(for: .seconds(1))
        #expect(lines == ["first", "first frame", "x", "last", "end"])
        #expect(Set(rig.frames.map(\.time)).count == 250)
    }

    @Test("a playout limit ends an event, and the rest of its assets is not played")
    func limit() throws {
        let rig = try makeRig()
        defer { rig.close() }
        let (source, _) = rig.present(Self.film) {
            $0.interstitials = [event("x", at: 6, .list(url: "x"), limit: .seconds(3))]
        }
        rig.player.play()
        #expect(rig.run { !source.requests.isEmpty })
        source.requests[0].answer(["a", "b", "a"])
        #expect(rig.run { rig.isAtEnd })
        #expect(rig.interstitialLines == ["begin x 1/3", "begin x 2/3", "end x completed"])
        let length = rig.clock.now - HostTime.zero
        #expect(length > .milliseconds(12_900) && length < .milliseconds(13_900))
    }

    @Test("a pod of dead advertisements is given up as a whole, and the film goes on", arguments: [true, false])
    func deadPod(isOneEvent: Bool) throws {
        let rig = try makeRig()
        defer { rig.close() }
        let dead = (0..<10).map { "dead\($0)" }
        for name in dead {
            rig.loader.put(Self.film, at: name)
            rig.loader.setGate(.zero, at: name)
        }
        let (source, _) = rig.present(Self.film) {
            $0.interstitials =
                isOneEvent ? [event("x", at: 6, .list(url: "list"))] : dead.map { event($0, at: 6, .asset(url: $0)) }
        }
        rig.player.play()
        if isOneEvent {
            #expect(rig.run { !source.requests.isEmpty })
            source.requests[0].answer(dead)
        }
        #expect(rig.run { rig.isAtEnd })
        #expect(rig.frames.count == 250)
        // The time without a picture is bounded over all of them; those after it fail at once.
        let lengths = rig.clock.now - HostTime.zero
        #expect(lengths > .seconds(10) + InterstitialPatience.limit && lengths < .seconds(15) + InterstitialPatience.limit)
        #expect(rig.interstitialLines.last?.hasSuffix(" failed") == true)
    }

    @Test("an advertisement that stops in the middle is given up after the start limit, and the next one plays")
    func stopped() throws {
        let rig = try makeRig()
        defer { rig.close() }
        rig.loader.put(Self.film, at: "stops")
        rig.loader.setGate(seconds(3), at: "stops")
        let (source, _) = rig.present(Self.film) { $0.interstitials = [event("x", at: 6, .list(url: "list"))] }
        rig.player.play()
        #expect(rig.run { !source.requests.isEmpty })
        source.requests[0].answer(["stops", "a"])
        #expect(rig.run { rig.isAtEnd })
        #expect(rig.interstitialLines == ["begin x 1/2", "begin x 2/2", "end x completed"])
        #expect(rig.frames.count == 250)
    }

    @Test("metadata of the stream are reported when they become known, and again when they begin and cease to apply")
    func metadata() throws {
        let rig = try makeRig()
        defer { rig.close() }
        func range(_ name: String, _ start: Int64, _ end: Int64) -> DateRangeMetadata {
            DateRangeMetadata(
                identifier: name, classifyingLabel: nil, start: seconds(start), end: seconds(end), startDate: 0, endDate: nil,
                attributes: [.init(name: "X-TITLE", value: name)])
        }
        let (source, item) = rig.present(Self.film) {
            $0.sessionData = [SessionDatum(identifier: "com.apple.hls.title", value: "Film")]
            $0.chapters = [
                StreamChapter(start: .zero, duration: nil, titles: [.init(languageTag: "en", text: "One")]),
                StreamChapter(start: seconds(4), duration: seconds(2), titles: [.init(languageTag: "en", text: "Two")]),
            ]
            $0.dateRangeMetadata = [range("one", 1, 3)]
        }
        var log: [String] = []
        rig.onEvent = { [unowned rig] event in
            guard case .metadata(.presented(let items)) = event else { return }
            log.append(
                "\(rig.player.currentTime.wholeSteps(of: .seconds(1))) \(items.compactMap(\.stringValue).joined(separator: "+"))")
        }
        rig.player.play()
        #expect(rig.run { rig.player.currentTime >= seconds(2) })
        #expect(item.metadata.items.first?.commonIdentifier == .commonTitle)
        #expect(
            item.metadata.chapters.map(\.timeRange) == [
                TimeRange(start: .zero, end: seconds(4)), TimeRange(start: seconds(4), duration: seconds(2)),
            ])
        source.dateRangeMetadata.append(range("two", 5, 7))
        source.events.send(.metadataChanged)
        #expect(rig.run { rig.isAtEnd })
        #expect(log == ["1 one", "3 ", "5 two", "7 "])
    }
}
