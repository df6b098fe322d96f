import HLSPlaylist
import MediaModel
import MediaTime

/// The tracks of a presentation, and what is told of it before anything is read.
extension HLSSource {
    /// Describes the tracks of a variant and makes their readers. Called again where another variant has to be taken before anything was
    /// read.
    func describeTracks(of playlist: MultivariantPlaylist, variant: Variant) -> [TrackDescription] {
        readers.forEach { $0.reader.close() }
        readers = []
        audioRenditions = [:]
        textRenditions = [:]
        let isSilent = !variant.codecs.isEmpty && !variant.codecs.contains(where: CodecKind.isAudio)
        let isBlind = !variant.codecs.isEmpty && !variant.codecs.contains(where: CodecKind.isVideo) && variant.resolution == nil
        var tracks: [TrackDescription] = []
        var mainOutlets: [RenditionReader.Outlet] = []
        if !isBlind {
            let main = TrackDescription(
                id: Self.video, type: .video, codec: variant.codecs.first(where: CodecKind.isVideo) ?? "",
                width: variant.resolution?.width, height: variant.resolution?.height, frameRate: variant.frameRate,
                bitRate: variant.bandwidth.map { Int($0) }, isDefault: true)
            tracks += describeAngles(of: playlist, variant: variant, like: main)
            mainOutlets.append(.init(type: .video, track: Self.video))
        }
        let audio = variant.audioGroup.map { playlist.renditions(.audio, group: $0) } ?? []
        if audio.isEmpty, !isSilent || isBlind {
            tracks.append(
                TrackDescription(
                    id: Self.muxedAudio, type: .audio, codec: variant.codecs.first(where: CodecKind.isAudio) ?? "",
                    isDefault: true))
            mainOutlets.append(.init(type: .audio, track: Self.muxedAudio))
        }
        for (number, rendition) in audio.enumerated() {
            let id = TrackID(number + 1)
            tracks.append(
                TrackDescription(
                    id: id, type: .audio, languageTag: rendition.language, name: rendition.name,
                    codec: variant.codecs.first(where: CodecKind.isAudio) ?? "", channels: rendition.channelCount,
                    isDefault: rendition.isDefault, characteristics: rendition.characteristics))
            // A rendition without an address is the sound inside the variant's own segments.
            if rendition.uri == nil {
                mainOutlets.append(.init(type: .audio, track: id))
            } else {
                audioRenditions[id] = rendition
            }
        }
        addMainReader(mainOutlets)
        for id in audioRenditions.keys.sorted() { addAudioReader(id) }
        tracks += describeText(of: playlist, variant: variant)
        return tracks
    }

    private func describeText(of playlist: MultivariantPlaylist, variant: Variant) -> [TrackDescription] {
        let renditions = variant.subtitlesGroup.map { playlist.renditions(.subtitles, group: $0) } ?? []
        var tracks: [TrackDescription] = []
        for (number, rendition) in renditions.enumerated() where rendition.uri != nil {
            let id = TrackID(Self.firstText + number)
            textRenditions[id] = rendition
            var track = TrackDescription(
                id: id, type: .text, languageTag: rendition.language, name: rendition.name,
                codec: variant.codecs.contains { $0.hasPrefix("stpp") } ? "ttml" : "webvtt", isDefault: rendition.isDefault,
                isForced: rendition.isForced, characteristics: rendition.characteristics)
            track.isAutoselect = rendition.isAutoselect || rendition.isDefault
            track.associatedLanguageTag = rendition.associatedLanguage
            tracks.append(track)
        }
        return tracks + closedCaptions(of: playlist, variant: variant)
    }

    /// Captions inside the pictures, as the playlist names them.
    private func closedCaptions(of playlist: MultivariantPlaylist, variant: Variant) -> [TrackDescription] {
        guard case .group(let group) = variant.closedCaptions else { return [] }
        return playlist.renditions(.closedCaptions, group: group).enumerated().compactMap { number, rendition in
            guard let channel = rendition.instreamID else { return nil }
            var track = TrackDescription(
                id: TrackID(Self.firstText + 100 + number), type: .subtitle, languageTag: rendition.language,
                name: rendition.name,
                codec: TrackDescription.closedCaptionCodec(channel), isDefault: rendition.isDefault,
                characteristics: rendition.characteristics)
            track.isAutoselect = rendition.isAutoselect || rendition.isDefault
            return track
        }
    }

    /// The playlist of a rendition of sound, in the group of the present variant; nil where its sound is in the variant itself.
    func audioTracker(of track: TrackID) -> MediaPlaylistTracker? {
        rendition(audioRenditions[track], .audio, group: variants.indices.contains(variant) ? variants[variant].audioGroup : nil)
            .map { tracker($0, role: .audio(track)) }
    }

    /// The playlist of a rendition of captions, in the group of the present variant.
    func textTracker(of track: TrackID) -> MediaPlaylistTracker? {
        rendition(
            textRenditions[track], .subtitles, group: variants.indices.contains(variant) ? variants[variant].subtitlesGroup : nil
        ).map { tracker($0, role: .text(track)) }
    }

    /// The address of what a variant has in the place of a rendition: the same name and language in its own group.
    private func rendition(_ chosen: Rendition?, _ type: Rendition.MediaType, group: String?) -> String? {
        guard let chosen else { return nil }
        let pathway = variants.indices.contains(variant) ? variants[variant].pathwayID : nil
        guard let group, group != chosen.groupID, let presentation else { return address(of: chosen, pathway: pathway) }
        let others = presentation.renditions(type, group: group).filter { $0.uri != nil }
        let same = others.first { $0.name == chosen.name && $0.language == chosen.language }
        return address(of: same ?? others.first { $0.language == chosen.language } ?? chosen, pathway: pathway)
    }

    func description(_ tracks: [TrackDescription]) -> SourceDescription {
        let tracker = tracker(ofVariant: variant)
        guard let playlist = tracker.playlist else {
            preconditionFailure("a presentation is described once its playlist is there")
        }
        let window = LiveWindow(of: playlist, anchor: tracker.anchor)
        return SourceDescription(
            kind: "hls", tracks: tracks, duration: playlist.duration, seekableTimeRanges: [window.seekable],
            discontinuities: discontinuities(of: tracker),
            preferredStart: window.start(by: playlist.start ?? presentation?.start))
    }

    func discontinuities(of tracker: MediaPlaylistTracker) -> [MediaTime] {
        tracker.playlist?.segments.discontinuities.map { tracker.anchor + $0 } ?? []
    }
}
