import BoxModel
import Display
import LinuxSupport
import MediaModel
import MediaTime
import Shell
import TestSupport
import Testing
import Viewing

@testable import Appliance

@Suite("What an operator does with a box: check-out, welcome, emergency messages", .serialized)
@MainActor
struct OperatorHandTests {
    private static let items =
        #"[{"id": "a", "type": "movie", "title": "A", "duration": 30, "streams": [{"url": "a.mp4"}], "rating": {"system": "MPA", "value": "G"}}]"#

    private func rig(_ viewer: ViewerParts, _ places: any PlaceStore = MemoryPlaceStore(), kiosk: Bool = false) throws -> BoxRig {
        let rig = try BoxRig(places: places, viewer: viewer, policy: InterfacePolicy(isKiosk: kiosk))
        rig.put(["a.mp4": FakeMedia(frameCount: 750, soundDuration: .seconds(30))])
        try rig.apply(items: Self.items)
        return rig
    }

    private func watch(_ rig: BoxRig) { #expect(rig.run(until: { rig.frames.count > 50 })) }

    // MARK: Check-out

    /// A guest's settings, of which the first two are the room's.
    private var settings: [(name: String, value: String)] {
        var settings = ViewerSettings()
        (settings.overscanPercent, settings.soundDelays) = (3, ["hdmi": 40])
        (settings.language, settings[.largerText], settings.parentalAge) = ("de", true, 12)
        settings.captionDelays = ["a": 500]
        return settings.entries
    }

    @Test("after a check-out nothing of the guest is left, at once and after a restart", arguments: [false, true])
    func checkOut(isInStandby: Bool) throws {
        var viewer = ViewerParts()
        viewer.volume = VolumeLimits(start: 30, least: 10, most: 60)
        viewer.settings.save(settings)
        viewer.settings.pinDigest = PINDigest.salted("1234")
        viewer.settings.pinFailures = 2
        let choices = MemoryChoiceStore()
        viewer.choices = choices
        for name in ["searches", "list", "reminders", "speed.a", "debt.a", "length.a"] { choices.setChoice("a@1", name) }
        let places = MemoryPlaceStore()
        places.markWatched("b")
        places.markWatched(interstitial: "ad", of: "b")
        let rig = try rig(viewer, places)
        #expect(rig.box.perform(.setVolume(percent: 55), from: "web") == .success)
        #expect(rig.box.perform(.setMuted(true), from: "web") == .success)
        #expect(rig.box.volumePercent == 55 && rig.box.isMuted)
        #expect(rig.box.perform(.setWelcome(name: "Ms Gray"), from: "web") == .success)
        rig.box.open(id: "a")
        watch(rig)
        if isInStandby { _ = rig.box.perform(.standby, from: "web") }
        for _ in 0..<2 { #expect(rig.box.perform(.checkOut, from: "web") == .success) }
        #expect(rig.box.isInStandby && rig.standbys == [true] && rig.box.session(boot: "x") == nil)
        let kept = ["audio.delay.hdmi", "interface.overscan"]
        func isClean(_ rig: BoxRig) {
            #expect(places.recent.isEmpty && places.place(of: "a") == nil && !places.isWatched("b"))
            #expect(places.watchedInterstitials(of: "b").isEmpty)
            for name in ["searches", "list", "reminders", "speed.a", "debt.a", "length.a", "volume", "welcome"] {
                #expect(choices.choice(name) == nil, "\(name)")
            }
            #expect(viewer.settings.entries.map(\.name).sorted() == kept)
            #expect(viewer.settings.pinDigest == nil && viewer.settings.pinFailures == 0)
            #expect(rig.player.volume == 0.3 && !rig.player.isMuted)
            let appearance = rig.state.appearance
            #expect(appearance.overscanPercent == 3 && !appearance.hasLargerText && appearance.language == "en")
            #expect(!rig.box.machine.policy.hasPIN)
        }
        isClean(rig)
        // A second later nothing has come back.
        rig.run(for: .seconds(20))
        isClean(rig)
        rig.press(.ok)
        #expect(rig.state.screen == .home && rig.state.toast == nil)
        #expect(rig.state.home?.content.rows.contains { $0.id == "continue" } == false)
        isClean(rig)
        rig.close()
        let next = try self.rig(viewer, places)
        defer { next.close() }
        isClean(next)
        #expect(next.state.toast == nil)
    }

    @Test("what the operator has set stays: the PIN of the settings, and the age that was set with it")
    func operatorsPIN() throws {
        let digest = String(repeating: "0", count: 64)
        let viewer = ViewerParts(pinDigest: digest)
        viewer.settings.save(settings)
        let rig = try rig(viewer)
        defer { rig.close() }
        #expect(rig.box.perform(.checkOut, from: "web") == .success)
        #expect(rig.box.machine.policy.hasPIN)
        #expect(viewer.settings.entries.map(\.name).sorted() == ["audio.delay.hdmi", "interface.overscan", "parental.age"])
    }

    // MARK: The welcome

    @Test("a guest is greeted by name when the name comes, when the box wakes and when it starts, until the check-out")
    func welcome() throws {
        let viewer = ViewerParts()
        let rig = try rig(viewer)
        func greeting() -> String? { rig.state.toast?.filter { !"\u{2068}\u{2069}".contains($0) } }
        #expect(greeting() == nil)
        #expect(rig.box.perform(.setWelcome(name: "Ms Gray"), from: "web") == .success)
        #expect(greeting() == "Welcome, Ms Gray")
        rig.run(for: .seconds(16))
        #expect(greeting() == nil)
        #expect(rig.box.perform(.setWelcome(name: "Ms Gray"), from: "web") == .failed(.noChange))
        rig.press(.power)
        #expect(rig.box.perform(.setWelcome(name: "Mr Green"), from: "web") == .success)
        #expect(rig.box.isInStandby && greeting() == nil)
        rig.press(.ok)
        #expect(greeting() == "Welcome, Mr Green")
        rig.close()
        let next = try self.rig(viewer)
        defer { next.close() }
        #expect(next.state.toast?.contains("Mr Green") == true)
        #expect(next.box.perform(.setWelcome(name: nil), from: "web") == .success)
        next.press(.power)
        next.press(.ok)
        #expect(next.state.toast == nil)
    }

    // MARK: The start

    @Test("what the settings of a box name plays at the start, if the feed has it, before what the feed names")
    func start() throws {
        for (start, wanted) in [(nil, "b"), ("a", "a"), ("gone", "b"), ("c", "c")] as [(String?, String)] {
            var viewer = ViewerParts()
            viewer.start = start
            let rig = try BoxRig(viewer: viewer)
            defer { rig.close() }
            #expect(rig.box.startsByItself == nil)
            let items = ["a", "b"].map {
                #"{"id": "\#($0)", "type": "movie", "title": "A", "duration": 30, "streams": [{"url": "a.mp4"}]}"#
            }
            rig.box.apply(
                try feed(
                    #""start": {"item": "b"}, "items": [\#(items.joined(separator: ", "))], "channels": [{"id": "c", "title": "C", "kind": "playlist", "items": ["a"]}]"#
                ))
            #expect(rig.box.startsByItself == wanted, "\(start ?? "none")")
        }
    }

    // MARK: Emergency messages

    /// All commands that an interface or a network can send.
    nonisolated static let commands: [RemoteCommand] = [
        .play, .pause, .togglePlayPause, .stop, .changePlaybackPosition(.seconds(3)), .skip(.seconds(1)), .restart,
        .open(id: "a"),
        .key(.ok), .beginAnnouncement, .endAnnouncement(shouldResume: true), .wake, .standby, .setVolume(percent: 40),
        .setMuted(false), .selectOutput(id: "x"), .selectAudio(id: "x"), .selectSubtitles(id: "x"), .selectAngle(id: "x"),
        .setCaptions(true),
        .changePlaybackRate(Ratio(3, 2)), .goLive, .goToTimeOfDay(100), .showMessage("m", seconds: 5), .setWelcome(name: "n"),
        .checkOut,
    ]

    @Test("an emergency message is over everything, and what played goes on behind it when it is ended")
    func overPlayback() throws {
        let rig = try rig(ViewerParts())
        defer { rig.close() }
        rig.box.open(id: "a")
        watch(rig)
        #expect(rig.box.perform(.showEmergency("Leave the building."), from: "web") == .success)
        #expect(rig.box.perform(.showEmergency("Leave the building."), from: "web") == .failed(.noChange))
        rig.run(for: .seconds(1))
        #expect(rig.box.shown.setUp?.kind == .emergency && rig.box.shown.setUp?.paragraphs == ["Leave the building."])
        #expect(rig.nowPlaying.state == .paused && rig.box.emergencyText == "Leave the building.")
        let place = rig.frames.last
        for key in RemoteKey.allCases { #expect(rig.press(key) == .failed(.emergency), "\(key)") }
        rig.run(for: .seconds(60))
        #expect(rig.frames.last == place && rig.box.shown.setUp?.kind == .emergency && rig.display.isPowered)
        #expect(rig.box.perform(.showEmergency("All is well. Stay."), from: "web") == .success)
        #expect(rig.box.shown.setUp?.paragraphs == ["All is well. Stay."])
        #expect(rig.box.perform(.endEmergency, from: "web") == .success)
        #expect(rig.box.perform(.endEmergency, from: "web") == .failed(.noChange))
        #expect(rig.box.shown.setUp == nil && rig.box.emergencyText == nil)
        #expect(rig.run(until: { (rig.frames.last ?? 0) > (place ?? 0) + 1000 }), "it goes on by itself")
    }

    @Test("a search and what is being opened wait behind it too", arguments: [true, false])
    func overSearch(isOpening: Bool) throws {
        let rig = try rig(ViewerParts())
        defer { rig.close() }
        rig.box.open(id: "a")
        if !isOpening {
            watch(rig)
            #expect(rig.press(.ff) == .success)
            rig.run(for: .seconds(1))
        }
        #expect(rig.box.perform(.showEmergency("Fire"), from: "web") == .success)
        rig.run(for: .seconds(2))
        let place = rig.nowPlaying.elapsed
        rig.run(for: .seconds(60))
        #expect(rig.nowPlaying.state == .paused && rig.nowPlaying.elapsed == place)
        #expect(rig.box.session(boot: "x")?.isPaused == false)
        let count = rig.frames.count
        #expect(rig.box.perform(.endEmergency, from: "web") == .success)
        #expect(rig.run(until: { rig.frames.count > count + 50 }), "it goes on by itself")
    }

    @Test("what the viewer has paused stays paused when it is ended")
    func overPause() throws {
        let rig = try rig(ViewerParts())
        defer { rig.close() }
        rig.box.open(id: "a")
        watch(rig)
        #expect(rig.press(.pause) == .success)
        #expect(rig.box.perform(.showEmergency("Fire"), from: "web") == .success)
        rig.run(for: .seconds(5))
        #expect(rig.box.session(boot: "x")?.isPaused == true)
        #expect(rig.box.perform(.endEmergency, from: "web") == .success)
        let count = rig.frames.count
        rig.run(for: .seconds(10))
        #expect(rig.nowPlaying.state == .paused && rig.frames.count <= count + 1)
    }

    @Test("a release that comes after it is no act of the viewer, and what interrupts meanwhile holds playback afterwards")
    func releasedAndHot() throws {
        let rig = try rig(ViewerParts())
        defer { rig.close() }
        rig.box.open(id: "a")
        watch(rig)
        _ = rig.box.handle(RemoteEvent(key: .info, phase: .press, time: rig.clock.now, device: "test"))
        #expect(rig.box.perform(.showEmergency("Fire"), from: "web") == .success)
        _ = rig.box.handle(RemoteEvent(key: .info, phase: .release, time: rig.clock.now, device: "test"))
        rig.box.holds.set(.heat, true)
        rig.run(for: .seconds(5))
        #expect(rig.box.perform(.endEmergency, from: "web") == .success)
        let count = rig.frames.count
        rig.run(for: .seconds(5))
        #expect(rig.nowPlaying.state == .paused && rig.frames.count <= count + 1, "it is too hot")
        rig.box.holds.set(.heat, false)
        #expect(rig.run(until: { rig.frames.count > count + 50 }))
    }

    /// How something holds playback, and how that ends.
    nonisolated static let holding: [(name: String, begin: @MainActor (BoxRig) -> Void, end: @MainActor (BoxRig) -> Void)] = [
        (
            "emergency", { _ = $0.box.perform(.showEmergency("Fire"), from: "web") },
            { _ = $0.box.perform(.endEmergency, from: "web") }
        ),
        (
            "announcement", { _ = $0.box.perform(.beginAnnouncement, from: "web") },
            { _ = $0.box.perform(.endAnnouncement(shouldResume: true), from: "web") }
        ), ("heat", { $0.box.holds.set(.heat, true) }, { $0.box.holds.set(.heat, false) }),
        (
            "screen", { $0.display.connect(nil) },
            { $0.display.connect(DisplayMode(width: 1920, height: 1080, refresh: Ratio(60))) }
        ),
    ]

    @Test(
        "a box that was sent to standby while something held playback stays there when that ends",
        arguments: 0..<holding.count, [StandbyCommand.standby, .checkOut])
    func standbyMeanwhile(index: Int, way: StandbyCommand) throws {
        let rig = try rig(ViewerParts())
        defer { rig.close() }
        rig.box.open(id: "a")
        watch(rig)
        Self.holding[index].begin(rig)
        rig.run(for: .seconds(2))
        #expect(rig.box.perform(way == .standby ? .standby : .checkOut, from: "web") == .success)
        rig.run(for: .seconds(1))
        Self.holding[index].end(rig)
        rig.run(for: .seconds(20))
        #expect(rig.box.isInStandby && !rig.display.isPowered, "\(Self.holding[index].name)")
    }

    enum StandbyCommand: String, Sendable { case standby, checkOut }

    @Test("in standby it lights the screen, however long it takes, and darkens it again")
    func fromStandby() throws {
        let viewer = ViewerParts()
        let rig = try rig(viewer)
        rig.press(.power)
        #expect(!rig.display.isPowered)
        #expect(rig.box.perform(.showEmergency("Fire"), from: "web") == .success)
        #expect(rig.display.isPowered && rig.box.shown.setUp?.kind == .emergency)
        rig.run(for: .seconds(1))
        #expect(!rig.nowPlaying.isScreenOff)
        #expect(rig.standbys == [true, false], "the television is needed")
        #expect(rig.press(.power) == .failed(.emergency))
        rig.run(for: .seconds(7200))
        #expect(rig.display.isPowered && rig.box.shown.setUp?.kind == .emergency)
        rig.close()
        // A restart does not end it.
        let next = try self.rig(viewer)
        defer { next.close() }
        #expect(next.box.shown.setUp?.paragraphs == ["Fire"])
        // Nor does standby, which the sleep timer asks for.
        #expect(next.box.perform(.standby, from: "web") == .success && next.box.isInStandby)
        #expect(next.display.isPowered && next.box.shown.setUp?.kind == .emergency)
        #expect(next.box.perform(.endEmergency, from: "web") == .success)
        #expect(!next.display.isPowered && next.nowPlaying.isScreenOff && next.box.shown.setUp == nil)
        next.press(.ok)
        #expect(next.display.isPowered && next.state.screen == .home)
    }

    @Test("no command shows or sounds anything while it is there", arguments: commands)
    func commandsBehindIt(command: RemoteCommand) throws {
        let rig = try rig(ViewerParts())
        defer { rig.close() }
        rig.box.open(id: "a")
        watch(rig)
        #expect(rig.box.perform(.showEmergency("Fire"), from: "web") == .success)
        rig.run(for: .seconds(1))
        let count = rig.frames.count
        _ = rig.box.perform(command, from: "web")
        rig.run(for: .seconds(10))
        #expect(rig.frames.count <= count + 1 && rig.box.shown.setUp?.kind == .emergency && rig.display.isPowered)
        #expect(rig.box.perform(.endEmergency, from: "web") == .success)
    }

    @Test("what a restarted box or a kiosk begins by itself waits behind it", arguments: [false, true])
    func begun(kiosk: Bool) throws {
        let viewer = ViewerParts()
        viewer.choices.setChoice("Fire", "emergency")
        let rig = try rig(viewer, kiosk: kiosk)
        defer { rig.close() }
        if kiosk {
            rig.box.open(id: "a")
        } else {
            #expect(rig.box.resume(Session(id: "a", place: SavedPlace(time: .seconds(5)), isPaused: false, boot: "x")))
        }
        rig.run(for: .seconds(10))
        #expect(rig.nowPlaying.state == .paused && rig.box.shown.setUp?.kind == .emergency)
        #expect(rig.box.session(boot: "x")?.isPaused == false)
        let count = rig.frames.count
        #expect(rig.box.perform(.endEmergency, from: "web") == .success)
        #expect(rig.run(until: { rig.frames.count > count + 50 }))
    }
}
