import Languages

extension Array where Element == MetadataItem {
    /// The items with this identifier, whether format-specific or common.
    package func filtered(by identifier: MetadataIdentifier) -> [MetadataItem] {
        filter { $0.identifier == identifier || $0.commonIdentifier == identifier }
    }

    /// The items in order of preference: by language in the given order, then those without a language or with `und`, then the
    /// rest. Equal ranks keep their order. No item is dropped, so there is always a value when there is any.
    ///
    /// - Parameter languages: BCP 47, best first.
    package func sorted(byPreferredLanguages languages: [String]) -> [MetadataItem] {
        func rank(_ item: MetadataItem) -> (Int, Int) {
            let tag = item.extendedLanguageTag ?? LanguageTag.undetermined
            if tag.lowercased() == LanguageTag.undetermined { return (languages.count, 0) }
            for (index, wanted) in languages.enumerated() {
                if let score = LanguageTag.match(tag, for: wanted) { return (index, -score) }
            }
            return (languages.count + 1, 0)
        }
        return enumerated().map { (rank: rank($0.element), offset: $0.offset, item: $0.element) }
            .sorted { ($0.rank.0, $0.rank.1, $0.offset) < ($1.rank.0, $1.rank.1, $1.offset) }.map(\.item)
    }

    /// The best item with an identifier; nil only when there is none at all.
    package func best(_ identifier: MetadataIdentifier, for languages: [String]) -> MetadataItem? {
        filtered(by: identifier).sorted(byPreferredLanguages: languages).first
    }

    /// External metadata merged over embedded metadata. It replaces all languages of each identifier that it has; an external
    /// empty text hides the embedded value.
    ///
    /// External items without a well-formed language tag, or of a type that their identifier cannot have, are ignored: the viewer
    /// then sees the embedded value.
    package func overridden(by external: [MetadataItem]) -> [MetadataItem] {
        let usable = external.filter(\.isPresentable)
        let covered = Set(usable.map { $0.commonIdentifier ?? $0.identifier })
        return usable.filter { !$0.isEmpty } + filter { !covered.contains($0.commonIdentifier ?? $0.identifier) }
    }

    /// The items without personal data such as the location, the author or the owner, for logs that leave the box. The
    /// counterpart of `AVMetadataItemFilter.forSharing()`.
    package func filteredForSharing() -> [MetadataItem] {
        filter { item in
            if let common = item.commonIdentifier, CommonKeys.personal.contains(common) { return false }
            let key = item.identifier.key.lowercased()
            return !CommonKeys.personalParts.contains { key.contains($0) }
        }
    }
}

extension MetadataItem {
    /// Whether an external item can be shown: a known language (`und`: not localised) and a value of the right type for its
    /// identifier.
    package var isPresentable: Bool {
        guard let tag = extendedLanguageTag, LanguageTag.isWellFormed(tag) else { return false }
        switch (commonIdentifier ?? identifier, value) {
        case (.commonArtwork, .data), (.commonArtwork, .text("")): return true
        case (.commonArtwork, _): return false
        case (_, .data): return false
        default: return true
        }
    }

    /// Whether the value means that nothing is shown.
    package var isEmpty: Bool {
        switch value {
        case .text(let text): text.isEmpty
        case .data(let bytes): bytes.isEmpty
        case .integer, .number: false
        }
    }
}
