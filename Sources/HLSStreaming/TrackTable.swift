import HLSPlaylist
import MediaModel

/// The tracks of a presentation in one variant, and the playlist or the part of a segment from which each comes.
struct TrackTable {
    private(set) var tracks: [TrackDescription] = []
    /// The tracks in the variant's own segments.
    private(set) var mainOutlets: [TrackOutlet] = []
    /// Audio with separate playlists.
    private(set) var audio: [TrackID: Rendition] = [:]
    /// Captions with separate playlists.
    private(set) var text: [TrackID: Rendition] = [:]

    /// A media playlist without a multivariant playlist. Audio is expected with the pictures; a track that turns out to be absent
    /// ends at once.
    init() {
        tracks = [
            TrackDescription(id: StreamTrack.video, type: .video, codec: "", isDefault: true),
            TrackDescription(id: StreamTrack.muxedAudio, type: .audio, codec: "", isDefault: true),
        ]
        mainOutlets = [.init(type: .video, track: StreamTrack.video), .init(type: .audio, track: StreamTrack.muxedAudio)]
    }

    /// The tracks of a variant.
    ///
    /// - Parameter angles: makes the angles' tracks from the video track.
    init(
        of playlist: MultivariantPlaylist, variant: Variant, angles: (TrackDescription) -> [TrackDescription]
    ) {
        // A codec that is not known may be the pictures or the sound: the segments tell.
        let isListComplete = !variant.codecs.isEmpty && !variant.codecs.contains(where: CodecKind.isUnknown)
        let isSilent = isListComplete && !variant.codecs.contains(where: CodecKind.isAudio)
        let hasNoVideo = isListComplete && !variant.codecs.contains(where: CodecKind.isVideo) && variant.resolution == nil
        if !hasNoVideo {
            var pictures = TrackDescription(
                id: StreamTrack.video, type: .video, codec: variant.codecs.first(where: CodecKind.isVideo) ?? "",
                isDefault: true)
            (pictures.width, pictures.height) = (variant.resolution?.width, variant.resolution?.height)
            pictures.frameRate = variant.frameRate
            pictures.highRange = variant.baseRange.flatMap { HighDynamicRange(videoRange: $0) }
            pictures.bitRate = variant.bandwidth.map { Int($0) }
            tracks += angles(pictures)
            mainOutlets.append(.init(type: .video, track: StreamTrack.video))
        }
        let sounds = variant.audioGroup.map { playlist.renditions(.audio, group: $0) } ?? []
        if sounds.isEmpty, !isSilent || hasNoVideo {
            tracks.append(
                TrackDescription(
                    id: StreamTrack.muxedAudio, type: .audio, codec: variant.codecs.first(where: CodecKind.isAudio) ?? "",
                    isDefault: true))
            mainOutlets.append(.init(type: .audio, track: StreamTrack.muxedAudio))
        }
        addAudio(sounds, variant)
        addText(variant.subtitlesGroup.map { playlist.renditions(.subtitles, group: $0) } ?? [], variant)
        if case .group(let group) = variant.closedCaptions {
            addClosedCaptions(playlist.renditions(.closedCaptions, group: group))
        }
    }

    private mutating func addAudio(_ renditions: [Rendition], _ variant: Variant) {
        for (index, rendition) in renditions.enumerated() {
            let id = StreamTrack.audio(index)
            var track = TrackDescription(
                id: id, type: .audio, languageTag: rendition.language, name: rendition.name,
                codec: variant.codecs.first(where: CodecKind.isAudio) ?? "", isDefault: rendition.isDefault,
                characteristics: rendition.characteristics)
            track.channels = rendition.channelCount
            tracks.append(track)
            // A rendition without a URI is the audio in the variant's own segments (RFC 8216, 4.3.4.2.1).
            if rendition.uri == nil {
                mainOutlets.append(.init(type: .audio, track: id))
            } else {
                audio[id] = rendition
            }
        }
    }

    private mutating func addText(_ renditions: [Rendition], _ variant: Variant) {
        for (index, rendition) in renditions.enumerated() where rendition.uri != nil {
            let id = StreamTrack.text(index)
            text[id] = rendition
            var track = TrackDescription(
                id: id, type: .text, languageTag: rendition.language, name: rendition.name,
                codec: variant.codecs.contains { $0.hasPrefix("stpp") } ? "ttml" : "webvtt", isDefault: rendition.isDefault,
                characteristics: rendition.characteristics)
            track.isForced = rendition.isForced
            track.isAutoselect = rendition.isAutoselect || rendition.isDefault
            track.associatedLanguageTag = rendition.associatedLanguage
            tracks.append(track)
        }
    }

    private mutating func addClosedCaptions(_ renditions: [Rendition]) {
        for (index, rendition) in renditions.enumerated() {
            guard let channel = rendition.instreamID else { continue }
            var track = TrackDescription(
                id: StreamTrack.closedCaptions(index), type: .subtitle, languageTag: rendition.language, name: rendition.name,
                codec: TrackDescription.closedCaptionCodec(channel), isDefault: rendition.isDefault,
                characteristics: rendition.characteristics)
            track.isAutoselect = rendition.isAutoselect || rendition.isDefault
            tracks.append(track)
        }
    }
}

extension HighDynamicRange {
    /// By its name in VIDEO-RANGE (RFC 8216bis, 4.4.6.2); nil for others.
    package init?(videoRange: String) {
        switch videoRange {
        case "PQ": self = .pq
        case "HLG": self = .hlg
        default: return nil
        }
    }

    /// Its name in VIDEO-RANGE.
    package var videoRange: String { self == .pq ? "PQ" : "HLG" }
}
