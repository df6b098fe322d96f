import MarqueePlayback

/// Reads what was played, and what went wrong.
@MainActor
func readLogs(_ engines: PlaybackEngines, _ film: String, say: @escaping Listing.Report) async throws {
    let player = try Player(engines: engines)
    let events = player.events()
    let item = PlayerItem(asset: Asset(url: film, engines: engines))
    player.replaceCurrentItem(with: item)
    player.play()
    for await case .newAccessLogEntry(let entry) in events {
        say(
            "a period of \(entry.playbackType ?? "") from \(entry.playbackStartOffset ?? .zero), stalls: \(entry.numberOfStalls ?? 0)"
        )
        break
    }
    say("watched for \(item.accessLog.last?.durationWatched?.components.seconds ?? 0) seconds")

    player.replaceCurrentItem(with: PlayerItem(asset: Asset(url: film + ".absent", engines: engines)))
    for await case .newErrorLogEntry(let entry) in events {
        say("\(entry.code.rawValue), fatal: \(entry.isFatal)")
        break
    }
    say("as text: \([AccessLogEvent]().extendedLogText.prefix { $0 != "\n" })")
}
