import BoxAssembly
import ChannelFeed
import Display
import FeedProbing
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaSources
import Playback

/// Carries out `marquee feed check --probe`: compares a feed with its real streams.
@MainActor
enum FeedProbeRun {
    /// The verdict with what the probe found. Blocks until done.
    ///
    /// - Throws: `CommandFault` or `MediaError` if the box's engines cannot be made.
    static func probed(_ verdict: FeedVerdict, _ pages: FeedPages) throws -> (verdict: FeedVerdict, summary: String) {
        guard let feed = verdict.feed else { return (verdict, "Nothing was probed.") }
        let box = try Box(BoxPlan(display: .headless(DisplayChoice.defaultHeadlessMode), audio: .null))
        defer { box.close() }
        let bar = ProgressBar()
        let files = FileOpener(services: box.player.services)
        let mode = box.display.mode
        let selection = VariantSelection(width: mode.width, height: mode.height) { [codecs = box.player.services.codecs] in
            codecs.canDecode(codecString: $0)
        }
        let runner = ProbeRunner(
            FeedProbe(ProbePlan.questions(feed, pages)), loader: box.loader, clock: box.loop.clock, selection: selection,
            openFile: { files.open($0, $1) }, progress: { bar.show(done: $0, total: $1) })
        var probe: FeedProbe?
        runner.run { probe = $0 }
        box.loop.run(until: { probe != nil })
        bar.clear()
        files.close()
        return (verdict.adding(probe?.findings ?? []), probe?.summary ?? "")
    }
}

/// Opens files with the demuxers of the box, and closes them when they are known.
@MainActor
private final class FileOpener {
    private let services: PlaybackServices
    private var assets: [Asset] = []

    init(services: PlaybackServices) { self.services = services }

    func open(_ location: StreamLocation, _ completion: @escaping @MainActor (Result<SourceDescription, MediaError>) -> Void) {
        let asset = Asset(location, services: services)
        assets.append(asset)
        asset.load { [weak self, weak asset] result in
            // One whose deadline has passed is closed at the end.
            asset?.close()
            self?.assets.removeAll { $0 === asset }
            completion(result)
        }
    }

    func close() {
        for asset in assets {
            asset.cancelLoading()
            asset.close()
        }
        assets = []
    }
}
