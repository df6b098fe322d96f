/// What lies on top of Home or of the picture and has the keys.
enum Overlay: Sendable {
    case pin(PINEntry)
    case card(CardModel)
    case longText(LongText)
    case page(Page)
    /// Over the picture only.
    case proposal(Proposal)
    /// Over the picture only.
    case panel(PanelModel)
}

/// What lies over Home and the player alike, in layers. What is covered comes back when the layer above it goes.
struct OverlayLayers: Sendable {
    var pin: PINEntry?
    var card: CardModel?
    var longText: LongText?
    var page: Page?

    /// The layer that nothing else covers.
    var top: Overlay? {
        if let pin { return .pin(pin) }
        if let card { return .card(card) }
        if let longText { return .longText(longText) }
        return page.map { .page($0) }
    }

    var isEmpty: Bool { pin == nil && card == nil && longText == nil && page == nil }

    /// A page, a text and the PIN go; a card stays until it is answered.
    mutating func close() {
        page = nil
        longText = nil
        pin = nil
    }
}
