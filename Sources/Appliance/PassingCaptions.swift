import MediaModel
import Playback

/// Captions that the viewer has not chosen and that are shown for a while: during a replay, and while the sound is muted. Main loop only.
@MainActor
final class PassingCaptions {
    enum Reason { case replay, mute }

    private var reasons: Set<Reason> = []
    /// The item that shows them, and its choice before.
    private var shown: (item: PlayerItem, choice: SelectionMemory)?

    /// A reason begins or ceases to apply.
    ///
    /// - Parameters:
    ///   - item: the current item.
    ///   - language: the captions' language if the sound has none.
    func set(_ reason: Reason, _ applies: Bool, on item: PlayerItem?, language: String?) {
        if applies { reasons.insert(reason) } else { reasons.remove(reason) }
        settle(on: item, language: language)
    }

    /// Another item is the current one, or its captions have become known.
    func settle(on item: PlayerItem?, language: String?) {
        if let shown, reasons.isEmpty || shown.item !== item {
            self.shown = nil
            shown.item.selection.select(like: shown.choice, in: .legible)
        }
        guard !reasons.isEmpty, shown == nil, let item, let group = item.selection.group(.legible),
            item.selection.selectedOption(.legible)?.isForced != false
        else { return }
        let sound = item.selection.selectedOption(.audible)?.extendedLanguageTag ?? language
        let options = group.options.filter { !$0.isForced }
        guard let option = options.first(where: { $0.extendedLanguageTag == sound }) ?? options.first else { return }
        shown = (item, item.selection.memory(of: .legible))
        item.selection.select(option, in: group)
    }

    /// The viewer chooses captions, which stay.
    func viewerChooses() { shown = nil }
}
