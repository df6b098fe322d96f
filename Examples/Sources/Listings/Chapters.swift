import MarqueePlayback

/// Lists the chapters and begins with the second.
@MainActor
func listChapters(_ engines: PlaybackEngines, _ film: String, say: @escaping Listing.Report) async throws {
    let asset = Asset(url: film, engines: engines)
    let chapters = try await asset.chapters(bestMatching: ["en"])
    for chapter in chapters { say("\(chapter.timeRange) \(chapter.title ?? "")") }

    let player = try Player(engines: engines)
    player.replaceCurrentItem(with: PlayerItem(asset: asset))
    await player.seek(to: chapters[1].timeRange.start)
    say("begins at \(player.currentTime)")
}
