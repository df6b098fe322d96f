import MediaModel
import Screens

/// The choice of where sound goes.
package struct OutputMenu: Sendable {
    let rows: MenuRows
    let policy: InterfacePolicy

    private var strings: StringCatalogue { rows.strings }
    private var chosen: SoundPort? { rows.settings.soundOutput }

    /// Opens the page; what the operator has set is only told. Nil where there is nothing to choose.
    var entry: MenuEntry? {
        guard let route = policy.soundRoute else { return nil }
        if let fixed = route.fixed {
            return MenuEntry(
                action: .nothing, title: strings.text(.soundOutput), value: strings.label(of: fixed),
                explanation: strings.text(.soundOutputFixed, "marquee.toml"))
        }
        let output = chosen.map { route.output($0.id) ?? $0 }
        return rows.submenu(.soundOutput, .soundOutput, value: output.map(strings.label) ?? strings.text(.automatic))
    }

    /// What the machine takes by itself, which says what that is while it is in use; then the outputs. A chosen one that is not there is listed with these
    /// words.
    var choices: [MenuEntry] {
        guard let route = policy.soundRoute, route.fixed == nil else { return [] }
        var automatic = rows.choice(strings.text(.automatic), isCurrent: chosen == nil) { $0.soundOutput = nil }
        if let current = route.current, current.id != chosen?.id { automatic.note = strings.label(of: current) }
        let away = chosen.flatMap { route.output($0.id) == nil ? $0 : nil }
        var entries = [automatic]
        for output in route.outputs { entries.append(choice(output)) }
        if let away {
            var entry = choice(away)
            entry.note = strings.text(.notConnected)
            entries.append(entry)
        }
        return entries
    }

    private func choice(_ output: SoundPort) -> MenuEntry {
        let isChosen = output.id == chosen?.id
        // The name under which it was chosen stays, so that the same choice changes nothing.
        return rows.choice(strings.label(of: output), isCurrent: isChosen) { if !isChosen { $0.soundOutput = output } }
    }

    /// The same by a command.
    ///
    /// - Parameter id: nil: what the machine takes by itself.
    package func select(_ id: String?) -> KeyOutcome {
        guard let route = policy.soundRoute, route.fixed == nil else { return .refused(.notSupported) }
        guard id != chosen?.id else { return .refused(.noChange) }
        let output = route.output(id)
        guard id == nil || output != nil else { return .refused(.unknownID) }
        var changed = rows.settings
        changed.soundOutput = output
        return .wants(.choose(.set(changed)))
    }
}

extension StringCatalogue {
    /// An output by its own name; one without a name by its kind.
    package func label(of output: SoundPort) -> String {
        let name =
            switch (output.name.isEmpty, output.kind) {
            case (false, _): isolated(output.name)
            case (_, .headphones): text(.headphones)
            case (_, .digital): text(.digitalOutput)
            case (_, .lineOut): text(.lineOut)
            case (_, .hdmi): "HDMI"
            case (_, .usb): "USB"
            case (_, .bluetooth): "Bluetooth"
            }
        return output.number > 1 ? "\(name) \(output.number)" : name
    }
}
