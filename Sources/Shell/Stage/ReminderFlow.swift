import LinuxSupport
import Screens
import Viewing

/// What a reminder does to what is on the screen.
enum ReminderFlow {
    /// A programme begins of which the viewer wants to be reminded: a card asks whether to watch it. Nothing is asked of a viewer who is in the middle of
    /// something that ends by itself; the reminder waits for that.
    ///
    /// - Returns: whether the card took the place of the card at the end of the item, which must come back.
    static func settle(_ stage: inout Stage, _ turn: inout StageTurn) -> Bool {
        guard stage.screen != .standby, !turn.policy.isKiosk, let due = turn.parts.schedule.dueReminder(at: turn.now) else {
            return false
        }
        var coversEnd = false
        if !watches(due.channel, stage) {
            let viewing = stage.viewing
            coversEnd = stage.card?.kind == .end
            guard stage.card == nil || coversEnd, !stage.overlays.contains(.pin), !stage.hasProposal,
                viewing.seeking.mode == .watching, !viewing.transport.isLinear
            else { return false }
            let channel = stage.interfaceContext(turn.parts).browsing.channel(due.channel)
            stage.closePanel()
            stage.put(.card(Card(.reminder(due, channel), then: .close(at: turn.now + Timing.reminderAnswer))))
        }
        turn.consequences.append(.reminded(due))
        turn.effects.append(.setReminder(due, false))
        return coversEnd
    }

    /// Closes the card.
    static func close(_ stage: inout Stage) { if stage.card?.kind.leavesPlayback == true { stage.remove(.card) } }

    private static func watches(_ channel: String, _ stage: Stage) -> Bool {
        let played = stage.viewing.played
        return stage.screen == .player && played.item?.isLive == true && played.playingID == channel
    }
}
