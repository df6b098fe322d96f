import MarqueePlayback

/// A listing of the guide: it is given engines and the path of a film, and says what it finds.
package struct Listing: Sendable {
    package typealias Report = @MainActor (String) -> Void

    package let name: String
    package let run: @MainActor (PlaybackEngines, _ film: String, @escaping Report) async throws -> Void

    /// In the order of the guide.
    package static let all = [
        Listing(name: "play-a-file", run: playAFile),
        Listing(name: "status", run: watchTheStatus),
        Listing(name: "titles", run: findTitles),
        Listing(name: "chapters", run: listChapters),
        Listing(name: "observers", run: observeTimes),
        Listing(name: "seeks", run: seek),
        Listing(name: "queue", run: playAQueue),
        Listing(name: "rates", run: changeRates),
        Listing(name: "media-selection", run: selectMedia),
        Listing(name: "logs", run: readLogs),
    ]
}
