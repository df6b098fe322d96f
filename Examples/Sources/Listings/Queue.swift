import MarqueePlayback

/// Plays two items one after the other without a gap.
@MainActor
func playAQueue(_ engines: PlaybackEngines, _ film: String, say: @escaping Listing.Report) async throws {
    let player = try Player(engines: engines, actionAtItemEnd: .advance)
    let opening = PlayerItem(asset: Asset(url: film, engines: engines))
    opening.forwardPlaybackEndTime = .seconds(1)
    let feature = PlayerItem(asset: Asset(url: film, engines: engines))
    let events = player.events()
    for item in [opening, feature, opening] where !player.insert(item) { say("an item is in a queue once") }
    player.play()
    var ends = 0
    for await event in events {
        switch event {
        case .currentItem(let item): say("plays the \(item === opening ? "opening" : "feature"), \(player.items.count) to play")
        case .didPlayToEnd: ends += 1
        default: continue
        }
        if ends == 2 { break }
    }
    say("played both, at \(player.currentTime)")
}
