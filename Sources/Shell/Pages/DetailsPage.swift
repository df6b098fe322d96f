import BoxModel
import Screens
import Viewing

/// The pages of programmes and series, one opened from another, over Home, or over the search or the guide that led to them. Back returns to the one before.
struct DetailsPage: Sendable, Equatable {
    private enum Leaf: Sendable, Equatable {
        case programme(ProgrammePage)
        case series(SeriesPage)
        case listing(ListingPage)

        init(_ entry: HomeContent.Entry) {
            self = entry.kind == .series ? .series(SeriesPage(entry)) : .programme(ProgrammePage(entry))
        }

        /// Of the feed; a programme of the guide has none.
        var id: String? {
            switch self {
            case .programme(let page): page.id
            case .series(let page): page.id
            case .listing: nil
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
            case .listing(var page):
                defer { self = .listing(page) }
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
            case .listing(let page): .programme(page.view(context))
            }
        }

        /// What can be done with a programme of the guide ends when it begins.
        var showsTime: Bool { if case .listing = self { true } else { content.showsTime } }

        var content: any PageContent.Type {
            switch self {
            case .programme, .listing: ProgrammeView.self
            case .series: SeriesView.self
            }
        }
    }

    /// The page that Back returns to from the first one.
    private enum Origin: Sendable, Equatable {
        case home
        case search(SearchPage)
        case guide(GuidePage)

        var page: Page? {
            switch self {
            case .home: nil
            case .search(let page): .search(page)
            case .guide(let page): .guide(page)
            }
        }
    }

    /// More are not kept: Back then passes over the oldest.
    private static let mostPages = 8

    /// The page on the screen is the last; there is always one.
    private var pages: [Leaf]
    private let origin: Origin

    /// Opens the page of an entry over the page that is open.
    init(_ entry: HomeContent.Entry, over page: Page?) {
        switch page {
        case .details(let open):
            pages = open.pages.suffix(Self.mostPages - 1) + [Leaf(entry)]
            origin = open.origin
        case .search(let open):
            pages = [Leaf(entry)]
            origin = .search(open)
        default:
            pages = [Leaf(entry)]
            origin = .home
        }
    }

    /// Opens the page of a programme of the guide over the page that led to it; nil where none can.
    init?(_ listing: ListingPage, over page: Page?) {
        switch page {
        case .guide(let guide): origin = .guide(guide)
        case .search(let search): origin = .search(search)
        default: return nil
        }
        pages = [.listing(listing)]
    }

    /// The ids of the programmes and series of the feed that its pages are about.
    var ids: [String] { pages.compactMap(\.id) }

    var content: any PageContent.Type { pages[pages.count - 1].content }

    /// Whether the page on the screen changes with the time of day.
    var showsTime: Bool { pages[pages.count - 1].showsTime }

    /// What is left when the page on the screen has closed; nil for nothing.
    var previous: Page? {
        var left = self
        left.pages.removeLast()
        return left.pages.isEmpty ? origin.page : .details(left)
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
        return new.pages.isEmpty ? origin.page : .details(new)
    }

    func view(_ context: BrowsingContext) -> PageView { pages[pages.count - 1].view(context) }
}
