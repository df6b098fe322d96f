import HLSPlaylist
import Languages

/// A rendition of a presentation. GROUP-ID and NAME identify it within its type (RFC 8216bis, 4.4.6.1.1).
package struct RenditionID: Sendable, Hashable, Codable {
    package enum Characteristic: String, Sendable, Hashable, Codable {
        case audible, legible
    }

    package let characteristic: Characteristic
    package let groupID: String
    package let name: String
    /// LANGUAGE.
    package let languageTag: String?

    init(_ rendition: Rendition) {
        characteristic = rendition.type == .audio ? .audible : .legible
        groupID = rendition.groupID
        name = rendition.name
        languageTag = rendition.language
    }

    func matches(_ rendition: Rendition) -> Bool { self == RenditionID(rendition) }
}

/// Which options of a variant are stored: first the default selection, then the further options in the wanted languages, one after the other.
///
/// Sound and captions inside the segments of the variant are always stored.
struct MediaSelectionPlan: Sendable, Hashable {
    /// The options that are stored with the variant.
    let initial: [RenditionID]
    /// The options that follow, audible before legible ones.
    let further: [RenditionID]

    init(_ playlist: MultivariantPlaylist, variant: Variant, languages: [String]) {
        let sounds = variant.audioGroup.map { playlist.renditions(.audio, group: $0) } ?? []
        let captions = (variant.subtitlesGroup.map { playlist.renditions(.subtitles, group: $0) } ?? []).filter { $0.uri != nil }
        let sound = Self.initialSound(sounds, languages)
        let spoken = sound?.language
        // Forced captions belong to the sound: without them the story cannot be followed.
        let forced = captions.first { $0.isForced && Self.suits($0.language, spoken.map { [$0] } ?? languages) }
        let legible = forced ?? captions.first { $0.isDefault && !$0.isForced }
        let initial = [sound, legible].compactMap { $0 }.filter { $0.uri != nil }
        self.initial = initial.map(RenditionID.init)
        let others = (sounds + captions).filter { $0.uri != nil && !initial.contains($0) }
        further = others.filter { Self.suits($0.language, languages) }.map(RenditionID.init)
    }

    /// The default sound; the first one in a wanted language if the default one is in none of them.
    private static func initialSound(_ sounds: [Rendition], _ languages: [String]) -> Rendition? {
        let standard = sounds.first(where: \.isDefault) ?? sounds.first
        guard !languages.isEmpty, let standard, !suits(standard.language, languages) else { return standard }
        return LanguageTag.best(of: sounds.map(\.language), for: languages).map { sounds[$0] }.flatMap {
            suits($0.language, languages) ? $0 : nil
        } ?? standard
    }

    /// An option without a language suits everyone.
    private static func suits(_ tag: String?, _ languages: [String]) -> Bool {
        guard let tag, tag.lowercased() != LanguageTag.undetermined else { return true }
        return languages.contains { LanguageTag.match(tag, for: $0) != nil }
    }
}
