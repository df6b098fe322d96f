import BoxModel
import LinuxSupport
import MediaTime
import Testing

@testable import Screens
@testable import Shell
@testable import Viewing

@Suite struct PINTests {
    private func asked() -> Viewer {
        var policy = InterfacePolicy()
        policy.hasPIN = true
        var viewer = Viewer(policy: policy)
        viewer.locked = ["m1"]
        viewer.send(.homeChanged(Items.home))
        viewer.press(.right)
        viewer.press(.right)
        viewer.press(.ok)
        viewer.press(.ok)
        return viewer
    }

    private func type(_ digits: String, on viewer: inout Viewer) {
        for digit in digits { viewer.press(RemoteKey(rawValue: String(digit))!) }
    }

    @Test func thePINIsRequestedBeforeAnythingIsShown() {
        let viewer = asked()
        #expect(viewer.state.pin?.title == "Enter PIN")
        #expect(viewer.state.pin?.message == "Locked is rated R")
        #expect(viewer.state.poster == nil && viewer.state.home == nil && viewer.state.title == nil)
    }

    @Test func theRightOneOpens() {
        var viewer = asked()
        type("246", on: &viewer)
        #expect(viewer.state.pin?.enteredCount == 3)
        type("8", on: &viewer)
        #expect(viewer.state.pin == nil)
        #expect(viewer.effects.count { $0 == .open(id: "m1") } == 2, "the PIN is requested, and then the item opens")
        #expect(viewer.effects.contains(.unlock(id: "m1")))
    }

    @Test func backFromWhatWasUnlockedReturnsToItsPage() {
        var viewer = asked()
        type("2468", on: &viewer)
        viewer.open(ItemPresentation(id: "m1") { $0.duration = .seconds(600) })
        viewer.run(.seconds(8))
        #expect(viewer.state.screen == .player && viewer.state.page == nil)
        viewer.press(.back)
        #expect(viewer.state.screen == .home && viewer.state.programme?.title == "Film")
    }

    @Test func sixKeysAreEnough() {
        var viewer = asked()
        func go(_ keys: [RemoteKey], _ viewer: inout Viewer) { for key in keys { viewer.press(key) } }
        go([.up, .ok, .down, .left, .ok, .right, .right, .ok, .down, .left, .ok], &viewer)  // 2 4 6 8
        #expect(viewer.effects.contains(.unlock(id: "m1")))
    }

    @Test func fiveWrongOnesWaitFiveMinutes() {
        var viewer = asked()
        for left in [4, 3, 2, 1] {
            type("0000", on: &viewer)
            #expect(viewer.state.pin?.warning == "Wrong PIN. " + (left == 1 ? "1 try left." : "\(left) tries left."))
        }
        type("0000", on: &viewer)
        #expect(viewer.state.pin?.isLocked == true && viewer.state.pin?.title == "Locked")
        #expect(viewer.effects.contains(.savePINFailures(5)))
        viewer.effects = []
        #expect(viewer.press(.digit2) == .failed(.notReady))
        viewer.pass(.seconds(200))
        #expect(viewer.state.pin?.warning?.hasPrefix("Too many tries. Try again in 1:") == true)
        viewer.press(.back)
        #expect(viewer.state.screen == .home && viewer.state.pin == nil, "the PIN page can be left")
        #expect(viewer.state.programme?.title == "Film", "Back undoes Play")
        viewer.pass(.seconds(120))
        viewer.press(.ok)
        type("2468", on: &viewer)
        #expect(viewer.effects.contains(.unlock(id: "m1")))
        #expect(viewer.effects.contains(.savePINFailures(0)))
    }

    @Test func theWaitSurvivesAPowerCut() {
        var viewer = asked()
        viewer.send(.pinFailuresRestored(5))
        #expect(viewer.state.pin?.isLocked == true)
    }

    @Test func withoutAPINLockedItemsStayLocked() {
        var viewer = Viewer()
        viewer.locked = ["m1"]
        viewer.send(.homeChanged(Items.home))
        viewer.press(.right)
        viewer.press(.right)
        viewer.press(.ok)
        viewer.press(.ok)
        #expect(viewer.state.screen == .home && viewer.state.pin == nil)
        #expect(viewer.state.programme != nil, "nothing was opened, and the page is still there")
        #expect(viewer.state.toast == "This programme is locked.")
    }

    @Test func theLimitChangesOnlyWithThePIN() {
        var policy = InterfacePolicy()
        policy.hasPIN = true
        var viewer = Viewer(policy: policy)
        viewer.press(.ok)
        viewer.choose("Parental Controls")
        #expect(viewer.state.pin?.message == "Parental Controls")
        type("2468", on: &viewer)
        #expect(viewer.state.settings?.page == "parental")
        viewer.choose("Ask for PIN")
        viewer.choose("Above age 12")
        #expect(viewer.machine.settings.parentalAge == 12)
    }

    @Test func aSavedProgrammeIsDeletedOnlyWithThePINAndAfterAQuestion() {
        for hasPIN in [false, true] {
            var policy = InterfacePolicy()
            policy.hasPIN = hasPIN
            var viewer = Viewer(policy: policy)
            viewer.press(.ok)
            let store = BoxFacts.Store(id: "download:m1", kind: .downloads, title: "The Long Pier", bytes: 2_100_000_000)
            viewer.send(.factsChanged(BoxFacts(freeBytes: 9_000_000_000, stores: [store])))
            viewer.choose("Storage")
            #expect(
                viewer.state.settings?.menu.rows.map { "\($0.title) \($0.value ?? "")" } == [
                    "Free 9.0\u{A0}GB", "The Long Pier 2.1\u{A0}GB",
                ])
            viewer.choose("The Long Pier")
            if hasPIN {
                #expect(viewer.state.pin?.message == "Delete The Long Pier?")
                viewer.press(.back)
                #expect(viewer.state.pin == nil && viewer.state.settings?.page == "storage")
                viewer.choose("The Long Pier")
                type("2468", on: &viewer)
            }
            #expect(viewer.state.settings?.card?.title == "Delete The Long Pier?")
            #expect(viewer.state.settings?.card?.buttons.first { $0.isFocused }?.title == "Keep")
            viewer.press(.back)
            #expect(viewer.state.settings?.page == "storage" && !viewer.effects.contains(.deleteStore(id: store.id)))
            viewer.choose("The Long Pier")
            #expect(viewer.state.pin == nil, "once until standby")
            viewer.choose("Delete")
            #expect(viewer.effects.contains(.deleteStore(id: store.id)))
            viewer.send(.factsChanged(BoxFacts(freeBytes: 11_000_000_000)))
            #expect(viewer.state.settings?.menu.rows.map(\.title) == ["Free"])
        }
    }

    @Test func anUpdateFromAStickIsInstalledOnlyWithThePINAndAfterAQuestion() {
        for hasPIN in [false, true] {
            var policy = InterfacePolicy()
            policy.hasPIN = hasPIN
            var viewer = Viewer(policy: policy)
            viewer.press(.ok)
            viewer.choose("About")
            #expect(viewer.state.settings?.menu.rows.contains { $0.title == "Update from USB Stick" } == false)
            viewer.press(.back)
            for isMeant in [false, true] {
                viewer.send(.factsChanged(BoxFacts(version: "0.1.0", stickUpdate: .found("0.2.0"))))
                if !isMeant { #expect(viewer.state.toast == "There is an update on the USB stick: Settings, About") }
                viewer.choose("About")
                viewer.choose("Update from USB Stick")
                if hasPIN {
                    #expect(viewer.state.pin?.message == "Update from USB Stick", "each time")
                    type("2468", on: &viewer)
                }
                #expect(viewer.state.settings?.card?.title == "Install 0.2.0 from the USB stick?")
                #expect(viewer.state.settings?.card?.buttons.first { $0.isFocused }?.title == "Cancel")
                if isMeant { viewer.choose("Install") } else { viewer.press(.back) }
                #expect(viewer.effects.contains(.carryOut(.installFromStick)) == isMeant)
                #expect(viewer.state.settings?.page == "about")
                viewer.press(.back)
            }
        }
    }

    @Test func anUpdateFromAStickTellsItsProgressAndItsFailure() throws {
        var viewer = Viewer(policy: InterfacePolicy())
        viewer.press(.ok)
        func row(_ update: BoxFacts.StickUpdate) -> MenuView.Row? {
            viewer.send(.factsChanged(BoxFacts(version: "0.1.0", stickUpdate: update)))
            return viewer.state.settings?.menu.rows.first { $0.title == "Update from USB Stick" }
        }
        viewer.send(.factsChanged(BoxFacts(version: "0.1.0", stickUpdate: .found("0.2.0"))))
        viewer.choose("About")
        #expect(row(.installing("0.2.0", percent: 40))?.value == "Installing 0.2.0: 40%")
        #expect(row(.installed("0.2.0"))?.value == "0.2.0 starts at the next restart")
        #expect(row(.failed("0.2.0", reason: "signature verification failed"))?.value == "0.2.0 couldn’t be installed")
        viewer.choose("Update from USB Stick")
        #expect(viewer.state.settings?.card?.title == "Install 0.2.0 from the USB stick?", "it can be tried again")
        viewer.press(.back)
        #expect(viewer.state.settings?.explanation == "signature verification failed")
    }

    @Test func theBoxIsResetOnlyWithThePINAndAfterAQuestion() {
        for hasPIN in [false, true] {
            var policy = InterfacePolicy()
            policy.hasPIN = hasPIN
            policy.canReset = true
            var viewer = Viewer(policy: policy)
            viewer.press(.ok)
            for isMeant in [false, true] {
                viewer.choose("Reset This Box")
                if hasPIN {
                    #expect(viewer.state.pin?.message == "Reset This Box", "each time")
                    type("2468", on: &viewer)
                }
                #expect(viewer.state.settings?.card?.title == "Reset this box?")
                #expect(viewer.state.settings?.card?.buttons.first { $0.isFocused }?.title == "Cancel")
                #expect(viewer.state.settings?.card?.message == "Erases settings, passwords, viewing history and downloads.")
                if isMeant { viewer.choose("Erase Everything") } else { viewer.press(.back) }
                #expect(viewer.effects.contains(.carryOut(.factoryReset)) == isMeant)
                #expect(viewer.state.settings?.page == "top")
            }
        }
        var viewer = Viewer()
        viewer.press(.ok)
        #expect(
            viewer.state.settings?.menu.rows.contains { $0.title == "Reset This Box" } == false, "no component can perform it")
    }

    @Test func aQuestionIsACardWithButtonsSideBySide() throws {
        var policy = InterfacePolicy()
        (policy.hasPIN, policy.canReset) = (false, true)
        var viewer = Viewer(policy: policy)
        viewer.press(.ok)
        viewer.choose("Reset This Box")
        let view = try #require(viewer.state.settings)
        #expect(view.card?.kind == .erasure && view.choices == ["Cancel", "Erase Everything"])
        #expect(view.menu.focusedRow == nil && view.menu.title == nil && view.explanation == nil, "the page below has no focus")
        #expect(viewer.press(.left) == .failed(.noChange) && viewer.state.settings?.focusedChoice == "Cancel")
        #expect(viewer.press(.right) == .success && viewer.state.settings?.focusedChoice == "Erase Everything")
        #expect(viewer.press(.right) == .failed(.noChange))
        viewer.press(.left)
        viewer.press(.ok)
        #expect(viewer.state.settings?.card == nil && viewer.state.settings?.focusedChoice == "Reset This Box")
        #expect(!viewer.effects.contains(.carryOut(.factoryReset)))
    }

    @Test func digitsAreNotInTheState() {
        var viewer = asked()
        type("97", on: &viewer)
        #expect(!"\(viewer.state.pin!.message ?? "")\(viewer.state.pin!.warning ?? "")\(viewer.state.pin!.title)".contains("97"))
        #expect(viewer.state.numberEntry == nil)
    }
}

@Suite struct KioskTests {
    private func kiosk() -> Viewer {
        var policy = InterfacePolicy(isKiosk: true)
        policy.hasPIN = true
        var viewer = Viewer(policy: policy)
        viewer.send(.homeChanged(Items.channels))
        viewer.open(Items.plain)
        viewer.run(.seconds(6))
        viewer.press(.ok)
        viewer.press(.ok)
        viewer.run(.seconds(6))
        return viewer
    }

    @Test func settingsAndSearchNeedTheOperator() {
        var viewer = kiosk()
        #expect(viewer.machine.context.homeScreen.buttons.isEmpty)
        for key in [RemoteKey.up, .up, .down, .down, .ok] { viewer.press(key) }
        #expect(viewer.state.pin?.message == "Settings")
        for key in [RemoteKey.digit2, .digit4, .digit6, .digit8] { viewer.press(key) }
        #expect(viewer.state.settings != nil)
        viewer.press(.back)
        #expect(viewer.state.settings == nil && viewer.state.screen == .player)
        viewer.press(.power)
        #expect(!viewer.machine.pinLock.isOperator, "until standby")
    }

    @Test func backAndOKHeldForFiveSecondsAskToo() {
        var viewer = kiosk()
        viewer.down(.back)
        viewer.run(.milliseconds(100))
        viewer.down(.ok)
        viewer.run(.milliseconds(4800))
        #expect(viewer.state.pin == nil)
        viewer.run(.milliseconds(400))
        #expect(viewer.state.pin != nil)
    }

    @Test func aKioskThatDoesNotPlayByItselfHasAHome() {
        var viewer = kiosk()
        viewer.changePolicy { $0.hasHome = true }
        viewer.press(.back)
        #expect(viewer.state.screen == .home)
        #expect(viewer.state.home?.buttons.isEmpty == true)
    }
}

@Suite struct PowerTests {
    @Test func standbyKeepsThePositionAndAnyKeyWakes() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        let place = viewer.lastShown
        viewer.press(.power)
        #expect(viewer.state == PresentationState(screen: .standby, appearance: viewer.state.appearance))
        #expect(viewer.savedPlace == .some(SavedPlace(time: place)))
        #expect(viewer.effects.contains(.standby))
        viewer.send(.itemChanged(nil))
        viewer.run(.seconds(60))
        #expect(viewer.state.screen == .standby)
        viewer.effects = []
        viewer.press(.right)
        #expect(viewer.effects.contains(.wake))
        #expect(viewer.state.screen == .home)
        #expect(viewer.state.home?.focus != .entry(row: 0, column: 1), "the key that wakes the box does nothing else")
    }

    @Test func aLongPauseDimsAndThenSleeps() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.pause)
        viewer.pass(.seconds(601))
        #expect(viewer.state.video.dimPercent > 0)
        viewer.pass(.seconds(1205))
        #expect(viewer.state.screen == .standby)
    }

    @Test func theSleepTimerAnnouncesItselfAndCanBeStopped() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], duration: 3000), at: 10)
        viewer.openTab(.picture)
        viewer.choose("Sleep Timer")
        #expect(
            viewer.menu?.rows.map(\.title) == ["15 minutes", "30 minutes", "60 minutes", "90 minutes", "End of programme"])
        viewer.choose("15 minutes")
        viewer.press(.ok)
        #expect(viewer.menu?.rows.map(\.title).first == "Off" && viewer.menu?.focusedRow == 1, "what is on can be turned off")
        viewer.press(.back)
        viewer.press(.back)
        viewer.pass(.seconds(14 * 60 - 5))
        #expect(viewer.state.card == nil)
        viewer.pass(.seconds(10))
        #expect(viewer.state.card?.kind == .sleepTimer)
        #expect(viewer.isPlaying)
        viewer.press(.ok)
        #expect(viewer.state.card == nil)
        viewer.pass(.seconds(120))
        #expect(viewer.state.screen == .player, "a viewer is awake")
    }

    @Test func withoutKeysItSleeps() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], duration: 3000), at: 10)
        viewer.machine.setSleep(.minutes(15))
        viewer.pass(.seconds(14 * 60 + 1))
        viewer.pass(.seconds(60))
        #expect(viewer.state.screen == .standby)
        #expect(viewer.savedPlace.map { $0 != nil } == true)
    }

    @Test func endOfProgrammeSleepsInsteadOfTheNext() {
        var viewer = Viewer(
            watching: Items.episode(interstitials: [], proposal: ProposalTests.offer(at: nil, accepts: 0)), at: 105)
        viewer.machine.setSleep(.endOfItem)
        viewer.run(.seconds(7))
        #expect(viewer.state.screen == .standby)
        #expect(!viewer.effects.contains(.playNext(id: "e2", automatic: true)))
    }

    @Test func afterThreeAutomaticAcceptancesAndNinetyMinutesItAsks() {
        let item = Items.episode(interstitials: [], proposal: ProposalTests.offer(at: 1900, accepts: 0), duration: 2000)
        var viewer = Viewer(watching: item, at: 1890)
        for _ in 0..<3 { viewer.machine.activity.proposalAcceptedItself() }
        viewer.now = viewer.now + .seconds(5400)
        viewer.run(.seconds(115))
        #expect(viewer.state.card?.kind == .stillWatching)
        #expect(!viewer.effects.contains(.playNext(id: "e2", automatic: true)))
        viewer.press(.ok)
        #expect(viewer.effects.contains(.playNext(id: "e2", automatic: false)), "a viewer who answers continues")
    }

    @Test func withoutAnAnswerTheBoxSleeps() {
        var viewer = Viewer(watching: Items.live(), at: 30)
        viewer.changePolicy { $0.asksAfter = .seconds(3600) }
        viewer.seekable = [TimeRange(start: .zero, end: .seconds(30))]
        viewer.now = viewer.now + .seconds(3700)
        viewer.run(.seconds(1))
        #expect(viewer.state.card?.kind == .stillWatching)
        viewer.pass(.seconds(301))
        #expect(viewer.state.screen == .standby)
    }

    @Test func onLiveItAsksOnlyIfTheFeedSaysSo() {
        var viewer = Viewer(watching: Items.live(), at: 30)
        viewer.now = viewer.now + .seconds(40_000)
        viewer.run(.seconds(1))
        #expect(viewer.state.card == nil)
    }

    @Test func theAudioOnlyCardMovesOnceAMinute() {
        var viewer = Viewer(watching: Items.episode(interstitials: [], markers: [], duration: 4000))
        viewer.hasVideo = false
        viewer.run(.seconds(1))
        let first = viewer.state.audioOnly?.frame
        #expect(viewer.state.audioOnly?.title == "Pilot")
        viewer.run(.seconds(61))
        #expect(viewer.state.audioOnly != nil && viewer.state.audioOnly?.frame != first)
        #expect(viewer.state.audioOnly?.elapsed.isEmpty == false)
        viewer.press(.up)
        #expect(viewer.state.bar != nil && viewer.state.title == nil, "with the bar its title stays on the card")
        #expect(viewer.state.audioOnly?.elapsed == "" && viewer.state.audioOnly?.frame == first, "and its time is on the bar")
        for place in Metrics.AudioOnly.places {
            #expect(place.x >= Metrics.safeArea.x && place.x + place.width <= Metrics.safeArea.x + Metrics.safeArea.width)
            #expect(place.y >= Metrics.safeArea.y && place.y + place.height <= Metrics.safeArea.y + Metrics.safeArea.height)
        }
    }

    @Test func theReasonOfAHoldIsOnTheScreen() {
        var viewer = Viewer(watching: Items.plain, at: 30)
        viewer.press(.pause)
        viewer.send(.held(.sound))
        #expect(viewer.state.notice?.words == "Paused because headphones or a speaker were disconnected")
        viewer.press(.play)
        #expect(viewer.state.notice == nil)
    }
}

@Suite struct SpokenFocusTests {
    @Test func aFocusedElementIsSpokenOnce() {
        var policy = InterfacePolicy()
        policy.hasVoice = true
        var viewer = Viewer(policy: policy)
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.speech", "true")])))
        viewer.send(.homeChanged(Items.home))
        viewer.effects = []
        viewer.press(.right)
        #expect(viewer.effects.contains(.speak("Second, 2 of 3")))
        viewer.effects = []
        viewer.send(.wallClock(secondsSinceMidnight: 5))
        viewer.run(.seconds(1))
        #expect(!viewer.effects.contains { if case .speak = $0 { true } else { false } })
        viewer.press(.up)
        #expect(viewer.effects.contains(.speak("Search, button, 1 of 2")))
        viewer.press(.right)
        viewer.press(.ok)
        #expect(viewer.effects.contains(.speak("Settings, Language, 1 of 10, English (UK)")))
    }

    @Test func withoutTheSettingOrAVoiceNothingIsSpoken() {
        var viewer = Viewer()
        viewer.send(.homeChanged(Items.home))
        viewer.press(.right)
        viewer.send(.settingsRestored(ViewerSettings(entries: [("interface.speech", "true")])))
        viewer.press(.right)
        #expect(!viewer.effects.contains { if case .speak = $0 { true } else { false } })
    }
}
