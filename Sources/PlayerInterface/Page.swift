import MediaModel

/// A page over Home or over the picture. At most one is open, and nothing else has focus.
enum Page: Sendable, Equatable {
    case settings(SettingsPage)
    case search(SearchPage)
    case guide(GuidePage)
    case channels(ChannelListPage)

    /// - Parameter lock: whether the PIN-protected part of Settings is open.
    mutating func act(_ key: RemoteKey, in context: BrowsingContext, menus: SettingsMenu, lock: PINLock) -> KeyOutcome {
        switch self {
        case .settings(var page):
            defer { self = .settings(page) }
            return page.act(key, in: menus, lock: lock)
        case .search(var page):
            defer { self = .search(page) }
            return page.act(key, in: context)
        case .guide(var page):
            defer { self = .guide(page) }
            return page.act(key, in: context)
        case .channels(var page):
            defer { self = .channels(page) }
            return page.act(key, in: context)
        }
    }

    /// Opens a page of Settings that needed the PIN.
    mutating func open(_ locked: MenuPage) {
        guard case .settings(var page) = self else { return }
        page.open(locked)
        self = .settings(page)
    }

    /// Adapts the menu after a choice that may have changed its rows.
    mutating func settle(in menus: SettingsMenu) {
        guard case .settings(var page) = self else { return }
        page.settle(in: menus)
        self = .settings(page)
    }

    /// Whether the page hides the picture; the channel list lies over it.
    var hidesPicture: Bool {
        switch self {
        case .settings, .search, .guide: true
        case .channels: false
        }
    }

    /// Whether the page shows anything that depends on the time of day.
    var showsTime: Bool {
        switch self {
        case .guide, .channels: true
        case .settings, .search: false
        }
    }

    func show(in view: inout PresentationState, _ context: BrowsingContext, menus: SettingsMenu) {
        switch self {
        case .settings(let page): view.settings = page.view(menus)
        case .search(let page): view.search = page.view(context)
        case .guide(let page): view.guide = page.view(context)
        case .channels(let page): view.channelList = page.view(context)
        }
    }
}
