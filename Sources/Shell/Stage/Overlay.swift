import BoxModel
import Viewing

/// An overlay of Home or of the player, which receives the keys. Below it there may be a `PictureOverlay`.
enum Overlay: Sendable {
    case page(Page)
    case longText(LongText)
    case card(Card)
    case pin(PINEntry)

    /// The kinds of overlays; each covers those before it.
    enum Kind: Int, Sendable {
        case page, longText, card, pin

        /// The receiver of keys while it is on top.
        var keyContext: KeyContext {
            switch self {
            case .page: .page
            case .longText: .longText
            case .card: .card
            case .pin: .pin
            }
        }
    }

    var kind: Kind {
        switch self {
        case .page: .page
        case .longText: .longText
        case .card: .card
        case .pin: .pin
        }
    }

    /// Whether digits are typed in it. Otherwise they are a channel's number.
    var takesDigits: Bool {
        switch self {
        case .pin: true
        case .page(let page): page.takesDigits
        case .longText, .card: false
        }
    }

    /// Handles a key.
    mutating func act(_ key: RemoteKey, in context: InterfaceContext) -> KeyOutcome {
        switch self {
        case .pin(var pin):
            defer { self = .pin(pin) }
            return pin.act(key, length: context.policy.pinLength, isLocked: context.isPINLocked)
        case .card(var card):
            defer { self = .card(card) }
            return card.act(key, step: context.strings.step(of: key), in: context.card)
        case .longText(var text):
            defer { self = .longText(text) }
            return text.act(key)
        case .page(var page):
            defer { self = .page(page) }
            return page.act(key, in: context)
        }
    }
}

/// The open overlays, at most one of each kind, in covering order. A covered overlay reappears when the one above it closes.
struct OverlayStack: Sendable {
    /// Lowest first.
    private var layers: [Overlay] = []

    /// The topmost overlay.
    var top: Overlay? { layers.last }
    var isEmpty: Bool { layers.isEmpty }

    func contains(_ kind: Overlay.Kind) -> Bool { layers.contains { $0.kind == kind } }

    /// Whether a page or a text is open.
    var coversScreen: Bool { contains(.page) || contains(.longText) }

    /// Opens an overlay, or replaces the one of the same kind.
    mutating func put(_ overlay: Overlay) {
        if let index = layers.firstIndex(where: { $0.kind.rawValue >= overlay.kind.rawValue }) {
            if layers[index].kind == overlay.kind { layers[index] = overlay } else { layers.insert(overlay, at: index) }
        } else {
            layers.append(overlay)
        }
    }

    mutating func remove(_ kinds: Overlay.Kind...) {
        if !layers.isEmpty { layers.removeAll { kinds.contains($0.kind) } }
    }

    private mutating func set(_ overlay: Overlay?, _ kind: Overlay.Kind) {
        if let overlay { put(overlay) } else { remove(kind) }
    }

    // MARK: Individual kinds

    var page: Page? {
        get {
            for case .page(let page) in layers { return page }
            return nil
        }
        set { set(newValue.map(Overlay.page), .page) }
    }

    var longText: LongText? {
        for case .longText(let text) in layers { return text }
        return nil
    }

    var card: Card? {
        for case .card(let card) in layers { return card }
        return nil
    }

    var pin: PINEntry? {
        for case .pin(let pin) in layers { return pin }
        return nil
    }
}
