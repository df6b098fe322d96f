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

    func toggle(
        _ phrase: Phrase, _ path: WritableKeyPath<ViewerSettings, Bool>, explanation: String? = nil, isEnabled: Bool = true
    ) -> MenuEntry {
        var changed = settings
        changed[keyPath: path].toggle()
        return MenuEntry(
            action: .toggle(changed), title: strings.text(phrase), mark: .toggle(isOn: settings[keyPath: path]),
            explanation: explanation, isEnabled: isEnabled)
    }

    func choice(
        _ title: String, isCurrent: Bool, swatch: CaptionStyle.Colour? = nil, _ change: (inout ViewerSettings) -> Void
    ) -> MenuEntry {
        var changed = settings
        change(&changed)
        return MenuEntry(action: .set(changed), title: title, mark: .choice(isCurrent: isCurrent), swatch: swatch)
    }

    func percent(_ value: Int) -> String { strings.text(.percent, "\(value)") }
}
