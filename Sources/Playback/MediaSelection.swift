import LinuxSupport
import MediaModel

/// The options of an item, the explicit selections, and the resulting selection. Main loop.
///
/// An explicit selection (also of none) overrides the criteria until `selectMediaOptionAutomatically` withdraws it.
@MainActor
package final class MediaSelection {
    /// The explicit selection in a group.
    package enum Choice: Sendable, Hashable {
        /// None: the criteria decide.
        case automatic
        /// No option.
        case off
        /// An option, by its id.
        case option(String)
    }

    /// A change of the selection.
    package enum Change: Sendable, Hashable {
        /// Another option of this group is selected, or none.
        case selected(MediaCharacteristic)
        /// Groups or options have changed.
        case groups
    }

    /// The groups with options, in the order audible, legible, visual.
    package private(set) var groups: [MediaSelectionGroup] = []
    /// The preferences by group; AVFoundation's `setMediaSelectionCriteria(_:forMediaCharacteristic:)`.
    package var criteria: [MediaCharacteristic: MediaSelectionCriteria] = [:] { didSet { if criteria != oldValue { settle() } } }
    /// Whether the criteria apply without an explicit selection. An operator who pins a selection sets false: then only defaults and explicit selections apply.
    package var appliesMediaSelectionCriteriaAutomatically = true { didSet { settle() } }
    /// Increases with every change of options or selections, so that a reader can detect changes by comparing it.
    package private(set) var revision = 0
    /// The changes. A listener is called when the change is complete.
    package let changes = EventSource<Change>()

    private var choices: [MediaCharacteristic: Choice] = [:]
    private var selected: [MediaCharacteristic: MediaSelectionOption] = [:]
    private var tracks: [TrackDescription] = []
    /// The tracks that cannot be decoded here: they are not offered.
    private var withdrawn: Set<TrackID> = []
    /// The selected sound that was withdrawn: other sound like it comes before what the criteria decide.
    private var lostSound: MediaSelectionOption?
    private var files: [MediaSelectionOption] = []
    private var closedCaptions: [MediaSelectionOption] = []

    /// Starts without options.
    package init() {}

    /// The group of a characteristic; nil if it has no options.
    package func group(_ characteristic: MediaCharacteristic) -> MediaSelectionGroup? {
        groups.first { $0.characteristic == characteristic }
    }

    /// The selected option in a group; nil for none.
    package func selectedOption(_ characteristic: MediaCharacteristic) -> MediaSelectionOption? { selected[characteristic] }

    /// The explicit selection in a group.
    package func choice(_ characteristic: MediaCharacteristic) -> Choice { choices[characteristic] ?? .automatic }

    /// Selects an option, or with nil none if the group allows that. The selection is kept.
    ///
    /// - Returns: false if the group does not have this option.
    @discardableResult
    package func select(_ option: MediaSelectionOption?, in group: MediaSelectionGroup) -> Bool {
        guard let own = self.group(group.characteristic) else { return false }
        if let option {
            guard own.options.contains(where: { $0.id == option.id }) else { return false }
            choices[group.characteristic] = .option(option.id)
            if group.characteristic == .audible { lostSound = nil }
        } else {
            guard own.allowsEmptySelection else { return false }
            choices[group.characteristic] = .off
        }
        settle()
        return true
    }

    /// Withdraws an explicit selection: the criteria decide again.
    package func selectMediaOptionAutomatically(in group: MediaSelectionGroup) {
        choices[group.characteristic] = nil
        settle()
    }

    /// Selects the option that matches a selection in another item by language and characteristics. Without a match the criteria decide.
    ///
    /// - Returns: whether there is a match.
    @discardableResult
    package func select(like memory: SelectionMemory, in characteristic: MediaCharacteristic) -> Bool {
        switch memory {
        case .automatic: choices[characteristic] = nil
        case .off: choices[characteristic] = .off
        case .like(let language, let characteristics, let isForced):
            let isWritten = characteristic == .legible
            func score(_ option: MediaSelectionOption) -> Int {
                LanguageScore.of(option.extendedLanguageTag, for: language, isWritten: isWritten)
            }
            func likeness(_ option: MediaSelectionOption, _ index: Int) -> [Int] {
                let differences = Set(option.mediaCharacteristics).symmetricDifference(characteristics).count
                return [-differences, score(option), -index]
            }
            let found = group(characteristic)?.options.enumerated()
                .filter { $0.element.isForced == isForced && score($0.element) >= 2 }
                .max { likeness($0.element, $0.offset).lexicographicallyPrecedes(likeness($1.element, $1.offset)) }
            choices[characteristic] = found.map { .option($0.element.id) }
            settle()
            return found != nil
        }
        settle()
        return true
    }

    /// The selection in a group, in a form that can be applied to the next item.
    package func memory(of characteristic: MediaCharacteristic) -> SelectionMemory {
        switch choice(characteristic) {
        case .automatic: return .automatic
        case .off: return .off
        case .option(let id):
            guard let option = group(characteristic)?.options.first(where: { $0.id == id }) else { return .automatic }
            return .like(
                language: LanguageScore.normalized(option.extendedLanguageTag) ?? "und",
                characteristics: option.mediaCharacteristics.sorted(), isForced: option.isForced)
        }
    }

    // MARK: Options

    /// The tracks of the source.
    func take(_ tracks: [TrackDescription]) {
        self.tracks = tracks
        rebuild()
    }

    /// Withdraws a track for which there is no decoder, or which cannot be loaded. If it was selected, explicitly or not, the criteria decide among the others.
    func withdraw(_ track: TrackID) {
        if let option = selected[.audible], option.source == .track(track) { lostSound = option }
        withdrawn.insert(track)
        rebuild()
    }

    /// A withdrawn track can be played after all.
    func reinstate(_ track: TrackID) {
        guard withdrawn.remove(track) != nil else { return }
        if lostSound?.source == .track(track) { lostSound = nil }
        rebuild()
    }

    /// Whether a track was withdrawn.
    func hasWithdrawn(_ track: TrackID) -> Bool { withdrawn.contains(track) }

    /// Separate caption files.
    ///
    /// - Parameter charset: the name of its encoding; nil: it is found out.
    package func addCaptionFile(
        url: String, languageTag: String?, name: String? = nil, isSDH: Bool = false, isForced: Bool = false,
        charset: String? = nil
    ) {
        guard !files.contains(where: { $0.source == .file(url) }) else { return }
        var option = MediaSelectionOption(
            id: "file\(files.count)", source: .file(url), extendedLanguageTag: languageTag, displayName: name, isForced: isForced,
            mediaCharacteristics: isSDH
                ? [OptionCharacteristic.transcribesSpokenDialog, OptionCharacteristic.describesMusicAndSound] : [])
        option.charset = charset
        files.append(option)
        rebuild()
    }

    /// A closed-caption channel found inside the video. One that the source has listed is not added.
    func addClosedCaptions(_ channel: String, languageTag: String?) {
        guard !closedCaptions.contains(where: { $0.source == .closedCaptions(channel) }),
            !tracks.contains(where: { $0.codec == TrackDescription.closedCaptionCodec(channel) })
        else { return }
        closedCaptions.append(Self.closedCaptionOption(channel, languageTag: languageTag))
        closedCaptions.sort { $0.id < $1.id }
        rebuild()
    }

    private static func closedCaptionOption(_ channel: String, languageTag: String?) -> MediaSelectionOption {
        MediaSelectionOption(
            id: channel, source: .closedCaptions(channel), extendedLanguageTag: languageTag, displayName: channel,
            isAutoselect: false,
            mediaCharacteristics: [OptionCharacteristic.transcribesSpokenDialog, OptionCharacteristic.describesMusicAndSound])
    }

    private func rebuild() {
        let old = groups
        func options(_ types: Set<MediaType>) -> [MediaSelectionOption] {
            tracks.filter { types.contains($0.type) && !withdrawn.contains($0.id) }.map(MediaSelectionOption.init)
        }
        let audible = MediaSelectionGroup.inMenuOrder(options([.audio]))
        // Options in unsupported codecs are not offered.
        let texts = options([.text, .subtitle]).filter { CaptionCodec.isShown($0.codec) }
        let legible = MediaSelectionGroup.inMenuOrder(texts + closedCaptions + files)
        let visual = options([.video])
        groups = []
        if !audible.isEmpty {
            groups.append(.init(characteristic: .audible, options: audible, allowsEmptySelection: false))
        }
        if !legible.isEmpty { groups.append(.init(characteristic: .legible, options: legible, allowsEmptySelection: true)) }
        if visual.count > 1 { groups.append(.init(characteristic: .visual, options: visual, allowsEmptySelection: false)) }
        changes.whileHolding {
            settle()
            if groups != old { changes.send(.groups) }
        }
    }

    /// Computes the selections and reports changes.
    private func settle() {
        revision += 1
        changes.whileHolding {
            // Captions depend on the audio, so the audio is selected first.
            for characteristic in [MediaCharacteristic.audible, .legible, .visual] {
                let option = decide(characteristic)
                guard option != selected[characteristic] else { continue }
                selected[characteristic] = option
                changes.send(.selected(characteristic))
            }
        }
    }

    private func decide(_ characteristic: MediaCharacteristic) -> MediaSelectionOption? {
        guard let group = group(characteristic) else { return nil }
        switch choice(characteristic) {
        case .off where group.allowsEmptySelection: return nil
        case .option(let id):
            if let option = group.options.first(where: { $0.id == id }) { return option }
        case .off, .automatic: break
        }
        let criteria = appliesMediaSelectionCriteriaAutomatically ? self.criteria[characteristic] ?? .init() : .init()
        switch characteristic {
        case .audible:
            let alike = group.options.filter { option in
                lostSound.map {
                    LanguageScore.normalized($0.extendedLanguageTag) == LanguageScore.normalized(option.extendedLanguageTag)
                        && $0.mediaCharacteristics == option.mediaCharacteristics
                } ?? false
            }
            return AutomaticSelection.audible(alike.isEmpty ? group.options : alike, criteria)
        case .legible:
            guard appliesMediaSelectionCriteriaAutomatically else { return group.options.first { $0.isDefault && !$0.isForced } }
            return AutomaticSelection.legible(
                group.options, criteria, audio: selected[.audible], audible: self.criteria[.audible] ?? .init())
        case .visual: return group.defaultOption ?? group.options.first
        }
    }
}

/// An explicit selection in a form that outlives its item.
package enum SelectionMemory: Sendable, Hashable {
    /// The criteria decide.
    case automatic
    /// No option.
    case off
    /// An option with this language and these characteristics.
    case like(language: String, characteristics: [String], isForced: Bool)
}
