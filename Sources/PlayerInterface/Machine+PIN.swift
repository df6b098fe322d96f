import LinuxSupport
import MediaModel
import MediaTime

/// What a PIN was asked for.
enum PINPurpose: Sendable, Equatable {
    /// A programme over the limit.
    case entry(HomeContent.Entry, rating: String?)
    /// The page of the limit.
    case parental
    /// Settings, search and set-up of a kiosk.
    case operatorPages
    /// The page on which the box is reset.
    case factoryReset
}

/// The page of the PIN.
struct PINModel: Sendable, Equatable {
    let purpose: PINPurpose
    var digits = ""
    var row = 0
    var column = 1
    /// A check is under way.
    var isChecking = false
    var wasWrong = false
}

/// The PIN: asked before the first frame; five tries, then five minutes; the digits are never shown and leave the machine only to be
/// checked.
extension InterfaceMachine {
    static let pad: [[RemoteKey?]] = [
        [.digit1, .digit2, .digit3], [.digit4, .digit5, .digit6], [.digit7, .digit8, .digit9], [nil, .digit0, nil],
    ]

    func isUnlocked(_ purpose: PINPurpose) -> Bool {
        switch purpose {
        case .entry(let entry, _): unlocked.contains(entry.id)
        case .parental: unlocked.contains("settings.parental") || !policy.hasPIN
        case .operatorPages: isOperator
        // Each time: what it does cannot be undone for long.
        case .factoryReset: isOperator || !policy.hasPIN
        }
    }

    /// Asks; nothing of what it is asked for is seen before.
    mutating func askPIN(for purpose: PINPurpose) -> CommandResult {
        guard policy.hasPIN else {
            // Nobody has set a PIN: what is locked stays locked, and says so.
            showToast(policy.strings.text(.lockedWithoutPIN))
            return .failed(.notSupported)
        }
        pin = PINModel(purpose: purpose)
        return .success
    }

    /// Whether too many were wrong, and until when.
    var pinLock: HostTime? { pinLockedUntil.flatMap { now < $0 ? $0 : nil } }

    mutating func actOnPIN(_ key: RemoteKey, _ model: PINModel) -> CommandResult {
        switch key {
        case .up, .down, .left, .right:
            // Digits stand as on a telephone in every language: left is left.
            let row = model.row + (key == .down ? 1 : key == .up ? -1 : 0)
            let column = model.column + (key == .right ? 1 : key == .left ? -1 : 0)
            guard (0...3).contains(row), (0...2).contains(column) else { return .failed(.noChange) }
            pin?.row = row
            pin?.column = column
            return .success
        case .ok:
            if let digit = Self.pad[model.row][model.column] { return enter(digit.rawValue) }
            if model.column == 2 { return leavePIN() }
            guard !model.digits.isEmpty else { return .failed(.noChange) }
            pin?.digits.removeLast()
            return .success
        case .digit0, .digit1, .digit2, .digit3, .digit4, .digit5, .digit6, .digit7, .digit8, .digit9: return enter(key.rawValue)
        case .back, .home, .menu, .stop: return leavePIN()
        default: return .failed(.notSupported)
        }
    }

    private mutating func enter(_ digit: String) -> CommandResult {
        guard pinLock == nil, let model = pin, !model.isChecking else { return .failed(.notReady) }
        pin?.wasWrong = false
        pin?.digits.append(digit)
        guard let typed = pin?.digits, typed.count >= policy.pinLength else { return .success }
        pin?.isChecking = true
        effects.append(.checkPIN(typed))
        return .success
    }

    mutating func leavePIN() -> CommandResult {
        guard let model = pin else { return .failed(.notSupported) }
        pin = nil
        if case .entry = model.purpose, opening != nil {
            opening = nil
            screen = .home
            effects.append(.leavePlayer)
        }
        return .success
    }

    mutating func pinChecked(_ isRight: Bool) {
        guard let model = pin, model.isChecking else { return }
        guard isRight else {
            pinFailures += 1
            effects.append(.savePINFailures(pinFailures))
            pin?.digits = ""
            pin?.isChecking = false
            pin?.wasWrong = true
            if pinFailures % Timing.pinTries == 0 { lockPIN() }
            return
        }
        if pinFailures > 0 {
            pinFailures = 0
            effects.append(.savePINFailures(0))
        }
        pin = nil
        switch model.purpose {
        case .entry(let entry, _):
            unlocked.insert(entry.id)
            effects.append(.unlock(id: entry.id))
            opening = nil
            _ = open(entry)
        case .parental:
            unlocked.insert("settings.parental")
            openLockedPage(.parental)
        case .factoryReset: openLockedPage(.factoryReset)
        case .operatorPages:
            isOperator = true
            closeLayers()
            _ = openSettings()
        }
    }

    /// What was wrong before the power was cut still counts.
    mutating func restorePINFailures(_ count: Int) {
        pinFailures = count
        if count > 0, count % Timing.pinTries == 0 { lockPIN() }
    }

    private mutating func lockPIN() {
        let until = now + Timing.pinLock
        pinLockedUntil = until
        arm(.pin, at: now + .seconds(1))
    }

    /// The wait is counted down on the page.
    mutating func settlePIN() {
        guard let until = pinLock else {
            pinLockedUntil = nil
            cancel(.pin)
            return
        }
        let left = (until - now).wholeSecondsUp
        arm(.pin, at: until - .seconds(max(0, left - 1)))
    }

    func pinView(_ model: PINModel) -> PINView {
        let strings = policy.strings
        let message: String =
            switch model.purpose {
            case .entry(let entry, let rating):
                rating.map { strings.text(.lockedRating, entry.title, $0) } ?? strings.text(.lockedUnrated, entry.title)
            case .parental: strings.text(.parental)
            case .factoryReset: strings.text(.resetBox)
            case .operatorPages: strings.text(.settings)
            }
        var warning: String?
        if let until = pinLock {
            warning = strings.text(.pinLocked, TimeText.clock((until - now).wholeSecondsUp))
        } else if model.wasWrong {
            let left = Timing.pinTries - pinFailures % Timing.pinTries
            warning = strings.text(.wrongPIN) + " " + strings.plural(.triesLeft, left)
        }
        return PINView(
            title: strings.text(.enterPIN), message: message, enteredCount: model.digits.count, length: policy.pinLength,
            warning: warning, isLocked: pinLock != nil,
            keys: [
                ["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], [strings.text(.deleteLetter), "0", strings.text(.cancel)],
            ],
            focus: .key(row: model.row, column: model.column))
    }

    // MARK: A kiosk's operator

    /// Up Up Down Down OK, or Back and OK held for five seconds, asks for the operator's PIN.
    mutating func noteOperatorKey(_ key: RemoteKey) {
        guard policy.isKiosk, pin == nil else { return }
        operatorKeys = Array((operatorKeys + [key]).suffix(5))
        guard operatorKeys == [.up, .up, .down, .down, .ok] else { return }
        operatorKeys = []
        wantsOperator = true
    }

    /// After the key itself has done what it does: the page comes on top of that.
    mutating func settleOperator() {
        guard wantsOperator else { return }
        wantsOperator = false
        if isOperator { _ = openSettings() } else { _ = askPIN(for: .operatorPages) }
    }
}
