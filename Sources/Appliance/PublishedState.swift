import LinuxSupport
import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// Reads the current playback for the local page, reports and supervision. Main loop only.
@MainActor
struct PublishedState {
    private let clock: any HostClock
    private let player: Player
    private let driver: InterfaceDriver
    private let catalogue: Catalogue
    private let programmes: ProgrammePlayer
    private let snapshots: PlaybackSnapshots

    init(
        _ parts: ApplianceParts, driver: InterfaceDriver, catalogue: Catalogue, programmes: ProgrammePlayer,
        snapshots: PlaybackSnapshots
    ) {
        clock = parts.clock
        player = parts.player
        self.driver = driver
        self.catalogue = catalogue
        self.programmes = programmes
        self.snapshots = snapshots
    }

    var nowPlaying: NowPlaying {
        guard let playing = programmes.playing else { return NowPlaying(state: .home, hostTime: clock.now) }
        let presentation = catalogue.presentations.presentation(
            of: playing.programme, source: player.currentItem?.description)
        let asset = playing.position.map { _ in player.currentTime }
        let duration = player.currentItem?.duration?.time ?? presentation.duration
        let mode = NowPlaying.State(snapshots.make(of: playing).state)
        var now = NowPlaying(state: mode, hostTime: clock.now)
        (now.id, now.title) = (presentation.id, presentation.title)
        now.subtitle = catalogue.presentedLine ?? presentation.subtitle
        now.elapsed = asset.map { presentation.timeline.contentTime(at: $0) }
        now.duration = duration.map { presentation.timeline.contentTime(at: $0) }
        now.assetTime = asset
        if mode == .playing { now.rate = player.state.rate }
        now.interstitialLabel = driver.machine.state.interstitialLabel
        now.requiresLinearPlayback = driver.machine.requiresLinearPlayback
        now.error = playing.error
        return now
    }
}

extension NowPlaying.State {
    init(_ state: PlaybackSnapshot.State) {
        self =
            switch state {
            case .loading: .loading
            case .ready, .paused: .paused
            case .playing: .playing
            case .waiting: .buffering
            case .ended: .ended
            case .failed: .failed
            }
    }
}
