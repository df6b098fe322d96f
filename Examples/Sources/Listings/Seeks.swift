import MarqueePlayback

/// Seeks exactly, with tolerances, and several times at once.
@MainActor
func seek(_ engines: PlaybackEngines, _ film: String, say: @escaping Listing.Report) async throws {
    let player = try Player(engines: engines)
    player.replaceCurrentItem(with: PlayerItem(asset: Asset(url: film, engines: engines)))
    // An item that is not ready begins there.
    await player.seek(to: .milliseconds(1490))
    say("exactly: the picture at \(player.currentTime)")

    await player.seek(to: .milliseconds(2490), toleranceBefore: nil, toleranceAfter: nil)
    say("quickly: the picture at \(player.currentTime)")

    await player.seek(to: .milliseconds(3490), toleranceBefore: .milliseconds(600), toleranceAfter: .zero)
    say("up to 0.6 s earlier: the picture at \(player.currentTime)")

    let first = Task { await player.seek(to: .seconds(1)) }
    let second = Task { await player.seek(to: .seconds(2)) }
    say("the first of two is finished: \(await first.value), the second: \(await second.value)")

    await player.step(byCount: 3)
    say("three pictures on: \(player.currentTime)")
}
