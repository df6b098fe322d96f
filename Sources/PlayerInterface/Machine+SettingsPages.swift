import LinuxSupport
import MediaModel
import MediaTime

/// The pages of Settings that list many things: languages, caption styles, facts.
extension InterfaceMachine {
    // MARK: Languages

    var interfaceLanguageName: String { policy.strings.ownName }

    func interfaceLanguageEntries() -> [MenuEntry] {
        let strings = policy.strings
        return [choice(strings.text(.asSetUp), isCurrent: settings.language == nil) { $0.language = nil }]
            + StringCatalogue.all.map { catalogue in
                // Each in its own language: who has lost theirs finds it again.
                choice(catalogue.ownName, isCurrent: settings.language == catalogue.language) { $0.language = catalogue.language }
            }
    }

    func languageValue(_ tags: [String]) -> String {
        tags.first.map { policy.strings.languageName(of: $0) } ?? policy.strings.text(.automatic)
    }

    func languageEntries(_ path: WritableKeyPath<ViewerSettings, [String]>) -> [MenuEntry] {
        let strings = policy.strings
        let current = settings[keyPath: path].first
        return [choice(strings.text(.automatic), isCurrent: current == nil) { $0[keyPath: path] = [] }]
            + StringCatalogue.languageTags.map { tag in
                choice(strings.languageName(of: tag), isCurrent: tag == current) { $0[keyPath: path] = [tag] }
            }
    }

    // MARK: Captions

    func captionStyleEntries(_ page: MenuPage) -> [MenuEntry] {
        let style = settings.captionStyle
        switch page {
        case .captionColour: return colourEntries(\.colour)
        case .captionBackground: return colourEntries(\.background)
        case .captionWindow: return colourEntries(\.window)
        case .captionOpacity: return opacityEntries(\.opacityPercent, [25, 50, 75, 100])
        case .captionBackgroundOpacity: return opacityEntries(\.backgroundOpacityPercent, [0, 25, 50, 75, 100])
        case .captionWindowOpacity: return opacityEntries(\.windowOpacityPercent, [0, 25, 50, 75, 100])
        case .captionSize:
            return [50, 75, 100, 125, 150, 200].map { value in
                choice(percent(value), isCurrent: value == style.sizePercent) { $0.captionStyle.sizePercent = value }
            }
        case .captionFont:
            return CaptionStyle.Font.allCases.map { font in
                choice(title(of: font), isCurrent: font == style.font) { $0.captionStyle.font = font }
            }
        case .captionEdge:
            return [choice(policy.strings.text(.asProgramme), isCurrent: style.edge == nil) { $0.captionStyle.edge = nil }]
                + CaptionStyle.Edge.allCases.map { edge in
                    choice(title(of: edge), isCurrent: edge == style.edge) { $0.captionStyle.edge = edge }
                }
        default: return captionStyleRows(style)
        }
    }

    private func captionStyleRows(_ style: CaptionStyle) -> [MenuEntry] {
        let asProgramme = policy.strings.text(.asProgramme)
        var rows = [
            submenu(.captionSize, .captionSize, value: percent(style.sizePercent)),
            submenu(.captionColour, .captionColour, value: style.colour.map(title) ?? asProgramme),
            submenu(.captionFont, .captionFont, value: title(of: style.font)),
            submenu(.captionEdge, .captionEdge, value: style.edge.map(title) ?? asProgramme),
            submenu(.captionBackground, .captionBackground, value: style.background.map(title) ?? asProgramme),
            submenu(
                .captionBackgroundOpacity, .captionBackgroundOpacity,
                value: style.backgroundOpacityPercent.map(percent) ?? asProgramme),
            submenu(.captionOpacity, .captionOpacity, value: style.opacityPercent.map(percent) ?? asProgramme),
            submenu(.captionWindow, .captionWindow, value: style.window.map(title) ?? asProgramme),
            submenu(.captionWindowOpacity, .captionWindowOpacity, value: style.windowOpacityPercent.map(percent) ?? asProgramme),
        ]
        var plain = settings
        plain.captionStyle = CaptionStyle()
        rows.append(
            MenuEntry(action: .toggle(plain), title: policy.strings.text(.captionReset), isEnabled: style != CaptionStyle()))
        return rows
    }

    private func colourEntries(_ path: WritableKeyPath<CaptionStyle, CaptionStyle.Colour?>) -> [MenuEntry] {
        let current = settings.captionStyle[keyPath: path]
        return [
            choice(policy.strings.text(.asProgramme), isCurrent: current == nil) { $0.captionStyle[keyPath: path] = nil }
        ]
            + CaptionStyle.Colour.allCases.map { colour in
                choice(title(of: colour), isCurrent: colour == current) { $0.captionStyle[keyPath: path] = colour }
            }
    }

    private func opacityEntries(_ path: WritableKeyPath<CaptionStyle, Int?>, _ values: [Int]) -> [MenuEntry] {
        let current = settings.captionStyle[keyPath: path]
        return [
            choice(policy.strings.text(.asProgramme), isCurrent: current == nil) { $0.captionStyle[keyPath: path] = nil }
        ]
            + values.map { value in
                choice(percent(value), isCurrent: value == current) { $0.captionStyle[keyPath: path] = value }
            }
    }

    private func title(of colour: CaptionStyle.Colour) -> String {
        let phrase: Phrase =
            switch colour {
            case .white: .white
            case .black: .black
            case .red: .red
            case .green: .green
            case .blue: .blue
            case .yellow: .yellow
            case .magenta: .magenta
            case .cyan: .cyan
            }
        return policy.strings.text(phrase)
    }

    private func title(of font: CaptionStyle.Font) -> String {
        let phrase: Phrase =
            switch font {
            case .automatic: .automatic
            case .monospacedSerif: .fontMonospacedSerif
            case .proportionalSerif: .fontSerif
            case .monospacedSans: .fontMonospacedSans
            case .proportionalSans: .fontSans
            case .casual: .fontCasual
            case .cursive: .fontCursive
            case .smallCapitals: .fontSmallCapitals
            }
        return policy.strings.text(phrase)
    }

    private func title(of edge: CaptionStyle.Edge) -> String {
        let phrase: Phrase =
            switch edge {
            case .none: .edgeNone
            case .raised: .edgeRaised
            case .depressed: .edgeDepressed
            case .uniform: .edgeUniform
            case .dropShadow: .edgeDropShadow
            }
        return policy.strings.text(phrase)
    }

    // MARK: Facts

    var onlineValue: String? { facts.isOnline.map { policy.strings.text($0 ? .online : .offline) } }

    func title(of store: BoxFacts.Store) -> String {
        switch store.kind {
        case .downloads: policy.strings.text(.downloads)
        case .pictures: policy.strings.text(.storedPictures)
        case .places: policy.strings.text(.viewingHistory)
        }
    }

    /// What is known and not secret; a fact that nobody has told is left out.
    func factEntries(_ page: MenuPage) -> [MenuEntry] {
        func fact(_ phrase: Phrase, _ value: String?) -> MenuEntry? {
            value.map { MenuEntry(action: .nothing, title: policy.strings.text(phrase), value: $0) }
        }
        switch page {
        case .network:
            return [
                fact(.networkState, onlineValue), fact(.networkLink, facts.link),
                fact(.networkAddress, policy.isKiosk ? nil : facts.address),
            ].compactMap { $0 }
        case .storage:
            return [fact(.freeSpace, facts.freeBytes.map { policy.strings.size($0) })].compactMap { $0 }
                + facts.stores.map { store in
                    MenuEntry(
                        action: .open(.deletion(store.id)), title: title(of: store), value: policy.strings.size(store.bytes),
                        mark: .submenu, explanation: policy.strings.text(.storeExplained), isEnabled: store.bytes > 0)
                }
        default:
            return [
                fact(.boxName, facts.name), fact(.version, facts.version), fact(.provider, facts.provider),
                fact(.support, facts.support), fact(.feed, facts.feed), fact(.screen, facts.screen),
                fact(.soundOutput, facts.sound),
                fact(.session, facts.session),
            ].compactMap { $0 }
        }
    }
}
