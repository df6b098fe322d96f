import BoxModel
import LinuxSupport
import MediaTime
import Screens

/// What keys, commands and rows do in the player, where more than one part of the item takes part.
package enum PlayerCommands {
    // MARK: Play and pause

    package static func play(_ viewing: inout Viewing, _ turn: inout ViewingTurn) -> CommandResult {
        switch viewing.seeking.mode {
        case .scanning, .scrubbing: return viewing.transport.endSearch(playing: true, &turn)
        case .watching: break
        }
        guard !viewing.orders.wantsToPlay else { return .failed(.noChange) }
        viewing.transport.resume(&turn)
        let played = viewing.played
        // The paused position may have left the window meanwhile.
        if played.item?.isLive == true, let first = played.snapshot.seekableRanges.first, let position = played.position,
            position < first.start
        {
            viewing.transport.seek(to: first.start, &turn)
            turn.toast = turn.strings.text(.movedOn)
        }
        viewing.transport.bar.show(.none)
        return .success
    }

    package static func pause(_ viewing: inout Viewing, _ turn: inout ViewingTurn) -> CommandResult {
        guard viewing.played.item != nil else { return .failed(.noItem) }
        guard turn.card == nil || turn.card == .slow || turn.card?.leavesPlayback == true else { return .failed(.noChange) }
        if viewing.played.isLiveWithoutWindow {
            turn.toast = turn.strings.text(.livePauseRefused)
            return .failed(.notSupported)
        }
        switch viewing.seeking.mode {
        case .scanning: return viewing.transport.endSearch(playing: false, &turn)
        case .scrubbing: return .failed(.noChange)
        case .watching: break
        }
        guard viewing.orders.wantsToPlay else { return .failed(.noChange) }
        viewing.transport.stand(&turn)
        // Focus is on the bar, unless Select has another effect.
        viewing.transport.bar.show(viewing.action.kind == .skipInterstitial ? .none : .bar)
        viewing.savePlace(&turn)
        return .success
    }

    // MARK: Frame by frame

    /// Whether the viewer has paused a picture, in which no place is sought.
    package static func stands(_ viewing: Viewing) -> Bool {
        !viewing.orders.wantsToPlay && viewing.seeking.mode == .watching && viewing.played.position != nil
            && viewing.played.snapshot.hasVideo && viewing.played.snapshot.frames != nil
    }

    /// A single frame on (1) or back (-1), in a pause.
    static func step(_ direction: Int, _ viewing: inout Viewing, _ turn: inout ViewingTurn) -> CommandResult {
        if let reason = viewing.transport.navigationRefusal { return viewing.transport.refuse(reason, &turn) }
        viewing.transport.forgetUndo()
        viewing.transport.bar.showStepping()
        turn.effects.append(.step(direction))
        return .success
    }

    /// A key is held in a pause: the picture moves slowly, if it can; else it steps once.
    package static func moveSlowly(_ direction: Int, _ viewing: inout Viewing, _ turn: inout ViewingTurn) {
        guard viewing.transport.navigationRefusal == nil, stands(viewing) else { return }
        let rate = direction < 0 ? Ratio(-Timing.slowSpeed.numerator, Timing.slowSpeed.denominator) : Timing.slowSpeed
        guard viewing.played.canMove(at: rate) else {
            _ = step(direction, &viewing, &turn)
            return
        }
        viewing.transport.forgetUndo()
        viewing.transport.bar.show(.bar)
        viewing.transport.moveSlowly(at: rate, &turn)
    }

    /// The key was released: the picture stands where it is.
    package static func standStill(_ viewing: inout Viewing, _ turn: inout ViewingTurn) {
        viewing.transport.moveSlowly(at: nil, &turn)
    }

    // MARK: Positions

    /// Goes to a content time that a program asked for.
    package static func go(to content: MediaTime, _ viewing: inout Viewing, _ turn: inout ViewingTurn) -> CommandResult {
        if let reason = viewing.transport.navigationRefusal { return viewing.transport.refuse(reason, &turn) }
        guard let position = viewing.played.position else { return .failed(.notReady) }
        let target = viewing.played.clamped(content)
        viewing.transport.bar.show()
        if turn.card == .end { viewing.transport.resume(&turn) }
        let place = viewing.played.place(of: target, from: position)
        return leavingProposal(&viewing) { $0.transport.jump(to: place, &turn) }
    }

    /// A digit of a place in a film was typed.
    package static func type(_ digit: Int, _ viewing: inout Viewing, _ turn: inout ViewingTurn) -> CommandResult {
        if let reason = viewing.transport.navigationRefusal { return viewing.transport.refuse(reason, &turn) }
        viewing.transport.bar.type(digit, at: turn.now)
        return .success
    }

    /// Goes to the place that was typed.
    package static func goToTyped(_ viewing: inout Viewing, _ turn: inout ViewingTurn) -> CommandResult {
        guard let typed = viewing.bar.typed else { return .failed(.noChange) }
        viewing.transport.bar.endTyping()
        guard let target = typed.target(in: viewing.played) else {
            turn.toast = typed.refusal(in: viewing.played, turn.strings)
            return .failed(.outOfRange)
        }
        return go(to: target, &viewing, &turn)
    }

    /// A program asked for a position of the item while a proposal covers it.
    package static func leavingProposal(_ viewing: inout Viewing, _ action: (inout Viewing) -> CommandResult) -> CommandResult {
        let result = action(&viewing)
        if result == .success, viewing.overlay.proposal != nil { viewing.rearmProposal() }
        return result
    }

    // MARK: Captions and speed

    /// The Subtitle key: selects the next captions and shows their name.
    package static func cycleSubtitles(_ viewing: inout Viewing, _ turn: inout ViewingTurn) -> CommandResult {
        let options = viewing.played.snapshot.options
        guard let next = options.nextSubtitles else {
            turn.toast = turn.strings.text(.noSubtitles)
            return .failed(.notSupported)
        }
        turn.effects.append(.selectSubtitles(next))
        turn.toast = turn.strings.text(.subtitlesAre, options.title(of: next, in: turn.strings))
        return .success
    }

    package static func setSpeed(_ new: Ratio, _ viewing: inout Viewing, _ turn: inout ViewingTurn) -> CommandResult {
        guard viewing.played.snapshot.speeds.contains(new) else { return .failed(.notSupported) }
        guard !viewing.transport.isLinear else { return viewing.transport.refuse(.linear, &turn) }
        guard new != turn.session.speed.chosen else { return .failed(.noChange) }
        turn.session.speed.choose(new)
        return .success
    }

    // MARK: Listening without the picture

    /// "Listen with Screen Off": video is not decoded, the sound continues, and a moving card, which prevents burn-in, shows what plays. It lasts across
    /// items until a key turns the picture on. The display stays on, because HDMI carries no sound without a picture.
    package static func beginListening(_ viewing: inout Viewing, _ turn: inout ViewingTurn) -> CommandResult {
        guard viewing.played.snapshot.offersListening, !turn.session.isListening else { return .failed(.notSupported) }
        turn.session.isListening = true
        viewing.transport.bar.hide()
        viewing.transport.forgetUndo()
        turn.effects.append(.presentVideo(false))
        turn.toast = turn.strings.text(.anyKeyForPicture)
        return .success
    }

    package static func endListening(_ turn: inout ViewingTurn) {
        turn.session.isListening = false
        turn.effects.append(.presentVideo(true))
    }
}
