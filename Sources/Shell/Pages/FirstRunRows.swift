import BoxModel
import MediaModel
import Screens
import Viewing

/// The rows of a step of the first run, and its words.
struct FirstRunRows: Sendable {
    enum Action: Sendable, Equatable {
        case next
        /// The page of the wireless networks.
        case wireless
        /// The pad on which an address is typed.
        case address
        case testPicture
        case wants(Intent)
    }

    struct Row: Sendable {
        var title: String
        var action: Action
        var value: String?
        var mark = MenuView.Mark.none
        /// What moving focus to it does.
        var whenFocused = KeyOutcome.done
    }

    private let context: FirstRunContext
    /// Whether an address was typed before.
    private let hasTyped: Bool
    private var strings: StringCatalogue { context.strings }

    init(_ context: FirstRunContext, typed: String?) {
        self.context = context
        hasTyped = typed != nil
    }

    var title: String {
        switch context.course.step {
        case .language: strings.text(.language)
        case .network: strings.text(.network)
        case .channels: strings.text(.channels)
        case .pictureAndSound: strings.text(.firstRunTest)
        case .pin: strings.text(.parental)
        case nil: ""
        }
    }

    var all: [Row] {
        switch context.course.step {
        case .language: languages
        case .network: network
        case .channels: channels
        case .pictureAndSound: tests
        case .pin: pin
        case nil: []
        }
    }

    /// The row on which focus begins.
    var start: Int { context.course.step == .language ? languages.firstIndex { $0.mark == .choice(isCurrent: true) } ?? 0 : 0 }

    /// What the step is about, and where Back leads.
    var explanation: String? {
        let back = strings.text(context.course.isFirst ? .firstRunLeave : .firstRunBack)
        return words?.followed(by: back)
    }

    private var words: String? {
        switch context.course.step {
        case .language: strings.text(.firstRunLanguage)
        case .network: networkWords
        case .channels: channelWords
        case .pictureAndSound: strings.text(.firstRunTestExplained)
        case .pin: context.policy.hasPIN ? strings.text(.pinSaved) : strings.text(.newPINExplained)
        case nil: nil
        }
    }

    private func row(_ phrase: Phrase, _ action: Action, mark: MenuView.Mark = .none) -> Row {
        Row(title: strings.text(phrase), action: action, mark: mark)
    }

    private var skip: Row { row(.skip, .next) }
    private var goOn: Row { row(.firstRunContinue, .next) }

    // MARK: Language

    /// Each in its own words. The one with focus is shown at once.
    private var languages: [Row] {
        StringCatalogue.all.map { catalogue in
            var new = context.settings
            new.language = catalogue.language
            let isCurrent = catalogue.language == strings.language
            var row = Row(title: catalogue.ownName, action: .next, mark: .choice(isCurrent: isCurrent))
            if new != context.settings { row.whenFocused = .wants(.choose(.set(new))) }
            return row
        }
    }

    // MARK: Network

    private var radio: WirelessStatus.Radio { context.wireless?.status.radio ?? .absent }
    private var address: String? { context.course.facts?.address }

    private var network: [Row] {
        let offersWireless = radio != .absent && radio != .noCountry
        let wireless = offersWireless ? [row(.wireless, .wireless, mark: .submenu)] : []
        return address == nil ? wireless + [skip] : [goOn] + wireless
    }

    private var networkWords: String {
        if let address { return strings.text(.firstRunConnected, address) }
        switch radio {
        case .absent: return strings.text(.firstRunNoCable)
        case .noCountry:
            return strings.text(.firstRunNoCable).followed(by: strings.text(.boxRadioOff, "[network] wifi_country", "\"FR\""))
        case .on, .off, .unavailable: return strings.text(.boxChooseWireless)
        }
    }

    // MARK: Channels

    private var channels: [Row] {
        switch context.course.facts?.check {
        case .kept: return [goOn]
        case .running: return [skip]
        case nil, .unreachable, .refused, .badAddress, .notKept: break
        }
        var rows = (context.course.facts?.sources ?? []).map { source in
            Row(title: title(of: source), action: .wants(.request(.firstRun(.use(source)))))
        }
        let typing = row(.firstRunAddress, .address, mark: .submenu)
        // Whose address was refused corrects it.
        if hasTyped { rows.insert(typing, at: 0) } else { rows.append(typing) }
        return rows + [skip]
    }

    private func title(of source: FirstRunFacts.Source) -> String {
        switch source {
        case .file(let name, _): strings.text(.boxOnDisk, name)
        case .address(let address): strings.isolated(address)
        }
    }

    private var channelWords: String {
        switch context.course.facts?.check {
        case nil: strings.text(.firstRunChannels, "feed.json")
        case .running: strings.text(.firstRunChecking)
        case .kept(let name?): strings.text(.firstRunChannelsOf, strings.isolated(name))
        case .kept(nil): strings.text(.firstRunChannelsKept)
        case .badAddress: strings.text(.firstRunAddressHint)
        case .notKept: strings.text(.errorStorage)
        case .unreachable(let code): "\(strings.text(.firstRunUnreachable)) (\(code.rawValue))"
        case .refused(let code): "\(strings.text(.firstRunRefused)) (\(code))"
        }
    }

    // MARK: Picture and sound, PIN

    private var tests: [Row] {
        func tone(_ phrase: Phrase, _ side: SoundSide) -> Row { row(phrase, .wants(.request(.playTone(side)))) }
        return [
            row(.firstRunPicture, .testPicture, mark: .submenu), tone(.firstRunLeft, .left), tone(.firstRunRight, .right), goOn,
        ]
    }

    private var pin: [Row] {
        context.policy.hasPIN ? [goOn] : [row(.createPIN, .wants(.askPIN(.newPIN)), mark: .submenu), skip]
    }
}
