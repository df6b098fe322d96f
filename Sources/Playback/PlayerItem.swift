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
