import BoxModel
import Screens
import Viewing

/// What the pages of the first run show and change.
struct FirstRunContext: Sendable {
    let course: FirstRunCourse
    let settings: ViewerSettings
    let policy: InterfacePolicy
    /// Nil where there is no adapter.
    let wireless: WirelessContext?
    let phoneCode: PhoneCode?
    let strings: StringCatalogue
}

/// The page of a step of the first run, or what was opened from it. Which step comes next is decided by `FirstRunCourse`.
struct FirstRunPage: Sendable, Equatable {
    private enum Inner: Sendable, Equatable {
        case wireless(WirelessPage)
        case address(AddressEntry)
        case testPicture
    }

    private var inner: Inner?
    private var step: FirstRunStep?
    private var index = 0
    /// What OK does on the row with focus.
    private var focused = FirstRunRows.Action.next
    private var first = 0
    /// The address that was typed last, which can be corrected.
    private var typed: String?

    init(_ context: FirstRunContext) { settle(in: context) }

    // MARK: Keys

    mutating func act(_ key: RemoteKey, in context: FirstRunContext) -> KeyOutcome {
        switch inner {
        case .wireless(let page): return act(key, on: page, in: context)
        case .address(let entry): return act(key, on: entry)
        case .testPicture:
            guard key == .ok || key == .back else { return .refused(.notSupported) }
            inner = nil
            return .done
        case nil: break
        }
        let page = FirstRunRows(context, typed: typed)
        let rows = page.all
        switch key {
        case .up, .down:
            let target = index + (key == .down ? 1 : -1)
            guard rows.indices.contains(target) else { return .refused(.noChange) }
            focus(target, of: page)
            return rows[target].whenFocused
        case .ok:
            guard rows.indices.contains(index) else { return .refused(.notSupported) }
            return choose(rows[index].action, in: context)
        case .back: return .wants(.firstRun(.back))
        default: return .refused(.notSupported)
        }
    }

    private mutating func act(_ key: RemoteKey, on page: WirelessPage, in context: FirstRunContext) -> KeyOutcome {
        guard let wireless = context.wireless else {
            inner = nil
            return .refused(.notSupported)
        }
        var page = page
        let outcome = page.act(key, in: wireless)
        inner = .wireless(page)
        guard outcome == .closed else { return outcome }
        close(in: context)
        return .done
    }

    private mutating func act(_ key: RemoteKey, on entry: AddressEntry) -> KeyOutcome {
        var entry = entry
        let outcome = entry.act(key)
        inner = .address(entry)
        typed = entry.typed
        switch outcome {
        case .answered(let result): return .answered(result)
        case .closed: inner = nil
        case .done:
            inner = nil
            return .wants(.request(.firstRun(.useAddress(entry.typed))))
        }
        return .done
    }

    private mutating func choose(_ action: FirstRunRows.Action, in context: FirstRunContext) -> KeyOutcome {
        switch action {
        case .next: return .wants(.firstRun(.next))
        case .wireless: inner = .wireless(WirelessPage(over: nil))
        case .address: inner = .address(AddressEntry(typed))
        case .testPicture: inner = .testPicture
        case .wants(let intent): return .wants(intent)
        }
        return .done
    }

    private mutating func focus(_ row: Int, of rows: FirstRunRows) {
        index = row
        focused = rows.all.indices.contains(row) ? rows.all[row].action : .next
        first = min(max(first, row - Metrics.Menu.settingsRows + 1), row)
    }

    /// What was opened from the step closes. Focus is where the step would begin now.
    private mutating func close(in context: FirstRunContext) {
        inner = nil
        begin(FirstRunRows(context, typed: typed))
    }

    private mutating func begin(_ rows: FirstRunRows) {
        first = 0
        focus(rows.start, of: rows)
    }

    /// The step, the networks or what the box has found may have changed.
    mutating func settle(in context: FirstRunContext) {
        let rows = FirstRunRows(context, typed: typed)
        if step != context.course.step {
            step = context.course.step
            inner = nil
            begin(rows)
        }
        if case .wireless(var page) = inner, let wireless = context.wireless {
            page.statusChanged(in: wireless)
            inner = .wireless(page)
        }
        // What was found meanwhile has a row of its own, above or below that with focus.
        if focused != .next, let place = rows.all.firstIndex(where: { $0.action == focused }) { focus(place, of: rows) }
        let last = max(0, rows.all.count - 1)
        if index > last { focus(last, of: rows) }
        first = min(first, max(0, rows.all.count - Metrics.Menu.settingsRows))
    }

    // MARK: What is typed

    /// Whether characters are typed, digits among them.
    var isTyping: Bool {
        switch inner {
        case .wireless(let page): page.isTyping
        case .address: true
        case .testPicture, nil: false
        }
    }

    /// What the page is now.
    var content: any PageContent.Type {
        if inner == .testPicture { return TestPictureView.self }
        return isTyping ? PassphraseView.self : SettingsView.self
    }

    /// Whether networks are looked for.
    var showsNetworks: Bool { if case .wireless = inner { true } else { false } }

    func question(_ context: FirstRunContext) -> TextQuestion? {
        switch inner {
        case .wireless(let page): context.wireless.flatMap { page.question($0) }
        case .address(let entry): entry.question(context.strings)
        case .testPicture, nil: nil
        }
    }

    mutating func take(_ text: String) {
        switch inner {
        case .wireless(var page):
            page.take(text)
            inner = .wireless(page)
        case .address(var entry):
            entry.take(text)
            inner = .address(entry)
        case .testPicture, nil: break
        }
    }

    // MARK: View

    func view(_ context: FirstRunContext) -> PageView {
        var settled = self
        settled.settle(in: context)
        return settled.settledView(context)
    }

    private func settledView(_ context: FirstRunContext) -> PageView {
        switch inner {
        case .wireless(let page): if let wireless = context.wireless { return page.view(wireless) }
        case .address(let entry): return .passphrase(entry.view(phone: context.phoneCode, strings: context.strings))
        case .testPicture:
            return .testPicture(
                TestPictureView(words: context.strings.text(.testPicture), hint: context.strings.text(.testPictureHint)))
        case nil: break
        }
        let strings = context.strings
        let rows = FirstRunRows(context, typed: typed)
        let (number, count) = context.course.progress ?? (1, 1)
        let menu = MenuView(
            title: rows.title,
            rows: rows.all.enumerated().map { row, found in
                MenuView.Row(title: found.title, value: found.value, mark: found.mark, isFocused: row == index)
            }, firstRow: first)
        let title = strings.text(.firstRun, "\(number)", "\(count)")
        return .settings(SettingsView(page: "first-run", title: title, explanation: rows.explanation, menu: menu))
    }
}
