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
