import BoxModel
import LinuxSupport
import Screens
import Viewing

/// The page on which a PIN is typed: the one in force, or a new one twice. The digits are never shown, and leave it only to be checked or stored.
struct PINEntry: Sendable, Equatable {
    /// What is typed.
    private enum Step: Equatable {
        /// The PIN in force.
        case current
        /// A new one.
        case new
        /// The same one again.
        case again(String)
    }

    private static let pad: [[RemoteKey?]] = [
        [.digit1, .digit2, .digit3], [.digit4, .digit5, .digit6], [.digit7, .digit8, .digit9], [nil, .digit0, nil],
    ]

    let purpose: PINPurpose
    private var step: Step
    private var digits = ""
    /// Focus begins on 5, from which no digit is further than three presses.
    private var row = 1
    private var column = 1
    private(set) var isChecking = false
    private var wasWrong = false

    init(for purpose: PINPurpose) {
        self.purpose = purpose
        step = purpose == .newPIN ? .new : .current
    }

    /// When all digits of the PIN in force are typed they are to be checked; the answer arrives through `failed`, `askForNew`, or by closing the page.
    ///
    /// - Parameters:
    ///   - length: the number of digits of the PIN.
    ///   - isLocked: whether digits are refused after too many wrong tries. A new PIN is no try.
    mutating func act(_ key: RemoteKey, length: Int, isLocked: Bool) -> KeyOutcome {
        let isLocked = isLocked && step == .current
        switch key {
        // While digits are refused only Cancel can have focus.
        case .up, .down, .left, .right: return .answered(isLocked ? .failed(.noChange) : move(key))
        case .ok where isLocked: return .wants(.cancelPIN)
        case .ok:
            if let digit = Self.pad[row][column] { return type(digit.rawValue, length: length, isLocked: isLocked) }
            if column == 2 { return .wants(.cancelPIN) }
            guard !digits.isEmpty else { return .refused(.noChange) }
            digits.removeLast()
            return .done
        case .digit0, .digit1, .digit2, .digit3, .digit4, .digit5, .digit6, .digit7, .digit8, .digit9:
            return type(key.rawValue, length: length, isLocked: isLocked)
        case .back:
            guard case .again = step else { return .wants(.cancelPIN) }
            askForNew()  // the digits before are typed again
            return .done
        case .home, .menu, .stop: return .wants(.cancelPIN)
        default: return .answered(.failed(.notSupported))
        }
    }

    /// The digits are laid out like a telephone's in every language: left is left.
    private mutating func move(_ key: RemoteKey) -> CommandResult {
        let row = row + (key == .down ? 1 : key == .up ? -1 : 0)
        let column = column + (key == .right ? 1 : key == .left ? -1 : 0)
        guard (0...3).contains(row), (0...2).contains(column) else { return .failed(.noChange) }
        (self.row, self.column) = (row, column)
        return .success
    }

    private mutating func type(_ digit: String, length: Int, isLocked: Bool) -> KeyOutcome {
        guard !isLocked, !isChecking else { return .refused(.notReady) }
        wasWrong = false
        digits.append(digit)
        guard digits.count >= length else { return .done }
        let typed = digits
        switch step {
        case .current:
            isChecking = true
            return .wants(.request(.checkPIN(typed)))
        case .new:
            digits = ""
            step = .again(typed)
            return .done
        case .again(typed): return .wants(.savePIN(typed))
        case .again:
            askForNew()
            wasWrong = true
            return .done
        }
    }

    /// The checked PIN is wrong.
    mutating func failed() {
        digits = ""
        isChecking = false
        wasWrong = true
    }

    /// The PIN in force is right, or the new one was not repeated: a new one is typed.
    mutating func askForNew() {
        step = .new
        digits = ""
        isChecking = false
        wasWrong = false
    }

    // MARK: View

    func view(_ lock: PINLock, length: Int, strings: StringCatalogue, at now: HostTime) -> PINView {
        var warning: String?
        let isLocked = step == .current && lock.isLocked(at: now)
        if isLocked, let seconds = lock.secondsLocked(at: now) {
            warning = strings.text(.pinLocked, TimeText.clock(seconds))
        } else if wasWrong {
            warning =
                step == .current
                ? strings.text(.wrongPIN).followed(by: strings.plural(.triesLeft, lock.triesLeft))
                : strings.text(.pinsDiffer)
        }
        return PINView(
            title: isLocked ? strings.text(.pinLockedTitle) : title(in: strings), message: message(of: purpose, in: strings),
            enteredCount: digits.count, length: length,
            warning: warning, isLocked: isLocked,
            keys: [
                ["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], [strings.text(.deleteLetter), "0", strings.text(.cancel)],
            ],
            focus: isLocked ? .key(row: 3, column: 2) : .key(row: row, column: column))
    }

    private func title(in strings: StringCatalogue) -> String {
        switch step {
        case .current: strings.text(purpose == .changePIN ? .currentPIN : .enterPIN)
        case .new: strings.text(.newPIN)
        case .again: strings.text(.repeatPIN)
        }
    }

    private func message(of purpose: PINPurpose, in strings: StringCatalogue) -> String {
        switch purpose {
        case .entry(let entry, let rating):
            rating.map { strings.text(.lockedRating, entry.title, $0) } ?? strings.text(.lockedUnrated, entry.title)
        case .page(_, let words): words
        case .changePIN: strings.text(.parental)
        case .removePIN: strings.text(.removePIN)
        case .operatorPages: strings.text(.settings)
        case .wireless: strings.text(.wireless)
        case .newPIN: strings.text(.newPINExplained)
        }
    }
}
