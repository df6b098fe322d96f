import BoxModel
import ChannelFeed
import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Playback
import TestSupport
import Testing
import Viewing

@testable import Appliance

@Suite("What a box remembers of its viewer after a restart", .serialized)
@MainActor
struct RememberingTests {
    private static let film = FakeMedia(frameCount: 750, soundDuration: nil)
    private static let series =
        #"[{"id": "hh", "title": "Happy", "seasons": [{"number": 1, "episodes": ["e1", "e2"]}, {"number": 2, "episodes": ["e3"]}]}]"#
    private static let episodes =
        "["
        + ["e1", "e2", "e3", "m1"].map {
            #"{"id": "\#($0)", "type": "episode", "title": "\#($0)", "streams": [{"url": "\#($0).mp4"}], "proposal": null}"#
        }
        .joined(separator: ", ") + "]"

    private func rig(_ choices: MemoryChoiceStore, _ places: any PlaceStore = MemoryPlaceStore(), film: FakeMedia = film) throws
        -> BoxRig
    {
        var viewer = ViewerParts()
        viewer.choices = choices
        let rig = try BoxRig(places: places, viewer: viewer)
        rig.put(["e1.mp4": film, "e2.mp4": film, "e3.mp4": film, "m1.mp4": film])
        try rig.apply(items: Self.episodes, series: Self.series)
        return rig
    }

    @Test(
        "a stored choice is read back unchanged, and other text is ignored",
        arguments: [
            SelectionMemory.off, .automatic, .like(language: "pt-BR", characteristics: [], isForced: false),
            .like(
                language: "en", characteristics: ["public.easy-to-read", "public.accessibility.describes-video"], isForced: true),
        ])
    func text(_ memory: SelectionMemory) {
        #expect(SelectionMemory(text: memory.text) == memory)
        #expect(SelectionMemory(text: "x" + memory.text) == nil)
        for text in ["", "like", "like en", "like en half"] { #expect(SelectionMemory(text: text) == nil, "\(text)") }
    }

    @Test("a stored speed or episode is read back unchanged, and other text is ignored")
    func values() {
        let store = MemoryChoiceStore()
        let remembered = RememberedChoices(store)
        remembered.speed["hh"] = Ratio(5, 4)
        #expect(remembered.speed["hh"] == Ratio(5, 4))
        for text in ["5", "5/4/1", "0/4", "5/0", "-5/4", "5/-4", "x/4", ""] {
            store.setChoice(text, "speed.hh")
            #expect(remembered.speed["hh"] == nil, "\(text)")
        }
        remembered.speed["hh"] = .one
        #expect(store.choice("speed.hh") == nil, "normal speed is not stored")
        for isWatched in [false, true] {
            remembered.episode["hh"] = LastEpisode(id: "e1", isWatched: isWatched)
            #expect(remembered.episode["hh"] == LastEpisode(id: "e1", isWatched: isWatched))
        }
        for text in ["e1", "seen e1", "watched", "begun e 1", ""] {
            store.setChoice(text, "episode.hh")
            #expect(remembered.episode["hh"] == nil, "\(text)")
        }
    }

    @Test("the chosen audio language applies to the whole series, also after a restart, and to nothing else")
    func sound() throws {
        let choices = MemoryChoiceStore()
        let film = FakeMedia(frameCount: 750, soundDuration: .seconds(30), languages: ["es", "de"])
        let first = try rig(choices, film: film)
        first.box.open(id: "e1")
        #expect(first.run(until: { first.frames.count > 10 }))
        let german = try #require(first.box.mediaOptions.audio.first { $0.languageTag == "de" })
        first.box.carryOut(.selectAudio(id: german.id))
        #expect(first.run(until: { first.box.mediaOptions.selectedAudio == german.id }))
        first.close()
        let second = try rig(choices, film: film)
        defer { second.close() }
        for (id, tag) in [("e3", "de"), ("m1", nil)] as [(String, String?)] {
            second.forget()
            second.box.open(id: id)
            #expect(second.run(until: { second.frames.count > 10 }))
            let options = second.box.mediaOptions
            #expect(options.audio.first { $0.id == options.selectedAudio }?.languageTag == tag, "\(id)")
        }
    }

    @Test(
        "sound that is turned off is off for this item, is neither stored nor carried on, and comes back in the language that was heard"
    )
    func soundOff() throws {
        let choices = MemoryChoiceStore()
        let rig = try rig(choices, film: FakeMedia(frameCount: 750, soundDuration: .seconds(30), languages: ["es", "de"]))
        defer { rig.close() }
        rig.box.open(id: "e1")
        #expect(rig.run(until: { rig.frames.count > 10 }))
        let german = try #require(rig.box.mediaOptions.audio.first { $0.languageTag == "de" })
        rig.box.carryOut(.selectAudio(id: german.id))
        #expect(rig.run(until: { rig.box.mediaOptions.selectedAudio == german.id }))
        rig.run(for: .seconds(1))
        rig.press(.audio)
        // Off is above Spanish and the track without a language.
        for key in [RemoteKey.up, .up, .up, .ok] { rig.press(key) }
        #expect(rig.box.mediaOptions.selectedAudio == nil && rig.state.panel == nil)
        let item = try #require(rig.player.currentItem)
        #expect(item.audioTrack == nil && item.tracks.filter(\.isEnabled).map(\.assetTrack.type) == [.video])
        let frames = rig.frames.count
        #expect(rig.run(until: { rig.frames.count > frames + 25 }))
        rig.press(.back)
        #expect(rig.box.mediaOptions.selectedAudio == german.id && item.audioTrack?.languageTag == "de")
        #expect(rig.run(until: { rig.nowPlaying.state == .playing }))
        rig.box.carryOut(.selectAudio(id: nil))
        #expect(rig.box.mediaOptions.selectedAudio == nil)
        rig.forget()
        rig.box.open(id: "e2")
        #expect(rig.run(until: { rig.frames.count > 10 }))
        let options = rig.box.mediaOptions
        #expect(options.audio.first { $0.id == options.selectedAudio }?.languageTag == "de")
    }

    @Test("the chosen speed applies to the series, also after a restart")
    func speed() throws {
        let choices = MemoryChoiceStore()
        let first = try rig(choices)
        first.box.open(id: "e1")
        #expect(first.run(until: { first.frames.count > 10 }))
        for key in [RemoteKey.menu, .left, .down] { first.press(key) }
        guard case .menu(let menu)? = first.state.panel?.content, let row = menu.rows.firstIndex(where: { $0.title == "Speed" })
        else {
            Issue.record("the Picture tab has no speeds")
            return
        }
        for _ in 0..<row { first.press(.down) }
        first.press(.ok)
        first.press(.down)
        first.press(.ok)
        let chosen = first.player.state.rate
        #expect(chosen > .one)
        first.close()
        let second = try rig(choices)
        defer { second.close() }
        second.box.open(id: "e2")
        #expect(second.run(until: { second.frames.count > 10 }))
        #expect(second.player.state.rate == chosen)
        second.forget()
        second.box.open(id: "m1")
        #expect(second.run(until: { second.frames.count > 10 }))
        #expect(second.player.state.rate == .one)
    }

    @Test("a series opens the episode that was started, then the one after it, and after its last the first")
    func series() throws {
        let choices = MemoryChoiceStore()
        let places = MemoryPlaceStore()
        let first = try rig(choices, places)
        #expect(first.box.open(id: "hh"))
        #expect(first.nowPlaying.id == "e1")
        first.box.open(id: "e2")
        #expect(first.run(until: { (first.frames.last ?? 0) > 12_000 }))
        first.close()
        let second = try rig(choices, places)
        defer { second.close() }
        for wanted in ["e2", "e3", "e1"] {
            second.forget()
            #expect(second.box.open(id: "hh"))
            #expect(second.nowPlaying.id == wanted)
            #expect(second.run(until: { !second.outcomes.isEmpty }))
        }
    }

    /// A box with a playlist channel of these items.
    private func rig(
        playlist items: String, resumes: Bool = true, _ choices: MemoryChoiceStore, _ places: MemoryPlaceStore
    ) throws -> BoxRig {
        var viewer = ViewerParts()
        viewer.choices = choices
        let rig = try BoxRig(places: places, viewer: viewer)
        rig.put(["e1.mp4": Self.film, "e2.mp4": Self.film, "e3.mp4": Self.film, "m1.mp4": Self.film])
        try rig.apply(
            items: Self.episodes,
            channels: #"[{"id": "ch", "title": "C", "kind": "playlist", "resume": \#(resumes), "items": [\#(items)]}]"#)
        return rig
    }

    @Test("a playlist channel that resumes continues with its item and place after a restart, wherever the item is now")
    func queue() throws {
        let (choices, places) = (MemoryChoiceStore(), MemoryPlaceStore())
        let first = try rig(playlist: #""e1", "e2", "e3""#, choices, places)
        #expect(first.box.open(id: "ch"))
        // The second item began by itself.
        #expect(first.run(until: { first.nowPlaying.id == "e2" }))
        first.forget()
        #expect(first.run(until: { (first.frames.last ?? 0) > 12_000 }))
        first.close()
        #expect(places.place(of: "e2") != nil)
        for (items, wanted) in [
            (#""e1", "e2", "e3""#, "e2"), (#""m1", "e3", "e1", "e2""#, "e2"), (#""e1", "e3""#, "e1"),
            (#""e3", "m1", "e2""#, "e3"),
        ] {
            let next = try rig(playlist: items, choices, places)
            #expect(next.box.open(id: "ch"))
            #expect(next.nowPlaying.id == wanted, "\(items)")
            next.close()
        }
        let without = try rig(playlist: #""e1", "e2", "e3""#, resumes: false, choices, places)
        defer { without.close() }
        choices.setChoice("1 e2", "queued.ch")
        #expect(without.box.open(id: "ch"))
        #expect(without.nowPlaying.id == "e1")
    }

    @Test("a playlist channel that resumes begins again after its end, and with any text in the store")
    func queueEnd() throws {
        let (choices, places) = (MemoryChoiceStore(), MemoryPlaceStore())
        let box = try rig(playlist: #""e1", "e2""#, choices, places)
        defer { box.close() }
        #expect(box.box.open(id: "ch"))
        #expect(box.run(until: { !box.outcomes.isEmpty }))
        #expect(box.opened == ["e1", "e2"])
        #expect(choices.choice("queued.ch") == nil)
        for text in ["", "1", "-1 e2", "9223372036854775807 nothing", "1 e2 e1", "e2 1", "99999999999999999999 e2"] {
            choices.setChoice(text, "queued.ch")
            #expect(box.box.open(id: "ch"))
            #expect(box.nowPlaying.id == "e1", "\(text)")
        }
        choices.setChoice("9223372036854775807 e2", "queued.ch")
        #expect(box.box.open(id: "ch"))
        #expect(box.nowPlaying.id == "e2")
    }

    // MARK: Owed interstitials

    private static let withAdvertisement =
        #"[{"id": "a", "type": "movie", "title": "A", "duration": 60, "streams": [{"url": "a.mp4"}], "interstitials": [{"id": "ad", "start": 20, "duration": 4, "kind": "ad"}]}]"#

    /// The uptime of a box.
    private final class Passed {
        var clock: (any HostClock)?
        var milliseconds: Int64 { clock.map { $0.now.nanoseconds / 1_000_000 } ?? 0 }
    }

    /// Leaves in the middle of an enforced advertisement, and returns after a while.
    private func firstFrame(after wait: Duration, reboots: Bool) throws -> Int64 {
        let stamps = MemoryChoiceStore()
        let store = MemoryPlaceStore()
        let start = try #require(FeedDate("2026-11-20T20:00:00Z")).milliseconds
        var offset: Int64 = 0
        func makeRig() throws -> BoxRig {
            let passed = Passed()
            let now: @MainActor () -> FeedDate? = { [offset] in FeedDate(milliseconds: start + offset + passed.milliseconds) }
            let rig = try BoxRig(places: ForgivingPlaces(store, stamps: stamps, now: now), wallClock: now)
            passed.clock = rig.clock
            rig.put(["a.mp4": FakeMedia(frameCount: 1500, soundDuration: .seconds(60))])
            try rig.apply(items: Self.withAdvertisement)
            return rig
        }
        var rig = try makeRig()
        rig.box.open(id: "a")
        #expect(rig.run(until: { (rig.frames.last ?? 0) >= 10_000 }))
        #expect(rig.box.perform(.changePlaybackPosition(.seconds(40)), from: "web") == .success)
        #expect(rig.run(until: { (rig.frames.last ?? 0) >= 21_000 }))
        #expect(rig.state.interstitialLabel != nil)
        #expect(rig.box.perform(.stop, from: "web") == .success)
        #expect(store.place(of: "a") == SavedPlace(time: .seconds(44), owedInterstitial: "ad"))
        if reboots {
            offset = rig.clock.now.nanoseconds / 1_000_000 + wait.wholeNanoseconds / 1_000_000
            rig.close()
            rig = try makeRig()
        } else {
            rig.run(for: wait)
        }
        defer { rig.close() }
        rig.forget()
        rig.box.open(id: "a")
        #expect(rig.run(until: { !rig.frames.isEmpty }))
        return try #require(rig.frames.first)
    }

    @Test("an advertisement that was left is owed for a day, also after a reboot", arguments: [false, true])
    func owed(reboots: Bool) throws {
        #expect(try firstFrame(after: .seconds(86_000), reboots: reboots) == 20_000)
    }

    @Test("after a day nothing is owed, and playback continues at the target position", arguments: [false, true])
    func forgiven(reboots: Bool) throws {
        #expect(try firstFrame(after: .seconds(86_401), reboots: reboots) == 44_000)
    }

    @Test("the day of an owed advertisement starts when it is first owed, and again with another one")
    func stamps() {
        var now: Int64? = 1000
        let (store, stamps) = (MemoryPlaceStore(), MemoryChoiceStore())
        let places = ForgivingPlaces(store, stamps: stamps) { now.map { FeedDate(milliseconds: $0 * 1000) } }
        func leave(_ interstitial: String?, at second: Int64?) {
            now = second
            places.save(SavedPlace(time: .seconds(44), owedInterstitial: interstitial), of: "a")
        }
        func owed(at second: Int64?) -> String? {
            now = second
            return places.place(of: "a")?.owedInterstitial
        }
        leave("ad", at: 1000)
        leave("ad", at: 50_000)
        #expect(owed(at: 87_399) == "ad" && owed(at: 87_400) == nil)
        #expect(owed(at: nil) == "ad", "without the time of day nothing is forgiven")
        leave("other", at: 60_000)
        #expect(owed(at: 87_400) == "other" && owed(at: 146_400) == nil)
        leave(nil, at: 61_000)
        #expect(stamps.choice("debt.a") == nil)
        leave("ad", at: nil)
        #expect(owed(at: 1_000_000) == "ad", "when it was left is unknown")
        leave("ad", at: 1_000_000)
        #expect(owed(at: 1_086_399) == "ad" && owed(at: 1_086_400) == nil)
    }

    @Test("a stored time at the end of its range forgives nothing", arguments: [Int64.min, .max])
    func extremeStamps(second: Int64) {
        let (store, stamps) = (MemoryPlaceStore(), MemoryChoiceStore())
        store.save(SavedPlace(time: .seconds(44), owedInterstitial: "ad"), of: "a")
        stamps.setChoice("\(second)", "debt.a")
        let places = ForgivingPlaces(store, stamps: stamps) { FeedDate(milliseconds: 1_795_168_800_000) }
        #expect(places.place(of: "a")?.owedInterstitial == "ad")
    }

    // MARK: The screen

    @Test("standby switches the screen off and a key switches it on again")
    func screen() throws {
        let rig = try rig(MemoryChoiceStore())
        defer { rig.close() }
        rig.box.open(id: "e1")
        #expect(rig.run(until: { rig.frames.count > 10 }))
        rig.press(.power)
        #expect(!rig.display.isPowered)
        let commits = rig.display.counters.commits
        rig.run(for: .seconds(10))
        #expect(rig.display.counters.commits == commits)
        rig.press(.ok)
        #expect(rig.display.isPowered && rig.state.screen == .home)
        #expect(rig.run(within: .seconds(2), until: { rig.display.counters.commits > commits }))
    }

    @Test("what is opened in standby wakes the box, in a kiosk too", arguments: [false, true])
    func opening(isKiosk: Bool) throws {
        let rig = try BoxRig(policy: InterfacePolicy(isKiosk: isKiosk))
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 500), "b.mp4": FakeMedia(frameCount: 500)])
        try rig.apply(
            items:
                #"[{"id": "a", "title": "A", "streams": [{"url": "a.mp4"}]}, {"id": "b", "title": "B", "streams": [{"url": "b.mp4"}]}]"#,
            channels: #"[{"id": "c", "title": "Loop", "kind": "playlist", "loop": true, "items": ["a"]}]"#)
        rig.press(.power)
        if rig.state.screen != .standby { rig.press(.power) }
        try #require(rig.state.screen == .standby && !rig.display.isPowered && rig.nowPlaying.state == .standby)
        rig.run(for: .seconds(10))
        #expect(rig.box.perform(.open(id: "none"), from: "web") == .failed(.unknownID))
        #expect(rig.state.screen == .standby)
        #expect(rig.box.perform(.open(id: "b"), from: "web") == .success)
        #expect(rig.display.isPowered && rig.standbys.last == false)
        #expect(rig.run(within: .seconds(5), until: { rig.nowPlaying.state == .playing }))
        #expect(rig.nowPlaying.id == "b" && rig.state.screen == .player && !rig.nowPlaying.isScreenOff)
        #expect(rig.press(.pause) == .success && rig.nowPlaying.state == .paused, "its keys work")
    }

    /// Moves down to a row of the open menu and presses OK.
    private func choose(_ title: String, in rig: BoxRig) throws {
        guard case .menu(let menu)? = rig.state.panel?.content else {
            Issue.record("no menu for \(title)")
            return
        }
        let row = try #require(menu.rows.firstIndex { $0.title == title }, "\(menu.rows.map(\.title))")
        let from = menu.focusedRow ?? 0
        for _ in 0..<abs(row - from) { rig.press(row > from ? .down : .up) }
        rig.press(.ok)
    }

    @Test("the sleep timer announces itself, then screen and box sleep, and a key wakes both")
    func sleepTimer() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 1500, soundDuration: .seconds(60))])
        try rig.apply(items: Self.withAdvertisement)
        rig.box.open(id: "a")
        #expect(rig.run(until: { (rig.frames.last ?? 0) >= 3000 }))
        for key in [RemoteKey.pause, .menu, .left, .down] { rig.press(key) }
        try choose("Sleep Timer", in: rig)
        try choose("15 minutes", in: rig)
        rig.run(for: .seconds(14 * 60 + 10))
        #expect(rig.state.card?.kind == .sleepTimer)
        #expect(rig.display.isPowered && rig.standbys.isEmpty)
        rig.run(for: .seconds(60))
        #expect(rig.state.screen == .standby && !rig.display.isPowered && rig.standbys == [true])
        #expect((rig.places.place(of: "a")?.time ?? .zero) >= .seconds(3), "the position is kept")
        rig.press(.ok)
        #expect(rig.state.screen == .home && rig.display.isPowered && rig.standbys == [true, false])
    }

    @Test("an error card names the playback under which its log is stored")
    func session() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(failure: MediaError(.sourceFormat, "It is noise."))])
        try rig.apply(items: Self.withAdvertisement)
        rig.box.open(id: "a")
        #expect(rig.run(until: { rig.state.card != nil }))
        #expect(rig.state.card?.code == "SRC-FORMAT · simulate")
    }

    @Test("an item that the player went on to by itself is named by its own playback, not by the one before it")
    func sessionOfTheNextItem() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 50), "b.mp4": FakeMedia(frameCount: 50)])
        try rig.apply(
            items:
                #"[{"id": "a", "title": "A", "streams": [{"url": "a.mp4"}]}, {"id": "b", "title": "B", "streams": [{"url": "b.mp4"}]}]"#,
            channels: #"[{"id": "ch", "title": "Once", "kind": "playlist", "loop": false, "items": ["a", "b"]}]"#)
        rig.box.open(id: "ch")
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        let named = rig.box.logTail(100).filter { $0.contains(" begins") }
        #expect(
            named.count == 2 && named[0].hasSuffix("session simulated-1 begins")
                && named[1].hasSuffix("session simulated-2 begins"))
        for id in ["simulated-1", "simulated-2"] {
            #expect(rig.box.playbackLog(errors: false, session: id)?.text.contains(id) == true)
        }
        #expect(rig.box.playbackLog(errors: false, session: "simulated-3") == nil)
    }

    @Test("a live position is shown by the dates of the stream, in local time")
    func liveClock() throws {
        let midnight = try #require(FeedDate("2026-11-20T23:00:00Z"))
        var status = LiveStatus(
            isLive: true, seekableTimeRange: TimeRange(start: .zero, end: .seconds(60)), edge: .seconds(60), edgeInstant: 0,
            recommendedTimeOffsetFromLive: .seconds(6), targetDuration: .seconds(4))
        status.dates = [
            DateAnchor(time: .seconds(10), nanosecondsSinceEpoch: (midnight.milliseconds + 3_600_000) * 1_000_000),
            DateAnchor(time: .seconds(30), nanosecondsSinceEpoch: (midnight.milliseconds + 7_200_000) * 1_000_000),
        ]
        #expect(status.clockOrigin(at: .seconds(15), midnight: midnight) == .seconds(3590))
        #expect(status.clockOrigin(at: .seconds(31), midnight: midnight) == .seconds(7170), "the calendar has a gap")
    }

    // MARK: Scanning by the player

    @Test("a scan uses the player's rates, never passes through an advertisement, and Back returns to its origin")
    func scan() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 1500, soundDuration: .seconds(60))])
        try rig.apply(items: Self.withAdvertisement)
        rig.box.open(id: "a")
        #expect(rig.run(until: { (rig.frames.last ?? 0) >= 3000 }))
        rig.forget()
        rig.press(.ff)
        #expect(rig.told(.scan) == [.scan(Ratio(4))])
        #expect(rig.run(within: .seconds(20), until: { (rig.frames.last ?? 0) > 30_000 }))
        #expect(!rig.frames.contains { $0 >= 20_000 && $0 < 24_000 }, "no picture of the advertisement is shown")
        #expect(rig.told(.willPresent).isEmpty)
        rig.forget()
        rig.press(.back)
        #expect(
            rig.run(
                within: .seconds(5),
                until: { rig.nowPlaying.state == .playing && rig.nowPlaying.rate == .one && !rig.frames.isEmpty }))
        #expect((3000...3400).contains(rig.frames.first ?? 0))
        rig.press(.rw)
        #expect(rig.told(.scan).contains(.scan(Ratio(-4))))
        rig.press(.ok)
        #expect(rig.run(within: .seconds(5), until: { rig.nowPlaying.state == .playing && rig.nowPlaying.rate == .one }))
    }
}
