/// The order in which devices are tried when no device is named. A value.
///
/// alsa-lib's `default` comes first: it may be a sound server, or the choice of a person. If it is only the first card of the machine, an HDMI output with a
/// screen is better: a box with two HDMI connectors has a card for each, and the screen may be on the second.
struct AutomaticOutput {
    static let defaultName = "default"
    private let cards: [Int32]
    /// The HDMI outputs that have a screen which accepts sound.
    private let screens: [(card: Int32, device: Int)]
    /// Whether the default device was compared with the others: this is done once.
    var hasCompared = false

    init(_ library: any ALSALibrary) {
        let sound = SoundCards(library: library)
        self.init(cards: library.cards()) { card in sound.screens(of: Int(card)).map { $0 != nil } }
    }

    /// - Parameter screens: whether there is a screen at each digital output of a card, in the order of its devices.
    init(cards: [Int32], screens: (Int32) -> [Bool]) {
        self.cards = cards
        self.screens = cards.flatMap { card in
            screens(card).enumerated().filter(\.element).map { (card, $0.offset) }
        }
    }

    /// The default, the HDMI outputs with a screen, the HDMI outputs of all cards, then the cards themselves.
    var names: [String] {
        [Self.defaultName] + outputs + cards.map { "hdmi:CARD=\($0)" } + cards.map { "plughw:CARD=\($0)" }
    }

    private var outputs: [String] { screens.map { "hdmi:CARD=\($0.card),DEV=\($0.device)" } }

    /// The outputs that are better than a device that could be opened.
    ///
    /// - Parameter card: the card behind it; nil when a plug-in, such as a sound server, is behind it.
    func better(than name: String, onCard card: Int32?) -> [String] {
        guard !hasCompared, name == Self.defaultName, let card, card == cards.first else { return [] }
        return screens.contains { $0.card == card } ? [] : outputs
    }
}
