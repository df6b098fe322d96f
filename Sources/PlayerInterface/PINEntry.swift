import LinuxSupport
import MediaModel

/// Why a PIN is requested.
enum PINPurpose: Sendable, Equatable {
    /// A programme over the limit.
    case entry(HomeContent.Entry, rating: String?)
    /// The page of the limit.
    case parental
    /// Settings and search of a kiosk.
    case operatorPages
    /// The page for the factory reset.
    case factoryReset
    /// The question whether the update on a USB stick is installed.
    case stickUpdate
    /// The question whether a saved programme is deleted: the id of its store, and its title.
    case deletion(String, title: String)
}

/// The page on which a PIN is typed. The digits are never shown, and leave it only to be checked.
struct PINEntry: Sendable, Equatable {
    private static let pad: [[RemoteKey?]] = [
        [.digit1, .digit2, .digit3], [.digit4, .digit5, .digit6], [.digit7, .digit8, .digit9], [nil, .digit0, nil],
    ]

    let purpose: PINPurpose
    private var digits = ""
    private var row = 0
    private var column = 1
    private(set) var isChecking = false
    private var wasWrong = false

    init(for purpose: PINPurpose) { self.purpose = purpose }

    /// When all digits are typed they are to be checked; the answer arrives through `failed` or by closing the page.
    ///
    /// - Parameters:
    ///   - length: the number of digits of the PIN.
    ///   - isLocked: whether digits are refused after too many wrong tries.
    mutating func act(_ key: RemoteKey, length: Int, isLocked: Bool) -> KeyOutcome {
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
        case .back, .home, .menu, .stop: return .wants(.cancelPIN)
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
        isChecking = true
        return .wants(.checkPIN(digits))
    }

    /// The checked PIN is wrong.
    mutating func failed() {
        digits = ""
        isChecking = false
        wasWrong = true
    }

    func view(_ lock: PINLock, length: Int, strings: StringCatalogue, at now: HostTime) -> PINView {
        var warning: String?
        let isLocked = lock.isLocked(at: now)
        if let seconds = lock.secondsLocked(at: now) {
            warning = strings.text(.pinLocked, TimeText.clock(seconds))
        } else if wasWrong {
            warning = strings.text(.wrongPIN) + " " + strings.plural(.triesLeft, lock.triesLeft)
        }
        return PINView(
            title: strings.text(.enterPIN), message: message(in: strings), enteredCount: digits.count, length: length,
            warning: warning, isLocked: isLocked,
            keys: [
                ["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"], [strings.text(.deleteLetter), "0", strings.text(.cancel)],
            ],
            focus: isLocked ? .key(row: 3, column: 2) : .key(row: row, column: column))
    }

    private func message(in strings: StringCatalogue) -> String {
        switch purpose {
        case .entry(let entry, let rating):
            rating.map { strings.text(.lockedRating, entry.title, $0) } ?? strings.text(.lockedUnrated, entry.title)
        case .parental: strings.text(.parental)
        case .factoryReset: strings.text(.resetBox)
        case .stickUpdate: strings.text(.updateFromStick)
        case .deletion(_, let title): strings.text(.deleteQuestion, title)
        case .operatorPages: strings.text(.settings)
        }
    }
}
