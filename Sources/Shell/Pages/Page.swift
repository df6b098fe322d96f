import BoxModel
import Screens
import Viewing

/// A page over Home or over the picture. At most one is open, and nothing else has focus.
enum Page: Sendable, Equatable {
    case settings(SettingsPage)
    case search(SearchPage)
    case guide(GuidePage)
    case channels(ChannelListPage)
    case delay(DelayPage)
    case details(DetailsPage)
    case wireless(WirelessPage)
    case firstRun(FirstRunPage)

    /// nil if there is nothing to show, or if it is not allowed.
    ///
    /// - Parameter page: the page that is open.
    init?(_ kind: PageKind, over page: Page?, in context: InterfaceContext) {
        switch kind {
        case .settings:
            guard context.isOpenToViewer else { return nil }
            self = .settings(SettingsPage(context.settingsMenu))
        case .search:
            guard context.hasSearch else { return nil }
            self = .search(SearchPage())
        case .guide:
            guard let page = GuidePage(context.browsing) else { return nil }
            self = .guide(page)
        case .channels:
            guard let page = ChannelListPage(context.browsing) else { return nil }
            self = .channels(page)
        case .delay(let part):
            guard context.playing.played.item != nil else { return nil }
            self = .delay(DelayPage(part, origin: context.delays.value(of: part)))
        case .wireless:
            guard context.hasWireless else { return nil }
            if case .settings(let parent)? = page {
                self = .wireless(WirelessPage(over: parent))
            } else {
                self = .wireless(WirelessPage(over: nil))
            }
        }
    }

    mutating func act(_ key: RemoteKey, in context: InterfaceContext) -> KeyOutcome {
        switch self {
        case .settings(var page):
            defer { self = .settings(page) }
            return page.act(key, in: context.settingsMenu, lock: context.parts.pinLock)
        case .search(var page):
            defer { self = .search(page) }
            return page.act(key, in: context.browsing)
        case .guide(var page):
            defer { self = .guide(page) }
            return page.act(key, in: context.browsing)
        case .channels(var page):
            defer { self = .channels(page) }
            return page.act(key, in: context.browsing)
        case .delay(let page): return page.act(key, step: context.strings.step(of: key), in: context.delays)
        case .details(var page):
            let outcome = page.act(key, in: context.browsing)
            self = .details(page)
            guard outcome == .closed, let previous = page.previous else { return outcome }
            self = previous
            return .done
        case .wireless(var page):
            let outcome = page.act(key, in: context.wireless)
            self = .wireless(page)
            guard outcome == .closed, key != .menu, key != .home, let parent = page.parent else { return outcome }
            self = .settings(parent)
            return .done
        case .firstRun(var page):
            defer { self = .firstRun(page) }
            return page.act(key, in: context.firstRun)
        }
    }

    /// Whether digits are typed on it.
    var takesDigits: Bool {
        switch self {
        case .search: true
        case .wireless(let page): page.isTyping
        case .firstRun(let page): page.isTyping
        case .settings, .guide, .channels, .delay, .details: false
        }
    }

    /// The text that it asks for; nil for none.
    func question(in context: InterfaceContext) -> TextQuestion? {
        switch self {
        case .search(let page): page.question(context.browsing)
        case .wireless(let page): page.question(context.wireless)
        case .firstRun(let page): page.question(context.firstRun)
        case .settings, .guide, .channels, .delay, .details: nil
        }
    }

    /// Another device has typed what it asks for.
    mutating func take(_ text: String, in context: InterfaceContext) {
        switch self {
        case .search(var page):
            page.take(text, in: context.browsing)
            self = .search(page)
        case .wireless(var page):
            page.take(text)
            self = .wireless(page)
        case .firstRun(var page):
            page.take(text)
            self = .firstRun(page)
        case .settings, .guide, .channels, .delay, .details: break
        }
    }

    /// The ids of the programmes whose pages are open.
    var describedIDs: [String] { if case .details(let page) = self { page.ids } else { [] } }

    /// More is known about a programme, or, with nil, it no longer exists.
    ///
    /// - Returns: the page that is open then; nil for none.
    func described(_ id: String, _ details: Details?) -> Page? {
        if case .details(let page) = self { page.described(id, details) } else { self }
    }

    /// Opens a page of Settings that needed the PIN.
    mutating func open(_ locked: MenuPage) {
        guard case .settings(var page) = self else { return }
        page.open(locked)
        self = .settings(page)
    }

    /// Adapts the page after a choice that may have changed its rows, or when the wireless networks have changed.
    mutating func settle(in context: InterfaceContext) {
        switch self {
        case .settings(var page):
            page.settle(in: context.settingsMenu)
            self = .settings(page)
        case .wireless(var page):
            page.statusChanged(in: context.wireless)
            self = .wireless(page)
        case .firstRun(var page):
            page.settle(in: context.firstRun)
            self = .firstRun(page)
        case .search, .guide, .channels, .delay, .details: break
        }
    }

    /// Whether it opens in place of the bar and the panel. Settings, search and what search finds are opened from Home, or by the operator.
    var replacesBar: Bool {
        switch self {
        case .guide, .channels, .delay: true
        case .settings, .search, .details, .wireless, .firstRun: false
        }
    }

    /// Whether wireless networks are looked for.
    var showsNetworks: Bool {
        switch self {
        case .wireless: true
        case .firstRun(let page): page.showsNetworks
        case .settings, .search, .guide, .channels, .delay, .details: false
        }
    }

    /// Whether Back from what was chosen on it returns to it.
    var isReturnedTo: Bool {
        switch self {
        case .search, .guide, .details: true
        case .settings, .channels, .delay, .wireless, .firstRun: false
        }
    }

    /// The type of its view, which states how it lies over the picture.
    private var content: any PageContent.Type {
        switch self {
        case .settings: SettingsView.self
        case .search: SearchView.self
        case .guide: GuideView.self
        case .channels: ChannelListView.self
        case .delay: DelayView.self
        case .details(let page): page.content
        case .wireless(let page): page.isTyping ? PassphraseView.self : SettingsView.self
        case .firstRun(let page): page.content
        }
    }

    var hidesPicture: Bool { content.hidesPicture }
    var showsTime: Bool { if case .details(let page) = self { page.showsTime } else { content.showsTime } }

    func view(_ context: InterfaceContext) -> PageView {
        switch self {
        case .settings(let page): .settings(page.view(context.settingsMenu))
        case .search(let page): .search(page.view(context.browsing))
        case .guide(let page): .guide(page.view(context.browsing))
        case .channels(let page): .channels(page.view(context.browsing))
        case .delay(let page): .delay(page.view(context.delays, strings: context.strings))
        case .details(let page): page.view(context.browsing)
        case .wireless(let page): page.view(context.wireless)
        case .firstRun(let page): page.view(context.firstRun)
        }
    }
}
