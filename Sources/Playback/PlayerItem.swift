import MediaModel
import MediaTime
import Metadata

/// One presentation of an asset by a player: what is dynamic about it, and what a feed says of it. The counterpart of `AVPlayerItem`.
@MainActor
package final class PlayerItem {
    /// Whether the item can be played; AVFoundation's `AVPlayerItem.Status`.
    package enum Status: Sendable, Equatable {
        /// Not yet known.
        case unknown
        /// It plays.
        case readyToPlay
        /// It cannot be played any more.
        case failed(MediaError)
    }

    /// What is played.
    package let asset: Asset
    /// Whether it can be played.
    package internal(set) var status = Status.unknown
    /// What the source told; nil until it is ready.
    package internal(set) var description: SourceDescription? {
        didSet {
            offerRevision += 1
            // A window that slides is no other choice.
            guard oldValue?.tracks.map(\.id) != description?.tracks.map(\.id) else { return }
            selection.take(description?.tracks ?? [])
        }
    }
    /// How its source stands; nil where that tells nothing but its description.
    package internal(set) var liveStatus: LiveStatus?
    /// How far behind the live edge play is to begin and to stay; nil is as its source advises, which is also the least.
    package var configuredTimeOffsetFromLive: MediaTime?
    /// Whether play that has fallen further behind than that jumps forward again after a stall.
    package var automaticallyPreservesTimeOffsetFromLive = false
    /// Where play begins; nil is where the source prefers.
    package var startTime: MediaTime?
    /// The interstitial that has to be seen before play begins, by the identifier of its event: it was left before it was over.
    package var owedInterstitial: String?
    /// Play ends here instead of at the end (trim). Asset time.
    package var forwardPlaybackEndTime: MediaTime?
    /// Play backward ends here instead of at zero (trim). Asset time.
    package var reversePlaybackEndTime: MediaTime?
    /// What its stream tells of itself so far; empty for files, whose metadata is a property of the asset.
    package internal(set) var metadata = StreamMetadata()
    /// What of it holds where play is.
    package internal(set) var presentedMetadata: [MetadataItem] = []
    /// What can be chosen of sound, captions and angles, and what is chosen.
    package let selection = MediaSelection()
    /// The viewer's languages for sound, best first (BCP 47): what is played where nothing was chosen. AVFoundation's media selection criteria.
    package var preferredAudioLanguages: [String] {
        get { selection.criteria[.audible]?.preferredLanguages ?? [] }
        set { selection.criteria[.audible, default: .init()].preferredLanguages = newValue }
    }

    /// How well it is played backward; what is found out while that is done makes it worse.
    package internal(set) var reversePlayback = ReversePlayback.whole { didSet { offerRevision += 1 } }
    /// Its sound was to be passed on to a receiver, and could not.
    var isSoundDecodedHere = false
    /// Finds out whether sound can be played at other rates than it has: asked only when somebody wants to know, since it takes its time.
    var findsOutStretching: (() -> Bool)? { didSet { offerRevision += 1 } }
    /// Whether its sound can be played at other rates than it has.
    var stretchesSound: Bool { findsOutStretching?() ?? false }
    /// What its playing was like so far: `accessLog()` and `errorLog()` of AVFoundation. Nil before a player has it.
    package internal(set) var log: PlaybackLog?

    private var offerRevision = 0
    /// Grows with every change of what the item offers: options, tracks, rates.
    package var revision: Int { offerRevision + selection.revision }

    /// Wraps an asset for one presentation.
    package init(asset: Asset) { self.asset = asset }

    /// The item's length; nil while unknown.
    package var duration: MediaDuration? { description?.duration }

    /// The track of the pictures that are played.
    package var videoTrack: TrackDescription? {
        description?.tracks.first { $0.type == .video && !disabledTracks.contains($0.id) }
    }

    /// What is not played of its tracks, and who is told of it.
    var disabledTracks: Set<TrackID> = [] { didSet { offerRevision += 1 } }
    var onTracksChange: ((MediaType, _ isEnabled: Bool) -> Void)?

    /// The place at which play ends, where it is known.
    package var endTime: MediaTime? {
        let duration = description?.duration.time
        guard let forwardPlaybackEndTime else { return duration }
        return duration.map { min($0, forwardPlaybackEndTime) } ?? forwardPlaybackEndTime
    }
}

extension PlayerItem {
    /// The track in force of the audible group.
    private var chosenSound: TrackDescription? {
        guard case .track(let id) = selection.selectedOption(.audible)?.source else { return nil }
        return description?.tracks.first { $0.id == id }
    }

    /// What a description is mixed with: the programme's sound in its language, else in any; what is default before what is not.
    private func programme(describedBy description: TrackDescription) -> TrackDescription? {
        let sounds = (self.description?.tracks ?? []).filter {
            $0.type == .audio && !$0.isDependent && !$0.characteristics.contains(OptionCharacteristic.describesVideo)
        }
        let same = sounds.filter { LanguageScore.normalized($0.languageTag) == LanguageScore.normalized(description.languageTag) }
        return same.first(where: \.isDefault) ?? same.first ?? sounds.first(where: \.isDefault) ?? sounds.first
    }

    /// The track of the sound that is played: the one in force of the audible group, or the one that this is mixed with.
    package var audioTrack: TrackDescription? {
        guard let chosen = chosenSound else { return nil }
        let track = chosen.isDependent ? programme(describedBy: chosen) ?? chosen : chosen
        return disabledTracks.contains(track.id) ? nil : track
    }

    /// The track of what describes the pictures, where that is mixed with the programme's sound; nil: there is none, or it is a separate sound.
    package var descriptionTrack: TrackDescription? {
        guard let chosen = chosenSound, chosen.isDependent, !disabledTracks.contains(chosen.id), audioTrack != nil,
            programme(describedBy: chosen) != nil
        else { return nil }
        return chosen
    }
}
