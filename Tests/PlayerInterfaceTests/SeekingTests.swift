import LinuxSupport
import MediaModel
import MediaTime
import Testing

@testable import Screens
@testable import Viewing

/// Navigation as values: an item of 110 s without a machine.
private struct Place {
    var played: PlayedItem
    var seeking = Seeking()
    var ids = SeekIDs()
    var now = HostTime(nanoseconds: 1_000_000_000)

    init(_ item: ItemPresentation = Items.plain, at position: MediaTime = .seconds(50), canPlayFast: Bool = false) {
        played = PlayedItem(item)
        var snapshot = PlaybackSnapshot(state: .playing, position: position, rate: .one, canPlayFast: canPlayFast)
        snapshot.duration = item.duration.map { .finite($0) }
        played.take(snapshot)
        played.move(to: position)
    }

    var content: MediaTime { played.clock.content(at: played.position!) }

    mutating func tap(_ direction: Int) -> Seeking.Leg? {
        seeking.tap(direction, from: played.position!, at: content, in: played, now: now)
    }

    mutating func beginScan(_ direction: Int, isPlaying: Bool = true) -> [InterfaceEffect]? {
        seeking.beginScan(
            direction, from: played.position!, at: content, isPlaying: isPlaying, in: played, &ids, now: now)
    }

    mutating func navigate(to target: MediaTime) {
        _ = seeking.navigate(from: played.position!, to: target, &ids, at: now)
    }

    mutating func step() -> Seeking.Step { seeking.step(in: played, &ids, at: now) }
}

@Suite struct SeekingTests {
    @Test("taps at most a second apart are one navigation from the position before the first")
    func taps() {
        var place = Place()
        #expect(place.tap(1) == Seeking.Leg(origin: .seconds(50), target: .seconds(60)))
        place.played.move(to: .seconds(60))
        place.now = place.now + Timing.tapRun
        #expect(place.tap(1) == Seeking.Leg(origin: .seconds(50), target: .seconds(70)))
        place.now = place.now + Timing.tapRun + .nanoseconds(1)
        #expect(place.tap(-1) == Seeking.Leg(origin: .seconds(60), target: .seconds(50)))
    }

    @Test("a tap without a target does not extend the navigation")
    func tapAtTheEnd() {
        var place = Place(at: .seconds(105))
        #expect(place.tap(1)?.target == .seconds(110))
        place.now = place.now + Timing.tapRun
        #expect(place.tap(1) == nil)
        place.now = place.now + .nanoseconds(1)
        #expect(place.tap(-1)?.origin == .seconds(105), "the run ended a second after the last tap with a target")
        #expect(place.seeking.target(ofTap: -1, at: .seconds(105), in: place.played, now: place.now) == .seconds(85))
    }

    @Test("taps are shown only while their seek is pending")
    func tapLeg() {
        var place = Place()
        let leg = place.tap(1)
        #expect(place.seeking.tapLeg == nil)
        place.navigate(to: .seconds(60))
        #expect(place.seeking.tapLeg == leg && leg != nil)
        #expect(place.seeking.complete(SeekID(1)) == .exact)
        #expect(place.seeking.tapLeg == nil)
    }

    @Test("taps that were a hold are withdrawn with their seek and their undo")
    func takeBack() {
        var place = Place()
        #expect(place.seeking.takeBackTaps(at: place.now) == nil)
        _ = place.tap(1)
        place.navigate(to: .seconds(60))
        let hold = place.now + Timing.noReleasePair
        #expect(place.seeking.takeBackTaps(at: hold + .nanoseconds(1)) == nil, "the hold began with a later press")
        #expect(place.seeking.takeBackTaps(at: hold) == .seconds(50))
        #expect(
            place.seeking.isAtRest && place.seeking.undoOrigin == nil && place.seeking.takeBackTaps(at: place.now) == nil)
    }

    @Test("the undo of a navigation lasts five seconds, and a search drops it")
    func undo() {
        var place = Place()
        place.navigate(to: .seconds(70))
        #expect(place.seeking.undoOrigin == .seconds(50) && place.seeking.undoEnds == place.now + Timing.undo)
        _ = place.seeking.complete(SeekID(1))
        #expect(place.seeking.undoOrigin == .seconds(50))
        _ = place.beginScan(1)
        _ = place.seeking.endSearch()
        #expect(place.seeking.undoOrigin == nil && place.seeking.undoEnds == nil)
    }

    @Test("only the completion of the last seek counts")
    func completion() {
        var place = Place()
        _ = place.seeking.seek(to: .seconds(60), &place.ids)
        #expect(place.seeking.seek(to: .seconds(70), &place.ids) == .seek(SeekID(2), to: .seconds(70), tolerance: .zero))
        #expect(place.seeking.complete(SeekID(1)) == .nothing)
        #expect(place.seeking.target == .seconds(70) && place.seeking.isSeeking)
        #expect(place.seeking.complete(SeekID(2)) == .exact)
        #expect(place.seeking.complete(SeekID(2)) == .nothing && place.seeking.isAtRest)
    }

    @Test("an exact seek continues when a search begins, and the first preview replaces it")
    func searchDuringASeek() {
        var place = Place()
        _ = place.seeking.seek(to: .seconds(60), &place.ids)
        place.seeking.beginScrub(1, from: .seconds(50), at: .seconds(60))
        #expect(place.seeking.target == .seconds(60) && place.seeking.isSeeking)
        let tapped = place.seeking.tapScrub(1, in: place.played, &place.ids, at: place.now)
        #expect(tapped.moved && tapped.effects == [.seek(SeekID(2), to: .seconds(70), tolerance: .unbounded)])
        #expect(place.seeking.target == nil && place.seeking.isSeeking)
        place.seeking.forgetExactSeek()
        #expect(place.seeking.isSeeking, "a preview is not an exact seek")
        #expect(place.seeking.complete(SeekID(1)) == .nothing)
        #expect(place.seeking.complete(SeekID(2)) == .passingPicture)
    }

    @Test("one preview at a time is sought, and the next if the search has moved since")
    func passingPictures() {
        var place = Place()
        place.seeking.beginScrub(1, from: .seconds(50), at: .seconds(50))
        #expect(place.seeking.tapScrub(1, in: place.played, &place.ids, at: place.now).effects.count == 1)
        #expect(place.seeking.tapScrub(1, in: place.played, &place.ids, at: place.now).effects.isEmpty)
        #expect(place.seeking.complete(SeekID(1)) == .passingPicture)
        #expect(
            place.seeking.passingPictureCame(in: place.played, &place.ids, at: place.now) == [
                .seek(SeekID(2), to: .seconds(70), tolerance: .unbounded)
            ])
        #expect(place.seeking.complete(SeekID(2)) == .passingPicture)
        #expect(place.seeking.passingPictureCame(in: place.played, &place.ids, at: place.now).isEmpty)
        #expect(!place.seeking.isSeeking)
    }

    @Test(
        "a preview less than ten seconds before an interstitial must not be after its position",
        arguments: [
            (Int64(39), SeekTolerance.unbounded), (40, .notAfter), (49, .notAfter), (60, .unbounded),
        ])
    func tolerance(_ seconds: Int64, _ tolerance: SeekTolerance) {
        var place = Place(Items.episode(interstitials: [Items.ad("a", 50)]), at: .seconds(20))
        let content = place.played.clock.content(at: .seconds(seconds))
        place.seeking.beginScrub(1, from: .seconds(20), at: content - Timing.skip)
        let effects = place.seeking.tapScrub(1, in: place.played, &place.ids, at: place.now).effects
        #expect(effects == [.seek(SeekID(1), to: .seconds(seconds), tolerance: tolerance)])
    }

    @Test("the end of a search drops the pending preview, and stops the player's scan")
    func endOfASearch() {
        var place = Place()
        _ = place.beginScan(1)
        place.now = place.now + Timing.scanStep
        guard case .goesOn(let effects) = place.step() else { return #expect(Bool(false), "the scan has ended") }
        #expect(effects == [.seek(SeekID(1), to: .seconds(51), tolerance: .unbounded)])
        #expect(place.seeking.endSearch() == [] && place.seeking.isAtRest && place.seeking.nextStep == nil)

        place = Place(canPlayFast: true)
        #expect(place.beginScan(1) == [.scan(rate: Ratio(4))])
        #expect(place.seeking.endSearch() == [.scan(rate: nil)] && place.seeking.isAtRest)
        #expect(place.seeking.endSearch() == [])
    }

    @Test("nothing is scanned beyond the position where a scan stops")
    func limits() {
        var place = Place(at: .seconds(100))
        #expect(place.beginScan(1) == nil && place.seeking.mode == .watching)
        place = Place(at: .zero)
        #expect(place.beginScan(-1) == nil && place.seeking.mode == .watching)
        place = Place(at: .milliseconds(99_999))
        #expect(place.beginScan(1) != nil)
    }

    @Test("a scan from a scrub keeps its origin, and is paused again where it stops")
    func scanFromScrub() {
        var place = Place()
        place.seeking.beginScrub(1, from: .seconds(50), at: .seconds(50))
        _ = place.seeking.tapScrub(1, in: place.played, &place.ids, at: place.now)
        #expect(place.beginScan(1) != nil)
        #expect(place.seeking.search == Seeking.Search(origin: .seconds(50), content: .seconds(60), wasPlaying: false))
        #expect(place.seeking.isSeeking, "the pending preview is still expected")
    }

    @Test("a player that reached the end in a scan is at the position before it")
    func endInAScan() {
        var place = Place(canPlayFast: true)
        #expect(place.seeking.scanHasReachedEnd(of: place.played) == false)
        _ = place.beginScan(1)
        #expect(place.seeking.scanHasReachedEnd(of: place.played) == true)
        #expect(place.seeking.search?.content == .seconds(100))
    }
}

@Suite struct ScrubTests {
    @Test("a change of direction makes fine steps, for up to a second")
    func fineSteps() {
        let place = Place()
        var scrub = Scrub(1, origin: .seconds(50), content: .seconds(50))
        var now = place.now
        #expect(scrub.tap(1, in: place.played, at: now) && scrub.content == .seconds(60))
        #expect(scrub.target(of: -1, in: place.played, at: now) == .seconds(59))
        #expect(scrub.tap(-1, in: place.played, at: now) && scrub.content == .seconds(59))
        now = now + Timing.fineStepWindow
        #expect(scrub.tap(-1, in: place.played, at: now) && scrub.content == .seconds(58))
        now = now + .nanoseconds(1)
        #expect(scrub.tap(-1, in: place.played, at: now) && scrub.content == .seconds(48))
    }

    @Test("a tap at the end of the reachable range has no target")
    func limits() {
        let place = Place()
        var scrub = Scrub(1, origin: .seconds(50), content: .seconds(109))
        #expect(scrub.tap(1, in: place.played, at: place.now) && scrub.content == .seconds(110))
        #expect(!scrub.tap(1, in: place.played, at: place.now) && scrub.content == .seconds(110))
    }

    @Test(
        "a held key leads across the length in the same time, and the scrub stops when it is released",
        arguments: [Int64(400), 10_000])
    func hold(_ length: Int64) {
        var item = Items.plain
        item.duration = .seconds(length)
        let place = Place(item)
        var scrub = Scrub(1, origin: .seconds(50), content: .zero)
        #expect(scrub.nextStep == nil && scrub.step(in: place.played, at: place.now) == false)
        scrub.hold(-1, .told, in: place.played, at: place.now)
        scrub.hold(1, .told, in: place.played, at: place.now)
        #expect(scrub.step(in: place.played, at: place.now + Timing.scrubReaches * 0.4) == true)
        #expect(scrub.nextStep == place.now + Timing.scrubReaches * 0.4 + Timing.scrubStep)
        #expect((scrub.content * 11 - .seconds(length * 2)).magnitude <= .milliseconds(22), "two elevenths of the way")
        #expect(scrub.step(in: place.played, at: place.now + Timing.scrubReaches - .milliseconds(100)) == true)
        #expect(scrub.content < .seconds(length) && scrub.content * 100 > .seconds(length * 98))
        #expect(scrub.step(in: place.played, at: place.now + Timing.scrubReaches) == true && scrub.content == .seconds(length))
        scrub.release()
        #expect(scrub.nextStep == nil && scrub.step(in: place.played, at: place.now + .seconds(9)) == false)
    }

    @Test("what is short is crossed at the slowest speed until the pace by its length is faster")
    func short() {
        var item = Items.plain
        item.duration = .seconds(40)
        let place = Place(item)
        var scrub = Scrub(1, origin: .zero, content: .zero)
        scrub.hold(1, .told, in: place.played, at: place.now)
        #expect(scrub.step(in: place.played, at: place.now + .seconds(1)) == true && scrub.content == .seconds(4))
        #expect(scrub.step(in: place.played, at: place.now + .seconds(7)) == true && scrub.content < .seconds(40))
        #expect(scrub.step(in: place.played, at: place.now + Timing.scrubReaches) == true && scrub.content == .seconds(40))
    }
}

@Suite struct ScanTests {
    private func scan(_ direction: Int, _ place: Place, at content: MediaTime = .seconds(50)) -> Scan {
        Scan(direction, origin: .seconds(50), content: content, wasPlaying: true, at: place.now)
    }

    @Test("the levels go from 4 backward to 4 forward, each with its factor")
    func levels() {
        var item = Items.plain
        item.duration = .seconds(10_000)
        let place = Place(item)
        var scan = scan(1, place, at: .seconds(5000))
        var now = place.now
        for factor: Int64 in [4, 12, 30, 60] {
            let before = scan.content
            now = now + .seconds(1)
            #expect(scan.step(in: place.played, at: now) == .goesOn && scan.nextStep == now + Timing.scanStep)
            #expect(scan.content - before == .seconds(factor))
            #expect(scan.change(by: 1, in: place.played, at: now) == (factor != 60))
        }
        for _ in 0..<8 { #expect(scan.change(by: -1, in: place.played, at: now) == true) }
        #expect(scan.level == -4 && !scan.change(by: -1, in: place.played, at: now))
        let before = scan.content
        #expect(scan.step(in: place.played, at: now + .seconds(1)) == .goesOn)
        #expect(before - scan.content == .seconds(60))
    }

    @Test("the time at the old level counts before the level changes")
    func change() {
        let place = Place()
        var scan = scan(1, place)
        #expect(scan.change(by: 1, in: place.played, at: place.now + .seconds(1)) == true)
        #expect(scan.content == .seconds(54) && scan.level == 2)
    }

    @Test("at normal speed it stops after a second, and the state before it returns")
    func settles() {
        let place = Place()
        var scan = scan(1, place)
        #expect(scan.change(by: -1, in: place.played, at: place.now) && scan.level == 0)
        #expect(scan.step(in: place.played, at: place.now + Timing.scanSettles - .nanoseconds(1)) == .goesOn)
        #expect(scan.step(in: place.played, at: place.now + Timing.scanSettles) == .over(playing: nil))
        scan = self.scan(1, place)
        _ = scan.change(by: -1, in: place.played, at: place.now)
        _ = scan.change(by: 1, in: place.played, at: place.now)
        #expect(scan.step(in: place.played, at: place.now + Timing.scanSettles) == .goesOn, "it has a level again")
    }

    @Test("forward it stops ten seconds before the end and plays; backward it stops at the start with the state before it")
    func ends() {
        let place = Place()
        var forward = scan(1, place, at: .seconds(96))
        #expect(forward.step(in: place.played, at: place.now + .milliseconds(999)) == .goesOn)
        #expect(forward.step(in: place.played, at: place.now + .seconds(1)) == .over(playing: true))
        #expect(forward.content == .seconds(100))
        var backward = scan(-1, place, at: .seconds(4))
        #expect(backward.step(in: place.played, at: place.now + .milliseconds(999)) == .goesOn)
        #expect(backward.step(in: place.played, at: place.now + .seconds(1)) == .over(playing: nil))
        #expect(backward.content == .zero)
    }

    @Test("the player scans if it can, not while a seek is pending, and gets each rate once")
    func steering() {
        let place = Place(canPlayFast: true)
        var scan = scan(1, place)
        #expect(scan.steer(in: place.played, isSeeking: true, at: place.now) == nil && scan.rate == nil)
        #expect(scan.steer(in: place.played, isSeeking: false, at: place.now) == .scan(rate: Ratio(4)))
        #expect(scan.steer(in: place.played, isSeeking: false, at: place.now) == nil)
        _ = scan.change(by: -1, in: place.played, at: place.now)
        #expect(scan.steer(in: place.played, isSeeking: false, at: place.now) == .scan(rate: nil))
        _ = scan.change(by: -1, in: place.played, at: place.now)
        #expect(scan.steer(in: place.played, isSeeking: false, at: place.now) == .scan(rate: Ratio(-4)))
        var slow = self.scan(1, Place())
        #expect(slow.steer(in: Place().played, isSeeking: false, at: place.now) == nil)
    }

    @Test(
        "an interstitial in the way of the player is skipped by seeks",
        arguments: [
            // At 4x the player may advance 4 s plus a key picture distance of 10 s.
            (1, Int64(64), false), (1, 63, true), (1, 40, false), (-1, 26, false), (-1, 27, true), (-1, 51, false),
        ])
    func obstacles(_ direction: Int, _ start: Int64, _ isBlocked: Bool) {
        let place = Place(Items.episode(interstitials: [Items.ad("a", start, 10)], duration: 1000), canPlayFast: true)
        var scan = scan(direction, place)
        let effect = scan.steer(in: place.played, isSeeking: false, at: place.now)
        #expect((effect == nil) == isBlocked)
    }

    @Test("the bar follows the player's pictures, and the same picture again is not a step")
    func follows() {
        let place = Place(canPlayFast: true)
        var scan = scan(1, place)
        _ = scan.steer(in: place.played, isSeeking: false, at: place.now)
        #expect(!scan.follow(.seconds(60), in: place.played, at: place.now) && scan.content == .seconds(60))
        #expect(scan.follow(.milliseconds(99_999), in: place.played, at: place.now) == false)
        #expect(scan.follow(.seconds(100), in: place.played, at: place.now) == true)
    }
}

@Suite struct BarModelTests {
    private let now = HostTime(nanoseconds: 9_000_000_000)

    @Test("showing it keeps its focus, and hiding it resets it")
    func focus() {
        var bar = BarModel()
        bar.show()
        #expect(bar.isVisible && bar.focus == .none)
        bar.show(.action(1))
        bar.showOfferingUndo()
        bar.show()
        #expect(bar.focus == .action(1) && bar.offersUndo)
        bar.endUndo()
        #expect(!bar.offersUndo && bar.isVisible)
        bar.showOfferingUndo()
        bar.hide()
        #expect(!bar.isVisible && bar.focus == .none && !bar.offersUndo)
        bar.show()
        #expect(bar.focus == .none && !bar.offersUndo)
        bar.hide()
        bar.endUndo()
        #expect(!bar.isVisible, "an action that is not offered does not show it")
    }

    @Test("it hides some time after the last key, but not where it may not or without a key")
    func hides() {
        var bar = BarModel()
        bar.settle(lastPress: now, hidesAfter: .seconds(4), at: now)
        #expect(bar.hidesAt == nil)
        bar.show(.bar)
        bar.settle(lastPress: now, hidesAfter: .seconds(4), at: now + .seconds(4) - .nanoseconds(1))
        #expect(bar.isVisible && bar.hidesAt == now + .seconds(4))
        bar.settle(lastPress: now, hidesAfter: nil, at: now + .seconds(9))
        #expect(bar.isVisible && bar.hidesAt == nil)
        bar.settle(lastPress: nil, hidesAfter: .seconds(4), at: now + .seconds(9))
        #expect(bar.isVisible && bar.hidesAt == nil)
        bar.settle(lastPress: now, hidesAfter: .seconds(4), at: now + .seconds(4))
        #expect(!bar.isVisible && bar.hidesAt == nil)
    }

    @Test("the delay is the viewer's setting")
    func patience() {
        #expect(ViewerSettings.Patience.normal.autoHide == .seconds(4))
        #expect(ViewerSettings.Patience.long.autoHide == .seconds(12))
        #expect(ViewerSettings.Patience.endless.autoHide == nil)
    }
}
