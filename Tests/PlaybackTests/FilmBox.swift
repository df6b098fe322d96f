import Display
import LinuxSupport
import MediaCodec
import MediaModel
import MediaSources
import MediaTime
import Sound
import TestSupport
import Transfer

@testable import Playback

/// A player with the real engines on the simulated clock: files, FFmpeg, a screen in memory that is read after every picture, and recorded sound.
@MainActor
final class FilmBox {
    let loop: MainLoop
    let display: HeadlessDisplay
    let sink: HeardSink
    let player: Player
    /// The shown frames, each with the number in its picture.
    private(set) var pictures: [(record: FrameRecord, number: Int?)] = []
    /// The luma of the fields of each shown frame (`NumberGrid.levels`), if every picture is read.
    private(set) var levels: [[Double]] = []
    /// The screen with each shown frame, if `keepsScreens`.
    private(set) var screens: [PixelBuffer?] = []
    private(set) var audioRuns: [MediaTime] = []
    private(set) var failures: [MediaError] = []
    private(set) var endCount = 0
    /// When the end was reported.
    private(set) var ended: HostTime?
    /// Whether every picture is read; otherwise only the last one is.
    var readsPictures = true
    var keepsScreens = false
    private var unread = 0
    private var listening: Subscription?
    var onEvent: ((PlayerEvent) -> Void)?

    init(
        refresh: Ratio = Ratio(60), videoThreads: Int = 1, isQueue: Bool = false,
        loader: ((any HostClock) -> any ByteLoading)? = nil,
        makeHLSSource: @escaping @MainActor (String, ByteResponse) -> any MediaSource = { _, _ in
            preconditionFailure("no film is a playlist")
        }
    ) throws {
        loop = try MainLoop(time: .simulated)
        let clock = loop.clock
        display = HeadlessDisplay(mode: DisplayMode(width: 128, height: 72, refresh: refresh), clock: clock)
        sink = HeardSink(clock: clock)
        var services = PlaybackServices(
            clock: clock, loader: loader?(clock) ?? CurlTransfer(clock: clock, version: "test"),
            codecs: FFmpegCodecs(videoThreads: videoThreads),
            display: display, sink: sink, makeHLSSource: makeHLSSource
        ).repeatable
        services.compositor = PictureCompositor()
        services.streamRequests = Self.requests
        player = try isQueue ? Player(services: services, actionAtItemEnd: .advance) : Player(services: services)
        // The grid fills the screen, whatever the picture's shape.
        player.scheduler.setGravity(.resize)
        listening = player.events.listen { [weak self] in self?.take($0) }
    }

    /// As the box joins its loader and its player.
    private static let requests: @Sendable (any ByteStream) -> (@Sendable () -> StreamNews)? = { stream in
        guard let record = (stream as? any TransferRecording)?.record else { return nil }
        return { StreamNews(requests: record.take().map(request), remarks: record.takeRemarks()) }
    }

    @Sendable private nonisolated static func request(_ progress: TransferRecord.Progress) -> ResourceRequest {
        let request = progress.request
        return ResourceRequest(
            whole: MediaTransfer(
                url: request.url, serverAddress: request.serverAddress, mediaType: nil, byteCount: request.byteCount,
                timeToFirstByte: request.timeToFirstByte, transferDuration: request.transferDuration),
            newBytes: progress.newBytes, newDuration: progress.newDuration, isNew: progress.isNew, isOver: progress.isOver)
    }

    private func take(_ event: PlayerEvent) {
        switch event {
        case .frame(let record):
            let index = pictures.count
            pictures.append((record, nil))
            levels.append([])
            screens.append(nil)
            guard readsPictures else { break }
            unread += 1
            display.readScreen { [weak self] picture in
                guard let self else { return }
                self.unread -= 1
                if let picture {
                    self.levels[index] = NumberGrid.levels(in: picture.pixels)
                    self.pictures[index].number = NumberGrid.number(of: self.levels[index])
                }
                if self.keepsScreens { self.screens[index] = picture?.pixels }
            }
        case .audioRun(let time): audioRuns.append(time)
        case .didPlayToEnd:
            endCount += 1
            ended = loop.clock.now
        case .state(let state): if case .failed(let error) = state.itemStatus, failures.last != error { failures.append(error) }
        default: break
        }
        onEvent?(event)
    }

    /// Makes a file the current item.
    @discardableResult
    func open(_ path: String) -> PlayerItem {
        let item = PlayerItem(asset: Asset(url: path, services: player.services))
        player.replaceCurrentItem(with: item)
        return item
    }

    /// Runs until a condition holds, or until a limit of simulated time.
    @discardableResult
    func run(within limit: Duration = .seconds(60), until isDone: () -> Bool) -> Bool {
        var isLate = false
        let guardian = loop.clock.schedule(after: limit, rank: .display) { isLate = true }
        loop.run(until: { (isLate || isDone()) && unread == 0 })
        guardian.cancel()
        return isDone()
    }

    /// Seeks and waits until the seek has completed.
    func seek(to time: MediaTime, before: MediaTime? = .zero, after: MediaTime? = .zero) -> Bool? {
        var answer: Bool?
        player.seek(to: time, toleranceBefore: before, toleranceAfter: after) { answer = $0 }
        run(until: { answer != nil })
        return answer
    }

    /// The number of the picture on the screen.
    func number() -> Int? {
        var picture: ScreenPicture??
        display.readScreen { picture = .some($0) }
        loop.run(until: { picture != nil })
        return (picture ?? nil).flatMap { NumberGrid.number(in: $0.pixels) }
    }

    /// Discards the recorded frames and sound.
    func forget() {
        pictures = []
        levels = []
        screens = []
        audioRuns = []
    }

    func close() { player.close() }
}

/// Takes sound in exact time and records it with the instants at which it is heard.
@MainActor
final class HeardSink: AudioSink {
    private let inner: NullSink
    private let clock: any HostClock
    /// The first channel since the last flush.
    private(set) var samples: [Float] = []
    /// Pairs of a sample number and the instant from which samples are heard.
    private(set) var starts: [(sample: Int, at: HostTime)] = []

    init(clock: any HostClock) {
        self.clock = clock
        inner = NullSink(clock: clock)
    }

    var name: String { inner.name }
    var format: AudioFormat { inner.format }
    var room: Int { inner.room }
    var volume: Float {
        get { inner.volume }
        set { inner.volume = newValue }
    }
    let deviceChanges = EventSource<AudioDeviceChange>()
    func enqueue(_ samples: ArraySlice<Float>) -> Int {
        let taken = inner.enqueue(samples)
        for index in 0..<taken { self.samples.append(samples[samples.startIndex + index * format.channels]) }
        return taken
    }
    func play(at time: HostTime) {
        inner.play(at: time)
        starts.append((Int(inner.timing()?.frame ?? 0), max(time, clock.now)))
    }
    func pause() { inner.pause() }
    func flush() {
        samples = []
        starts = []
        inner.flush()
    }
    func timing() -> AudioTiming? { inner.timing() }
    func close() { inner.close() }

    /// When a sample was heard; nil if it was not.
    func instant(of sample: Int) -> HostTime? {
        starts.last { $0.sample <= sample }.map { start in
            start.at + .nanoseconds(MediaTime(Int64(sample - start.sample), Int32(format.sampleRate)).nanoseconds)
        }
    }

    /// When clicks were heard.
    func clicks() -> [HostTime] { ToneMeter.onsets(in: samples, threshold: 0.25).compactMap(instant) }
}
