import MediaModel
import MediaTime
import PlayerInterface

/// Screens in less common variants.
extension Samples {
    /// Behind the live edge, while scrubbing.
    static var liveScrubbing: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.bar = TransportBarView {
                $0.focus = .bar
                $0.playhead = position(40)
                $0.elapsed = "20:02:10"
                $0.trailing = s("LIVE")
                $0.buffered = [.init(start: position(30), end: position(60))]
                $0.glyph = .pause
                $0.scrub = .init(time: "20:02:10", origin: position(70), contentTime: .seconds(1480))
            }
            $0.title = TitleView(title: s("Harbour News"), subtitle: s("The evening edition"))
        }
    }

    /// An advertisement that can be skipped.
    static var skipAd: PresentationState {
        PresentationState(screen: .player, video: .full) {
            $0.interstitialLabel = s("Ad 1 of 2 · 0:12")
            $0.action = ContextualActionView(kind: .skipInterstitial, title: s("Skip Ad"), isFocused: true)
        }
    }

    /// Paused for ten minutes.
    static var dimmed: PresentationState {
        var state = paused
        state.video.dimPercent = 60
        return state
    }

    /// A key has stopped the countdown, and focus has moved.
    static var proposalStopped: PresentationState {
        var state = proposal()
        state.proposal?.countdown = nil
        state.proposal?.ringPercent = nil
        state.proposal?.buttons = ["Play Now", "Back to Credits", "Home"].enumerated().map {
            ButtonView(title: s($1), isFocused: $0 == 1)
        }
        return state
    }

    /// A proposal whose feed gives only the title.
    static var proposalPlain: PresentationState {
        var state = proposalStopped
        state.proposal?.subtitle = nil
        state.proposal?.facts = []
        state.proposal?.summary = nil
        state.proposal?.image = nil
        return state
    }

    /// Its last seconds.
    static var proposalLast: PresentationState { proposal(seconds: 1, ring: 4) }

    /// A row of series, the second one watched halfway.
    static var seriesRow: PresentationState {
        var state = home(corner: true)
        let titles = ["The Lighthouse Keeper’s Daughter", "North by East", "Ropework", "The Long Pier"]
        state.home?.content.rows[0] = HomeContent.Row(
            id: "series", title: s("Documentary"),
            entries: titles.enumerated().map { index, title in
                HomeContent.Entry(
                    id: "series\(index)", title: s(title), subtitle: index == 1 ? s("Season 1, Episode 5") : nil,
                    artwork: "chapter\(index)", watchedPercent: index == 1 ? 50 : nil, isLocked: index == 3)
            })
        return state
    }

    /// The confirmation before a factory reset.
    static var resetQuestion: PresentationState {
        PresentationState(screen: .home) {
            $0.home = home().home
            $0.page = .settings(
                SettingsView(
                    page: .about, title: s("Settings"), explanation: s("Deletes its settings, secrets, places and downloads."),
                    menu: MenuView(
                        title: s("Reset this box?"), rows: [.init(title: s("Keep"), isFocused: true), .init(title: s("Delete"))]))
            )
        }
    }

    /// The page Storage with saved programmes.
    static var storage: PresentationState {
        PresentationState(screen: .home) {
            $0.home = home().home
            $0.page = .settings(
                SettingsView(
                    page: .storage, title: s("Settings"), explanation: s("Select an item to delete it."),
                    menu: MenuView(
                        title: s("Storage"),
                        rows: [
                            .init(title: s("Free"), value: "11.4 GB"),
                            .init(
                                title: s("The Lighthouse Keeper’s Daughter"), value: "2.1 GB", mark: .submenu, isFocused: true),
                            .init(title: s("North by East"), value: "3.8 GB", mark: .submenu),
                            .init(title: s("The Long Pier"), value: "640 MB", mark: .submenu),
                            .init(title: s("Viewing History"), value: "1 MB", mark: .submenu),
                        ])))
        }
    }

    static var deletionQuestion: PresentationState {
        var state = storage
        state.page = .settings(
            SettingsView(
                page: .storage, title: s("Settings"), explanation: nil,
                menu: MenuView(
                    title: s("Delete The Lighthouse Keeper’s Daughter?"),
                    rows: [.init(title: s("Keep"), isFocused: true), .init(title: s("Delete"))])))
        return state
    }

    /// The page About, whose last row saves a report to a USB stick.
    static var about: PresentationState {
        PresentationState(screen: .home) {
            $0.home = home().home
            $0.page = .settings(
                SettingsView(
                    page: .about, title: s("Settings"),
                    explanation: s("There is no USB stick. Plug in one that is formatted as FAT, and try again."),
                    menu: MenuView(
                        title: s("About"),
                        rows: [
                            .init(title: s("Name"), value: "room-214"), .init(title: s("Version"), value: "1.4.0"),
                            .init(title: s("Session"), value: "5E21C0DE"),
                            .init(title: s("Save a report to a USB stick"), isFocused: true),
                        ])))
        }
    }

    static var more: [(name: String, state: PresentationState)] {
        [
            ("live-scrubbing", liveScrubbing), ("skip-ad", skipAd), ("dimmed", dimmed), ("proposal-stopped", proposalStopped),
            ("proposal-plain", proposalPlain), ("proposal-last", proposalLast), ("series", seriesRow),
            ("settings-reset", resetQuestion),
        ]
    }
}
