import BoxModel
import Screens

/// A passphrase while it is typed. What is typed leaves it only to join the network.
struct PassphraseEntry: Sendable, Equatable {
    private var pad = CharacterPad(isSecret: true, longest: Passphrase.lengths.upperBound)
    /// Whether Connect was pressed with too few characters.
    private var wasTooShort = false

    var count: Int { pad.typed.count }

    /// What a key did.
    enum Outcome: Sendable, Equatable {
        case answered(CommandResult)
        case closed
        /// The passphrase is complete.
        case connect(Passphrase)
    }

    mutating func act(_ key: RemoteKey) -> Outcome {
        let before = count
        defer { if count != before { wasTooShort = false } }
        switch pad.act(key) {
        case .answered(let result): return .answered(result)
        case .closed: return .closed
        case .done:
            if let passphrase = Passphrase(pad.typed) { return .connect(passphrase) }
            wasTooShort = true
            return .answered(.failed(.notReady))
        }
    }

    /// Another device has typed. Focus is on Connect as soon as a network can have this passphrase.
    mutating func take(_ text: String) {
        wasTooShort = false
        pad.take(text, isComplete: Passphrase(text) != nil)
    }

    /// - Parameters:
    ///   - network: the name of the network.
    ///   - wasRefused: whether the network refused what was typed before.
    ///   - phone: the code for a phone.
    func view(for network: String, wasRefused: Bool, phone: PhoneCode?, strings: StringCatalogue) -> PassphraseView {
        let name = strings.isolated(network)
        return pad.view(
            title: strings.text(.wirelessPassphrase, name), placeholder: strings.text(.wirelessPassphraseEmpty),
            hint: strings.text(wasTooShort ? .wirelessPassphraseShort : .wirelessPassphraseHint),
            warning: wasRefused ? strings.text(.wirelessRefused, name) : nil, phone: phone, done: .wirelessConnect,
            strings: strings)
    }
}
