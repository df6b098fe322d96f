import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell

/// Transient elements: each is shown until its time is over, to the millisecond.
@Suite struct MomentTests {
    private func watching() -> Viewer {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.channels))
        viewer.send(.wallClock(secondsSinceMidnight: 72900))
        viewer.send(.guideChanged(Items.guide))
        viewer.open(Items.live())
        viewer.run(.seconds(6))
        viewer.effects = []
        return viewer
    }

    /// The ids that were opened, in order.
    private func opened(_ viewer: Viewer) -> [String] {
        viewer.effects.compactMap { if case .open(let id) = $0 { id } else { nil } }
    }

    @Test("a toast stays for four seconds after the last one")
    func toast() {
        var viewer = Viewer()
        viewer.send(.toast("One"))
        viewer.run(.milliseconds(3000))
        viewer.send(.toast("Two"))
        viewer.run(.milliseconds(3999))
        #expect(viewer.state.toast == "Two")
        viewer.run(.milliseconds(1))
        #expect(viewer.state.toast == nil)
    }

    @Test("a refusal stays for two seconds, and each one counts")
    func refusal() {
        var viewer = Viewer(watching: Items.episode(), at: 22)
        viewer.press(.right)
        #expect(viewer.state.refusal?.count == 1)
        viewer.press(.left)
        #expect(viewer.state.refusal?.count == 2)
        viewer.run(.milliseconds(1959))
        #expect(viewer.state.refusal != nil)
        viewer.run(.milliseconds(1))
        #expect(viewer.state.refusal == nil)
        viewer.press(.right)
        #expect(viewer.state.refusal?.count == 3)
    }

    @Test("the volume is shown for two seconds, is at most 100 percent, and is hidden in standby")
    func volume() {
        var viewer = Viewer()
        viewer.send(.volumeChanged(percent: 140, isMuted: false))
        #expect(viewer.state.volume == VolumeView(percent: 100))
        viewer.send(.volumeChanged(percent: -3, isMuted: true))
        #expect(viewer.state.volume == VolumeView(percent: 0, isMuted: true))
        viewer.run(.milliseconds(1999))
        #expect(viewer.state.volume != nil)
        viewer.run(.milliseconds(1))
        #expect(viewer.state.volume == nil)
        viewer.press(.power)
        viewer.send(.volumeChanged(percent: 40, isMuted: false))
        viewer.press(.ok)
        #expect(viewer.state.screen == .home && viewer.state.volume == nil)
    }

    @Test("the channel banner stays for four seconds after the last channel change")
    func banner() {
        var viewer = watching()
        viewer.press(.channelUp)
        viewer.run(.milliseconds(3000))
        viewer.press(.channelUp)
        #expect(viewer.state.channelBanner?.number == 7)
        viewer.run(.milliseconds(3959))
        #expect(viewer.state.channelBanner?.number == 7)
        viewer.run(.milliseconds(1))
        #expect(viewer.state.channelBanner == nil)
    }

    @Test("a channel number is committed 1.5 s after its last digit")
    func digits() {
        var viewer = watching()
        viewer.press(.digit0)
        viewer.run(.milliseconds(1400))
        viewer.press(.digit7)
        #expect(viewer.state.numberEntry == NumberEntryView(digits: "07", title: "Tonight"))
        viewer.run(.milliseconds(1459))
        #expect(viewer.state.numberEntry != nil && opened(viewer).isEmpty)
        viewer.run(.milliseconds(1))
        #expect(viewer.state.numberEntry == nil && opened(viewer) == ["c7"])
        #expect(viewer.state.channelBanner?.number == 7)
    }

    @Test("a number has at most four digits: the last ones")
    func fourDigits() {
        var viewer = watching()
        for key in [RemoteKey.digit1, .digit2, .digit3, .digit4, .digit5] { viewer.press(key) }
        #expect(viewer.state.numberEntry == NumberEntryView(digits: "2345"))
    }

    @Test("without channels digits do nothing")
    func noChannels() {
        var viewer = Viewer(watching: Items.live(), at: 30)
        #expect(viewer.press(.digit1) == .failed(.notSupported))
        #expect(viewer.state.numberEntry == nil)
    }

    @Test("a digit hides the banner, and a channel change the digits")
    func bannerAndDigits() {
        var viewer = watching()
        viewer.press(.channelUp)
        viewer.press(.digit7)
        #expect(viewer.state.channelBanner == nil && viewer.state.numberEntry?.digits == "7")
        viewer.press(.channelUp)
        #expect(viewer.state.channelBanner?.number == 7 && viewer.state.numberEntry == nil)
        viewer.press(.channelDown)
        viewer.effects = []
        viewer.run(.seconds(3))
        #expect(opened(viewer).isEmpty, "the digits are discarded")
        #expect(viewer.state.toast == nil)
    }

    @Test("the number of the current channel shows its banner and opens nothing")
    func sameChannel() {
        var viewer = watching()
        viewer.press(.digit1)
        viewer.run(.milliseconds(1500))
        #expect(viewer.state.channelBanner?.number == 1)
        #expect(opened(viewer).isEmpty)
    }

    @Test("the last channel is the one before this one, back and forth")
    func lastChannel() {
        var viewer = watching()
        #expect(viewer.press(.last) == .failed(.notSupported))
        viewer.press(.channelUp)
        viewer.open(Items.live("c2"))
        viewer.run(.seconds(1))
        viewer.press(.last)
        viewer.open(Items.live("c1"))
        viewer.run(.seconds(1))
        viewer.open(Items.plain)  // without a channel, nothing changes
        viewer.run(.seconds(1))
        viewer.press(.last)
        #expect(opened(viewer) == ["c2", "c1", "c2"])
    }

    @Test("channel up and down cycle through the list, and start at its ends when no channel plays")
    func round() {
        var viewer = watching()
        viewer.press(.channelDown)
        viewer.press(.channelUp)
        #expect(opened(viewer) == ["c7", "c1"])
        var other = watching()
        other.open(Items.plain)
        other.run(.seconds(1))
        var third = other
        other.press(.channelUp)
        third.press(.channelDown)
        #expect(opened(other) == ["c1"] && opened(third) == ["c7"])
    }

    @Test("standby discards digits, banner and toast")
    func standby() {
        var viewer = watching()
        viewer.press(.channelUp)
        viewer.send(.toast("Hello"))
        viewer.press(.power)
        viewer.press(.ok)
        #expect(viewer.state.toast == nil && viewer.state.channelBanner == nil)
        viewer.open(Items.live("c2"))
        viewer.run(.milliseconds(200))
        #expect(viewer.state.channelBanner == nil)
        viewer.press(.digit7)
        viewer.press(.power)
        viewer.press(.ok)
        viewer.effects = []
        viewer.run(.seconds(2))
        #expect(viewer.state.numberEntry == nil && viewer.state.toast == nil)
        #expect(opened(viewer).isEmpty)
    }

    @Test("the now-playing card moves on Home once a minute")
    func minute() {
        var viewer = Viewer()
        viewer.send(.wallClock(secondsSinceMidnight: 72905))
        viewer.send(.guideChanged(Items.guide))
        viewer.send(.homeChanged(Items.channels))
        func progress(_ viewer: Viewer) -> Int? { viewer.state.home?.content.rows.first?.entries.first?.watchedPercent }
        #expect(progress(viewer) == 50)
        viewer.run(.milliseconds(54_999))
        #expect(progress(viewer) == 50)
        viewer.run(.milliseconds(1))
        #expect(progress(viewer) == 53)
    }

    @Test("a notice gives the reason of a hold, unless the viewer resumes or no item is open")
    func notice() {
        var viewer = Viewer()
        viewer.send(.held(.heat))
        #expect(viewer.state.notice == nil)
        viewer = Viewer(watching: Items.plain, at: 30)
        viewer.send(.held(.heat))
        #expect(viewer.state.notice == nil)
        viewer.press(.pause)
        #expect(viewer.state.notice != nil)
        viewer.send(.held(nil))
        #expect(viewer.state.notice == nil)
    }
}
