import LinuxSupport
import MediaModel
import MediaTime
import Screens
import Viewing

/// Screens in less common variants.
extension Samples {
    /// Focus on a favourite channel, which comes first.
    static var homeChannel: PresentationState {
        var box = SampleBox(withFavourite)
        box.send(.homeChanged(SampleFeed.home))
        box.send(.guideChanged(SampleFeed.guide))
        box.press(.down)
        return box.state
    }

    /// Behind the live edge, while scrubbing.
    static var liveScrubbing: PresentationState {
        var box = channel(window: 3600, behind: 245)
        box.press(.playpause)
        box.press(.left, times: 100)
        return box.state
    }

    /// Paused for ten minutes.
    static var longPaused: PresentationState {
        var box = watching()
        box.press(.ok)
        box.pass(.seconds(310))
        return box.state
    }

    static var dimmed: PresentationState {
        var box = watching()
        box.press(.ok)
        box.pass(.seconds(601))
        return box.state
    }

    /// A key has stopped the countdown, and focus has moved.
    static var proposalStopped: PresentationState { proposal { $0.press($0.forward) } }

    /// A proposal whose feed gives only the title.
    static var proposalPlain: PresentationState { proposal(isPlain: true) { $0.press($0.forward) } }

    /// Its last seconds.
    static var proposalLast: PresentationState { proposal(seconds: 1) }

    /// A row of series, the second one watched halfway.
    static var seriesRow: PresentationState {
        homeBox {
            let titles = ["The Lighthouse Keeper’s Daughter", "North by East", "Ropework", "The Long Pier"]
            $0.rows[0] = HomeContent.Row(
                id: "series", title: s("Documentary"),
                entries: titles.enumerated().map { index, title in
                    HomeContent.Entry(
                        id: "series\(index)", title: s(title), subtitle: index == 1 ? s("Season 1, Episode 5") : nil,
                        artwork: "chapter\(index)", watchedPercent: index == 1 ? 50 : nil, isLocked: index == 3)
                })
        }.state
    }

    /// Continue Watching with the time that is left, after the next episode of a series.
    static var homeContinue: PresentationState {
        homeBox(column: 0, corner: false) {
            let strings = StringCatalogue.best(for: [Samples.language])
            func left(_ minutes: Int64) -> String { strings.text(.timeLeft, strings.duration(.seconds(minutes * 60))) }
            $0.rows[0].entries[0].watchedPercent = nil
            $0.rows[0].entries[0].subtitle = strings.text(.episodeNumber, "1", "5")
            $0.rows[0].entries[1].subtitle = strings.text(.episodeNumber, "2", "11") + " · " + left(9)
            $0.rows[0].entries[2].subtitle = left(62)
        }.state
    }

    /// The confirmation before a factory reset.
    static var resetQuestion: PresentationState {
        inSettings {
            $0.choose(.resetBox)
            $0.type(SampleBox.pin)
        }
    }

    /// The page Storage with saved programmes.
    static var storage: PresentationState {
        inSettings {
            $0.choose(.storage)
            $0.focus(s("The Lighthouse Keeper’s Daughter"))
        }
    }

    static var deletionQuestion: PresentationState {
        inSettings {
            $0.choose(.storage)
            $0.focus(s("The Lighthouse Keeper’s Daughter"))
            $0.press(.ok)
            $0.type(SampleBox.pin)
        }
    }

    /// The page About, where a row saves a report to a USB stick.
    static var about: PresentationState {
        inSettings {
            $0.choose(.about)
            $0.focus(.saveReport)
        }
    }

    static var more: [(name: String, state: PresentationState)] {
        [
            ("live-scrubbing", liveScrubbing), ("skip-ad", skipAd), ("paused-long", longPaused), ("dimmed", dimmed),
            ("proposal-stopped", proposalStopped),
            ("proposal-plain", proposalPlain), ("proposal-last", proposalLast), ("series", seriesRow),
            ("settings-reset", resetQuestion),
        ]
    }

    /// The end as a time of day.
    private static var endsAt: PresentationState {
        var box = watching()
        box.press(.ok, .ok, .up, .up)
        return box.state
    }

    /// Ten seconds forward, while the key is down.
    private static var skipping: PresentationState {
        var box = watching()
        box.down(.right)
        return box.state
    }

    /// The first key after a while, which may have been an accident.
    private static var undoing: PresentationState {
        var box = watching()
        box.pass(.seconds(61))
        box.press(.right)
        return box.state
    }

    /// At the live edge of a channel with a guide.
    private static var liveBar: PresentationState {
        var box = channel(window: 3600)
        box.press(.up)
        return box.state
    }

    private static var focusedCorner: PresentationState {
        var box = watching()
        box.press(.back)
        return box.state
    }

    private static func pictureMenu(_ page: Phrase) -> PresentationState {
        var box = watching()
        box.openPanel(.picture)
        box.choose(page)
        return box.state
    }

    /// A channel's logo and a lower third, beneath the bar.
    private static var overlays: PresentationState {
        var box = watching {
            $0.screen.overlays = [
                ScreenOverlay(
                    .picture("cover"), anchor: .topRight, box: PixelRect(x: 1536, y: 54, width: 288, height: 162),
                    opacityPercent: 60
                ),
                ScreenOverlay(
                    .picture("preview"), anchor: .bottomLeft, box: PixelRect(x: 96, y: 600, width: 960, height: 300),
                    crop: OverlayCrop(top: 50),
                    presence: LayerPresence(
                        start: .seconds(900), end: .seconds(1000), fadeIn: .milliseconds(500), fadeOut: .milliseconds(500))),
            ]
        }
        box.press(.ok, .ok)
        return box.state
    }

    /// Where sound can go; it goes to the television.
    static var soundRoute: SoundRoute {
        let outputs = [
            SoundPort(id: "hdmi:CARD=vc4hdmi0,DEV=0", kind: .hdmi, name: "HDMI 1"),
            SoundPort(id: "plughw:CARD=Headphones,DEV=0", kind: .headphones, name: ""),
            SoundPort(id: "bluealsa:DEV=1", kind: .bluetooth, name: "Kitchen"),
        ].compactMap { $0 }
        return SoundRoute(outputs: outputs, current: outputs[0])
    }

    /// The choice of it. The chosen headset is not there.
    static var outputs: PresentationState {
        var settings = ViewerSettings()
        settings.soundOutput = SoundPort(id: "plughw:CARD=Acme,DEV=0", kind: .usb, name: "Acme Wireless Headset")
        return inSettings(settings) {
            var policy = $0.machine.policy
            policy.soundRoute = soundRoute
            $0.send(.policyChanged(policy))
            $0.choose(.sound, .soundOutput)
            $0.press(.up, .up)
        }
    }

    /// Screens that were added later, in this order.
    static var later: [(name: String, state: PresentationState)] {
        [
            ("error-retry", error(isInQueue: false)), ("error-channel", errorChannel), ("ends-at", endsAt),
            ("skipping", skipping), ("undo", undoing),
            ("corner-focus", focusedCorner), ("speed", pictureMenu(.speed)), ("sleep-choices", pictureMenu(.sleepTimer)),
            ("settings-language", inSettings { $0.choose(.language) }), ("settings-sound", inSettings { $0.choose(.sound) }),
            ("settings-network", inSettings { $0.choose(.network) }),
            (
                "settings-parental",
                inSettings {
                    $0.choose(.parental)
                    $0.type(SampleBox.pin)
                }
            ),
            ("live-bar", liveBar), ("overlays", overlays),
            ("search-recent", searchRecent), ("search-phone", searchPhone), ("search-clear", searchClear),
            ("search-cleared", searchCleared),
            ("programme-related", programmeRelated), ("programme-related-last", programmeRelatedLast),
            ("home-channel", homeChannel), ("home-typing", homeTyping), ("zapped-name", zappedName),
            (
                "settings-screen-saver",
                inSettings {
                    $0.choose(.picture)
                    $0.focus(.screenSaver)
                }
            ),
            ("end-related", endRelated), ("series-related", seriesRelated), ("end-next", endNext), ("info-next", infoNext),
            ("home-continue", homeContinue), ("settings-output", outputs),
        ] + wirelessScreens + firstRunScreens
    }
}
