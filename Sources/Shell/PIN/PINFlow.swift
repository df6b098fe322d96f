import BoxModel
import LinuxSupport
import Viewing

/// How a PIN is asked for, set, changed and removed on the stage.
enum PINFlow {
    /// Requests the PIN; nothing protected is shown before. What is locked stays locked while no PIN is set, because a child may hold the
    /// remote. A PIN is made in Settings or at set-up.
    static func ask(for purpose: PINPurpose, _ stage: inout Stage, _ turn: inout StageTurn) -> CommandResult {
        let policy = turn.policy
        switch purpose {
        case .newPIN:
            guard policy.setsPIN, !policy.hasPIN else { return .failed(.notSupported) }
            stage.put(.pin(PINEntry(for: purpose)))
        case .changePIN, .removePIN:
            guard policy.setsPIN, policy.hasPIN else { return .failed(.notSupported) }
            stage.put(.pin(PINEntry(for: purpose)))
        case _ where policy.hasPIN: stage.put(.pin(PINEntry(for: purpose)))
        default:
            // Protected items stay locked, with a message.
            turn.showToast(turn.strings.text(policy.setsPIN ? .lockedUntilPIN : .lockedWithoutPIN))
            return .failed(.notSupported)
        }
        return .success
    }

    /// The digits of a PIN were checked.
    static func checked(_ pin: PINEntry, isRight: Bool, _ stage: inout Stage, _ turn: inout StageTurn) -> KeyOutcome {
        var pin = pin
        guard isRight else {
            pin.failed()
            stage.put(.pin(pin))
            return .done
        }
        switch pin.purpose {
        case .changePIN:
            pin.askForNew()
            stage.put(.pin(pin))
            return .done
        case .removePIN:
            stage.remove(.pin)
            turn.effects.append(.savePIN(nil))
            turn.showToast(turn.strings.text(.pinRemoved))
            // Without a PIN a limit of the viewer's would lock programmes for good.
            var open = turn.settings
            open.parentalAge = nil
            return open == turn.settings ? .done : .wants(.choose(.set(open)))
        default:
            stage.remove(.pin)
            return unlock(pin.purpose, &stage, &turn)
        }
    }

    /// A new PIN was typed twice.
    static func chosen(_ digits: String, _ stage: inout Stage, _ turn: inout StageTurn) -> KeyOutcome {
        guard stage.overlays.pin != nil else { return .refused(.notSupported) }
        stage.remove(.pin)
        turn.effects.append(.savePIN(digits))
        turn.showToast(turn.strings.text(.pinSaved))
        return .done
    }

    /// What a PIN protects opens.
    private static func unlock(_ purpose: PINPurpose, _ stage: inout Stage, _ turn: inout StageTurn) -> KeyOutcome {
        switch purpose {
        case .entry(let entry, _):
            turn.effects.append(.unlock(id: entry.id))
            // It is opened a second time, from the same page: Back from it returns there.
            if stage.overlays.page == nil { stage.returnToOrigin() }
            return .wants(.open(entry))
        case .page(let page, _): stage.openInSettings(page)
        case .operatorPages:
            stage.closeLayers()
            return .wants(.openPage(.settings))
        case .wireless:
            stage.closeLayers()
            return .wants(.openPage(.wireless))
        case .newPIN, .changePIN, .removePIN: break
        }
        return .done
    }
}
