import Configuration
import MediaModel
import Screens

/// The texts of the box's own screens, in the viewer's language. A value: what the box knows goes in, a view comes out.
package struct SetUpScreens: Sendable {
    package var name: String
    /// The machine's network address; nil if it has none.
    package var address: String?
    /// The address of the local page for other machines; nil if they cannot reach it.
    package var page: String?
    /// Whether a source of channels was configured. If so, a box in kiosk mode shows neither address nor code.
    package var isProvisioned: Bool
    /// `[box] kiosk`.
    package var isKiosk: Bool
    /// Whether OK leads to the Wi-Fi page.
    package var leadsToWireless: Bool
    /// Whether Wi-Fi is off because no country is set.
    package var isRadioOff: Bool
    /// The interface's texts.
    package var strings: StringCatalogue
    /// How far a report for a USB stick is; nil if the viewer asked for none.
    var report: ReportToStick.State?

    package init(
        name: String, address: String? = nil, page: String? = nil, isProvisioned: Bool = false, isKiosk: Bool = false,
        leadsToWireless: Bool = false, isRadioOff: Bool = false, strings: StringCatalogue = .english
    ) {
        self.name = name
        self.address = address
        self.page = page
        self.isProvisioned = isProvisioned
        self.isKiosk = isKiosk
        self.leadsToWireless = leadsToWireless
        self.isRadioOff = isRadioOff
        self.strings = strings
    }

    /// Why a box with a configured source has no channels.
    package enum Trouble: Sendable, Hashable {
        /// They are being loaded for the first time.
        case loading
        /// The request failed.
        case unreachable(ErrorCode)
        /// The response is not an acceptable feed: the rule's code, e.g. `FEED-060`.
        case refused(String)

        /// The code of the error or the rule; nil without an error.
        package var code: String? {
            switch self {
            case .loading: nil
            case .unreachable(let code): code.rawValue
            case .refused(let code): code
            }
        }
    }

    /// A found source of channels.
    package enum Found: Sendable, Hashable {
        /// A file on a disk that was plugged in.
        case file(String, disk: String)
        /// An address announced on the network.
        case address(String)
    }

    private static let file = "marquee.toml"
    private static let example = ["[feed]", "url = \"https://example.org/feed.json\""]

    private var hidesPlace: Bool { isKiosk && isProvisioned }

    private var facts: [SetUpView.Fact] {
        let this = SetUpView.Fact(strings.text(.boxThis), name)
        guard !hidesPlace else { return [this] }
        return [this, .init(strings.text(.networkAddress), address ?? strings.text(.boxNoNetwork))]
            + (page.map { [.init(strings.text(.boxPage), $0)] } ?? [])
    }

    /// The words under the code of the page; nil without one.
    private var scan: String? { hidesPlace || page == nil ? nil : strings.text(.boxScan) }

    /// What a viewer who asked for a report reads: one paragraph, or none.
    private var reportWords: [String] {
        report.map { [strings.words($0.fact)] } ?? []
    }

    /// Whether the box has no network, and a viewer can choose one.
    package var offersWireless: Bool { leadsToWireless && address == nil }

    /// What leads to the Wi-Fi page; nil where there is a network or no page.
    private var wirelessButton: String? { offersWireless ? strings.text(.wireless) : nil }

    private var radioOff: String { strings.text(.boxRadioOff, "[network] wifi_country", "\"FR\"") }

    /// The box has no feed address.
    ///
    /// - Parameter offersFirstRun: whether OK begins the first run.
    package func setUp(offersFirstRun: Bool = false) -> SetUpView {
        var paragraphs = [strings.text(.boxWhere, Self.file)]
        if isRadioOff { paragraphs.insert(radioOff, at: 0) }
        // The first run leads to the networks too.
        if offersWireless, !offersFirstRun { paragraphs.insert(strings.text(.boxChooseWireless), at: 0) }
        // ASCII only, and therefore English: some readers misread other characters.
        let place = address.map { " at \($0)" } ?? ""
        return SetUpView(
            kind: .setUp, title: strings.text(.errorSetUp), paragraphs: paragraphs + reportWords, example: Self.example,
            facts: facts,
            code: hidesPlace
                ? nil
                : page
                    ?? "Marquee \(name)\(place) has no channels yet. Add to marquee.toml on its card: [feed] url = \"https://example.org/feed.json\"",
            codeCaption: hidesPlace ? nil : strings.text(.boxScan),
            button: offersFirstRun ? strings.text(.firstRunBegin) : wirelessButton)
    }

    /// A source is configured, but there are no channels yet.
    package func waiting(_ trouble: Trouble) -> SetUpView {
        var paragraphs: [String]
        switch trouble {
        case .loading: paragraphs = [strings.text(.boxFetching)]
        case .unreachable(.networkDown) where offersWireless: paragraphs = [strings.text(.boxChooseWireless)]
        case .unreachable(.networkDown) where address == nil:
            paragraphs = [strings.text(.boxNoCable, "[network] wifi_ssid", Self.file)] + (isRadioOff ? [radioOff] : [])
        case .unreachable(let code): paragraphs = ["\(strings.text(Phrase(code))) (\(code.rawValue))"]
        case .refused(let code): paragraphs = ["\(strings.text(.boxRefused)) (\(code))"]
        }
        if trouble != .loading { paragraphs.append(strings.text(.boxKeepsAsking)) }
        return SetUpView(
            kind: .setUp, title: strings.text(.errorSetUp), paragraphs: paragraphs + reportWords, facts: facts,
            code: hidesPlace ? nil : page, codeCaption: scan, isWaiting: trouble == .loading,
            button: trouble == .unreachable(.networkDown) ? wirelessButton : nil)
    }

    /// The box is in safe mode.
    package func safe(waits: Duration) -> SetUpView {
        let minutes = max(1, Int((waits / .seconds(60)).rounded(.up)))
        return SetUpView(
            kind: .safe, title: strings.text(.boxSafe),
            paragraphs: [strings.text(.boxSafeWhy), strings.text(.boxSafeNext, strings.plural(.minutes, minutes))] + reportWords,
            facts: facts, code: hidesPlace ? nil : page, codeCaption: scan, button: strings.text(.tryAgain))
    }

    /// A factory reset is about to happen.
    ///
    /// - Parameter isAsked: whether a viewer requested it, who can cancel it; otherwise a file on the card did.
    package func reset(seconds: Int, isAsked: Bool = false) -> SetUpView {
        SetUpView(
            kind: .reset, title: strings.text(.boxReset),
            paragraphs: isAsked
                ? [strings.text(.boxResetAsked, "\(seconds)"), strings.text(.boxResetBack)]
                : [strings.text(.boxResetWhat, "reset", "\(seconds)"), strings.text(.boxResetKeep)], facts: facts,
            countdown: seconds)
    }

    /// A source of channels was found, and the viewer is asked about it once.
    package func question(_ found: Found) -> SetUpView {
        let words =
            switch found {
            case .file(let name, _): strings.text(.boxOnDisk, name)
            case .address(let address): address
            }
        return SetUpView(
            kind: .question, title: strings.text(.boxQuestion),
            paragraphs: [strings.text(.boxFound, words), strings.text(.boxFoundOK)] + reportWords, facts: facts, button: "OK",
            secondButton: strings.text(.notNow))
    }

    /// What is wrong with a key, in the viewer's language: that it is unknown, or its value is. `applied.txt` has the reason and the remedy too, in English.
    func words(for verdict: KeyVerdict) -> String {
        guard !strings.language.hasPrefix("en") else { return verdict.description }
        let words = strings.text(verdict.outcome == .ignored ? .boxVerdictUnknown : .boxVerdictWrong, verdict.name)
        return [verdict.line.map { strings.text(.boxVerdictLine, "\($0)") }, words].compactMap { $0 }.joined(separator: ": ")
    }

    /// As many wrong keys as fit on the screen; nil if there are none.
    package func verdict(problems: [String], isWhole: Bool) -> VerdictView? {
        guard !problems.isEmpty else { return nil }
        let most = 4
        return VerdictView(
            title: strings.text(isWhole ? .boxVerdict : .boxVerdictBroken, Self.file),
            lines: Array(problems.prefix(most)).map(strings.isolated),
            rest: problems.count > most ? strings.text(.boxVerdictRest, "\(problems.count - most)", "applied.txt") : nil)
    }
}
