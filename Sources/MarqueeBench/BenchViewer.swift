import BoxModel
import Drawing
import LinuxSupport
import MediaTime
import Screens
import Shell
import Viewing

/// A viewer with a player that completes every request at once. Keys go into the interface's machine, its effects are carried out, and its state is drawn.
@MainActor
final class BenchViewer {
    private let loop: MainLoop
    private let renderer: InterfaceRenderer
    private var machine: InterfaceMachine
    private var snapshot = PlaybackSnapshot(
        state: .playing, position: .seconds(100), rate: Ratio(1, 1),
        loadedRanges: [TimeRange(start: .seconds(90), end: .seconds(160))],
        seekableRanges: [TimeRange(start: .zero, end: .seconds(2640))], duration: .finite(.seconds(2640)))
    private var pendingSeeks: [(id: SeekID, target: MediaTime)] = []

    /// The presentation state of the machine.
    var state: PresentationState { machine.state }

    init(loop: MainLoop, renderer: InterfaceRenderer, home: HomeContent) {
        self.loop = loop
        self.renderer = renderer
        machine = InterfaceMachine()
        take(.homeChanged(home))
    }

    /// Opens the episode and plays it.
    func play() {
        take(.itemChanged(BenchScenes.item))
        take(.playback(snapshot))
    }

    /// Presses and releases a key. Returns the time from the press until the layers that show it were finished; nil if it changed nothing visible.
    func press(_ key: RemoteKey) -> Duration? {
        let before = machine.state
        let start = loop.clock.now
        var end: HostTime?
        take(.key(RemoteEvent(key: key, phase: .press, time: start, device: "bench")))
        let changesAtOnce = machine.state != before
        if changesAtOnce {
            renderer.update(machine.state) { [loop] _ in end = end ?? loop.clock.now }
            loop.run(until: { end != nil })
        }
        take(.key(RemoteEvent(key: key, phase: .release, time: loop.clock.now, device: "bench")))
        settle()
        return end.map { $0 - start }
    }

    /// Waits until everything is drawn.
    private func settle() {
        for seek in pendingSeeks {
            snapshot.position = seek.target
            take(.seekCompleted(seek.id, landed: seek.target, finished: true))
        }
        pendingSeeks = []
        take(.playback(snapshot))
        rest(for: .milliseconds(20))
    }

    /// Lets the loop run.
    func rest(for length: Duration) {
        var isOver = false
        renderer.update(machine.state) { _ in }
        loop.clock.schedule(after: length, rank: .display) { isOver = true }
        loop.run(until: { isOver })
    }

    private func take(_ event: InterfaceEvent) {
        for effect in machine.handle(event, at: loop.clock.now) {
            switch effect {
            case .play: snapshot.state = .playing
            case .pause: snapshot.state = .paused
            case .seek(let id, let target, _): pendingSeeks.append((id, target))
            default: break
            }
        }
    }
}
