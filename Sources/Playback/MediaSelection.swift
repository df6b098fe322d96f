import MediaModel

/// What can be chosen of an item, what the viewer has chosen, and what follows from it. Main loop.
///
/// An explicit choice (none included) goes before the criteria until `selectMediaOptionAutomatically` takes it back.
@MainActor
package final class MediaSelection {
    /// What was chosen in a group.
    package enum Choice: Sendable, Hashable {
        /// Nothing: the criteria decide.
        case automatic
        /// None.
        case off
        /// An option, by its id.
        case option(String)
    }

    /// The groups that have options, in the order audible, legible, visual.
    package private(set) var groups: [MediaSelectionGroup] = []
    /// What is preferred, by group; AVFoundation's `setMediaSelectionCriteria(_:forMediaCharacteristic:)`.
    package var criteria: [MediaCharacteristic: MediaSelectionCriteria] = [:] { didSet { if criteria != oldValue { settle() } } }
    /// Whether criteria decide where nothing was chosen. An operator who pins a selection sets false: then only defaults and choices count.
    package var appliesMediaSelectionCriteriaAutomatically = true { didSet { settle() } }
    /// Grows with every change of what there is and of what is chosen: who has looked at a number need not look again.
    package private(set) var revision = 0
    /// Told when what is in force in a group has changed.
    package var onChange: (@MainActor (MediaCharacteristic) -> Void)?
    /// Told when there are other groups or options.
    package var onGroupsChange: (@MainActor () -> Void)?

    private var choices: [MediaCharacteristic: Choice] = [:]
    private var selected: [MediaCharacteristic: MediaSelectionOption] = [:]
    private var tracks: [TrackDescription] = []
    private var files: [MediaSelectionOption] = []
    private var closedCaptions: [MediaSelectionOption] = []

    /// Begins without options.
    package init() {}

    /// The group of a characteristic; nil where there is nothing to choose.
    package func group(_ characteristic: MediaCharacteristic) -> MediaSelectionGroup? {
        groups.first { $0.characteristic == characteristic }
    }

    /// What is in force in a group; nil: none.
    package func selectedOption(_ characteristic: MediaCharacteristic) -> MediaSelectionOption? { selected[characteristic] }

    /// What was chosen in a group.
    package func choice(_ characteristic: MediaCharacteristic) -> Choice { choices[characteristic] ?? .automatic }

    /// Chooses an option, or with nil none where the group allows that. It sticks.
    ///
    /// - Returns: false where the group has no such option.
    @discardableResult
    package func select(_ option: MediaSelectionOption?, in group: MediaSelectionGroup) -> Bool {
        guard let own = self.group(group.characteristic) else { return false }
        if let option {
            guard own.options.contains(where: { $0.id == option.id }) else { return false }
            choices[group.characteristic] = .option(option.id)
        } else {
            guard own.allowsEmptySelection else { return false }
            choices[group.characteristic] = .off
        }
        settle()
        return true
    }

    /// Takes a choice back: the criteria decide again.
    package func selectMediaOptionAutomatically(in group: MediaSelectionGroup) {
        choices[group.characteristic] = nil
        settle()
    }

    /// Chooses by what an option was like, in another item: language and characteristics. Where nothing is like it the criteria decide.
    ///
    /// - Returns: whether there is such an option.
    @discardableResult
    package func select(like memory: SelectionMemory, in characteristic: MediaCharacteristic) -> Bool {
        switch memory {
        case .automatic: choices[characteristic] = nil
        case .off: choices[characteristic] = .off
        case .like(let language, let characteristics, let isForced):
            let found = group(characteristic)?.options.enumerated()
                .filter {
                    ($0.element.isForced == isForced) && LanguageScore.of($0.element.extendedLanguageTag, for: language) >= 2
                }
                .max { left, right in
                    likeness(left.element, language, characteristics, -left.offset)
                        .lexicographicallyPrecedes(likeness(right.element, language, characteristics, -right.offset))
                }
            choices[characteristic] = found.map { .option($0.element.id) }
            settle()
            return found != nil
        }
        settle()
        return true
    }

    /// What is remembered of the choice in a group, for the next item.
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

    private func likeness(
        _ option: MediaSelectionOption, _ language: String, _ characteristics: [String], _ index: Int
    ) -> [Int] {
        let same = Set(option.mediaCharacteristics).symmetricDifference(characteristics).count
        return [-same, LanguageScore.of(option.extendedLanguageTag, for: language), index]
    }

    // MARK: What there is

    /// The tracks of the source.
    func take(_ tracks: [TrackDescription]) {
        self.tracks = tracks
        rebuild()
    }

    /// Caption files beside the media.
    package func addCaptionFile(
        url: String, languageTag: String?, name: String? = nil, isSDH: Bool = false, isForced: Bool = false
    ) {
        guard !files.contains(where: { $0.source == .file(url) }) else { return }
        files.append(
            MediaSelectionOption(
                id: "file\(files.count)", source: .file(url), extendedLanguageTag: languageTag, displayName: name,
                isForced: isForced,
                mediaCharacteristics: isSDH
                    ? [OptionCharacteristic.transcribesSpokenDialog, OptionCharacteristic.describesMusicAndSound] : []))
        rebuild()
    }

    /// A channel of captions that was found inside the pictures. One that the source has described already is not added.
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
            tracks.filter { types.contains($0.type) }.map(MediaSelectionOption.init)
        }
        let audible = MediaSelectionGroup.inMenuOrder(options([.audio]))
        // What cannot be shown here is not offered.
        let texts = options([.text, .subtitle]).filter { CaptionCodec.isShown($0.codec) }
        let legible = MediaSelectionGroup.inMenuOrder(texts + closedCaptions + files)
        let visual = options([.video])
        groups = []
        if !audible.isEmpty {
            groups.append(.init(characteristic: .audible, options: audible, allowsEmptySelection: false))
        }
        if !legible.isEmpty { groups.append(.init(characteristic: .legible, options: legible, allowsEmptySelection: true)) }
        if visual.count > 1 { groups.append(.init(characteristic: .visual, options: visual, allowsEmptySelection: false)) }
        settle()
        if groups != old { onGroupsChange?() }
    }

    /// Works out what is in force and tells what has changed.
    private func settle() {
        revision += 1
        var changed: [MediaCharacteristic] = []
        // Captions hang on the sound, so the sound comes first.
        for characteristic in [MediaCharacteristic.audible, .legible, .visual] {
            let option = decide(characteristic)
            guard option != selected[characteristic] else { continue }
            selected[characteristic] = option
            changed.append(characteristic)
        }
        for characteristic in changed { onChange?(characteristic) }
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
        case .audible: return AutomaticSelection.audible(group.options, criteria)
        case .legible:
            guard appliesMediaSelectionCriteriaAutomatically else { return group.options.first { $0.isDefault && !$0.isForced } }
            return AutomaticSelection.legible(
                group.options, criteria, audio: selected[.audible], audible: self.criteria[.audible] ?? .init())
        case .visual: return group.defaultOption ?? group.options.first
        }
    }
}

/// What is remembered of a choice beyond the item in which it was made.
package enum SelectionMemory: Sendable, Hashable {
    /// The criteria decide.
    case automatic
    /// None.
    case off
    /// An option of this language with these characteristics.
    case like(language: String, characteristics: [String], isForced: Bool)
}

extension MediaSelectionOption {
    /// The option that a track is.
    init(_ track: TrackDescription) {
        let source: Source =
            track.codec.hasPrefix(TrackDescription.closedCaptionPrefix)
            ? .closedCaptions(String(track.codec.dropFirst(TrackDescription.closedCaptionPrefix.count))) : .track(track.id)
        self.init(
            id: "\(track.id)", source: source, extendedLanguageTag: track.languageTag,
            associatedLanguageTag: track.associatedLanguageTag, displayName: track.name, isDefault: track.isDefault,
            isAutoselect: track.isAutoselect, isForced: track.isForced, mediaCharacteristics: track.characteristics,
            channels: track.channels, codec: track.codec)
    }
}
