import MediaModel
import PlayerInterface

/// The words of the box's own screens, in the viewer's language. Values: what the box knows goes in, a view comes out.
package struct SetUpScreens: Sendable {
    /// The box's name.
    package var name: String
    /// Its address in the network; nil: it has none.
    package var address: String?
    /// Where the local page can be reached from another machine; nil: only from this one.
    package var page: String?
    /// Whether somebody has said where its channels are. From then on a box in kiosk mode shows neither address nor code.
    package var isProvisioned: Bool
    /// `[box] kiosk`.
    package var isKiosk: Bool
    /// The words.
    package var strings: StringCatalogue

    package init(
        name: String, address: String? = nil, page: String? = nil, isProvisioned: Bool = false, isKiosk: Bool = false,
        strings: StringCatalogue = .english
    ) {
        self.name = name
        self.address = address
        self.page = page
        self.isProvisioned = isProvisioned
        self.isKiosk = isKiosk
        self.strings = strings
    }

    /// Why there are no channels on a box that was told where they are.
    package enum Trouble: Sendable, Hashable {
        /// They are being fetched for the first time.
        case loading
        /// Nothing came.
        case unreachable(ErrorCode)
        /// What came is no feed that this box takes: the rule's code, e.g. `FEED-060`.
        case refused(String)

        /// The code of the error or the rule; nil while nothing went wrong.
        package var code: String? {
            switch self {
            case .loading: nil
            case .unreachable(let code): code.rawValue
            case .refused(let code): code
            }
        }
    }

    /// What was found that could provide channels.
    package enum Found: Sendable, Hashable {
        /// A file on a disk that was plugged in.
        case file(String, disk: String)
        /// An address that the network told.
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

    /// The box has no address of a feed.
    ///
    /// - Parameter isRadioOff: a wireless network is named, and no country.
    package func setUp(isRadioOff: Bool = false) -> SetUpView {
        var paragraphs = [strings.text(.boxWhere, Self.file)]
        if isRadioOff { paragraphs.insert(strings.text(.boxRadioOff, "[network] wifi_country", "\"FR\""), at: 0) }
        // In ASCII, and therefore in English: readers guess at other letters.
        let place = address.map { " at \($0)" } ?? ""
        return SetUpView(
            kind: .setUp, title: strings.text(.errorSetUp), paragraphs: paragraphs, example: Self.example, facts: facts,
            code: hidesPlace
                ? nil
                : page
                    ?? "Marquee \(name)\(place) has no channels yet. Add to marquee.toml on its card: [feed] url = \"https://example.org/feed.json\""
        )
    }

    /// It was told, and has nothing yet.
    package func waiting(_ trouble: Trouble) -> SetUpView {
        var paragraphs: [String]
        switch trouble {
        case .loading: paragraphs = [strings.text(.boxFetching)]
        case .unreachable(.networkDown) where address == nil:
            paragraphs = [strings.text(.boxNoCable, "[network] wifi_ssid", Self.file)]
        case .unreachable(let code): paragraphs = ["\(strings.text(Phrase(code))) (\(code.rawValue))"]
        case .refused(let code): paragraphs = ["\(strings.text(.boxRefused)) (\(code))"]
        }
        if trouble != .loading { paragraphs.append(strings.text(.boxKeepsAsking)) }
        return SetUpView(
            kind: .setUp, title: strings.text(.errorSetUp), paragraphs: paragraphs, facts: facts, code: hidesPlace ? nil : page)
    }

    /// The box does not go on by itself.
    package func safe(waits: Duration) -> SetUpView {
        let minutes = max(1, Int((waits / .seconds(60)).rounded(.up)))
        return SetUpView(
            kind: .safe, title: strings.text(.boxSafe),
            paragraphs: [strings.text(.boxSafeWhy), strings.text(.boxSafeNext, strings.plural(.minutes, minutes))],
            facts: facts, code: hidesPlace ? nil : page, button: strings.text(.tryAgain))
    }

    /// Everything is about to be forgotten.
    ///
    /// - Parameter isAsked: a viewer has asked for it, who can take it back; else a file on the card does.
    package func reset(seconds: Int, isAsked: Bool = false) -> SetUpView {
        SetUpView(
            kind: .reset, title: strings.text(.boxReset),
            paragraphs: isAsked
                ? [strings.text(.boxResetAsked, "\(seconds)"), strings.text(.boxResetBack)]
                : [strings.text(.boxResetWhat, "reset", "\(seconds)"), strings.text(.boxResetKeep)], facts: facts)
    }

    /// Something that could provide channels was found, and is asked about once.
    package func question(_ found: Found) -> SetUpView {
        let words =
            switch found {
            case .file(let name, let disk): strings.text(.boxOnDisk, name, disk)
            case .address(let address): address
            }
        return SetUpView(
            kind: .question, title: strings.text(.boxQuestion),
            paragraphs: [strings.text(.boxFound, words), strings.text(.boxFoundOK)], facts: facts, button: "OK")
    }

    /// The first wrong keys, as the screen has room for them; nil where all is well. The lines are those of `applied.txt`.
    package func verdict(problems: [String], isWhole: Bool) -> VerdictView? {
        guard !problems.isEmpty else { return nil }
        let most = 4
        return VerdictView(
            title: strings.text(isWhole ? .boxVerdict : .boxVerdictBroken, Self.file),
            lines: Array(problems.prefix(most)).map(strings.isolated),
            rest: problems.count > most ? strings.text(.boxVerdictRest, "\(problems.count - most)", "applied.txt") : nil)
    }
}
