import BoxModel
import Screens

/// The address of the channels while it is typed. It is shown as it is typed.
struct AddressEntry: Sendable, Equatable {
    /// As long as an address in `marquee.toml` is on a screen.
    private static let longest = 500
    private static let beginning = "https://"

    private var pad: CharacterPad

    /// - Parameter typed: what was typed before; nil for the first time.
    init(_ typed: String? = nil) {
        pad = CharacterPad(typed ?? Self.beginning, isSecret: false, longest: Self.longest, extras: [".", "/", "-", ":"])
    }

    var typed: String { pad.typed }

    mutating func act(_ key: RemoteKey) -> CharacterPad.Outcome {
        let outcome = pad.act(key)
        // Nothing is asked for without a host.
        guard outcome == .done, typed.count <= Self.beginning.count else { return outcome }
        return .answered(.failed(.notReady))
    }

    func question(_ strings: StringCatalogue) -> TextQuestion {
        TextQuestion(title: strings.text(.firstRunAddress), text: typed, count: typed.count, longest: Self.longest)
    }

    /// Another device has typed.
    mutating func take(_ text: String) { pad.take(text, isComplete: text.hasPrefix(Self.beginning) && text.contains(".")) }

    func view(phone: PhoneCode?, strings: StringCatalogue) -> PassphraseView {
        pad.view(
            title: strings.text(.firstRunAddress), placeholder: Self.beginning, hint: strings.text(.firstRunAddressHint),
            warning: nil, phone: phone, done: .firstRunContinue, strings: strings)
    }
}
