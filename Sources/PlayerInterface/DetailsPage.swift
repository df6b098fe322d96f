import MediaModel

/// The pages of programmes and series, one opened from another, over Home or over the search that led to them. Back returns to the one before.
struct DetailsPage: Sendable, Equatable {
    private enum Leaf: Sendable, Equatable {
        case programme(ProgrammePage)
        case series(SeriesPage)

        init(_ entry: HomeContent.Entry) {
            self = entry.kind == .series ? .series(SeriesPage(entry)) : .programme(ProgrammePage(entry))
        }

        var id: String {
            switch self {
            case .programme(let page): page.id
            case .series(let page): page.id
            }
        }

        mutating func act(_ key: RemoteKey, in context: BrowsingContext) -> KeyOutcome {
            switch self {
            case .programme(var page):
                defer { self = .programme(page) }
                return page.act(key, in: context)
            case .series(var page):
                defer { self = .series(page) }
                return page.act(key, in: context)
            }
        }

        mutating func take(_ details: Details) {
            switch (self, details) {
            case (.programme(var page), .programme(let new)):
                page.take(new)
                self = .programme(page)
            case (.series(var page), .series(let new)):
                page.take(new)
                self = .series(page)
            // The id names something else in a newer feed.
            case (_, .programme(let new)):
                var page = ProgrammePage(new.entry)
                page.take(new)
                self = .programme(page)
            case (_, .series(let new)):
                var page = SeriesPage(new.entry)
                page.take(new)
                self = .series(page)
            }
        }

        func view(_ context: BrowsingContext) -> PageView {
            switch self {
            case .programme(let page): .programme(page.view(context))
            case .series(let page): .series(page.view(context))
            }
        }

        var content: any PageContent.Type {
            switch self {
            case .programme: ProgrammeView.self
            case .series: SeriesView.self
            }
        }
    }

    /// More are not kept: Back then passes over the oldest.
    private static let mostPages = 8

    /// The page on the screen is the last; there is always one.
    private var pages: [Leaf]
    /// The search that Back returns to from the first page; nil for Home.
    private let search: SearchPage?

    /// Opens the page of an entry over the page that is open.
    init(_ entry: HomeContent.Entry, over page: Page?) {
        switch page {
        case .details(let open):
            pages = open.pages.suffix(Self.mostPages - 1) + [Leaf(entry)]
            search = open.search
        case .search(let open):
            pages = [Leaf(entry)]
            search = open
        case .settings, .guide, .channels, .delay, nil:
            pages = [Leaf(entry)]
            search = nil
        }
    }

    /// The ids of what its pages are about.
    var ids: [String] { pages.map(\.id) }

    var content: any PageContent.Type { pages[pages.count - 1].content }

    /// What is left when the page on the screen has closed; nil for nothing.
    var previous: Page? {
        var left = self
        left.pages.removeLast()
        return left.pages.isEmpty ? search.map(Page.search) : .details(left)
    }

    mutating func act(_ key: RemoteKey, in context: BrowsingContext) -> KeyOutcome {
        pages[pages.count - 1].act(key, in: context)
    }

    /// More is known about an entry, or, with nil, it no longer exists.
    ///
    /// - Returns: the page that is open then; nil for none.
    func described(_ id: String, _ details: Details?) -> Page? {
        var new = self
        if let details {
            for index in new.pages.indices where new.pages[index].id == id { new.pages[index].take(details) }
        } else {
            new.pages.removeAll { $0.id == id }
        }
        return new.pages.isEmpty ? search.map(Page.search) : .details(new)
    }

    func view(_ context: BrowsingContext) -> PageView { pages[pages.count - 1].view(context) }
}
