import MarqueePlayback

/// Observes the time while a film plays: each second, and when it passes two places.
@MainActor
func observeTimes(_ engines: PlaybackEngines, _ film: String, say: @escaping Listing.Report) async throws {
    let player = try Player(engines: engines)
    let clock = player.addPeriodicTimeObserver(every: .seconds(1)) { time in
        say("second \(Int(time.approximateSeconds))")
    }
    let places = player.addBoundaryTimeObserver(at: [.milliseconds(500), .milliseconds(2500)]) { time in
        say("passes \(time)")
    }
    let events = player.events()
    player.replaceCurrentItem(with: PlayerItem(asset: Asset(url: film, engines: engines)))
    player.play()
    for await case .didPlayToEnd in events { break }
    clock.cancel()
    places.cancel()
}
