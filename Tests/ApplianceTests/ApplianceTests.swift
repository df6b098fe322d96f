import BoxModel
import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import Screens
import TestSupport
import Testing

@testable import Appliance

@Suite("The box plays what the feed says", .serialized)
@MainActor
struct ApplianceTests {
    private static let short = FakeMedia(frameCount: 50, soundDuration: .seconds(2))
    private static func item(_ id: String, _ more: String = "", streams: [String]? = nil) -> String {
        let list = (streams ?? ["\(id).mp4"]).map { #"{"url": "\#($0)"}"# }.joined(separator: ", ")
        let rest: String = more.isEmpty ? "" : ", " + more
        return #"{"id": "\#(id)", "type": "movie", "title": "\#(id)", "streams": [\#(list)]\#(rest)}"#
    }

    /// A minute with an advertisement of four seconds at 20 s.
    private static let withAdvertisement: String = {
        let more = #""duration": 60, "interstitials": [{"id": "ad", "start": 20, "duration": 4, "kind": "ad"}]"#
        return "[" + item("a", more) + "]"
    }()

    @Test("an address plays to its end, and its outcome is reported once")
    func address() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": Self.short])
        rig.box.open(Programme(.url("https://test/a.mp4")))
        #expect(rig.nowPlaying.state == .loading)
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        #expect(rig.outcomes == [.ended])
        #expect(rig.frames == millis(0..<50))
        #expect(rig.state.card?.kind == .end)
        #expect(rig.nowPlaying.state == .ended)
    }

    @Test("streams are tried in order, and the item fails only when all have failed")
    func failOver() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["b.mp4": FakeMedia(failure: MediaError(.sourceFormat, "It is noise.")), "c.mp4": Self.short])
        try rig.apply(
            items:
                "[\(Self.item("x", streams: ["absent.mp4", "b.mp4", "c.mp4"])), \(Self.item("y", streams: ["no.mp4", "b.mp4"]))]")
        #expect(rig.box.open(id: "x"))
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        #expect(rig.outcomes == [.ended])
        #expect(rig.frames == millis(0..<50))
        #expect(rig.box.firstFailure == nil)
        rig.forget()
        #expect(rig.box.open(id: "y"))
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        #expect(rig.outcomes == [.failed(MediaError(.sourceFormat, "It is noise."))])
        #expect(rig.box.firstFailure?.code == .sourceFormat)
        #expect(rig.state.card?.kind == .error)
    }

    @Test("a stream that fails in the middle is replaced by the next at the same position")
    func failOverInTheMiddle() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(brokenFrame: 100), "b.mp4": FakeMedia()])
        try rig.apply(items: "[\(Self.item("x", streams: ["a.mp4", "b.mp4"]))]")
        rig.box.open(id: "x")
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        #expect(rig.outcomes == [.ended])
        let frames = rig.frames
        #expect(frames.last == millis(249..<250).first)
        let seam = try #require(
            frames.indices.dropFirst().first { frames[$0] <= frames[$0 - 1] || frames[$0] > frames[$0 - 1] + 40 }
                ?? frames.indices.last)
        #expect(frames[seam] >= 98 * 40 && frames[seam] <= 101 * 40, "it continued at \(frames[seam]) ms")
    }

    @Test("an unknown id opens nothing")
    func unknown() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        try rig.apply(items: "[\(Self.item("x"))]")
        #expect(!rig.box.open(id: "z"))
        #expect(rig.box.perform(.open(id: "z"), from: "web") == .failed(.unknownID))
        #expect(rig.nowPlaying.state == .home)
    }

    @Test("a playlist channel advances from item to item, skips unplayable ones, and repeats if it loops")
    func queue() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": Self.short, "c.mp4": Self.short])
        try rig.apply(
            items: "[\(Self.item("a")), \(Self.item("b")), \(Self.item("c"))]",
            channels: #"[{"id": "ch", "title": "Loop", "kind": "playlist", "loop": true, "items": ["a", "b", "c"]}]"#)
        #expect(rig.box.open(id: "ch"))
        #expect(rig.run(until: { rig.opened.count == 5 }))
        // An item that cannot be opened is detected and reported before its turn.
        #expect(rig.opened == ["a", "c", "a", "c", "a"])
        #expect([2, 3].contains(rig.told(.skipped).count) && rig.told(.skipped).allSatisfy { $0 == .skipped(id: "b") })
        #expect(rig.outcomes.isEmpty)
        #expect(rig.frames.count >= 150)
    }

    @Test("a queue that does not loop ends with its last item")
    func queueEnds() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": Self.short, "b.mp4": Self.short])
        try rig.apply(
            items: "[\(Self.item("a")), \(Self.item("b"))]",
            channels: #"[{"id": "ch", "title": "Once", "kind": "playlist", "loop": false, "items": ["a", "b"]}]"#)
        rig.box.open(id: "ch")
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        #expect(rig.opened == ["a", "b"])
        #expect(rig.outcomes == [.ended])
        #expect(rig.frames.count == 2 * Self.short.frameCount)
        // The second item was opened and decoded while the first played.
        #expect(rig.told(.seekCompleted).count == 1)
    }

    @Test(
        "a proposal with automatic acceptance opens the next item and arms that item's proposal; deferring postpones it to the end"
    )
    func proposals() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(), "b.mp4": FakeMedia(), "c.mp4": Self.short])
        let first = Self.item("a", #""proposal": {"next": "b", "at": 4, "automaticAcceptanceInterval": 0}"#)
        let second = Self.item("b", #""proposal": {"next": "c", "at": 4, "automaticAcceptanceInterval": 0}"#)
        let third = Self.item("c", #""proposal": null"#)
        try rig.apply(items: "[\(first), \(second), \(third)]")
        rig.box.open(id: "a")
        #expect(rig.run(until: { rig.state.proposal != nil }))
        #expect(rig.frames.last == 4000)
        #expect(rig.run(until: { rig.opened.count == 2 }))
        #expect(rig.told(.next) == [.next(id: "b", isAutomatic: true)])
        // Back to the credits of the second item.
        #expect(rig.run(until: { rig.state.proposal != nil }))
        #expect(rig.press(.back) == .success)
        #expect(rig.state.proposal == nil)
        #expect(rig.run(until: { rig.told(.end).count >= 1 }))
        rig.run(for: .seconds(20))
        #expect(rig.opened == ["a", "b"])
        #expect(rig.state.proposal != nil && rig.state.proposal?.countdown == nil)
        #expect(rig.press(.ok) == .success)
        #expect(rig.opened == ["a", "b", "c"])
        #expect(rig.run(until: { rig.outcomes.last == .ended && rig.state.card?.kind == .end }))
    }

    @Test("what is proposed in a playlist channel stays in it: an unattended channel goes on")
    func proposalsInQueue() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        // Few frames, because two hours of them are played.
        let film = FakeMedia(frameCount: 30, frameRate: Ratio(5), soundDuration: nil)
        rig.put(["a.mp4": film, "b.mp4": film, "c.mp4": film])
        let automatic = Self.item("a", #""proposal": {"next": "b", "at": 1, "automaticAcceptanceInterval": 0}"#)
        let asked = Self.item("b", #""proposal": {"next": "c", "at": 1}"#)
        try rig.apply(
            items: "[\(automatic), \(asked), \(Self.item("c", #""proposal": null"#))]",
            channels: #"[{"id": "ch", "title": "Loop", "kind": "playlist", "loop": true, "items": ["a", "b", "c"]}]"#)
        rig.box.open(id: "ch")
        #expect(rig.run(until: { rig.opened.count == 7 }), "\(rig.opened)")
        #expect(rig.opened == ["a", "b", "c", "a", "b", "c", "a"])
        #expect(rig.outcomes.isEmpty && rig.state.card == nil)
        // Two hours without a key: it is not asked whether somebody watches.
        rig.run(for: .seconds(7200))
        #expect(rig.state.card == nil && rig.state.screen == .player && rig.standbys.isEmpty)
        // Each look at what was opened would go through all of it.
        rig.forget()
        // The viewer wants the credits of the first item: the channel goes on behind them.
        #expect(rig.run(until: { rig.opened.last == "a" && rig.state.proposal != nil }))
        var count = rig.opened.count
        rig.press(.back)
        #expect(rig.state.proposal == nil && rig.run(until: { rig.opened.count == count + 1 }) && rig.opened.last == "b")
        // A key stops the countdown, and no answer follows.
        #expect(rig.run(until: { rig.opened.last == "a" && rig.state.proposal?.countdown != nil }))
        count = rig.opened.count
        rig.press(.right)
        #expect(rig.state.proposal != nil && rig.state.proposal?.countdown == nil)
        #expect(rig.run(until: { rig.opened.count == count + 1 }) && rig.opened.last == "b")
    }

    @Test("a playlist channel of episodes goes on: the next episode is not proposed by itself, and neither ends the channel")
    func episodesInQueue() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": Self.short, "b.mp4": Self.short, "c.mp4": Self.short])
        let items = ["a", "b", "c"].map {
            #"{"id": "\#($0)", "type": "episode", "title": "\#($0)", "streams": [{"url": "\#($0).mp4"}]}"#
        }
        try rig.apply(
            items: "[\(items.joined(separator: ", "))]",
            channels: #"[{"id": "ch", "title": "Loop", "kind": "playlist", "loop": true, "items": ["c", "a"]}]"#,
            series: #"[{"id": "s", "title": "S", "seasons": [{"number": 1, "episodes": ["a", "b", "c"]}]}]"#)
        rig.box.open(id: "ch")
        #expect(rig.run(until: { rig.opened.count == 5 }), "\(rig.opened)")
        #expect(rig.opened == ["c", "a", "c", "a", "c"])
        // Chosen by itself, the same episode proposes the next one.
        rig.box.open(id: "a")
        #expect(rig.run(until: { rig.state.proposal != nil }))
    }

    @Test("the position is saved when the viewer leaves, playback resumes there, and the end clears it")
    func places() throws {
        let places = MemoryPlaceStore()
        let rig = try BoxRig(places: places)
        rig.put(["a.mp4": FakeMedia(frameCount: 1500, soundDuration: .seconds(60))])
        let items = "[\(Self.item("a", #""duration": 60"#))]"
        try rig.apply(items: items)
        rig.box.open(id: "a")
        rig.run(until: { rig.frames.last == 30_000 })
        #expect(rig.box.perform(.stop, from: "web") == .success)
        #expect(rig.outcomes == [.left])
        let saved = try #require(places.place(of: "a"))
        #expect((saved.time - .seconds(30)).magnitude <= .milliseconds(100) && saved.owedInterstitial == nil)
        rig.close()

        // After a restart of the box.
        let later = try BoxRig(places: places)
        defer { later.close() }
        later.put(["a.mp4": FakeMedia(frameCount: 1500, soundDuration: .seconds(60))])
        try later.apply(items: items)
        later.box.open(id: "a")
        later.run(until: { !later.frames.isEmpty })
        #expect(later.frames.first.map { abs($0 - 30_000) <= 100 } == true, "playback started at \(later.frames)")
        #expect(later.run(until: { !later.outcomes.isEmpty }))
        #expect(places.place(of: "a") == nil)
    }

    @Test("leaving during an enforced advertisement keeps the target and the owed advertisement, which plays first on return")
    func owedInterstitial() throws {
        let places = MemoryPlaceStore()
        let film = ["a.mp4": FakeMedia(frameCount: 1500, soundDuration: .seconds(60))]
        let items = Self.withAdvertisement
        let rig = try BoxRig(places: places)
        rig.put(film)
        try rig.apply(items: items)
        rig.box.open(id: "a")
        rig.run(until: { rig.frames.last == 15_000 })
        rig.press(.right)
        #expect(rig.run(until: { rig.told(.willPresent) == [.willPresent(id: "ad")] }))
        rig.run(for: .seconds(1))
        #expect(rig.nowPlaying.requiresLinearPlayback)
        #expect(rig.press(.back) == .success)
        if rig.nowPlaying.state != .home { _ = rig.box.perform(.stop, from: "web") }
        let saved = try #require(places.place(of: "a"))
        #expect(saved.owedInterstitial == "ad")
        #expect((saved.time - .seconds(29)).magnitude <= .milliseconds(300), "saved \(saved.time)")
        rig.close()

        let later = try BoxRig(places: places)
        defer { later.close() }
        later.put(film)
        try later.apply(items: items)
        later.box.open(id: "a")
        later.run(until: { later.frames.last ?? 0 > 30_000 })
        let frames = later.frames
        #expect(Array(frames.prefix(100)) == millis(500..<600))
        #expect(frames.count > 100 && abs(frames[100] - saved.time.milliseconds) <= 40)
    }

    @Test("a skip over an advertisement plays it whole and then seeks to the target, with nothing in between")
    func snapBack() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 1500, soundDuration: .seconds(60))])
        try rig.apply(items: Self.withAdvertisement)
        rig.box.open(id: "a")
        rig.run(until: { rig.frames.last == 15_000 })
        #expect(rig.box.perform(.changePlaybackPosition(.seconds(40)), from: "web") == .success)
        rig.forget()
        rig.run(until: { rig.frames.last ?? 0 > 45_000 })
        let frames = rig.frames
        let start = try #require(frames.firstIndex(of: 20_000))
        #expect(Array(frames[start..<start + 100]) == millis(500..<600))
        // Content time 40 s is after four seconds of advertisement.
        #expect(frames[start + 100] == 44_000)
        #expect(rig.told(.didPresent) == [.didPresent(id: "ad", how: .completed)])
    }

    @Test("a key and its command get the same answer: during playback, in an advertisement and without an item")
    func answers() throws {
        let pairs: [(RemoteKey, RemoteCommand)] = [
            (.pause, .pause), (.play, .play), (.right, .skip(.seconds(10))), (.left, .skip(.seconds(-10))), (.stop, .stop),
        ]
        for (key, command) in pairs {
            for place in [Int64(-1), 10_000, 21_000] {
                func answer(_ ask: (BoxRig) -> CommandResult) throws -> CommandResult {
                    let rig = try BoxRig()
                    defer { rig.close() }
                    rig.put(["a.mp4": FakeMedia(frameCount: 1500, soundDuration: .seconds(60))])
                    try rig.apply(items: Self.withAdvertisement)
                    if place >= 0 {
                        rig.box.open(id: "a")
                        rig.run(until: { rig.frames.last == place })
                        if key == .play { _ = rig.box.perform(.pause, from: "web") }
                    }
                    let result = ask(rig)
                    #expect(rig.told(.answer).last == .answer(result))
                    return result
                }
                let byKey = try answer { $0.box.handle(RemoteEvent(key: key, phase: .press, time: $0.clock.now, device: "test")) }
                let byCommand = try answer { $0.box.perform(command, from: "web") }
                if place >= 0 {
                    #expect(byKey == byCommand, "\(key.rawValue) at \(place) ms")
                    let isRefused = place == 21_000 && (key == .right || key == .left)
                    #expect(byCommand == (isRefused ? .failed(.linear) : .success), "\(command) at \(place) ms")
                } else {
                    #expect(byCommand == .failed(.noItem), "\(command) on Home")
                }
            }
        }
    }

    @Test("what is drawn follows the state: on a key, at the end of a timer, and while nothing is pressed")
    func drawn() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 1500, soundDuration: .seconds(60))])
        rig.box.open(Programme(.url("https://test/a.mp4")))
        #expect(rig.run(until: { rig.frames.last == 3000 }))
        #expect(rig.drawing.states.last == rig.box.shown && rig.box.shown.bar == nil)
        rig.press(.right)
        #expect(rig.drawing.states.last == rig.box.shown && rig.box.shown.bar != nil)
        rig.run(for: Timing.autoHide + .seconds(2))
        #expect(rig.drawing.states.last == rig.box.shown && rig.box.shown.bar == nil)
    }

    @Test("the bar hides some seconds after the last key, not after the first")
    func barHides() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 1500, soundDuration: .seconds(60))])
        rig.box.open(Programme(.url("https://test/a.mp4")))
        #expect(rig.run(until: { rig.frames.last == 3000 }))
        rig.press(.right)
        rig.run(for: Timing.autoHide - .seconds(1))
        rig.press(.right)
        rig.run(for: Timing.autoHide - .seconds(1))
        #expect(rig.state.bar != nil)
        rig.run(for: .seconds(2))
        #expect(rig.state.bar == nil)
    }

    @Test("a feed whose items cannot play advances by itself, if told to, until one can")
    func movesOn() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["c.mp4": Self.short])
        rig.box.movesOnAfterFailure = true
        try rig.apply(items: "[\(Self.item("a")), \(Self.item("b")), \(Self.item("c"))]")
        rig.box.open(id: "a")
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        #expect(rig.opened == ["a", "b", "c"])
        #expect(rig.outcomes == [.ended])
        #expect(rig.frames == millis(0..<50))
        #expect(rig.box.firstFailure?.code == .sourceMissing)
    }

    @Test("an item that cannot be played shows its error, and nothing follows it, unless that is wanted")
    func failureStays() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["b.mp4": Self.short])
        try rig.apply(items: "[\(Self.item("a")), \(Self.item("b")), \(Self.item("c"))]")
        rig.box.open(id: "a")
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        rig.run(for: .seconds(5))
        #expect(rig.opened == ["a"] && rig.state.card?.kind == .error && rig.nowPlaying.error?.code == .sourceMissing)
        rig.forget()
        rig.box.movesOnAfterFailure = true
        rig.box.open(id: "b")
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        rig.run(for: .seconds(5))
        #expect(rig.opened == ["b"] && rig.outcomes.last == .ended, "only a failure is replaced")
    }

    @Test("after an unplayable item the next one follows as without a gap")
    func skipsWithoutGap() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(), "c.mp4": Self.short])
        try rig.apply(
            items: "[\(Self.item("a")), \(Self.item("b")), \(Self.item("c"))]",
            channels: #"[{"id": "ch", "title": "Once", "kind": "playlist", "loop": false, "items": ["a", "b", "c"]}]"#)
        rig.box.open(id: "ch")
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        #expect(rig.opened == ["a", "c"] && rig.told(.skipped) == [.skipped(id: "b")])
        #expect(rig.frames == millis(0..<250) + millis(0..<50))
        #expect(rig.told(.seekCompleted).count == 1, "the last item was opened and decoded while the first played")
    }

    @Test("an unplayable item of a queue is tried again when a viewer opens the queue again")
    func triesAgain() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": Self.short])
        try rig.apply(
            items: "[\(Self.item("a")), \(Self.item("b"))]",
            channels: #"[{"id": "ch", "title": "Once", "kind": "playlist", "loop": false, "items": ["a", "b"]}]"#)
        rig.box.open(id: "ch")
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        #expect(rig.opened == ["a"] && rig.told(.skipped) == [.skipped(id: "b")])
        rig.forget()
        rig.put(["b.mp4": Self.short])
        rig.box.open(id: "ch")
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        #expect(rig.opened == ["a", "b"] && rig.told(.skipped).isEmpty)
    }

    @Test("an item that was begun at its very start follows without a gap; one that resumes later is opened at its position")
    func resumesInQueue() throws {
        for place in [MediaTime.zero, .seconds(1)] {
            let rig = try BoxRig()
            defer { rig.close() }
            rig.put(["a.mp4": Self.short, "b.mp4": Self.short])
            rig.places.save(SavedPlace(time: place, owedInterstitial: nil), of: "b")
            try rig.apply(
                items: "[\(Self.item("a")), \(Self.item("b"))]",
                channels: #"[{"id": "ch", "title": "Once", "kind": "playlist", "loop": false, "items": ["a", "b"]}]"#)
            rig.box.open(id: "ch")
            #expect(rig.run(until: { !rig.outcomes.isEmpty }))
            let first = Int(place.milliseconds / 40)
            #expect(rig.frames == millis(0..<50) + millis(first..<50))
            #expect((rig.told(.seekCompleted).count == 1) == (place == .zero))
        }
    }

    @Test("the title in a file's metadata is shown once its picture is on the screen; the feed's title is kept")
    func fileTitle() throws {
        // An ID3v2.4 tag with one text frame in UTF-8.
        let text = [3] + Array("Low Tide".utf8)
        let frame = Array("TIT2".utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
        for hasPicture in [true, false] {
            let rig = try BoxRig()
            defer { rig.close() }
            var film = FakeMedia(frameCount: hasPicture ? 250 : 0)
            film.fileHead = tag
            rig.put(["a.mp4": film])
            try rig.apply(items: "[\(Self.item("a"))]")
            rig.box.open(Programme(.url("https://test/a.mp4")))
            rig.run(for: .seconds(3))
            rig.press(.pause)
            // Without a picture the card has the title, and it is said once.
            func title() -> String? {
                #expect((rig.state.title == nil) != hasPicture && (rig.state.audioOnly == nil) == hasPicture)
                return hasPicture ? rig.state.title?.title : rig.state.audioOnly?.title
            }
            #expect(title() == "Low Tide", "with a picture: \(hasPicture)")
            rig.box.open(id: "a")
            rig.run(for: .seconds(3))
            rig.press(.pause)
            #expect(title() == "a")
        }
    }

    @Test("the published state follows playback: times in content time, the actual rate, the label of an advertisement")
    func published() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 1500, soundDuration: .seconds(60))])
        try rig.apply(
            items:
                "[\(Self.item("a", #""duration": 60, "interstitials": [{"id": "ad", "start": 4, "duration": 4, "kind": "ad"}]"#))]"
        )
        rig.box.open(id: "a")
        rig.run(until: { rig.frames.last == 6000 })
        var now = rig.nowPlaying
        #expect(now.state == .playing && now.id == "a" && now.title == "a" && now.rate == .one)
        #expect(now.elapsed == .seconds(4) && now.duration == .seconds(56))
        #expect(now.assetTime.map { ($0 - .seconds(6)).magnitude <= .milliseconds(50) } == true)
        #expect(now.requiresLinearPlayback && now.interstitialLabel != nil)
        rig.run(until: { rig.frames.last == 9000 })
        now = rig.nowPlaying
        #expect(now.elapsed.map { ($0 - .seconds(5)).magnitude <= .milliseconds(50) } == true)
        #expect(!now.requiresLinearPlayback && now.interstitialLabel == nil)
        #expect(rig.box.perform(.pause, from: "web") == .success)
        rig.run(for: .seconds(1))
        #expect(rig.nowPlaying.state == .paused && rig.nowPlaying.rate == .zero)
    }
}
