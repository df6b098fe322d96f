import BoxModel
import LinuxSupport
import MediaTime
import Screens
import Shell
import TestSupport
import Testing
import Viewing

@testable import Appliance

@Suite("A restarted player", .serialized)
@MainActor
struct SessionTests {
    private static let film = FakeMedia(frameCount: 1500, soundDuration: .seconds(60))
    private static let items =
        #"[{"id": "a", "type": "movie", "title": "A", "streams": [{"url": "a.mp4"}]}, {"id": "b", "type": "movie", "title": "B", "streams": [{"url": "b.mp4"}]}]"#
    private static let loop = #"[{"id": "loop", "title": "Loop", "kind": "playlist", "loop": true, "items": ["a", "b"]}]"#

    private func rig() throws -> BoxRig {
        let rig = try BoxRig()
        rig.put(["a.mp4": Self.film, "b.mp4": Self.film])
        try rig.apply(items: Self.items, channels: Self.loop)
        return rig
    }

    @Test("a session is read back unchanged, and an incomplete one is ignored")
    func text() {
        let sessions = [
            Session(id: "e1", boot: "b"),
            Session(
                id: "e 1", queue: .init(channel: "loop one", index: 3),
                place: SavedPlace(time: MediaTime(1001, 30_000), owedInterstitial: "a 1"),
                isPaused: true, boot: "b"),
        ]
        for session in sessions {
            #expect(Session(session.text) == session)
            #expect(Session(String(session.text.dropLast(4))) == nil)
        }
        #expect(Session("") == nil)
    }

    @Test(
        "numbers that no session has are ignored",
        arguments: ["queue -1 loop", "queue 9223372036854775808 loop", "place 1/0", "place 1/-1"])
    func extremes(line: String) throws {
        let session = try #require(Session("id b\nboot x\n\(line)\nend session\n"))
        #expect(session == Session(id: "b", boot: "x"))
    }

    @Test("it continues at its position, in its queue, although nothing was stored for the item itself")
    func goesOn() throws {
        let first = try rig()
        #expect(first.box.session(boot: "x") == nil)
        first.box.open(id: "loop")
        #expect(first.run(until: { (first.frames.last ?? 0) >= 20_000 }))
        let session = try #require(first.box.session(boot: "x"))
        #expect(session.queue == .init(channel: "loop", index: 0))
        #expect(!session.isPaused)
        first.close()

        let second = try rig()
        defer { second.close() }
        #expect(second.box.resume(try #require(Session(session.text))))
        #expect(second.run(until: { second.frames.count > 10 }))
        let place = try #require(session.place).time.milliseconds
        #expect(abs((second.frames.first ?? 0) - place) <= 40, "the first frame shown is that of the position, not the beginning")
        #expect(second.nowPlaying.state == .playing)
        #expect(second.box.session(boot: "x")?.queue == session.queue)
    }

    @Test(
        "an item that the viewer paused is restored paused at its position, also when the player crashes again before showing it")
    func paused() throws {
        let first = try rig()
        first.box.open(id: "a")
        #expect(first.run(until: { (first.frames.last ?? 0) >= 5000 }))
        #expect(first.box.perform(.pause, from: "test") == .success)
        first.run(for: .seconds(1))
        let session = try #require(first.box.session(boot: "x"))
        #expect(session.isPaused)
        first.close()

        let second = try rig()
        defer { second.close() }
        #expect(second.box.resume(session))
        #expect(second.box.session(boot: "y")?.place == session.place)
        #expect(second.box.session(boot: "y")?.isPaused == true)
        #expect(second.run(until: { second.nowPlaying.state == .paused && !second.frames.isEmpty }))
        second.run(for: .seconds(5))
        let place = try #require(session.place).time.milliseconds
        #expect(second.nowPlaying.state == .paused)
        #expect(second.frames.allSatisfy { abs($0 - place) <= 80 }, "\(second.frames) instead of \(place)")
        let again = try #require(second.box.session(boot: "x"))
        #expect(again.isPaused)
        #expect(abs((again.place?.time.milliseconds ?? 0) - place) <= 80)
        #expect(second.press(.playpause) == .success)
        #expect(second.run(until: { (second.frames.last ?? 0) >= place + 1000 }))
        #expect(second.box.session(boot: "x")?.isPaused == false)
    }

    /// What pauses playback until it is over.
    enum Surrounding: CaseIterable { case screen, otherInput, heat, announcement }

    @Test("an item that the box had paused for its surroundings is restored playing", arguments: Surrounding.allCases)
    func pausedByTheBox(surrounding: Surrounding) throws {
        let first = try rig()
        first.box.open(id: "a")
        #expect(first.run(until: { (first.frames.last ?? 0) >= 5000 }))
        switch surrounding {
        case .screen: first.player.scheduler.displayDidChange(nil)
        case .otherInput: first.box.holds.set(.otherInput, true)
        case .heat: first.box.holds.set(.heat, true)
        case .announcement: first.box.holds.began(.announcement)
        }
        first.run(for: .seconds(2))
        #expect(first.nowPlaying.state == .paused)
        let session = try #require(first.box.session(boot: "x"))
        #expect(!session.isPaused)
        first.close()

        let second = try rig()
        defer { second.close() }
        #expect(second.box.resume(session))
        second.run(for: .seconds(5))
        #expect(second.nowPlaying.state == .playing)
        #expect((second.frames.last ?? 0) >= 7000)
    }

    @Test("a pause of the viewer is restored, also if a television was unplugged or an announcement began before or after it")
    func pausedByTheViewer() throws {
        for isFirst in [true, false] {
            let rig = try rig()
            defer { rig.close() }
            rig.box.open(id: "a")
            #expect(rig.run(until: { (rig.frames.last ?? 0) >= 1000 }))
            if isFirst { rig.press(.pause) }
            rig.box.holds.began(.announcement)
            rig.run(for: .seconds(1))
            if !isFirst { rig.press(.pause) }
            #expect(rig.box.session(boot: "x")?.isPaused == true, "the viewer paused first: \(isFirst)")
            rig.player.scheduler.displayDidChange(nil)
            rig.run(for: .seconds(1))
            #expect(rig.box.session(boot: "x")?.isPaused == true, "the viewer paused first: \(isFirst)")
        }
    }

    @Test("the pause applies neither to a left item nor to another programme")
    func notCarriedOver() throws {
        let rig = try rig()
        defer { rig.close() }
        let session = Session(id: "a", place: SavedPlace(time: .seconds(5)), isPaused: true, boot: "x")
        #expect(rig.box.resume(session))
        #expect(rig.box.perform(.stop, from: "test") == .success)
        rig.box.open(id: "a")
        #expect(rig.run(until: { rig.frames.count > 20 }))
        #expect(rig.nowPlaying.state == .playing)
        #expect(rig.box.resume(session))
        rig.box.open(id: "b")
        rig.forget()
        #expect(rig.run(until: { rig.frames.count > 20 }))
        #expect(rig.nowPlaying.state == .playing && rig.nowPlaying.id == "b")
    }

    @Test("a third hanging decoder requests a restart, and the new process is told where to resume")
    func hung() throws {
        let rig = try BoxRig()
        defer {
            rig.loader.release()
            rig.close()
        }
        rig.put(["a.mp4": FakeMedia(fault: DecoderFault(.hang, frame: 100, decoders: 3)), "b.mp4": Self.film])
        try rig.apply(items: Self.items, channels: Self.loop)
        var sessions: [Session?] = []
        let listening = rig.player.events.listen {
            if case .restartNeeded = $0 { sessions.append(rig.box.session(boot: "x")) }
        }
        defer { listening.cancel() }
        rig.box.open(id: "loop")
        #expect(rig.run(until: { !sessions.isEmpty }))
        let session = try #require(sessions.first ?? nil)
        #expect(session.id == "a" && session.queue == .init(channel: "loop", index: 0) && !session.isPaused)
        #expect(abs((session.place?.time.milliseconds ?? 0) - 4000) <= 200, "\(session)")
    }

    @Test("an address outside the feed is no session")
    func address() throws {
        let rig = try rig()
        defer { rig.close() }
        rig.box.open(Programme(.url("https://test/a.mp4")))
        #expect(rig.run(until: { rig.frames.count > 10 }))
        #expect(rig.box.session(boot: "x") == nil)
    }

    @Test("an item that is no longer in the feed is not resumed")
    func gone() throws {
        let rig = try rig()
        defer { rig.close() }
        #expect(!rig.box.resume(Session(id: "c", boot: "x")))
        #expect(rig.nowPlaying.state == .home)
    }

    @Test("an item that stopped the box too often is skipped with a message, and its queue continues with the next")
    func leftOut() throws {
        let rig = try rig()
        defer { rig.close() }
        rig.box.leaveOut(["a"])
        rig.box.open(id: "loop")
        #expect(rig.nowPlaying.id == "b")
        #expect(rig.state.toast?.hasPrefix("A was skipped") == true)
        rig.box.leaveOut(["a", "b"])
        rig.box.open(id: "loop")
        #expect(rig.nowPlaying.state == .home, "a queue without playable items does not loop for ever")
        #expect(rig.box.open(id: "a") && rig.nowPlaying.state == .home, "nothing follows an item without a queue")
        #expect(rig.state.toast?.hasPrefix("A was skipped") == true)
    }

    @Test("while a screen of the box is shown only it receives keys, and it hides the viewer's screens")
    func setUpScreen() throws {
        let rig = try rig()
        defer { rig.close() }
        rig.box.open(id: "a")
        #expect(rig.run(until: { rig.frames.count > 10 }))
        var presses = 0
        rig.box.showSetUp(SetUpView(kind: .safe, title: "The box is paused", button: "Try Again")) { presses += 1 }
        #expect(rig.drawing.states.last?.setUp?.kind == .safe)
        #expect(rig.drawing.states.last?.bar == nil)
        #expect(rig.press(.down) == .failed(.notSupported))
        #expect(rig.press(.ok) == .success)
        #expect(presses == 1)
        var reports = 0
        let subscription = rig.box.events.listen { if case .asked(.saveReport) = $0 { reports += 1 } }
        defer { subscription.cancel() }
        for key in [RemoteKey.up] + ReportKeys.sequence.dropLast() { _ = rig.press(key) }
        #expect(reports == 0)
        #expect(rig.press(.right) == .success)
        #expect(reports == 1)
        // The sequence is pressed anew for the next one; OK in the middle is an action and begins it again.
        for key in ReportKeys.sequence.prefix(4) + [.ok] + ReportKeys.sequence.dropFirst(4) { _ = rig.press(key) }
        #expect(reports == 1 && presses == 2)
        for key in ReportKeys.sequence { _ = rig.press(key) }
        #expect(reports == 2)
        rig.box.showSetUp(nil)
        #expect(rig.drawing.states.last?.setUp == nil)
        rig.box.showVerdict(VerdictView(title: "Wrong.", lines: []))
        #expect(rig.drawing.states.last?.verdict?.title == "Wrong.")
        #expect(rig.press(.playpause) == .success)
    }
}
