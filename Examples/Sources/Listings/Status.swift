import MarqueePlayback

/// Waits until an item can be played or cannot, and cancels the loading of an asset.
@MainActor
func watchTheStatus(_ engines: PlaybackEngines, _ film: String, say: @escaping Listing.Report) async throws {
    let player = try Player(engines: engines)
    for url in [film, film + ".absent"] {
        player.replaceCurrentItem(with: PlayerItem(asset: Asset(url: url, engines: engines)))
        for await state in player.states() {
            switch state.itemStatus {
            case .readyToPlay: say("ready to play")
            case .failed(let error): say("failed with \(error.code.rawValue)")
            case .unknown, nil: continue
            }
            break
        }
    }

    let asset = Asset(url: film, engines: engines)
    let loading = Task { try await asset.load(.duration) }
    while case .notYetLoaded = asset.status(of: .duration) { await Task.yield() }
    loading.cancel()
    do {
        _ = try await loading.value
    } catch let error as PlaybackError where error.code == .cancelled {
        say("cancelled")
    }
    let (duration, tracks) = try await asset.load(.duration, .tracks)
    say("loaded: \(duration.time ?? .zero) seconds, \(tracks.map { "\($0.mediaType) \($0.codec)" }.joined(separator: ", "))")
}
