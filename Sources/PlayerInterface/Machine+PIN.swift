import MediaModel

/// The PIN: when it is asked, and what follows from it.
extension InterfaceMachine {
    /// Whether Settings and search can be opened: in a kiosk only by the operator.
    var isOpenToViewer: Bool { !policy.isKiosk || pinLock.isOperator }

    /// Asks; nothing of what it is asked for is seen before.
    mutating func askPIN(for purpose: PINPurpose) -> CommandResult {
        guard policy.hasPIN else {
            // No PIN was set up: what is locked stays locked, and says so.
            showToast(strings.text(.lockedWithoutPIN))
            return .failed(.notSupported)
        }
        pin = PINEntry(for: purpose)
        return .success
    }

    mutating func actOnPIN(_ key: RemoteKey) -> CommandResult {
        guard let outcome = overlays.pin?.act(key, length: policy.pinLength, isLocked: pinLock.isLocked(at: now)) else {
            return .failed(.notSupported)
        }
        switch outcome {
        case .answered(let result): return result
        case .check(let digits):
            effects.append(.checkPIN(digits))
            return .success
        case .cancelled:
            cancelPIN()
            return .success
        }
    }

    private mutating func cancelPIN() {
        let purpose = pin?.purpose
        pin = nil
        guard case .entry = purpose, opening != nil else { return }
        viewing = Viewing()
        screen = .home
        effects.append(.leavePlayer)
    }

    mutating func pinChecked(_ isRight: Bool) {
        guard let purpose = pin?.purpose, pin?.isChecking == true else { return }
        guard isRight else {
            effects.append(.savePINFailures(pinLock.fail(at: now)))
            pin?.failed()
            return
        }
        if pinLock.succeed() { effects.append(.savePINFailures(0)) }
        pin = nil
        pinLock.open(purpose)
        switch purpose {
        case .entry(let entry, _):
            effects.append(.unlock(id: entry.id))
            _ = open(entry)
        case .parental: openLockedPage(.parental)
        case .factoryReset: openLockedPage(.factoryReset)
        case .operatorPages:
            closeLayers()
            _ = openSettings()
        }
    }

    /// What was to be opened needs the PIN: it is asked before anything of it is seen.
    mutating func lockedEntry(_ entry: HomeContent.Entry, rating: String?) {
        endViewing()
        viewing = Viewing(opening: entry)
        guard askPIN(for: .entry(entry, rating: rating)) != .success else { return }
        viewing = Viewing()
        screen = .home
        home.focusEntries()
        effects.append(.leavePlayer)
    }

    /// The operator has asked to be let in. It comes after the key itself has done what it does: the page comes on top of that.
    mutating func settleOperator() {
        guard keys.takeOperatorRequest() else { return }
        if pinLock.isOperator { _ = openSettings() } else { _ = askPIN(for: .operatorPages) }
    }
}
