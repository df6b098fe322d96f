import BoxModel
import Screens
import Viewing

/// Settings: the viewer's path through its menus.
struct SettingsPage: Sendable, Equatable {
    private var menu: MenuModel

    init(_ menus: SettingsMenu) { menu = MenuModel(.settings(.top), entries: menus.entries(of: .settings(.top))) }

    /// Opens a page of it.
    ///
    /// - Parameter phrase: the title of the row with focus.
    init(_ menus: SettingsMenu, on page: SettingsSection, focus phrase: Phrase) {
        self.init(menus)
        let title = menus.strings.text(phrase)
        menu.push(.settings(page), focus: menus.entries(of: .settings(page)).firstIndex { $0.title == title } ?? 0)
        settle(in: menus)
    }

    /// - Parameter lock: whether the PIN-protected part is open.
    mutating func act(_ key: RemoteKey, in menus: SettingsMenu, lock: PINLock) -> KeyOutcome {
        if let purpose = menus.purposeOfOpening(key, in: menu), !lock.isOpen(purpose, hasPIN: menus.policy.hasPIN) {
            return .wants(.askPIN(purpose))
        }
        let outcome = menu.act(
            key, step: menus.strings.step(of: key), rowsOnScreen: Metrics.Menu.settingsRows, entries: menus.entries)
        switch (outcome, key) {
        case (.answered(let result), _): return .answered(result)
        case (.chosen(let action), _): return .wants(action.intent)
        case (.unused, .back), (.unused, .menu), (.unused, .home): return .closed
        case (.unused, _): return .refused(.notSupported)
        }
    }

    mutating func settle(in menus: SettingsMenu) {
        menu.settle(menus.entries(of: menu.page), rowsOnScreen: Metrics.Menu.settingsRows)
    }

    /// Opens a page that was behind the PIN.
    mutating func open(_ locked: MenuPage) { menu.push(locked, focus: 0) }

    func view(_ menus: SettingsMenu) -> SettingsView { menus.view(of: menu) }
}
