import MediaModel
import Screens

/// A part of the interface on the screen, with its name in dumps. docs/dump.md has the fields of each.
package enum InterfacePart: String, Hashable, Sendable, CaseIterable {
    case screen, video, poster, overlays, bar, title, interstitialLabel, skipCountdown, action, panel, proposal, card, spinner,
        refusal
    case toast, home, page, pin, longText, channelBanner, numberEntry, volume, notice, paused, screenSaver, audioOnly, captions,
        appearance,
        setUp
    case verdict

    /// The value of this part in dumps.
    func value(in state: PresentationState) -> DumpValue {
        switch self {
        case .screen: state.screen.dumpValue
        case .video: state.video.dumpValue
        case .poster: state.poster.dumpValue
        case .overlays: state.overlays.dumpValue
        case .bar: state.bar.dumpValue
        case .title: state.title.dumpValue
        case .interstitialLabel: state.interstitialLabel.dumpValue
        case .skipCountdown: state.skipCountdown.dumpValue
        case .action: state.action.dumpValue
        case .panel: state.panel.dumpValue
        case .proposal: state.proposal.dumpValue
        case .card: state.card.dumpValue
        case .spinner: state.spinner.dumpValue
        case .refusal: state.refusal.dumpValue
        case .toast: state.toast.dumpValue
        case .home: state.home.dumpValue
        case .page: state.page.dumpValue
        case .pin: state.pin.dumpValue
        case .longText: state.longText.dumpValue
        case .channelBanner: state.channelBanner.dumpValue
        case .numberEntry: state.numberEntry.dumpValue
        case .volume: state.volume.dumpValue
        case .notice: state.notice.dumpValue
        case .paused: state.paused.dumpValue
        case .screenSaver: state.screenSaver.dumpValue
        case .audioOnly: state.audioOnly.dumpValue
        case .captions: state.captions.dumpValue
        case .appearance: state.appearance.dumpValue
        case .setUp: state.setUp.dumpValue
        case .verdict: state.verdict.dumpValue
        }
    }
}
