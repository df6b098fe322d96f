import MediaModel
import Playback

/// One presentation of an asset by a player. The counterpart of `AVPlayerItem`.
///
/// An item is in one player at most, and there once; when it was removed it can be inserted again.
@MainActor
public final class PlayerItem {
    /// Whether an item can be played. The counterpart of `AVPlayerItem.Status`.
    public enum Status: Sendable, Hashable {
        /// It is not known yet.
        case unknown
        /// It can be played.
        case readyToPlay
        /// It can no longer be played.
        case failed(PlaybackError)

        init(_ status: Playback.PlayerItem.Status) {
            switch status {
            case .unknown: self = .unknown
            case .readyToPlay: self = .readyToPlay
            case .failed(let error): self = .failed(PlaybackError(error))
            }
        }
    }

    /// The asset.
    public let asset: Asset
    let inner: Playback.PlayerItem
    /// The player that has it.
    weak var player: Player?

    /// Wraps an asset for one presentation.
    public init(asset: Asset) {
        self.asset = asset
        inner = Playback.PlayerItem(asset: asset.inner)
    }

    /// Whether it can be played. `Player.states()` tells the changes of the current item.
    public var status: Status { Status(inner.status) }
    /// The duration; nil before it is ready.
    public var duration: AssetDuration? { inner.duration.map { AssetDuration($0) } }

    /// Where playback begins; nil for the source's own start. Set it before the item is inserted.
    public var startTime: MediaTime? {
        get { inner.startTime.map { MediaTime($0) } }
        set { inner.startTime = newValue?.exact }
    }

    /// Playback ends here instead of at the end (trim); in asset time. Set it before the item is inserted.
    public var forwardPlaybackEndTime: MediaTime? {
        get { inner.forwardPlaybackEndTime.map { MediaTime($0) } }
        set { inner.forwardPlaybackEndTime = newValue?.exact }
    }

    /// Whether rates above 1 are supported: up to 2 with sound at its pitch; 4, 12, 30 and 60 with key pictures. False before it is ready, like the others.
    public var canPlayFastForward: Bool { inner.canPlayFastForward }
    /// Whether rates between 0 and 1 are supported, down to 1/2.
    public var canPlaySlowForward: Bool { inner.canPlaySlowForward }
    /// Whether rates from -1 to -1/2 are supported.
    public var canPlayReverse: Bool { inner.canPlayReverse }
    /// Whether -4, -12, -30 and -60 are supported, with key pictures.
    public var canPlayFastReverse: Bool { inner.canPlayFastReverse }

    /// The periods of playback so far, oldest first; the last one is still open while the item plays. Empty before a player has it.
    public var accessLog: [AccessLogEvent] { inner.log?.accessEvents.map { AccessLogEvent($0) } ?? [] }
    /// The errors so far, oldest first.
    public var errorLog: [ErrorLogEvent] { inner.log?.errorEvents.map { ErrorLogEvent($0) } ?? [] }

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
