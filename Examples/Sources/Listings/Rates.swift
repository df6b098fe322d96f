import MarqueePlayback

/// Plays faster, slower and backward, and is refused what cannot be played.
@MainActor
func changeRates(_ engines: PlaybackEngines, _ film: String, say: @escaping Listing.Report) async throws {
    let player = try Player(engines: engines)
    let item = PlayerItem(asset: Asset(url: film, engines: engines))
    player.replaceCurrentItem(with: item)
    await player.seek(to: .zero)
    say("fast: \(item.canPlayFastForward), slow: \(item.canPlaySlowForward), backward: \(item.canPlayReverse)")

    let rates: [(PlaybackRate, until: MediaTime)] = [(2, .seconds(2)), (PlaybackRate(1, 2), .seconds(3)), (-1, .seconds(1))]
    for (rate, place) in rates {
        let places = player.boundaries(at: [place])
        try player.playImmediately(atRate: rate)
        for await time in places {
            say("at rate \(rate) it came to \(time)")
            break
        }
    }
    player.pause()

    do {
        try player.playImmediately(atRate: 3)
    } catch {
        say("refused with \(error.code.rawValue), the rate is \(player.rate)")
    }
}
