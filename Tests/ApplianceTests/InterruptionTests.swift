import Display
import LinuxSupport
import MediaModel
import MediaTime
import Sound
import TestSupport
import Testing
import Viewing

@testable import Appliance
@testable import Playback

@Suite("Interruptions and routes")
@MainActor
struct InterruptionTests {
    private func playing(_ policy: InterfacePolicy = InterfacePolicy()) throws -> BoxRig {
        let rig = try BoxRig(policy: policy)
        rig.put(["a.mp4": FakeMedia(frameCount: 2000, soundDuration: .seconds(80))])
        rig.box.open(Programme(.url("https://test/a.mp4")))
        #expect(rig.run(until: { rig.frames.count > 20 }))
        return rig
    }

    private var reasons: [HoldReason] { [.announcement, .otherInput, .heat] }

    /// What the viewer does before and during an interruption.
    enum Viewer: CaseIterable { case plays, hadPaused, pausesMeanwhile, looksMeanwhile }

    @Test(
        "playback resumes by itself only if that is allowed, it was playing, and the viewer has not paused meanwhile",
        arguments: Viewer.allCases, [true, false])
    func matrix(viewer: Viewer, shouldResume: Bool) throws {
        for reason in reasons {
            let rig = try playing()
            if viewer == .hadPaused { rig.press(.pause) }
            rig.box.holds.began(reason)
            rig.run(for: .milliseconds(400))
            #expect(rig.player.state.rate == .zero)
            if viewer == .pausesMeanwhile { rig.press(.pause) }
            if viewer == .looksMeanwhile { rig.press(.volumeUp) }
            rig.run(for: .seconds(2))
            rig.box.holds.ended(reason, mayGoOn: shouldResume)
            rig.run(for: .seconds(1))
            let resumes = shouldResume && (viewer == .plays || viewer == .looksMeanwhile)
            #expect((rig.player.state.rate == .one) == resumes, "\(reason), \(viewer), may resume: \(shouldResume)")
            #expect(rig.player.services.sink.volume == 1 || viewer == .looksMeanwhile)
            rig.close()
        }
    }

    @Test(
        "a television that shows another input pauses playback with a message, and it resumes when the input returns; likewise for heat"
    )
    func surroundings() throws {
        for isHeat in [false, true] {
            let rig = try playing()
            func tell(_ holds: Bool) {
                if isHeat { rig.box.holds.set(.heat, holds) } else { rig.box.holds.set(.otherInput, holds) }
            }
            // A hold that has not started cannot end.
            tell(false)
            #expect(rig.player.state.rate == .one)
            tell(true)
            tell(true)
            rig.run(for: .seconds(2))
            #expect(rig.player.state.rate == .zero)
            #expect(rig.box.interruptions == [isHeat ? .heat : .otherInput])
            #expect(rig.state.notice?.words.hasPrefix("Paused") == true)
            tell(false)
            rig.run(for: .seconds(1))
            #expect(rig.player.state.rate == .one && rig.player.services.sink.volume == 1)
            rig.close()
        }
    }

    @Test(
        "of two interruptions the last to end decides, and after five minutes of another input playback stays paused"
    )
    func nested() throws {
        let rig = try playing()
        defer { rig.close() }
        rig.box.holds.began(.announcement)
        rig.run(for: .milliseconds(400))
        rig.box.holds.began(.otherInput)
        rig.box.holds.ended(.announcement, mayGoOn: true)
        rig.run(for: .seconds(1))
        #expect(rig.player.state.rate == .zero)
        rig.box.holds.ended(.otherInput, mayGoOn: true)
        rig.run(for: .seconds(1))
        #expect(rig.player.state.rate == .one)
        rig.box.holds.began(.otherInput)
        rig.run(for: .seconds(301))
        rig.box.holds.ended(.otherInput, mayGoOn: true)
        rig.run(for: .seconds(1))
        #expect(rig.player.state.rate == .zero)
    }

    @Test(
        "a kiosk, where no viewer would resume, plays after a night without its screen or of another input",
        arguments: [true, false])
    func nightOfKiosk(isUnplugged: Bool) throws {
        let rig = try playing(InterfacePolicy(isKiosk: true))
        defer { rig.close() }
        let mode = rig.player.services.display.mode
        func televisionShowsBox(_ showsBox: Bool) {
            guard isUnplugged else { return rig.box.holds.set(.otherInput, !showsBox) }
            rig.player.scheduler.displayDidChange(showsBox ? mode : nil)
        }
        televisionShowsBox(false)
        rig.run(for: .seconds(1))
        rig.press(.volumeUp)
        rig.run(for: .seconds(10 * 3600))
        #expect(rig.player.state.rate == .zero && rig.nowPlaying.state == .paused && rig.standbys.isEmpty)
        televisionShowsBox(true)
        rig.run(for: .seconds(1))
        #expect(rig.player.state.rate == .one && rig.player.services.sink.volume > 0)
    }

    @Test("what is opened again during an interruption stays paused until its end, and then plays unless the viewer had paused")
    func reopened() throws {
        for hadPaused in [false, true] {
            let rig = try BoxRig()
            defer { rig.close() }
            rig.put(["a.mp4": FakeMedia(frameCount: 2000, soundDuration: .seconds(80))])
            try rig.apply(items: #"[{"id": "a", "type": "movie", "title": "A", "streams": [{"url": "a.mp4"}]}]"#)
            rig.box.open(id: "a")
            #expect(rig.run(until: { rig.frames.count > 20 }))
            if hadPaused { rig.press(.pause) }
            rig.box.holds.set(.heat, true)
            rig.run(for: .seconds(1))
            #expect(rig.box.resume(try #require(rig.box.session(boot: "x"))))
            rig.run(for: .seconds(2))
            #expect(rig.player.state.rate == .zero, "the viewer had paused: \(hadPaused)")
            #expect((rig.state.notice?.words.hasPrefix("Paused") == true) == !hadPaused)
            rig.box.holds.set(.heat, false)
            rig.run(for: .seconds(1))
            #expect((rig.player.state.rate == .one) == !hadPaused)
        }
    }

    @Test("a removed sound device pauses playback with a message, and a new one changes nothing")
    func soundRoute() throws {
        let rig = try playing()
        defer { rig.close() }
        let sink = rig.player.services.sink
        sink.deviceChanges.send(.returned)
        rig.run(for: .milliseconds(100))
        #expect(rig.player.state.rate == .one)
        sink.deviceChanges.send(.lost)
        rig.run(for: .milliseconds(100))
        #expect(rig.player.state.rate == .zero)
        #expect(rig.state.toast != nil)
        sink.deviceChanges.send(.returned)
        rig.run(for: .seconds(1))
        #expect(rig.player.state.rate == .zero)
    }

    @Test("after a sound device was removed, the viewer plays on in silence, and hears the next device")
    func playsOnWithoutDevice() throws {
        let card = RemovableCard()
        let rig = try BoxRig(sink: { card.sink($0) })
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 2000, soundDuration: .seconds(80))])
        try rig.apply(items: #"[{"id": "a", "type": "movie", "title": "A", "streams": [{"url": "a.mp4"}]}]"#)
        rig.box.open(id: "a")
        #expect(rig.run(until: { rig.frames.count > 20 }))
        card.remove()
        rig.run(for: .seconds(1))
        #expect(rig.player.state.rate == .zero)
        rig.press(.play)
        let count = rig.frames.count
        rig.run(for: .seconds(10))
        #expect(rig.player.state.rate == .one && rig.frames.count >= count + 200 && card.opened == 1)
        card.isThere = true
        rig.run(for: .seconds(30))
        #expect(card.opened == 2 && card.isPlaying && rig.player.state.stallCount == 0)
    }

    @Test("in a kiosk, where nobody would resume, a removed sound device does not stop the picture")
    func soundRouteOfKiosk() throws {
        let rig = try playing(InterfacePolicy(isKiosk: true))
        defer { rig.close() }
        let count = rig.frames.count
        rig.player.services.sink.deviceChanges.send(.lost)
        rig.run(for: .milliseconds(100))
        #expect(rig.player.state.rate == .one && rig.state.toast != nil)
        rig.run(for: .seconds(2))
        #expect(rig.player.state.rate == .one && rig.frames.count >= count + 48 && rig.player.state.stallCount == 0)
    }

    @Test("without a sound device the picture plays, and a message says that there is no sound")
    func noSoundDevice() throws {
        let rig = try playing()
        defer { rig.close() }
        let sink = rig.player.services.sink
        sink.deviceChanges.send(.absent)
        rig.run(for: .milliseconds(100))
        #expect(rig.player.state.rate == .one && rig.state.toast != nil)
        rig.run(for: .seconds(10))
        #expect(rig.state.toast == nil)
        sink.deviceChanges.send(.found)
        rig.run(for: .seconds(1))
        #expect(rig.player.state.rate == .one && rig.state.toast == nil)
    }

    @Test(
        "a lost screen pauses within half a second and keeps the position; when it returns playback resumes only if the box had paused it"
    )
    func screenRoute() throws {
        for hadPaused in [false, true] {
            let rig = try playing()
            if hadPaused { rig.press(.pause) }
            let place = rig.player.currentTime
            let mode = rig.player.services.display.mode
            rig.player.scheduler.displayDidChange(nil)
            #expect(rig.run(within: .milliseconds(500), until: { rig.player.state.rate == .zero }))
            rig.run(for: .seconds(5))
            #expect(rig.player.currentTime - place < .milliseconds(500))
            rig.player.scheduler.displayDidChange(mode)
            rig.run(for: .seconds(1))
            #expect((rig.player.state.rate == .one) == !hadPaused)
            rig.close()
        }
    }

    @Test("the screen follows the frame rate of an opened film, which keeps playing, and returns to its own rate at Home")
    func screenRate() throws {
        let rig = try BoxRig(following: [Ratio(50)])
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 2000, soundDuration: .seconds(80))])
        rig.box.open(Programme(.url("https://test/a.mp4")))
        #expect(rig.run(until: { rig.frames.count > 20 }))
        #expect(rig.display.mode.refresh == Ratio(50))
        #expect(rig.player.state.rate == .one)
        rig.press(.stop)
        rig.run(for: .milliseconds(500))
        #expect(rig.nowPlaying.state == .home)
        #expect(rig.display.mode.refresh == Ratio(60))
    }

    @Test("the viewer's sound settings apply at once, and again after a restart of the box")
    func choices() throws {
        let viewer = ViewerParts()
        let rig = try BoxRig(viewer: viewer)
        #expect(rig.player.soundShaping.isNone)
        var settings = ViewerSettings()
        settings[.reducedLoudSounds] = true
        settings[.enhancedDialogue] = true
        rig.box.carryOut(.saveSettings(settings))
        let wanted = SoundShaping(reducesLoudSounds: true, enhancesDialogue: true)
        #expect(rig.player.soundShaping == wanted)
        rig.close()
        let next = try BoxRig(viewer: viewer)
        defer { next.close() }
        #expect(next.player.soundShaping == wanted)
    }

    @Test("the sound device is released when playback has ended, and at once in standby")
    func device() throws {
        let rig = try playing()
        defer { rig.close() }
        rig.press(.stop)
        rig.run(for: .seconds(5))
        #expect(rig.told(.soundReleased).isEmpty)
        rig.run(for: .seconds(10))
        #expect(rig.told(.soundReleased).count == 1)
        rig.box.open(Programme(.url("https://test/a.mp4")))
        rig.run(for: .seconds(12))
        #expect(rig.told(.soundReleased).count == 1)
        rig.press(.power)
        rig.run(for: .milliseconds(500))
        #expect(rig.told(.soundReleased).count == 2)
    }

    @Test("a queue of addresses plays to its end, the same in every run")
    func addresses() throws {
        func lines() throws -> [String] {
            let rig = try BoxRig()
            defer { rig.close() }
            for name in ["a", "b", "c"] { rig.put(["\(name).mp4": FakeMedia(frameCount: 40, soundDuration: MediaTime(40, 25))]) }
            rig.box.open(Programme(.url("https://test/a.mp4"), addresses: ["https://test/b.mp4", "https://test/c.mp4"]))
            #expect(rig.run(until: { !rig.outcomes.isEmpty }))
            #expect(rig.outcomes == [.ended])
            #expect(rig.frames == millis(0..<40) + millis(0..<40) + millis(0..<40))
            #expect(rig.told(.seekCompleted).count == 1, "an item was opened again")
            #expect(rig.clock.now < HostTime(nanoseconds: 6_000_000_000))
            return rig.lines
        }
        let first = try lines()
        #expect(try lines() == first)
    }

    @Test("a new feed changes the following items, and the current item continues")
    func refresh() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        let film = FakeMedia(frameCount: 75, soundDuration: .seconds(3))
        rig.put(["a.mp4": film, "b.mp4": film, "c.mp4": film])
        func feed(_ order: String) throws {
            let items = ["a", "b", "c"].map {
                #"{"id": "\#($0)", "type": "movie", "title": "\#($0)", "streams": [{"url": "\#($0).mp4"}]}"#
            }
            try rig.apply(
                items: "[\(items.joined(separator: ", "))]",
                channels: #"[{"id": "ch", "title": "Loop", "kind": "playlist", "items": [\#(order)]}]"#)
        }
        try feed(#""a", "b""#)
        rig.box.open(id: "ch")
        #expect(rig.run(until: { rig.frames.count > 40 }))
        try feed(#""c", "a", "c""#)
        #expect(rig.run(until: { !rig.outcomes.isEmpty }))
        #expect(rig.opened == ["a", "c"])
        #expect(rig.frames == millis(0..<75) + millis(0..<75))
    }

    @Test("an announcement uses the same interface as every command; one that has not started cannot end")
    func announcement() throws {
        let rig = try playing()
        defer { rig.close() }
        #expect(rig.box.perform(.endAnnouncement(shouldResume: true), from: "web") == .failed(.noChange))
        #expect(rig.box.perform(.beginAnnouncement, from: "web") == .success)
        rig.run(for: .seconds(1))
        #expect(rig.player.state.rate == .zero)
        #expect(rig.box.perform(.endAnnouncement(shouldResume: true), from: "web") == .success)
        rig.run(for: .seconds(1))
        #expect(rig.player.state.rate == .one)
    }

    @Test("a channel that was too quiet or too loud has the same loudness as the others the next time")
    func channelLoudness() throws {
        let rig = try BoxRig()
        defer { rig.close() }
        rig.put(["a.mp4": FakeMedia(frameCount: 500, soundDuration: .seconds(20))])
        try rig.apply(
            items: #"[{"id": "a", "type": "movie", "title": "a", "streams": [{"url": "a.mp4"}]}]"#,
            channels: ##"""
                [{"id": "soft", "title": "Soft", "kind": "playlist", "loop": true, "items": ["a"]},
                 {"id": "loud", "title": "Loud", "kind": "playlist", "loop": true, "items": ["a"]}]
                """##)
        var settings = ViewerSettings()
        settings[.reducedLoudSounds] = true
        rig.box.carryOut(.saveSettings(settings))
        for (channel, loudness) in [("soft", -31.0), ("loud", -5.0)] {
            rig.box.open(id: channel)
            rig.run(for: .seconds(3))
            #expect(rig.player.soundShaping.gain == 0)
            rig.codecs.reportLoudness(loudness)
        }
        rig.box.open(id: "soft")
        #expect(rig.player.soundShaping.gain == 8)
        rig.codecs.reportLoudness(nil)
        rig.box.open(id: "loud")
        #expect(rig.player.soundShaping.gain == -12)
        settings[.reducedLoudSounds] = false
        rig.box.carryOut(.saveSettings(settings))
        #expect(rig.player.soundShaping.isNone)
    }
}

/// A sound card that can be removed: an open one then plays nothing, and says so.
@MainActor
private final class RemovableCard {
    var isThere = true
    private(set) var opened = 0
    private var device: NullSink?

    var isPlaying: Bool { device?.timing()?.isRunning ?? false }

    func sink(_ clock: any HostClock) -> any AudioSink {
        ClaimedSink(name: "card", clock: clock) { _ in
        } open: { [self] format throws(MediaError) in
            guard isThere else { throw MediaError(.soundLost, "There is no card; plug one in.") }
            opened += 1
            let device = NullSink(clock: clock, format: format)
            self.device = device
            return Removable(device) { [self] in isThere }
        }
    }

    func remove() {
        isThere = false
        device?.pause()
        device?.deviceChanges.send(.lost)
    }

    /// Does not play while the card is not there.
    private final class Removable: AudioSink {
        private let device: NullSink
        private let isThere: @MainActor () -> Bool

        init(_ device: NullSink, isThere: @escaping @MainActor () -> Bool) {
            self.device = device
            self.isThere = isThere
        }

        var name: String { "card" }
        var format: AudioFormat { device.format }
        var room: Int { device.room }
        var volume: Float = 1
        var deviceChanges: EventSource<AudioDeviceChange> { device.deviceChanges }
        func enqueue(_ samples: ArraySlice<Float>) -> Int { device.enqueue(samples) }
        func play(at time: HostTime) { if isThere() { device.play(at: time) } }
        func pause() { device.pause() }
        func flush() { device.flush() }
        func timing() -> AudioTiming? { device.timing() }
        func close() {}
    }
}
