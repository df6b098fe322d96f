import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Viewing

/// Pages, menus, and transient messages.
extension Samples {
    private static func panel(
        _ tab: PanelView.Tab, _ settings: ViewerSettings = ViewerSettings(), then act: (inout SampleBox) -> Void
    ) -> PresentationState {
        var box = watching(866, settings)
        box.openPanel(tab)
        act(&box)
        return box.state
    }

    static var subtitles: PresentationState { panel(.subtitles) { _ in } }

    static var audio: PresentationState {
        var settings = ViewerSettings()
        settings[.reducedLoudSounds] = true
        return panel(.audio, settings) { $0.focus(.reduceLoudSounds) }
    }

    /// "Off" has focus above the current choice.
    static var audioOff: PresentationState { panel(.audio) { $0.press(.up) } }

    /// Off was chosen: what Back does is said over the picture.
    static var soundOff: PresentationState { panel(.audio) { $0.press(.up, .ok) } }

    /// The delay of the sound after four presses, over the picture.
    static var delay: PresentationState {
        panel(.audio) {
            $0.choose(.soundDelay)
            $0.press($0.forward, times: 4)
        }
    }

    /// The delay of the sound over the test film, as small as it can be.
    static var lipSync: PresentationState {
        var settings = ViewerSettings()
        settings.soundDelays[""] = -DelayedPart.sound.most
        var box = SampleBox(settings) { $0.lipSyncFilm = "lip-sync" }
        box.send(.homeChanged(SampleFeed.home))
        box.press(.menu)
        box.choose(.sound, .soundDelay)
        box.play(ItemPresentation(id: "lip-sync") { $0.requiresLinearPlayback = true }, at: .seconds(3))
        return box.state
    }

    static var picture: PresentationState { panel(.picture) { $0.focus(.aspect) } }

    static var signal: PresentationState {
        panel(.picture) {
            $0.send(
                .signalChanged(
                    SignalFacts(
                        picture: .init(width: 3840, height: 2160, rate: Ratio(24000, 1001), range: .hdr10, codec: "HEVC"),
                        screen: .init(width: 1920, height: 1080, rate: Ratio(60), range: .standard),
                        sound: .init(format: "E-AC-3", channels: 6, sampleRate: 48_000),
                        output: .init(format: "PCM", channels: 2, sampleRate: 48_000))))
            $0.choose(.signal)
        }
    }

    /// A viewer with large captions on a dark background.
    private static var withLargeCaptions: ViewerSettings {
        var settings = ViewerSettings()
        settings.captionStyle = CaptionStyle {
            ($0.colour, $0.sizePercent, $0.edge) = (.yellow, 125, .dropShadow)
            ($0.background, $0.backgroundOpacityPercent) = (.black, 75)
        }
        return settings
    }

    static var captionStyle: PresentationState {
        panel(.subtitles, withLargeCaptions) {
            $0.choose(.captionStyle, .captionColour)
            $0.focus(.yellow)
        }
    }

    // MARK: Settings

    /// Settings, opened from Home.
    static func inSettings(
        _ settings: ViewerSettings = ViewerSettings(), then act: (inout SampleBox) -> Void
    ) -> PresentationState {
        var box = SampleBox(settings)
        box.send(.homeChanged(SampleFeed.home))
        box.press(.menu)
        act(&box)
        return box.state
    }

    static var settings: PresentationState { inSettings { $0.focus(.accessibility) } }

    static var accessibility: PresentationState {
        inSettings {
            $0.choose(.accessibility)
            $0.focus(.largerText)
        }
    }

    /// A favourite and a hidden channel; what hiding means, where it can be chosen.
    static var settingsChannels: PresentationState {
        var settings = ViewerSettings()
        settings.channelOrder.places = ["c3": .favourite, "c6": .hidden]
        return inSettings(settings) {
            $0.choose(.channels)
            $0.press(.down, times: 3)
        }
    }

    static var settingsCaptions: PresentationState {
        inSettings(withLargeCaptions) {
            $0.choose(.captions, .captionStyle)
            $0.focus(.captionColour)
        }
    }

    /// A favourite channel.
    static var withFavourite: ViewerSettings {
        var settings = ViewerSettings()
        if hasLargerText { settings[.largerText] = true }
        settings.channelOrder.places = ["c4": .favourite]
        return settings
    }

    // MARK: Programmes

    /// The page of a programme of the first row of Home.
    private static func programme(_ column: Int, then act: (inout SampleBox) -> Void = { _ in }) -> PresentationState {
        var box = homeBox(column: column, corner: false)
        box.press(.ok)
        act(&box)
        return box.state
    }

    static var programme: PresentationState { programme(0) }
    static var programmeSummary: PresentationState { programme(3) { $0.press(.up) } }
    /// The series of an episode.
    private static func series(then act: (inout SampleBox) -> Void) -> PresentationState {
        programme(0) {
            $0.press(.down, .down, .ok)
            act(&$0)
        }
    }

    static var series: PresentationState { series { _ in } }
    static var seriesSeasons: PresentationState { series { $0.press(.down) } }
    static var seriesRelated: PresentationState {
        series {
            $0.press($0.forward)
            $0.press(.down, times: 3)
            $0.press($0.forward)
        }
    }
    static var programmeLocked: PresentationState { programme(2) { $0.press(.down) } }
    /// The row of what is like a programme, with focus on its second entry or so far along that it has moved.
    private static func related(_ column: Int) -> PresentationState {
        programme(1) {
            $0.press(.down, times: 4)
            $0.press($0.forward, times: column)
        }
    }

    static var programmeRelated: PresentationState { related(1) }
    static var programmeRelatedLast: PresentationState { related(5) }

    // MARK: Search, guide, PIN

    private static func search(_ act: (inout SampleBox) -> Void) -> PresentationState {
        var box = homeBox(column: 0, corner: false)
        box.openButton(0)
        act(&box)
        return box.state
    }

    /// The first letters of a title, with focus on the first result.
    static var search: PresentationState {
        search {
            $0.search(language == "ar" ? "ا" : language == "ja" ? "の" : "l")
            for _ in 0..<8 { $0.press($0.forward) }
        }
    }

    static var searchNothing: PresentationState { search { $0.type("99") } }

    static var searchEmpty: PresentationState { search { $0.press($0.forward) } }

    /// Search with recent searches, of which the first has focus.
    private static func searchRecent(_ act: (inout SampleBox) -> Void) -> PresentationState {
        var box = homeBox(column: 0, corner: false)
        box.send(.searchesRestored(SampleFeed.searches))
        box.openButton(0)
        for _ in 0..<Metrics.Search.columns {
            if case .search(let view)? = box.state.page, case .key = view.focus { box.press(box.forward) }
        }
        act(&box)
        return box.state
    }

    static var searchRecent: PresentationState { searchRecent { $0.press(.down) } }

    /// Search with recent searches and the code for a phone.
    static var searchPhone: PresentationState { searchRecent { $0.send(.phoneCode(phoneCode)) } }

    /// The longest that a code has with an address of IPv4.
    static let phoneCode = "https://192.168.120.214:8080/phone#0123456789abcdef0123456789abcdef"

    /// Nothing is typed, the recent searches were cleared, and Back would bring them back.
    static var searchCleared: PresentationState {
        searchRecent {
            $0.press(.down, times: SampleFeed.searches.count)
            $0.press(.ok)
        }
    }

    /// The end of the list, with the row that clears it.
    static var searchClear: PresentationState { searchRecent { $0.press(.down, times: SampleFeed.searches.count) } }

    static var guide: PresentationState {
        var box = homeBox(column: 0, corner: false)
        box.openButton(1)
        box.press(.down)
        return box.state
    }

    /// The page of a programme of the guide that has not begun.
    static var listing: PresentationState {
        var box = homeBox(column: 0, corner: false)
        box.openButton(1)
        box.press(box.forward, .ok)
        return box.state
    }

    /// A programme of which the viewer wants to be reminded begins while a film plays.
    static var reminder: PresentationState {
        var box = watching()
        box.send(.homeChanged(SampleFeed.home))
        box.send(.guideChanged(SampleFeed.guide))
        box.send(.wallClock(secondsSinceMidnight: (21 * 60 + 19) * 60 + 10))
        return box.state
    }

    /// The PIN for a programme.
    ///
    /// - Parameter typed: the digits that were typed.
    static func pin(_ typed: String = "13") -> PresentationState {
        var box = SampleBox()
        box.send(.homeChanged(SampleFeed.home))
        box.send(.locked(SampleFeed.home.rows[0].entries[2], rating: "16"))
        box.type(typed)
        if typed.count == 20 { box.pass(.seconds(28)) }
        return box.state
    }

    static var longText: PresentationState {
        var box = watching(866, ViewerSettings()) { $0.summary = (0..<6).map { _ in summary }.joined(separator: "\n\n") }
        box.openPanel(.info)
        box.press(box.backward, .ok, .down)
        return box.state
    }

    // MARK: Transient

    static var zapped: PresentationState {
        var box = channel()
        box.type("12")
        box.pass(.seconds(2))
        return box.state
    }

    /// A channel of which only the name is known.
    static var zappedName: PresentationState {
        var box = channel()
        box.type("105")
        box.pass(.seconds(2))
        return box.state
    }

    /// Digits and the volume on Home: they leave its buttons alone.
    static var homeTyping: PresentationState {
        var box = homeBox(column: 0, corner: false)
        box.type("12")
        box.send(.volumeChanged(percent: 40, isMuted: false))
        return box.state
    }

    static var typing: PresentationState {
        var box = channel()
        box.type("12")
        box.send(.volumeChanged(percent: 40, isMuted: false))
        return box.state
    }

    static var volume: PresentationState {
        var box = watching()
        box.send(.notify(.soundLost))
        box.send(.volumeChanged(percent: 65, isMuted: true))
        return box.state
    }

    static var announced: PresentationState {
        var box = watching()
        box.send(.held(.announcement))
        box.send(.command(.pause, origin: "box"))
        box.pass(.seconds(5))
        return box.state
    }

    static var stillWatching: PresentationState {
        var box = channel { $0.asksAfter = .seconds(20) }
        box.pass(.seconds(25))
        return box.state
    }

    static var sleepTimer: PresentationState {
        var box = watching()
        box.openPanel(.picture)
        box.choose(.sleepTimer)
        box.press(.ok)
        while box.state.panel != nil { box.press(.back) }
        box.pass(.seconds(14 * 60 + 15))
        return box.state
    }

    static var thumbnail: PresentationState {
        var box = watching(866, ViewerSettings()) {
            $0.thumbnails = ThumbnailTrack(reference: "chapter2", times: (0..<260).map { .seconds($0 * 10) })
        }
        box.press(.ok)
        box.press(.right, times: 122)
        return box.state
    }

    static var behindLive: PresentationState {
        var box = channel(window: 3600, behind: 245)
        box.press(.playpause, .playpause)
        box.pass(.seconds(2))
        return box.state
    }

    /// What is on a channel, some minutes behind.
    static var liveInfo: PresentationState {
        var box = channel(window: 3600, behind: 245)
        box.send(.guideChanged(SampleFeed.wholeGuide))
        box.press(.info)
        box.pass(.seconds(2))
        return box.state
    }

    static var homeButtons: PresentationState {
        var box = homeBox(column: 0, corner: false)
        box.press(.up, box.forward)
        return box.state
    }

    /// Home, where no key was pressed for some minutes.
    static var screenSaver: PresentationState {
        var box = homeBox(column: 0, corner: false)
        box.pass(.seconds(6 * 60 + 10))
        return box.state
    }

    /// A PIN that is set in Settings and was not repeated.
    static var newPIN: PresentationState {
        var box = SampleBox { ($0.hasPIN, $0.setsPIN) = (false, true) }
        box.send(.homeChanged(SampleFeed.home))
        box.press(.menu)
        box.choose(.parental, .createPIN)
        box.type("13571358")
        return box.state
    }

    static var channels: PresentationState {
        var box = channel()
        box.send(.settingsRestored(withFavourite))
        box.press(.up, .down)
        return box.state
    }

    /// By name, in a stable order.
    static var pages: [(name: String, state: PresentationState)] {
        [
            ("subtitles", subtitles), ("audio", audio), ("audio-off", audioOff), ("sound-off", soundOff), ("picture", picture),
            ("signal", signal), ("delay", delay),
            ("lip-sync", lipSync),
            ("caption-style", captionStyle),
            ("settings", settings), ("accessibility", accessibility), ("settings-captions", settingsCaptions),
            ("settings-channels", settingsChannels),
            ("search", search), ("search-nothing", searchNothing), ("search-empty", searchEmpty), ("guide", guide),
            ("guide-programme", listing), ("reminder", reminder),
            ("pin", pin()), ("pin-wrong", pin("13571357")), ("pin-locked", pin("13571357135713571357")),
            ("long-text", longText), ("zapped", zapped), ("typing", typing), ("volume", volume), ("announced", announced),
            ("audio-only", audioOnly), ("still-watching", stillWatching), ("sleep-timer", sleepTimer), ("thumbnail", thumbnail),
            ("behind-live", behindLive), ("live-info", liveInfo), ("home-buttons", homeButtons), ("channels", channels),
            ("screen-saver", screenSaver), ("pin-new", newPIN),
            ("programme", programme), ("programme-summary", programmeSummary), ("programme-locked", programmeLocked),
            ("series-page", series), ("series-seasons", seriesSeasons),
        ]
    }
}
