import Playback

/// What can be chosen between. The counterpart of `AVMediaCharacteristic`.
public enum MediaCharacteristic: String, Sendable, Hashable, CaseIterable {
    /// Sound.
    case audible
    /// Captions.
    case legible
    /// Pictures: angles.
    case visual

    var exact: Playback.MediaCharacteristic {
        switch self {
        case .audible: .audible
        case .legible: .legible
        case .visual: .visual
        }
    }
}

/// One option: a sound track, captions, an angle. The counterpart of `AVMediaSelectionOption`.
public struct MediaSelectionOption: Sendable, Hashable {
    let exact: Playback.MediaSelectionOption

    init(_ exact: Playback.MediaSelectionOption) { self.exact = exact }

    /// Its language (BCP 47); nil if unknown.
    public var extendedLanguageTag: String? { exact.extendedLanguageTag }
    /// Its display name in the source.
    public var displayName: String? { exact.displayName }
    /// Whether it is the default of its group.
    public var isDefault: Bool { exact.isDefault }
    /// Whether it has only captions that are shown even when captions are off.
    public var isForced: Bool { exact.isForced }
    /// Its characteristics in HLS's terms, e.g. `public.accessibility.describes-video`.
    public var mediaCharacteristics: [String] { exact.mediaCharacteristics }
}

/// Options of which at most one is selected. The counterpart of `AVMediaSelectionGroup`.
public struct MediaSelectionGroup: Sendable, Hashable {
    let exact: Playback.MediaSelectionGroup

    init(_ exact: Playback.MediaSelectionGroup) { self.exact = exact }

    /// The options in the order of a menu: those of one language together, the main one first.
    public var options: [MediaSelectionOption] { exact.options.map { MediaSelectionOption($0) } }
    /// Whether no option may be selected.
    public var allowsEmptySelection: Bool { exact.allowsEmptySelection }
}

extension PlayerItem {
    /// The options of one kind; nil before the item is ready, and if it has none.
    public func mediaSelectionGroup(for characteristic: MediaCharacteristic) -> MediaSelectionGroup? {
        inner.selection.group(characteristic.exact).map { MediaSelectionGroup($0) }
    }

    /// The selected option of a kind; nil for none.
    public func selectedOption(for characteristic: MediaCharacteristic) -> MediaSelectionOption? {
        inner.selection.selectedOption(characteristic.exact).map { MediaSelectionOption($0) }
    }

    /// Selects an option, or with nil none if the group allows that. It takes effect at once, and is kept until another is selected.
    ///
    /// - Returns: false if the item does not have this option.
    @discardableResult
    public func select(_ option: MediaSelectionOption?, in group: MediaSelectionGroup) -> Bool {
        inner.selection.select(option?.exact, in: group.exact)
    }

    /// Withdraws a selection: the preferred languages decide again.
    public func selectAutomatically(in group: MediaSelectionGroup) {
        inner.selection.selectMediaOptionAutomatically(in: group.exact)
    }

    /// Sets what decides where nothing was selected. The counterpart of `AVPlayerMediaSelectionCriteria`.
    ///
    /// - Parameters:
    ///   - languages: BCP 47, best first.
    ///   - characteristics: preferred ones in HLS's terms, such as captions for the deaf.
    public func setPreferredLanguages(
        _ languages: [String], characteristics: [String] = [], for characteristic: MediaCharacteristic
    ) {
        inner.selection.criteria[characteristic.exact] = MediaSelectionCriteria(
            preferredLanguages: languages, preferredMediaCharacteristics: characteristics)
    }
}
