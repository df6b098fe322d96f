import BoxModel
import ChannelFeed
import Cryptography
import LinuxSupport
import MediaTime
import ProgrammeGuide
import Screens
import TestSupport
import Testing
import Viewing

@testable import Appliance

@Suite("Settings and access of viewers", .serialized)
@MainActor
struct ViewerTests {
    private static let film = FakeMedia(frameCount: 250, soundDuration: .seconds(10))

    private static func items(_ ratings: [String: String]) -> String {
        let items = ratings.sorted { $0.key < $1.key }.map { id, rating in
            #"{"id": "\#(id)", "type": "movie", "title": "\#(id)", "duration": 10, "streams": [{"url": "a.mp4"}], "#
                + #""rating": {"system": "MPA", "value": "\#(rating)"}}"#
        }
        return "[" + items.joined(separator: ", ") + "]"
    }

    private func rig(_ viewer: ViewerParts = ViewerParts(), kiosk: Bool = false) throws -> BoxRig {
        let rig = try BoxRig(viewer: viewer, policy: InterfacePolicy(isKiosk: kiosk))
        rig.put(["a.mp4": Self.film])
        return rig
    }

    @Test("an item over the limit asks for the PIN before anything is opened, for every origin")
    func limit() throws {
        let viewer = ViewerParts(
            pinDigest: SHA256.hexadecimal(of: "2468"), parentalLimit: ParentalLimit(value: "PG-13"))
        let rig = try rig(viewer)
        defer { rig.close() }
        try rig.apply(items: Self.items(["mild": "PG", "strong": "R"]))
        #expect(rig.box.perform(.open(id: "strong"), from: "web") == .success)
        #expect(rig.state.pin?.message == "strong is rated R")
        rig.run(for: .seconds(2))
        #expect(rig.frames.isEmpty && rig.loader.requests.isEmpty, "no byte of it is loaded")
        for digit in [RemoteKey.digit2, .digit4, .digit6, .digit8] { rig.press(digit) }
        #expect(rig.run(until: { !rig.frames.isEmpty }))
        #expect(rig.told(.pin) == [.pin(isRight: true)], "the dump has the outcome and not the digits")
        _ = rig.box.perform(.stop, from: "web")
        rig.forget()
        rig.box.open(id: "strong")
        #expect(rig.run(until: { !rig.frames.isEmpty }), "until standby it stays unlocked")
        rig.press(.power)
        rig.press(.ok)
        rig.box.open(id: "strong")
        #expect(rig.state.pin != nil)
    }

    @Test("a wrong PIN opens nothing, and the log has it without its digits")
    func wrongPIN() throws {
        let rig = try rig(
            ViewerParts(pinDigest: SHA256.hexadecimal(of: "2468"), parentalLimit: ParentalLimit(value: "PG-13")))
        defer { rig.close() }
        try rig.apply(items: Self.items(["strong": "R"]))
        rig.box.open(id: "strong")
        for digit in [RemoteKey.digit2, .digit4, .digit6, .digit7] { rig.press(digit) }
        #expect(rig.state.pin != nil && rig.state.screen == .home)
        #expect(rig.told(.pin) == [.pin(isRight: false)])
        func entries() -> Int { rig.box.logTail(100).filter { $0.hasSuffix("a wrong PIN was entered") }.count }
        #expect(entries() == 1)
        for digit in [RemoteKey.digit2, .digit4, .digit6, .digit8] { rig.press(digit) }
        #expect(rig.run(until: { !rig.frames.isEmpty }))
        #expect(entries() == 1 && !rig.box.logTail(100).contains { $0.contains("2467") || $0.contains("2468") })
    }

    /// Selects a row of Settings.
    private func choose(_ title: String, on rig: BoxRig) {
        func focused() -> String? {
            guard case .settings(let view)? = rig.state.page else { return nil }
            return view.menu.focusedRow.map { view.menu.rows[$0].title }
        }
        for _ in 0..<60 where focused() != title { rig.press(.down) }
        #expect(focused() == title)
        rig.press(.ok)
    }

    @Test("a PIN that a viewer sets is stored with a salt, in force at once and after a restart, and never the operator's")
    func viewersPIN() throws {
        let store = MemorySettingsStore()
        let parts = ViewerParts(settings: store, parentalLimit: ParentalLimit(value: "PG-13"))
        do {
            let rig = try rig(parts)
            defer { rig.close() }
            try rig.apply(items: Self.items(["strong": "R"]))
            rig.box.open(id: "strong")
            #expect(rig.state.pin == nil && rig.state.toast != nil, "what is locked is no way to a PIN")
            rig.press(.menu)
            for title in ["Parental Controls", "Create PIN"] { choose(title, on: rig) }
            for digit in [RemoteKey.digit2, .digit4, .digit6, .digit8, .digit2, .digit4, .digit6, .digit8] { rig.press(digit) }
            #expect(rig.state.pin == nil && rig.frames.isEmpty)
            #expect(!rig.box.logTail(100).contains { $0.contains("2468") })
        }
        let digest = try #require(store.pinDigest)
        #expect(!digest.contains("2468") && !digest.contains(SHA256.hexadecimal(of: "2468")))
        #expect(PINDigest.matches("2468", digest: digest) && !PINDigest.matches("2469", digest: digest))
        #expect(PINDigest.salted("2468") != PINDigest.salted("2468"))
        for damaged in ["", ":", "00:" + digest, String(digest.dropLast()), "zz" + digest.dropFirst(2)] {
            #expect(!PINDigest.matches("2468", digest: damaged))
        }
        do {
            let rig = try rig(parts)
            defer { rig.close() }
            try rig.apply(items: Self.items(["strong": "R"]))
            rig.box.open(id: "strong")
            #expect(rig.state.pin?.title == "Enter PIN")
            for digit in [RemoteKey.digit2, .digit4, .digit6, .digit8] { rig.press(digit) }
            #expect(rig.run(until: { !rig.frames.isEmpty }))
        }
        var operated = parts
        operated.pinDigest = SHA256.hexadecimal(of: "1111")
        let rig = try rig(operated)
        defer { rig.close() }
        try rig.apply(items: Self.items(["strong": "R"]))
        rig.box.open(id: "strong")
        for digit in [RemoteKey.digit2, .digit4, .digit6, .digit8] { rig.press(digit) }
        #expect(rig.state.pin != nil && rig.frames.isEmpty, "the operator's PIN is in force where there is one")
        for _ in 0..<4 { rig.press(.digit1) }
        #expect(rig.run(until: { !rig.frames.isEmpty }) && store.pinDigest == digest)
    }

    @Test("the viewer's delay is that of the output in use, and the configured one without it")
    func soundDelay() throws {
        let store = MemorySettingsStore()
        store.save([("audio.delay.null", "120"), ("audio.delay.other", "500"), ("captions.delay.strong", "-300")])
        let rig = try rig(ViewerParts(settings: store))
        defer { rig.close() }
        try rig.apply(items: Self.items(["strong": "R", "mild": "PG"]))
        rig.box.open(id: "strong")
        #expect(rig.run(until: { !rig.frames.isEmpty }))
        let player = rig.box.parts.player
        #expect(player.soundDelay == .milliseconds(120) && player.captionDelay == .milliseconds(-300))
        rig.box.open(id: "mild")
        #expect(player.captionDelay == .zero && player.soundDelay == .milliseconds(120))
    }

    @Test("the PIN of what is opened in standby is asked for on a screen that is on")
    func limitInStandby() throws {
        let viewer = ViewerParts(
            pinDigest: SHA256.hexadecimal(of: "2468"), parentalLimit: ParentalLimit(value: "PG-13"))
        let rig = try rig(viewer)
        defer { rig.close() }
        try rig.apply(items: Self.items(["mild": "PG", "strong": "R"]))
        rig.press(.power)
        try #require(rig.state.screen == .standby)
        _ = rig.box.perform(.open(id: "strong"), from: "web")
        #expect(rig.state.pin != nil && rig.display.isPowered && rig.standbys == [true, false])
    }

    @Test("an unrated item is locked under a limit, and an item within the limit is not")
    func unrated() throws {
        let rig = try rig(ViewerParts(pinDigest: "x", parentalLimit: ParentalLimit(value: "PG-13")))
        defer { rig.close() }
        try rig.apply(
            items: #"[{"id": "bare", "type": "movie", "title": "bare", "streams": [{"url": "a.mp4"}]}]"#)
        rig.box.open(id: "bare")
        #expect(rig.state.pin != nil)
        rig.press(.back)
        #expect(rig.state.screen == .home)
        try rig.apply(items: Self.items(["mild": "PG"]))
        rig.box.open(id: "mild")
        #expect(rig.state.pin == nil)
    }

    @Test("settings are stored and apply after the next start")
    func settings() throws {
        let store = MemorySettingsStore()
        let rig = try rig(ViewerParts(settings: store))
        try rig.apply(items: Self.items(["a": "G"]))
        var settings = ViewerSettings()
        settings.language = "fr"
        settings[.largerText] = true
        rig.box.carryOut(.saveSettings(settings))
        rig.close()
        #expect(store.entries.map(\.name) == ["interface.language", "interface.larger-text"])
        let again = try self.rig(ViewerParts(settings: store))
        defer { again.close() }
        #expect(again.state.appearance.language == "fr" && again.state.appearance.hasLargerText)
        try again.apply(items: Self.items(["a": "G"]))
        #expect(again.state.home?.content.rows.map(\.title) == ["Programmes"])
    }

    @Test("a change of the language or of the age limit changes Home at once")
    func homeFollowsSettings() throws {
        let rig = try rig(ViewerParts(pinDigest: "x"))
        defer { rig.close() }
        try rig.apply(
            items: #"""
                [{"id": "a", "type": "movie", "title": {"en": "Tide", "de": "Flut"}, "streams": [{"url": "a.mp4"}],
                  "rating": {"system": "MPA", "value": "R"}}]
                """#)
        func entry() -> HomeContent.Entry? { rig.state.home?.content.rows.first?.entries.first }
        #expect(entry()?.title == "Tide" && entry()?.isLocked == false)
        var settings = ViewerSettings()
        settings.language = "de"
        rig.box.carryOut(.saveSettings(settings))
        #expect(entry()?.title == "Flut" && entry()?.isLocked == false)
        settings.parentalAge = 12
        rig.box.carryOut(.saveSettings(settings))
        #expect(entry()?.title == "Flut" && entry()?.isLocked == true)
    }

    @Test("recent searches are kept over a restart, and a kiosk deletes them")
    func recentSearches() throws {
        let choices = MemoryChoiceStore()
        var parts = ViewerParts()
        parts.choices = choices
        func search(_ rig: BoxRig) -> SearchView? { if case .search(let view)? = rig.state.page { view } else { nil } }
        do {
            let rig = try rig(parts)
            defer { rig.close() }
            try rig.apply(items: Self.items(["2tides": "G"]))
            for key in [RemoteKey.up, .ok, .digit2] { rig.press(key) }
            for _ in 0..<7 { rig.press(.right) }
            #expect(search(rig)?.focus == .result(0))
            rig.press(.ok)
        }
        do {
            let rig = try rig(parts)
            defer { rig.close() }
            try rig.apply(items: Self.items(["2tides": "G"]))
            for key in [RemoteKey.up, .ok] { rig.press(key) }
            #expect(search(rig)?.recents?.queries == ["2"])
        }
        try rig(parts, kiosk: true).close()
        #expect(choices.choice("searches") == nil)
    }

    @Test("the page of a begun item resumes it, begins it again, or takes it out of what was begun")
    func programmePage() throws {
        let rig = try rig()
        defer { rig.close() }
        try rig.apply(items: Self.items(["a": "G"]))
        rig.box.open(id: "a")
        #expect(rig.run(until: { rig.frames.contains { $0 > 3000 } }))
        _ = rig.box.perform(.stop, from: "web")
        func page() -> ProgrammeView? { if case .programme(let view)? = rig.state.page { view } else { nil } }
        rig.press(.ok)
        #expect(
            page()?.buttons.map(\.title) == [
                "Resume at 0:03", "From Beginning", "Add to My List", "Remove from Continue Watching",
            ])
        rig.forget()
        rig.press(.down)
        rig.press(.ok)
        #expect(rig.run(until: { rig.frames.contains { $0 > 500 } }))
        #expect((rig.frames.first ?? 9999) < 100 && page() == nil)
        _ = rig.box.perform(.stop, from: "web")
        rig.press(.ok)
        for _ in 0..<3 { rig.press(.down) }
        rig.press(.ok)
        #expect(page()?.buttons.first == ButtonView(title: "Play", isFocused: true))
        rig.press(.down)
        rig.press(.ok)
        #expect(rig.state.home == nil && page()?.buttons.last?.title == "Remove from My List")
        #expect(rig.places.place(of: "a") == nil)
        rig.press(.back)
        #expect(rig.state.home?.content.rows.map(\.id) == ["list", "items"])
        try rig.apply(items: Self.items(["b": "G"]))
        #expect(rig.state.home?.content.rows.map(\.id) == ["items"], "what was withdrawn is not shown")
        try rig.apply(items: Self.items(["a": "G"]))
        #expect(rig.state.home?.content.rows.map(\.id) == ["list", "items"])
    }

    @Test("From Beginning of what needs the PIN begins there after the PIN, and keeps the saved position without it")
    func programmePageWithPIN() throws {
        let viewer = ViewerParts(
            pinDigest: SHA256.hexadecimal(of: "2468"), parentalLimit: ParentalLimit(value: "PG-13"))
        let rig = try rig(viewer)
        defer { rig.close() }
        try rig.apply(items: Self.items(["strong": "R"]))
        rig.places.save(SavedPlace(time: .seconds(4)), of: "strong")
        for key in [RemoteKey.ok, .down, .ok] { rig.press(key) }
        #expect(rig.state.pin != nil)
        rig.press(.back)
        #expect(rig.places.place(of: "strong")?.time == .seconds(4))
        rig.press(.ok)
        for digit in [RemoteKey.digit2, .digit4, .digit6, .digit8] { rig.press(digit) }
        #expect(rig.run(until: { !rig.frames.isEmpty }))
        #expect((rig.frames.first ?? 9999) < 100)
    }

    @Test("started items are on Home, the newest first, and disappear when they were watched")
    func continueWatching() throws {
        let rig = try rig()
        defer { rig.close() }
        try rig.apply(items: Self.items(["a": "G", "b": "G"]))
        for id in ["a", "b"] {
            rig.box.open(id: id)
            #expect(rig.run(until: { rig.frames.contains { $0 > 3000 } }))
            _ = rig.box.perform(.stop, from: "web")
            rig.forget()
        }
        #expect(rig.state.home?.content.rows.first { $0.id == "continue" }?.entries.map(\.id) == ["b", "a"])
        #expect(rig.places.place(of: "b")?.time ?? .zero > .seconds(2))
        rig.box.open(id: "b")
        #expect(rig.run(until: { rig.frames.contains { $0 > 9700 } }))
        _ = rig.box.perform(.stop, from: "web")
        #expect(rig.places.place(of: "b") == nil, "with less than a twentieth left there is nothing to resume")
        #expect(rig.state.home?.content.rows.first { $0.id == "continue" }?.entries.map(\.id) == ["a"])
    }

    @Test("the volume is in percent, and unmuting restores it")
    func loudness() throws {
        let rig = try rig()
        defer { rig.close() }
        rig.press(.volumeDown)
        #expect(rig.state.volume == VolumeView(percent: 95))
        rig.press(.mute)
        #expect(rig.state.volume == VolumeView(percent: 95, isMuted: true))
        rig.press(.mute)
        #expect(rig.state.volume == VolumeView(percent: 95))
        rig.press(.mute)
        rig.press(.volumeUp)
        #expect(rig.state.volume == VolumeView(percent: 100), "a change of the volume unmutes")
    }

    @Test("the volume is kept over restarts, within the operator's limits, and changed by command as by keys")
    func volume() throws {
        var viewer = ViewerParts()
        viewer.volume = VolumeLimits(start: 30, least: 10, most: 60)
        let rig = try BoxRig(viewer: viewer)
        #expect(rig.player.volume == 0.3, "none was set yet")
        rig.press(.volumeUp)
        #expect(rig.state.volume == VolumeView(percent: 35))
        #expect(rig.box.perform(.setVolume(percent: 100), from: "web") == .success && rig.player.volume == 0.6)
        #expect(rig.box.perform(.setMuted(true), from: "web") == .success && rig.player.isMuted)
        #expect(rig.box.perform(.setVolume(percent: 42), from: "web") == .success && !rig.player.isMuted)
        rig.close()
        let next = try BoxRig(viewer: viewer)
        #expect(next.player.volume == 0.42)
        for _ in 0..<20 { next.press(.volumeDown) }
        #expect(next.player.volume == 0.1)
        next.close()
        viewer.volume = VolumeLimits(start: nil, least: 20, most: nil)
        let last = try BoxRig(viewer: viewer)
        defer { last.close() }
        #expect(last.player.volume == 0.2, "the limits have changed meanwhile")
        #expect(VolumeLimits().start == 100 && VolumeLimits(least: 60, most: 40).range == 40...40)
    }

    @Test("wake and standby are done once, however often they are asked for")
    func verbs() throws {
        let rig = try rig()
        defer { rig.close() }
        try rig.apply(items: Self.items(["e1": "G"]))
        #expect(rig.box.perform(.wake, from: "web") == .success && rig.standbys.isEmpty)
        rig.box.open(id: "e1")
        #expect(rig.run(until: { rig.frames.count > 10 }))
        #expect(rig.box.perform(.goLive, from: "web") == .failed(.notSupported), "a film has no newest part")
        for _ in 0..<2 { #expect(rig.box.perform(.standby, from: "web") == .success) }
        #expect(rig.standbys == [true] && !rig.display.isPowered && rig.box.isInStandby)
        #expect(rig.box.perform(.showMessage("Dinner", seconds: 9), from: "web") == .failed(.standby))
        #expect(rig.box.perform(.setCaptions(true), from: "web") == .failed(.standby) && rig.standbys == [true])
        for _ in 0..<2 { #expect(rig.box.perform(.wake, from: "web") == .success) }
        #expect(rig.standbys == [true, false] && rig.display.isPowered && rig.state.screen == .home)
        #expect(rig.box.perform(.goLive, from: "web") == .failed(.noItem))
        #expect(rig.box.perform(.showMessage("Dinner", seconds: 9), from: "web") == .success)
        rig.run(for: .seconds(8))
        #expect(rig.state.toast == "Dinner")
        rig.run(for: .seconds(2))
        #expect(rig.state.toast == nil)
    }

    @Test("standby closes the current item and keeps its position; a kiosk plays again when it wakes")
    func standby() throws {
        let rig = try rig(ViewerParts(), kiosk: true)
        defer { rig.close() }
        try rig.apply(
            items: Self.items(["a": "G"]),
            channels: #"[{"id": "c", "title": "Loop", "kind": "playlist", "loop": true, "items": ["a"]}]"#)
        #expect(rig.box.startsByItself == "c")
        rig.box.open(id: "c")
        #expect(rig.run(until: { rig.frames.contains { $0 > 2000 } }))
        rig.press(.power)
        #expect(rig.state.screen == .standby)
        rig.run(for: .seconds(5))
        #expect(rig.nowPlaying.state == .standby && rig.nowPlaying.isScreenOff)
        rig.forget()
        rig.press(.ok)
        #expect(rig.run(until: { !rig.frames.isEmpty }))
        #expect(rig.standbys == [true, false])
        #expect(rig.state.screen == .player)
    }

    @Test("the guide shows the schedules in local time")
    func guide() throws {
        let rig = try BoxRig(wallClock: { FeedDate("2026-11-20T20:10:00Z") })
        defer { rig.close() }
        try rig.apply(
            items: Self.items(["a": "G", "b": "G"]),
            channels: #"""
                [{"id": "s", "number": 3, "title": "Tonight", "kind": "schedule", "entries": [
                  {"at": "2026-11-20T20:00:00Z", "item": "a"}, {"at": "2026-11-20T20:30:00Z", "item": "b"}]}]
                """#)
        rig.box.tellWallClock(secondsSinceMidnight: 21 * 3600 + 600)
        let programmes = rig.box.guide.channels[0].programmes
        #expect(programmes.map(\.start) == [21 * 3600, 21 * 3600 + 1800], "an hour east of Greenwich")
        #expect(programmes[0].end == 21 * 3600 + 10)
        #expect(rig.state.home?.buttons.map(\.title).contains("Guide") == true)
    }

    @Test("a reminder is stored, comes a minute before the programme, once, and outlasts a restart")
    func reminders() throws {
        let choices = MemoryChoiceStore()
        func rig(at time: String, seconds: Int) throws -> BoxRig {
            var viewer = ViewerParts()
            viewer.choices = choices
            let rig = try BoxRig(viewer: viewer, wallClock: { FeedDate(time) })
            rig.put(["a.mp4": FakeMedia(), "b.mp4": FakeMedia()])
            try rig.apply(
                items: Self.items(["a": "G", "b": "G"]),
                channels: #"""
                    [{"id": "s", "number": 3, "title": "Tonight", "kind": "schedule", "entries": [
                      {"at": "2026-11-20T20:00:00Z", "item": "a"}, {"at": "2026-11-20T20:30:00Z", "item": "b"}]}]
                    """#)
            rig.box.tellWallClock(secondsSinceMidnight: seconds)
            return rig
        }
        let first = try rig(at: "2026-11-20T20:10:00Z", seconds: 21 * 3600 + 600)
        for key in [RemoteKey.guide, .right, .ok, .ok] { #expect(first.press(key) == .success, "\(key)") }
        #expect(first.box.guide.channels[0].programmes.map(\.hasReminder) == [false, true])
        for _ in 0..<3 { first.press(.back) }
        first.close()
        let second = try rig(at: "2026-11-20T20:20:00Z", seconds: 21 * 3600 + 1200)
        defer { second.close() }
        #expect(second.box.guide.channels[0].programmes.map(\.hasReminder) == [false, true])
        second.run(for: .seconds(530))
        #expect(second.state.card == nil)
        second.run(for: .seconds(15))
        #expect(second.state.card?.kind == .reminder && second.state.card?.title == "b")
        #expect(
            second.box.guide.channels[0].programmes.map(\.hasReminder) == [false, false] && choices.choice("reminders") == nil)
        second.press(.back)
        second.run(for: .seconds(120))
        #expect(second.state.card == nil)
    }

    @Test("stored reminders may be anything, are bounded, and old ones are forgotten")
    func storedReminders() {
        let choices = MemoryChoiceStore()
        choices.setChoice("x @ a@b c@9223372036854775807 d@-9223372036854775808 e@f@100000 @5", "reminders")
        let reminders = Reminders(choices)
        #expect(reminders.marks.map(\.channel).sorted() == ["", "c", "d", "e@f"])
        reminders.set(true, .init(channel: "n", start: 200_000), now: 190_000)
        #expect(reminders.marks.map(\.channel).sorted() == ["c", "n"])
        for start in 0..<Int64(200) { reminders.set(true, .init(channel: "n", start: 300_000 + start), now: 190_000) }
        #expect(reminders.marks.count == Reminders.most)
        for mark in reminders.marks { reminders.set(false, mark, now: 190_000) }
        #expect(choices.choice("reminders") == nil)
    }

    @Test("the guide shows the programmes of an XMLTV file in local time and in the viewer's language")
    func listedGuide() throws {
        let rig = try BoxRig(wallClock: { FeedDate("2026-11-20T20:10:00Z") })
        defer { rig.close() }
        try rig.apply(
            items: Self.items(["a": "G"]),
            channels: #"""
                [{"id": "n", "number": 7, "title": "News", "streams": [{"url": "a.mp4"}], "guide": {"xmltv": "g.xml", "id": "news.uk"}}]
                """#)
        rig.box.tellWallClock(secondsSinceMidnight: 21 * 3600 + 600)
        #expect(rig.state.home?.buttons.map(\.title).contains("Guide") == false)
        let text = """
            <tv><programme start="20261120220000 +0100" stop="20261120230000 +0100" channel="news.uk"><title lang="de">Spät</title>\
            <title lang="en">Late</title><sub-title>The Pilot</sub-title><category>Drama</category><episode-num>S1 E1</episode-num>\
            <rating><value>12</value></rating><icon src="https://test/late.jpg"/></programme></tv>
            """
        let day = try #require(FeedDate("2026-11-20T00:00:00Z"))..<(try #require(FeedDate("2026-11-22T00:00:00Z")))
        rig.box.takeGuide(try XMLTVReader.read(Array(text.utf8), within: day, name: "g.xml"), from: "https://test/g.xml")
        let channel = rig.box.guide.channels[0]
        #expect(channel.programmes.map(\.title) == ["Late"])
        #expect(channel.programmes.map(\.start) == [22 * 3600])
        #expect(rig.state.home?.buttons.map(\.title).contains("Guide") == true)
        rig.press(.guide)
        guard case .guide(let guide)? = rig.state.page else {
            Issue.record("no guide")
            return
        }
        #expect(guide.rows.first?.cells.map(\.title) == ["Late"])
        rig.press(.right)
        guard case .guide(let focused)? = rig.state.page else { return }
        #expect(focused.detailFacts == ["7 News", "22:00–23:00", "The Pilot", "S1 E1", "Drama", "12"])
        rig.press(.ok)
        guard case .programme(let programme)? = rig.state.page else {
            Issue.record("no page of the programme")
            return
        }
        #expect(programme.subtitle == "The Pilot" && programme.backdrop == "https://test/late.jpg")
        #expect(programme.facts.suffix(3) == ["S1 E1", "Drama", "12"])
    }
}
