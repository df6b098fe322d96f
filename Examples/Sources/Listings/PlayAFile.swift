import MarqueePlayback

/// Plays a file from its start to its end.
@MainActor
func playAFile(_ engines: PlaybackEngines, _ film: String, say: @escaping Listing.Report) async throws {
    let player = try Player(engines: engines)
    let events = player.events()
    player.replaceCurrentItem(with: PlayerItem(asset: Asset(url: film, engines: engines)))
    player.play()
    for await case .didPlayToEnd in events { break }
    say("played \(player.currentTime) seconds")
}
