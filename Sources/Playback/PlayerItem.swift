import LinuxSupport
import MediaModel
import MediaSources
import MediaTime
import Metadata

/// One presentation of an asset by a player: its dynamic state, and its settings from a feed. The counterpart of `AVPlayerItem`.
@MainActor
package final class PlayerItem {
    /// Whether the item can be played; AVFoundation's `AVPlayerItem.Status`.
    package enum Status: Sendable, Equatable {
        /// Not known yet.
        case unknown
        /// It can be played.
        case readyToPlay
        /// It can no longer be played.
        case failed(MediaError)
    }

    /// The asset.
    package let asset: Asset
    /// Whether it can be played.
    package internal(set) var status = Status.unknown
    /// The source's description; nil until it is ready.
    package internal(set) var description: SourceDescription? {
        didSet {
            offerRevision += 1
            // A sliding window does not change the options.
            guard oldValue?.tracks.map(\.id) != description?.tracks.map(\.id) else { return }
            selection.take(description?.tracks ?? [])
        }
    }
    /// The live status of its source; nil if it has none.
    package internal(set) var liveStatus: LiveStatus?
    /// The configured distance from the live edge; nil for the distance that its source recommends, which is also the minimum.
    package var configuredTimeOffsetFromLive: MediaTime?
    /// Whether playback that has fallen further behind jumps forward after a stall.
    package var automaticallyPreservesTimeOffsetFromLive = false
    /// The start position; nil for the source's preference.
    package var startTime: MediaTime?
    /// The id of an interstitial event that plays before playback starts, because it was left before its end.
    package var owedInterstitial: String?
    /// Playback ends here instead of at the end (trim). Asset time.
    package var forwardPlaybackEndTime: MediaTime?
    /// Backward playback ends here instead of at zero (trim). Asset time.
    package var reversePlaybackEndTime: MediaTime?
    /// The metadata of its stream so far; empty for files, whose metadata are a property of the asset.
    package internal(set) var metadata = StreamMetadata()
    /// The metadata that apply at the playback position.
    package internal(set) var presentedMetadata: [MetadataItem] = []
    /// The options for audio, captions and angles, and the selections.
    package let selection = MediaSelection()
    /// The quality of backward playback; it is lowered by what is found during backward playback.
    package internal(set) var reversePlayback = ReversePlayback.whole { didSet { offerRevision += 1 } }
    /// Passing its sound through has failed.
    var isSoundDecodedHere = false
    /// Determines whether sound can be played at other rates. Called only when needed, because it takes time.
    var findsOutStretching: (() -> Bool)? { didSet { offerRevision += 1 } }
    /// Whether its sound can be played at other rates.
    var stretchesSound: Bool { findsOutStretching?() ?? false }
    /// Its log so far: `accessLog()` and `errorLog()` of AVFoundation. Nil before a player has it.
    package internal(set) var log: PlaybackLog?

    private var offerRevision = 0
    /// Increases with every change of the item's options, tracks and rates.
    package var revision: Int { offerRevision + selection.revision }

    /// Wraps an asset for one presentation.
    package init(asset: Asset) { self.asset = asset }

    /// The duration; nil while unknown.
    package var duration: MediaDuration? { description?.duration }

    /// The played video track.
    package var videoTrack: TrackDescription? {
        description?.tracks.first { $0.type == .video && !disabledTracks.contains($0.id) }
    }

    /// The disabled tracks.
    var disabledTracks: Set<TrackID> = [] { didSet { offerRevision += 1 } }
    /// Tracks that the client has enabled or disabled.
    let trackChanges = EventSource<PlayerItemTrack>()

    /// The end of playback, if it is known.
    package var endTime: MediaTime? {
        let duration = description?.duration.time
        guard let forwardPlaybackEndTime else { return duration }
        return duration.map { min($0, forwardPlaybackEndTime) } ?? forwardPlaybackEndTime
    }

    /// Whether a position is so near the end that there may be nothing behind it.
    func isNearEnd(_ time: MediaTime) -> Bool { endTime.map { $0 > .seconds(2) && time > $0 - .seconds(2) } ?? false }

    /// The current seekable range.
    package var seekableTimeRanges: [TimeRange] { description?.seekableTimeRanges ?? [] }

    /// The distance from the edge that the source recommends; nil if it is not live.
    package var recommendedTimeOffsetFromLive: MediaTime? {
        liveStatus.flatMap { $0.isLive ? $0.recommendedTimeOffsetFromLive : nil }
    }

    /// Whether more media will come.
    package var isLive: Bool { liveStatus?.isLive ?? (description?.duration == .live) }

    /// The start position on live: the configured distance from the edge, otherwise the recommended one.
    func liveStart(_ status: LiveStatus) -> MediaTime {
        let range = status.seekableTimeRange
        guard let offset = configuredTimeOffsetFromLive else { return range.end }
        return min(max(range.start, status.edge - max(offset, status.recommendedTimeOffsetFromLive)), range.end)
    }

    /// The start position for a configured distance; nil if none is configured, or if the item is not live.
    var configuredStart: MediaTime? {
        guard configuredTimeOffsetFromLive != nil, let status = liveStatus, status.isLive else { return nil }
        return liveStart(status)
    }

    /// Applies the source's status: the seekable range is the new window.
    func take(_ status: LiveStatus) {
        liveStatus = status
        guard var known = description else { return }
        known.seekableTimeRanges = [status.seekableTimeRange]
        known.duration = status.duration
        known.discontinuities = status.discontinuities
        description = known
    }

    /// A position clamped to the seekable range of a live item.
    func withinWindow(_ time: MediaTime) -> MediaTime {
        guard let status = liveStatus, status.isLive else { return time }
        return min(max(time, status.seekableTimeRange.start), status.seekableTimeRange.end)
    }

    /// The sound that cannot be decoded, if the item can be played without it: with other sound, or with pictures alone.
    ///
    /// - Parameter error: why its sound could not be read.
    func dispensableSound(after error: MediaError) -> TrackDescription? {
        guard error.code == .decoderUnsupported, let audioTrack else { return nil }
        let others = description?.tracks.contains {
            $0.type == .audio && $0.id != audioTrack.id && !selection.hasWithdrawn($0.id) && !disabledTracks.contains($0.id)
        }
        return videoTrack != nil || others == true ? audioTrack : nil
    }

    /// Whether there is other sound in the language of the audible one, and of the same kind.
    var hasOtherSoundInLanguage: Bool {
        guard let own = audioTrack else { return false }
        return description?.tracks.contains {
            $0.type == .audio && $0.id != own.id && !selection.hasWithdrawn($0.id) && !disabledTracks.contains($0.id)
                && LanguageScore.normalized($0.languageTag) == LanguageScore.normalized(own.languageTag)
                && $0.characteristics == own.characteristics
        } ?? false
    }

    /// The video and audio tracks; empty while the item is not ready.
    package var tracks: [PlayerItemTrack] {
        (description?.tracks ?? []).filter { $0.type == .video || $0.type == .audio }.map { PlayerItemTrack($0, of: self) }
    }

    /// Whether there is video in which it is possible to seek back.
    private var canSeekPictures: Bool { videoTrack != nil && !(description?.seekableTimeRanges.isEmpty ?? true) }
    /// A still has no next picture, and none before it.
    private var hasFrames: Bool { canSeekPictures && description?.kind != SourceDescription.pictureKind }
    /// The usual distance of two frames.
    package var framePeriod: MediaTime { videoTrack?.frameRate?.period ?? MediaTime(1, 25) }
    /// Whether key pictures can be scanned.
    private var canScan: Bool { canSeekPictures && offersKeyFrames }
    /// Whether single key pictures can be shown.
    var offersKeyFrames: Bool { description?.offersKeyFrames ?? true }

    /// Whether rates above 1 are supported: up to 2 with sound at its pitch, 4, 12, 30 and 60 with key pictures.
    package var canPlayFastForward: Bool { canScan || stretchesSound || (description != nil && audioTrack == nil) }
    /// Whether rates between 0 and 1 are supported, down to 1/2.
    package var canPlaySlowForward: Bool { description != nil && (stretchesSound || audioTrack == nil) }
    /// Whether rates from -1 to -1/2 are supported; `reversePlayback` gives its quality.
    package var canPlayReverse: Bool { hasFrames && reversePlayback != .none }
    /// Whether rates between -1 and 0 are supported, down to -1/2.
    package var canPlaySlowReverse: Bool { canPlayReverse }
    /// Whether -4, -12, -30 and -60 are supported, with key pictures.
    package var canPlayFastReverse: Bool { canScan }
    /// Whether single steps forward are supported.
    package var canStepForward: Bool { hasFrames }
    /// Whether single steps back are supported.
    package var canStepBackward: Bool { hasFrames }

    /// The scan rates, in either direction.
    package static let scanRates = [Ratio(4), Ratio(12), Ratio(30), Ratio(60)]
    /// Why the item cannot be played at a rate; nil if it can.
    func refusal(ofRate rate: Ratio) -> PlaybackError? {
        func refuse(_ reason: String) -> PlaybackError { .rateNotSupported(rate, because: reason) }
        guard description != nil else { return refuse("the item is not ready yet, and what it can do is not known") }
        switch PlaybackManner(rate: rate) {
        case .forward:
            if rate < PlaybackManner.slowest { return refuse("the slowest rate is \(PlaybackManner.slowest)") }
            return rate < .one
                ? canPlaySlowForward ? nil : refuse("its sound cannot be stretched")
                : stretchesSound || audioTrack == nil ? nil : refuse("its sound cannot be stretched")
        case .reverse:
            if rate > Ratio(-1, 2) { return refuse("the slowest rate backward is -1/2") }
            return canPlayReverse ? nil : refuse("it has no pictures that can be decoded backward")
        case .scan:
            let magnitude = rate < .zero ? Ratio(-rate.numerator, rate.denominator) : rate
            guard Self.scanRates.contains(magnitude) else { return refuse("the scan rates are 4, 12, 30 and 60") }
            return canPlayFastReverse ? nil : refuse("it has no pictures, cannot be sought, or is made of pieces")
        }
    }
}

extension PlayerItem {
    /// The selected track of the audible group.
    private var chosenSound: TrackDescription? {
        guard case .track(let id) = selection.selectedOption(.audible)?.source else { return nil }
        return description?.tracks.first { $0.id == id }
    }

    /// The sound with which a description is mixed: the programme's audio in its language, otherwise in any; defaults first.
    private func programme(describedBy description: TrackDescription) -> TrackDescription? {
        let sounds = (self.description?.tracks ?? []).filter {
            $0.type == .audio && !$0.isDependent && !$0.characteristics.contains(OptionCharacteristic.describesVideo)
                && !selection.hasWithdrawn($0.id)
        }
        let same = sounds.filter { LanguageScore.normalized($0.languageTag) == LanguageScore.normalized(description.languageTag) }
        return same.first(where: \.isDefault) ?? same.first ?? sounds.first(where: \.isDefault) ?? sounds.first
    }

    /// The audio track being played: the selected one, or the one with which the selected description is mixed.
    package var audioTrack: TrackDescription? {
        guard let chosen = chosenSound else { return nil }
        let track = chosen.isDependent ? programme(describedBy: chosen) ?? chosen : chosen
        return disabledTracks.contains(track.id) ? nil : track
    }

    /// The audio description track, if it is mixed with the main audio; nil if there is none, or if it is a separate track.
    package var descriptionTrack: TrackDescription? {
        guard let chosen = chosenSound, chosen.isDependent, !disabledTracks.contains(chosen.id), audioTrack != nil,
            programme(describedBy: chosen) != nil
        else { return nil }
        return chosen
    }
}
