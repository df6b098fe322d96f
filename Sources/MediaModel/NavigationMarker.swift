import MediaTime

/// A position or a range of an item with a meaning, its title in one language. The counterpart of the items of `AVNavigationMarkersGroup`.
package struct NavigationMarker: Sendable, Hashable {
    /// The meaning of a marker. Only chapters are listed for viewers.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case chapter
        /// The opening titles, which may be skipped.
        case intro
        /// A summary of earlier episodes, which may be skipped.
        case recap
        /// The closing titles.
        case credits
        /// A scene after the closing titles.
        case postCredits
    }

    package var kind: Kind
    /// In asset time.
    package var start: MediaTime
    /// In asset time; nil: unknown.
    package var end: MediaTime?
    /// A chapter without a title is "Chapter n".
    package var title: String?
    /// A picture, as a reference.
    package var image: String?

    package init(kind: Kind, start: MediaTime, end: MediaTime? = nil, title: String? = nil, image: String? = nil) {
        self.kind = kind
        self.start = start
        self.end = end
        self.title = title
        self.image = image
    }
}
