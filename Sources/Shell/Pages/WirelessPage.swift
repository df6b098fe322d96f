import BoxModel
import Screens
import Viewing

/// What the Wi-Fi page shows and changes.
struct WirelessContext: Sendable {
    let status: WirelessStatus
    /// The name of the network in the operator's settings, which viewers do not forget; nil if there is none.
    let configured: String?
    /// For the page where a passphrase is typed; nil if no phone reaches the box in private.
    let phoneCode: PhoneCode?
    let strings: StringCatalogue
}

/// The Wi-Fi page: the networks that were found, the passphrase of one, and how joining it goes. Each step is undone by Back.
struct WirelessPage: Sendable, Equatable {
    private enum Step: Sendable, Equatable {
        case list
        /// The passphrase of a network is typed.
        case passphrase(Target, PassphraseEntry)
        /// A network is being joined, or could not be. With what was typed, which Back returns to.
        case joining(Target, PassphraseEntry?)
        /// Whether a network is forgotten.
        case forget(Target)
    }

    private struct Target: Sendable, Equatable {
        let id: String
        let name: String
        /// Whether a passphrase could help.
        let takesPassphrase: Bool

        init(_ network: WirelessNetwork) {
            (id, name) = (network.id, network.name)
            takesPassphrase = network.security == .passphrase
        }
    }

    /// A row of the page, and what OK does with it.
    private struct Row {
        enum Action: Equatable {
            case network(WirelessNetwork)
            case searchAgain, cancel, tryAgain, enterAgain, forget
        }
        var action: Action
        var view: MenuView.Row
        var explanation: String?
    }

    private var step = Step.list
    /// The row with focus, and in the list the network on it: focus stays on a network that moves in the list.
    private var index = 0
    private var focused: String?
    private var first = 0
    /// The page of Settings from which it was opened.
    let parent: SettingsPage?

    init(over parent: SettingsPage?) { self.parent = parent }

    /// Whether characters are typed, digits among them.
    var isTyping: Bool { if case .passphrase = step { true } else { false } }

    /// The passphrase, for another device; nil while none is typed.
    func question(_ context: WirelessContext) -> TextQuestion? {
        guard case .passphrase(let target, let entry) = step else { return nil }
        return TextQuestion(
            title: context.strings.text(.wirelessPassphrase, context.strings.isolated(target.name)), text: nil,
            count: entry.count,
            longest: Passphrase.lengths.upperBound)
    }

    /// Another device has typed it.
    mutating func take(_ text: String) {
        guard case .passphrase(let target, var entry) = step else { return }
        entry.take(text)
        step = .passphrase(target, entry)
    }

    // MARK: Keys

    mutating func act(_ key: RemoteKey, in context: WirelessContext) -> KeyOutcome {
        settle(in: context)
        if case .passphrase(let target, var entry) = step {
            let outcome = entry.act(key)
            step = .passphrase(target, entry)
            switch outcome {
            case .answered(let result): return .answered(result)
            case .closed: return leaveEntry(in: context)
            case .connect(let passphrase): return join(target, entry, passphrase)
            }
        }
        let rows = rows(context)
        switch key {
        case .up, .down: return .answered(move(key == .down ? 1 : -1, rows))
        // The buttons of a card stand side by side.
        case .left where step != .list, .right where step != .list:
            return .answered(move(context.strings.step(of: key), rows))
        case .ok:
            guard rows.indices.contains(index), rows[index].view.isEnabled else { return .refused(.notSupported) }
            return choose(rows[index].action, in: context)
        case .back: return goBack(in: context)
        case .left, .right:
            // Where nothing is below it, only Back closes the page.
            guard parent != nil else { return .refused(.noChange) }
            return context.strings.step(of: key) < 0 ? goBack(in: context) : .refused(.noChange)
        case .menu, .home: return .closed
        default: return .refused(.notSupported)
        }
    }

    private mutating func move(_ distance: Int, _ rows: [Row]) -> CommandResult {
        var target = index + distance
        while rows.indices.contains(target), !rows[target].view.isEnabled { target += distance }
        guard rows.indices.contains(target) else { return .failed(.noChange) }
        focus(target, rows)
        return .success
    }

    private mutating func focus(_ row: Int, _ rows: [Row]) {
        index = row
        if case .network(let network)? = rows.indices.contains(row) ? rows[row].action : nil {
            focused = network.id
        } else {
            focused = nil
        }
        first = min(max(first, row - Metrics.Menu.settingsRows + 1), row)
    }

    private mutating func choose(_ action: Row.Action, in context: WirelessContext) -> KeyOutcome {
        switch action {
        case .network(let network): return choose(network, in: context)
        case .searchAgain: return .wants(.request(.wireless(.scan)))
        case .cancel: return goBack(in: context)
        case .tryAgain:
            guard case .joining(let target, _) = step else { return .refused(.notSupported) }
            return .wants(.request(.wireless(.join(target.id, passphrase: nil))))
        case .enterAgain:
            guard case .joining(let target, let entry) = step else { return .refused(.notSupported) }
            show(.passphrase(target, entry ?? PassphraseEntry()))
            return .done
        case .forget:
            guard case .forget(let target) = step else { return .refused(.notSupported) }
            showList(on: target.id)
            return .wants(.request(.wireless(.forget(target.id))))
        }
    }

    private mutating func choose(_ network: WirelessNetwork, in context: WirelessContext) -> KeyOutcome {
        if network.isConnected {
            guard network.name != context.configured else { return .refused(.notSupported) }
            show(.forget(Target(network)))
            return .done
        }
        if network.security == .passphrase, !network.isKnown {
            show(.passphrase(Target(network), PassphraseEntry()))
            return .done
        }
        show(.joining(Target(network), nil))
        return .wants(.request(.wireless(.join(network.id, passphrase: nil))))
    }

    private mutating func join(_ target: Target, _ entry: PassphraseEntry, _ passphrase: Passphrase) -> KeyOutcome {
        show(.joining(target, entry))
        return .wants(.request(.wireless(.join(target.id, passphrase: passphrase))))
    }

    private mutating func goBack(in context: WirelessContext) -> KeyOutcome {
        switch step {
        case .list: return .closed
        case .forget(let target): showList(on: target.id)
        // What was typed can be corrected.
        case .joining(let target, let entry?):
            show(.passphrase(target, entry))
            return .wants(.request(.wireless(.giveUp)))
        case .joining(let target, nil), .passphrase(let target, _):
            showList(on: target.id)
            return .wants(.request(.wireless(.giveUp)))
        }
        return .done
    }

    private mutating func leaveEntry(in context: WirelessContext) -> KeyOutcome {
        let hasAttempt = context.status.attempt != nil
        guard case .passphrase(let target, _) = step else { return .refused(.notSupported) }
        showList(on: target.id)
        return hasAttempt ? .wants(.request(.wireless(.giveUp))) : .done
    }

    private mutating func show(_ new: Step) {
        step = new
        (index, first, focused) = (0, 0, nil)
    }

    private mutating func showList(on id: String) {
        show(.list)
        focused = id
    }

    /// The networks or the state of the radio have changed.
    mutating func statusChanged(in context: WirelessContext) {
        if case .joining(let target, _) = step, let attempt = context.status.attempt, attempt.network == target.id,
            attempt.step == .connected
        {
            showList(on: target.id)
        }
        settle(in: context)
    }

    /// Keeps focus on the same network, or else on a row that can have it.
    private mutating func settle(in context: WirelessContext) {
        let rows = rows(context)
        let same = rows.firstIndex { row in
            if case .network(let network) = row.action { network.id == focused && row.view.isEnabled } else { false }
        }
        let takers = rows.indices.filter { rows[$0].view.isEnabled }
        let wanted = same ?? takers.min { abs($0 - index) < abs($1 - index) } ?? 0
        focus(wanted, rows)
        first = min(first, max(0, rows.count - Metrics.Menu.settingsRows))
    }

    // MARK: Rows

    private func rows(_ context: WirelessContext) -> [Row] {
        let strings = context.strings
        func row(_ action: Row.Action, _ phrase: Phrase) -> Row {
            Row(action: action, view: MenuView.Row(title: strings.text(phrase)))
        }
        switch step {
        case .list:
            guard context.status.radio == .on else { return [] }
            var search = row(.searchAgain, .wirelessSearchAgain)
            if context.status.isScanning { search.view.value = strings.text(.wirelessSearching) }
            if context.status.networks.isEmpty, !context.status.isScanning {
                search.explanation = strings.text(.wirelessNoneFound)
            }
            return context.status.networks.map { self.row(of: $0, context) } + [search]
        case .passphrase: return []
        case .joining(let target, _):
            guard case .failed(let failure)? = step(of: target, in: context) else { return [row(.cancel, .cancel)] }
            let retry: Row =
                target.takesPassphrase && (failure == .passphraseMissing || failure == .passphraseRefused)
                ? row(.enterAgain, .wirelessEnterAgain) : row(.tryAgain, .tryAgain)
            return [retry, row(.cancel, .cancel)]
        case .forget: return [row(.cancel, .cancel), row(.forget, .wirelessForget)]
        }
    }

    private func row(of network: WirelessNetwork, _ context: WirelessContext) -> Row {
        let strings = context.strings
        let canJoin = network.security != .unsupported || network.isKnown || network.isConnected
        let note: Phrase =
            switch network.security {
            case .open: .wirelessOpen
            case .passphrase: .wirelessProtected
            case .unsupported: canJoin ? .wirelessProtected : .wirelessUnsupported
            }
        let value: Phrase? = network.isConnected ? .wirelessConnected : network.isKnown ? .wirelessKnown : nil
        let signals: [MenuIcon] = [.signal1, .signal2, .signal3, .signal4]
        let explanation =
            network.isConnected
            ? network.name == context.configured
                ? strings.text(.wirelessConfigured, "marquee.toml") : strings.text(.wirelessForgetHint) : nil
        return Row(
            action: .network(network),
            view: MenuView.Row(
                title: strings.isolated(network.name), value: value.map { strings.text($0) }, note: strings.text(note),
                icon: signals[min(max(network.bars, 1), 4) - 1], isEnabled: canJoin),
            explanation: explanation)
    }

    private func step(of target: Target, in context: WirelessContext) -> WirelessAttempt.Step? {
        context.status.attempt.flatMap { $0.network == target.id ? $0.step : nil }
    }

    // MARK: View

    func view(_ context: WirelessContext) -> PageView {
        var settled = self
        settled.settle(in: context)
        return settled.settledView(context)
    }

    private func settledView(_ context: WirelessContext) -> PageView {
        let strings = context.strings
        if case .passphrase(let target, let entry) = step {
            let wasRefused = step(of: target, in: context) == .failed(.passphraseRefused)
            return .passphrase(
                entry.view(for: target.name, wasRefused: wasRefused, phone: context.phoneCode, strings: strings))
        }
        let rows = rows(context)
        func list(_ rows: [Row], focus: Int?, first: Int) -> MenuView {
            MenuView(
                title: strings.text(.wireless),
                rows: rows.enumerated().map { row, found in
                    var view = found.view
                    view.isFocused = row == focus && view.isEnabled
                    return view
                }, firstRow: first)
        }
        var view = SettingsView(page: "wireless", title: strings.text(.settings), menu: list(rows, focus: index, first: first))
        let explanation = explanation(context)
        switch step {
        case .list, .passphrase:
            view.explanation = explanation ?? (rows.indices.contains(index) ? rows[index].explanation : nil)
            return .settings(view)
        case .joining(let target, _): view.card = card(strings.isolated(target.name), explanation, rows)
        case .forget(let target):
            view.card = card(strings.text(.wirelessForgetQuestion, strings.isolated(target.name)), explanation, rows)
        }
        var under = self
        under.step = .list
        view.menu = list(under.rows(context), focus: nil, first: 0)
        return .settings(view)
    }

    /// A question, or how joining a network goes.
    private func card(_ title: String, _ message: String?, _ rows: [Row]) -> CardView {
        CardView(
            kind: .question, title: title, message: message,
            buttons: rows.enumerated().map { ButtonView(title: $1.view.title, isFocused: $0 == index) })
    }

    /// What the step itself says; nil if the row with focus says it.
    private func explanation(_ context: WirelessContext) -> String? {
        let strings = context.strings
        switch step {
        case .list:
            switch context.status.radio {
            case .absent: return strings.text(.wirelessNoAdapter)
            case .noCountry: return strings.text(.boxRadioOff, "[network] wifi_country", "\"FR\"")
            case .unavailable: return strings.text(.wirelessUnavailable)
            case .off: return strings.text(.wirelessStarting)
            case .on: return nil
            }
        case .passphrase: return nil
        case .forget: return strings.text(.wirelessForgetExplained)
        case .joining(let target, _):
            let name = strings.isolated(target.name)
            switch step(of: target, in: context) {
            case nil, .joining, .connected: return strings.text(.wirelessJoining, name)
            case .waitingForAddress: return strings.text(.wirelessAddress, name)
            case .failed(let failure):
                let phrase: Phrase =
                    switch failure {
                    case .passphraseMissing: .wirelessPassphraseNeeded
                    case .passphraseRefused: .wirelessRefused
                    case .timedOut: .wirelessTimedOut
                    case .noAddress: .wirelessNoAddress
                    case .notFound: .wirelessGone
                    case .failed: .wirelessFailed
                    }
                return strings.text(phrase, name)
            }
        }
    }
}
