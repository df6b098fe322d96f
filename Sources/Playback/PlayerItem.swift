import MediaModel
import MediaTime

/// One presentation of an asset by a player: what is dynamic about it, and what a feed says of it. The counterpart of `AVPlayerItem`.
@MainActor
public final class PlayerItem {
    /// Whether the item can be played; AVFoundation's `AVPlayerItem.Status`.
    public enum Status: Sendable, Equatable {
        /// Not yet known.
        case unknown
        /// It plays.
        case readyToPlay
        /// It cannot be played any more.
        case failed(MediaError)
    }

    /// What is played.
    public let asset: Asset
    /// Whether it can be played.
    public internal(set) var status = Status.unknown
    /// What the source told; nil until it is ready.
    public internal(set) var description: SourceDescription?
    /// Where play begins; nil is where the source prefers.
    public var startTime: MediaTime?
    /// Play ends here instead of at the end (trim). Asset time.
    public var forwardPlaybackEndTime: MediaTime?
    /// Play backward ends here instead of at zero (trim). Asset time.
    public var reversePlaybackEndTime: MediaTime?
    /// The audio track to play; nil is the source's default.
    public var selectedAudio: TrackID?
    /// The viewer's languages for sound, best first (BCP 47): what is played where no track was selected. AVFoundation's media selection criteria.
    public var preferredAudioLanguages: [String] = []

    /// Wraps an asset for one presentation.
    public init(asset: Asset) { self.asset = asset }

    /// The item's length; nil while unknown.
    public var duration: MediaDuration? { description?.duration }

    /// The track of the pictures that are played.
    public var videoTrack: TrackDescription? { description?.tracks.first { $0.type == .video } }

    /// The track of the sound that is played: the selected one, else the first in a preferred language that is no description for
    /// the blind, else the source's default.
    public var audioTrack: TrackDescription? {
        let audible = description?.tracks.filter { $0.type == .audio } ?? []
        if let selected = audible.first(where: { $0.id == selectedAudio }) { return selected }
        for language in preferredAudioLanguages {
            let spoken = audible.filter { track in track.languageTag.map { Self.isSameLanguage($0, language) } ?? false }
            if let track = spoken.first(where: { !$0.characteristics.contains(Self.describesVideo) }) { return track }
        }
        return audible.first(where: \.isDefault) ?? audible.first
    }

    private static let describesVideo = "public.accessibility.describes-video"

    /// Whether two tags name one language; regions and scripts are dialects of it.
    private static func isSameLanguage(_ left: String, _ right: String) -> Bool {
        func language(_ tag: String) -> String { tag.prefix { $0 != "-" && $0 != "_" }.lowercased() }
        return language(left) == language(right)
    }

    /// The place at which play ends, where it is known.
    public var endTime: MediaTime? {
        let duration = description?.duration.time
        guard let forwardPlaybackEndTime else { return duration }
        return duration.map { min($0, forwardPlaybackEndTime) } ?? forwardPlaybackEndTime
    }
}
