import Languages

extension Array where Element == MetadataItem {
    /// The items with this identifier, of either its own or the common key space.
    package func filtered(by identifier: MetadataIdentifier) -> [MetadataItem] {
        filter { $0.identifier == identifier || $0.commonIdentifier == identifier }
    }

    /// The items that serve a reader best, best first: by the languages in their order, then those that tell no language or `und`,
    /// then the rest. Within a rank they keep their order; none is lost, so that there is always a value when there is any.
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

    /// The best item of an identifier for a reader; nil only where there is none at all.
    package func best(_ identifier: MetadataIdentifier, for languages: [String]) -> MetadataItem? {
        filtered(by: identifier).sorted(byPreferredLanguages: languages).first
    }

    /// Metadata from outside laid over what is embedded. It wins identifier by identifier, all languages of it; an empty text of it hides the embedded one.
    ///
    /// Items without a well-formed language tag, or of a type that their identifier cannot have, are left out of what is laid over:
    /// a viewer sees the embedded value rather than a mistake.
    package func overridden(by external: [MetadataItem]) -> [MetadataItem] {
        let usable = external.filter(\.isPresentable)
        let covered = Set(usable.map { $0.commonIdentifier ?? $0.identifier })
        return usable.filter { !$0.isEmpty } + filter { !covered.contains($0.commonIdentifier ?? $0.identifier) }
    }

    /// Without what tells where something was filmed, by whom, or whose it is: what may leave the house in a log. The counterpart of
    /// `AVMetadataItemFilter.forSharing()`.
    package func filteredForSharing() -> [MetadataItem] {
        filter { item in
            if let common = item.commonIdentifier, CommonKeys.personal.contains(common) { return false }
            let key = item.identifier.key.lowercased()
            return !CommonKeys.personalParts.contains { key.contains($0) }
        }
    }
}

extension MetadataItem {
    /// Whether an item from outside can be shown: a known language (`und`: not localised) and a value of the right type for its identifier.
    package var isPresentable: Bool {
        guard let tag = extendedLanguageTag, LanguageTag.isWellFormed(tag) else { return false }
        switch (commonIdentifier ?? identifier, value) {
        case (.commonArtwork, .data), (.commonArtwork, .text("")): return true
        case (.commonArtwork, _): return false
        case (_, .data): return false
        default: return true
        }
    }

    /// Whether the value says that nothing is to be shown.
    package var isEmpty: Bool {
        switch value {
        case .text(let text): text.isEmpty
        case .data(let bytes): bytes.isEmpty
        case .integer, .number: false
        }
    }
}
