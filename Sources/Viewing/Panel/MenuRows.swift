import MediaModel
import Screens

/// Makes the rows of menus, in the viewer's language and with the current settings.
package struct MenuRows: Sendable {
    let strings: StringCatalogue
    let settings: ViewerSettings

    package init(strings: StringCatalogue, settings: ViewerSettings) {
        self.strings = strings
        self.settings = settings
    }

    func submenu(
        _ phrase: Phrase, _ page: MenuPage, value: String? = nil, explanation: String? = nil, icon: MenuIcon? = nil,
        swatch: CaptionStyle.Colour? = nil
    ) -> MenuEntry {
        MenuEntry(
            action: .open(page), title: strings.text(phrase), value: value, mark: .submenu, explanation: explanation, icon: icon,
            swatch: swatch)
    }

    /// Opens a page of Settings.
    func section(_ page: SettingsSection, value: String? = nil) -> MenuEntry {
        submenu(page.title, .settings(page), value: value, icon: page.icon)
    }

    /// A switch, with its own texts.
    func toggle(_ setting: ViewerSwitch, isEnabled: Bool = true) -> MenuEntry {
        var changed = settings
        changed[setting].toggle()
        let (title, explanation) = setting.phrases
        return MenuEntry(
            action: .toggle(changed), title: strings.text(title), mark: .toggle(isOn: settings[setting]),
            explanation: explanation.map { strings.text($0) }, isEnabled: isEnabled)
    }

    func choice(
        _ title: String, isCurrent: Bool, explanation: String? = nil, swatch: CaptionStyle.Colour? = nil,
        _ change: (inout ViewerSettings) -> Void
    ) -> MenuEntry {
        var changed = settings
        change(&changed)
        return MenuEntry(
            action: .set(changed), title: title, mark: .choice(isCurrent: isCurrent), explanation: explanation, swatch: swatch)
    }

    func percent(_ value: Int) -> String { strings.text(.percent, "\(value)") }
}
