import MediaModel

/// A page over Home or over the picture. At most one is open, and nothing else has focus meanwhile.
enum Page: Sendable, Equatable {
    case settings(MenuModel)
    case search(SearchPage)
    case guide(GuidePage)
    case channels(ChannelListPage)
}

/// The result of a key on a page.
enum PageOutcome: Sendable, Equatable {
    /// The page has used or refused the key.
    case answered(CommandResult)
    /// The page is left.
    case closed
    /// An item or a channel is opened.
    case open(HomeContent.Entry)
    /// A channel is tuned to, with its banner.
    case tune(HomeContent.Entry)
    /// A text is opened whole.
    case read(String, title: String)
    /// Play, Pause or both in one: it is for what plays under the page.
    case playback(RemoteKey)
}
