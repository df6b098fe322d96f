import Languages

/// A viewer's preferences, in order. The counterpart of `AVPlayerMediaSelectionCriteria`.
package struct MediaSelectionCriteria: Sendable, Hashable {
    /// Languages, best first (BCP 47).
    package var preferredLanguages: [String]
    /// Preferred characteristics in HLS's terms: audio description, captions for the deaf.
    package var preferredMediaCharacteristics: [String]

    /// Makes criteria.
    package init(preferredLanguages: [String] = [], preferredMediaCharacteristics: [String] = []) {
        self.preferredLanguages = preferredLanguages
        self.preferredMediaCharacteristics = preferredMediaCharacteristics
    }

    /// Whether audio description is preferred.
    var wantsDescriptions: Bool { preferredMediaCharacteristics.contains(OptionCharacteristic.describesVideo) }

    /// Whether captions for the deaf and hard of hearing are preferred.
    var wantsSDH: Bool {
        preferredMediaCharacteristics.contains(OptionCharacteristic.transcribesSpokenDialog)
            || preferredMediaCharacteristics.contains(OptionCharacteristic.describesMusicAndSound)
    }
}

/// How well a language matches a requested one: 4 the same tag, 3 one is a prefix of the other, 2 the same language, 1 it is unknown, 0 another.
package enum LanguageScore {
    /// The score of a tag.
    ///
    /// - Parameters:
    ///   - tag: the available language; nil is equal to `und`. Three-letter codes of ISO 639-2 are equal to the two-letter codes of ISO 639-1.
    ///   - wanted: the requested language.
    ///   - isWritten: whether it is read. Then another script is another language (`zh-CN` for `zh-Hant`). The same script is as good as a prefix (`zh-TW`), of
    ///     speech too: it is named by the region where it is spoken.
    package static func of(_ tag: String?, for wanted: String, isWritten: Bool = false) -> Int {
        guard let own = normalized(tag) else { return 1 }
        guard let wanted = normalized(wanted) else { return 1 }
        if own == wanted { return 4 }
        guard primary(own) == primary(wanted) else { return 0 }
        if wanted.contains("-"), let script = LanguageTag.script(of: own), let read = LanguageTag.script(of: wanted) {
            if script == read { return 3 }
            // A tag without script and region leaves the script open.
            if isWritten { return own.contains("-") ? 0 : 2 }
        }
        return own.hasPrefix(wanted + "-") || wanted.hasPrefix(own + "-") ? 3 : 2
    }

    /// A tag in lower case with hyphens and the shortest code of its language; nil for an unknown language.
    package static func normalized(_ tag: String?) -> String? {
        guard let tag else { return nil }
        let parts = tag.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).map(String.init)
        guard let first = parts.first, let language = LanguageCode.tag(first) else { return nil }
        return ([language] + parts.dropFirst()).joined(separator: "-")
    }

    private static func primary(_ tag: String) -> Substring { tag.prefix { $0 != "-" } }
}

/// The automatic selection: pure functions of options and criteria.
package enum AutomaticSelection {
    /// The audio: in the first preferred language that is available, the option with the preferred characteristics, without audio description unless
    /// it is preferred; otherwise the default.
    package static func audible(_ options: [MediaSelectionOption], _ criteria: MediaSelectionCriteria) -> MediaSelectionOption? {
        var description: MediaSelectionOption?
        for language in criteria.preferredLanguages {
            let scored = options.enumerated().filter { LanguageScore.of($0.element.extendedLanguageTag, for: language) >= 2 }
            let best = scored.max { left, right in
                order(left.element, left.offset, language, criteria) < order(right.element, right.offset, language, criteria)
            }
            // Audio description is not selected automatically, even in a preferred language.
            if let best = best?.element, !best.isAudioDescription || criteria.wantsDescriptions { return best }
            description = description ?? best?.element
        }
        let plain = options.filter { !$0.isAudioDescription || criteria.wantsDescriptions }
        return plain.first(where: \.isDefault) ?? plain.first { LanguageScore.normalized($0.extendedLanguageTag) == nil }
            ?? plain.first ?? description ?? options.first
    }

    /// The captions: forced ones in the language of the audio. If the audio is in none of the preferred languages, or captions for the deaf are
    /// preferred, those of the first preferred language that is available. If the language of the audio is unknown, or there is no audio, those come on that the
    /// programme was given as separate files: nothing says that it is understood without them.
    ///
    /// - Parameters:
    ///   - audio: the selected audio; nil for none.
    ///   - audible: the audio preferences: in these languages no captions are needed.
    /// - Returns: nil for none.
    package static func legible(
        _ options: [MediaSelectionOption], _ criteria: MediaSelectionCriteria, audio: MediaSelectionOption?,
        audible: MediaSelectionCriteria
    ) -> MediaSelectionOption? {
        let understood = audible.preferredLanguages + criteria.preferredLanguages
        let spoken = audio.flatMap { LanguageScore.normalized($0.extendedLanguageTag) }
        // Audio without a language counts as understood where the stream itself has the captions.
        let isUnderstood = spoken == nil || understood.isEmpty || understood.contains { LanguageScore.of(spoken, for: $0) >= 2 }
        let isNeeded = criteria.wantsSDH || !isUnderstood
        let languages = criteria.preferredLanguages.isEmpty ? audible.preferredLanguages : criteria.preferredLanguages
        if isNeeded || spoken == nil {
            for language in languages {
                let fitting = options.enumerated().filter {
                    !$0.element.isForced && $0.element.isAutoselect && (isNeeded || $0.element.isFile)
                        && LanguageScore.of($0.element.extendedLanguageTag, for: language, isWritten: true) >= 2
                }
                let best = fitting.max { left, right in
                    order(left.element, left.offset, language, criteria, isWritten: true)
                        < order(right.element, right.offset, language, criteria, isWritten: true)
                }
                if let best { return best.element }
            }
        }
        guard let spoken else { return nil }
        let forced = options.enumerated().filter { $0.element.isForced }
            .filter { LanguageScore.of($0.element.extendedLanguageTag, for: spoken) >= 2 }
        return forced.max { left, right in
            (LanguageScore.of(left.element.extendedLanguageTag, for: spoken), -left.offset)
                < (LanguageScore.of(right.element.extendedLanguageTag, for: spoken), -right.offset)
        }?.element
    }

    /// Better options are greater.
    private static func order(
        _ option: MediaSelectionOption, _ index: Int, _ language: String, _ criteria: MediaSelectionCriteria,
        isWritten: Bool = false
    ) -> [Int] {
        let isWanted = criteria.wantsDescriptions ? option.isAudioDescription : !option.isAudioDescription
        let wanted = criteria.preferredMediaCharacteristics.filter(option.hasMediaCharacteristic).count
        // SDH is selected only if it is preferred; otherwise plain captions come first.
        let isPlain = option.isSDH == criteria.wantsSDH
        return [
            isWanted ? 1 : 0, LanguageScore.of(option.extendedLanguageTag, for: language, isWritten: isWritten), wanted,
            isPlain ? 1 : 0,
            option.hasMediaCharacteristic(OptionCharacteristic.commentary) ? 0 : 1, option.isDefault ? 1 : 0,
            option.isAutoselect ? 1 : 0, -index,
        ]
    }
}

private func < (left: [Int], right: [Int]) -> Bool { left.lexicographicallyPrecedes(right) }
