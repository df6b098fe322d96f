/// The keys of every object of a feed, version 1: those that the reader knows, and that the published schema must list.
enum FeedKeys {
    static let feed = [
        "$schema", "feedVersion", "id", "revision", "lastUpdated", "validUntil", "defaultLanguage", "languages", "provider",
        "refresh",
        "baseUrl", "start",
        "next", "channels", "series", "items", "rows", "policy",
    ]
    static let provider = ["name", "logo", "support"]
    static let refresh = ["interval", "jitterPercent"]
    static let start = ["channel", "item"]
    static let channel = [
        "id", "number", "title", "description", "kind", "streams", "items", "entries", "loop", "guide", "rating", "artwork",
        "genre", "tags",
        "window", "strictWindow", "resume", "skipMode", "withdrawn",
    ]
    static let stream = ["url", "codecs", "maxHeight", "sha256", "audio"]
    static let audioHint = ["language", "kind"]
    static let scheduleEntry = ["at", "item"]
    static let guide = ["xmltv", "id"]
    static let rating = ["system", "value"]
    static let artwork = ["poster", "still", "background", "logo"]
    static let picture = ["url", "width", "height"]
    static let window = ["from", "to"]
    static let series = ["id", "title", "description", "artwork", "genre", "tags", "rating", "seasons"]
    static let season = ["number", "title", "episodes"]
    static let item = [
        "id", "type", "title", "subtitle", "description", "artwork", "genre", "tags", "rating", "duration", "timeline", "streams",
        "subtitles",
        "thumbnails", "trim", "markers", "interstitials", "proposal", "window", "strictWindow", "offline", "resume", "skipMode",
        "requiresLinearPlayback", "postCredits", "withdrawn",
    ]
    static let subtitle = ["language", "url", "kind"]
    static let thumbnails = ["bif"]
    static let trim = ["in", "out"]
    static let marker = ["kind", "start", "end", "title", "image"]
    static let interstitial = ["id", "start", "duration", "kind", "linear", "repeat", "skip", "onResume", "title"]
    static let skip = ["offset", "duration"]
    static let proposal = [
        "next", "at", "automaticAcceptanceInterval", "loop", "title", "image", "description", "genre", "rating", "url",
    ]
    static let row = ["title", "items", "tag"]
    static let policy = ["parentalMax", "skippableAds", "snapBack", "metered", "idle", "skipMode"]
    static let idle = ["askAfterHours"]

    /// Every list by the name of its definition in the schema.
    static let definitions: [(name: String, keys: [String])] = [
        ("provider", provider), ("refresh", refresh), ("start", start), ("channel", channel), ("stream", stream),
        ("audioHint", audioHint),
        ("scheduleEntry", scheduleEntry), ("guide", guide), ("rating", rating), ("artwork", artwork), ("picture", picture),
        ("window", window), ("series", series), ("season", season), ("item", item), ("subtitle", subtitle),
        ("thumbnails", thumbnails),
        ("trim", trim), ("marker", marker), ("interstitial", interstitial), ("skip", skip), ("proposal", proposal), ("row", row),
        ("policy", policy), ("idle", idle),
    ]
}
