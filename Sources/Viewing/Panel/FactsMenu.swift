import BoxModel
import Screens

/// The pages of Settings that tell of the box: its network, its stores and itself.
struct FactsMenu: Sendable {
    let rows: MenuRows
    let policy: InterfacePolicy
    let facts: BoxFacts
    /// Nil where there is no Wi-Fi page.
    let wireless: WirelessStatus?

    private var strings: StringCatalogue { rows.strings }

    var onlineValue: String? { facts.isOnline.map { strings.text($0 ? .online : .offline) } }

    /// Opens the Wi-Fi page.
    private var wirelessEntry: MenuEntry? {
        wireless.map { status in
            MenuEntry(
                action: .wants(.openPage(.wireless)), title: strings.text(.wireless),
                value: status.connected.map { strings.isolated($0.name) }, mark: .submenu)
        }
    }

    func title(of store: BoxFacts.Store) -> String {
        if let title = store.title { return title }
        return switch store.kind {
        case .downloads: strings.text(.downloads)
        case .pictures: strings.text(.storedPictures)
        case .places: strings.text(.viewingHistory)
        }
    }

    /// The fingerprint has 95 characters: the row has its beginning, and all of it is explained below.
    private var certificateEntry: MenuEntry? {
        facts.certificate.map {
            MenuEntry(
                action: .nothing, title: strings.text(.pageCertificate), value: strings.isolated("\($0.prefix(23))…"),
                explanation: strings.isolated($0))
        }
    }

    /// The update on a USB stick: a row that can be chosen while it can be installed.
    private func stickEntry(_ update: BoxFacts.StickUpdate) -> MenuEntry {
        let version = strings.isolated(update.version)
        func entry(_ action: MenuAction, _ value: String, _ explanation: String? = nil) -> MenuEntry {
            MenuEntry(
                action: action, title: strings.text(.updateFromStick), value: value, mark: action == .nothing ? .none : .submenu,
                explanation: explanation)
        }
        return switch update {
        case .found: entry(.open(.task(.installFromStick)), version, strings.text(.updateFromStickExplained))
        case .installing(_, let percent):
            entry(.nothing, strings.text(.updateInstalling, version, strings.text(.percent, "\(percent)")))
        case .installed: entry(.nothing, strings.text(.updateInstalled, version))
        case .failed(_, let reason):
            entry(.open(.task(.installFromStick)), strings.text(.updateFromStickFailed, version), strings.isolated(reason))
        }
    }

    /// A report for support, with how the last one ended.
    private var reportEntry: MenuEntry? {
        facts.report.map {
            MenuEntry(
                action: BoxTask.saveReport.action, title: strings.text(BoxTask.saveReport.phrases.title),
                explanation: strings.words($0))
        }
    }

    private func words(_ update: BoxFacts.Update) -> String {
        switch update {
        case .upToDate: strings.text(.updateNone)
        case .waiting(let version): strings.text(.updateWaiting, strings.isolated(version))
        case .installing(let version, let percent):
            strings.text(.updateInstalling, strings.isolated(version), strings.text(.percent, "\(percent)"))
        case .installed(let version): strings.text(.updateInstalled, strings.isolated(version))
        case .failed(let version): strings.text(.updateFailed, strings.isolated(version))
        }
    }

    /// A fact that is not secret; nil if it is unknown.
    private func fact(_ phrase: Phrase, _ value: String?) -> MenuEntry? {
        value.map { MenuEntry(action: .nothing, title: strings.text(phrase), value: $0) }
    }

    var network: [MenuEntry] {
        [
            wirelessEntry, fact(.networkState, onlineValue), fact(.networkLink, facts.link),
            fact(.networkAddress, policy.isKiosk ? nil : facts.address), phonesEntry,
        ].compactMap { $0 }
    }

    /// Takes their right from the paired phones; nil if there are none.
    private var phonesEntry: MenuEntry? {
        guard facts.pairedPhones > 0 else { return nil }
        return MenuEntry(
            action: .wants(.request(.forgetPhones)), title: strings.text(.forgetPhones),
            value: "\(facts.pairedPhones)", explanation: strings.text(.forgetPhonesExplained))
    }

    var storage: [MenuEntry] {
        var free = fact(.freeSpace, facts.freeBytes.map { strings.size($0) })
        free?.note = facts.storageTrouble.map { strings.text(Phrase($0)) }
        return [free].compactMap { $0 }
            + facts.stores.map { store in
                MenuEntry(
                    action: .open(.deletion(store.id)), title: title(of: store), value: strings.size(store.bytes),
                    mark: .submenu, explanation: strings.text(.storeExplained), isEnabled: store.bytes > 0)
            }
    }

    var about: [MenuEntry] {
        [
            fact(.boxName, facts.name), fact(.version, facts.version), fact(.update, facts.update.map(words)),
            facts.stickUpdate.map(stickEntry), fact(.provider, facts.provider), fact(.support, facts.support),
            fact(.feed, facts.feed), fact(.screen, facts.screen), fact(.soundOutput, facts.sound),
            fact(.session, facts.session), certificateEntry, reportEntry,
        ].compactMap { $0 }
    }
}

extension BoxTask {
    /// The effect of the button that stands for it.
    var action: MenuAction { .wants(.request(.carryOut(self))) }

    /// Its row, the question before it, the sentence about it, and the button that answers yes. A report needs no question.
    var phrases: (title: Phrase, question: Phrase, explanation: Phrase, button: Phrase) {
        switch self {
        case .factoryReset: (.resetBox, .resetBoxQuestion, .resetBoxExplained, .resetBoxErase)
        case .installFromStick: (.updateFromStick, .updateFromStickQuestion, .updateFromStickExplained, .install)
        case .saveReport: (.saveReport, .saveReport, .saveReportExplained, .saveReport)
        }
    }
}

extension StringCatalogue {
    /// How far a report for a USB stick is, or how it ended.
    package func words(_ report: BoxFacts.Report) -> String {
        switch report {
        case .possible: text(.saveReportExplained)
        case .saving: text(.boxReportSaving)
        case .saved(let name): text(.boxReportSaved, isolated(name))
        case .noStick: text(.boxReportNoStick)
        case .full: text(.boxReportFull)
        case .readOnly: text(.boxReportReadOnly)
        case .failed: text(.boxReportFailed)
        }
    }
}
