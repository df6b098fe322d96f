import ArgumentParser
import Display
import LinuxSupport
import MediaModel
import MediaTime
import Playback

/// `MarqueeBench seek`: the duration of exact seeks of a paused player, from the command until the picture is reported on the screen.
struct SeekBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seek",
        abstract:
            "Seek a paused player to the places read from standard input, a line of decimal seconds each; print the seconds that each line took.",
        discussion: """
            Several places in a line are a burst: the seeks are requested a millisecond apart, and the time runs from the first request until the picture of \
            the last place is on the screen.
            """)

    @Argument(help: "A file or address of media or of an HLS playlist.")
    var target: String

    @Option(help: ArgumentHelp("The screen in memory.", valueName: "headless[:WxH@HZ]"))
    var display = "headless:1280x720@60"

    @Option(help: "Milliseconds to wait between two lines.")
    var rest = 300

    func run() throws {
        var lines: [[MediaTime]] = []
        while let line = readLine() {
            let places = line.split(separator: " ").map { MediaTime(decimalSeconds: String($0)) }
            guard !places.isEmpty, !places.contains(nil) else {
                throw BenchFailure("\"\(line)\" is not a line of decimal seconds.", code: 2)
            }
            lines.append(places.compactMap { $0 })
        }
        guard let choice = DisplayChoice(display) else {
            throw BenchFailure("--display \(display) is not understood.", code: 2)
        }
        try MainActor.assumeIsolated { try measure(lines, display: choice) }
    }

    @MainActor
    private func measure(_ lines: [[MediaTime]], display: DisplayChoice) throws {
        let box = try BenchPlayer(display: display)
        defer { box.close() }
        let (player, clock) = (box.player, box.loop.clock)
        var isShown = false
        var failure: MediaError?
        let listening = player.events.listen { event in
            switch event {
            case .frame: isShown = true
            case .state(let state): if case .failed(let error) = state.itemStatus { failure = error }
            default: break
            }
        }
        defer { listening.cancel() }
        player.replaceCurrentItem(with: PlayerItem(asset: Asset(url: target, services: player.services)))
        box.loop.run(until: { isShown || failure != nil })
        for places in lines where failure == nil {
            pause(box.loop)
            var took: Duration?
            let began = clock.now
            for (number, place) in places.enumerated() {
                clock.schedule(at: began + .milliseconds(1) * number, rank: .input) {
                    player.seek(to: place, toleranceBefore: .zero, toleranceAfter: .zero) { finished in
                        if finished, number == places.count - 1 { took = clock.now - began }
                    }
                }
            }
            box.loop.run(until: { took != nil || failure != nil })
            if let took { print(MediaTime.nanoseconds(took.wholeNanoseconds).description) }
        }
        if let failure { throw BenchFailure(failure.sentence) }
    }

    /// Waits for background work of a seek.
    @MainActor
    private func pause(_ loop: MainLoop) {
        var isOver = false
        loop.clock.schedule(after: .milliseconds(rest)) { isOver = true }
        loop.run(until: { isOver })
    }
}
