import BoxModel
import CAllocationCounter
import Display
import Drawing
import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// The cost of the interface at 1920x1080: redrawing, layout of a large Home, a key, the frames of a motion, and an idle second, which must cost nothing.
@MainActor
struct InterfaceBench {
    private let loop: MainLoop
    private let mode = DisplayMode(width: 1920, height: 1080, refresh: Ratio(60, 1))
    private let artwork = BenchArtwork()

    init() throws { loop = try MainLoop(time: .real) }

    func run() throws -> Figures {
        var figures = Figures()
        figures.add("fill_ms", try ScreenFill(width: mode.width, height: mode.height).run(30, clock: loop.clock))
        measurePanel(&figures)
        try measureHomeAndKeys(&figures)
        try measureMotion(&figures)
        try measureQuiet(&figures)
        figures.add("fill_again_ms", try ScreenFill(width: mode.width, height: mode.height).run(30, clock: loop.clock))
        return figures
    }

    private func makeRenderer() -> InterfaceRenderer {
        InterfaceRenderer(clock: loop.clock, mode: mode, allocator: MemoryAllocator(), images: artwork)
    }

    private func rest(_ length: Duration) {
        var isOver = false
        loop.clock.schedule(after: length, rank: .display) { isOver = true }
        loop.run(until: { isOver })
    }

    /// The time from a state to its finished layers.
    private func draw(_ state: PresentationState, with renderer: InterfaceRenderer) -> Double {
        var end: HostTime?
        let start = loop.clock.now
        renderer.update(state) { [loop] _ in end = end ?? loop.clock.now }
        loop.run(until: { end != nil })
        return ((end ?? start) - start).milliseconds
    }

    // MARK: The panel

    private func measurePanel(_ figures: inout Figures) {
        let renderer = makeRenderer()
        // The thread opens its fonts before anything is shown.
        rest(.milliseconds(800))
        figures.add("panel_first_ms", [draw(BenchScenes.infoPanel(), with: renderer)])
        rest(.milliseconds(400))
        let hidden = PresentationState(screen: .player, video: .full)
        var cached: [Double] = [], again: [Double] = [], redrawn: [Double] = []
        for turn in 0..<20 {
            _ = draw(hidden, with: renderer)
            rest(.milliseconds(300))
            cached.append(draw(BenchScenes.infoPanel(), with: renderer))
            rest(.milliseconds(60))
            // Focus moves into the tab, so its contents are redrawn.
            again.append(draw(BenchScenes.infoPanel(focus: .content(turn % 3)), with: renderer))
            rest(.milliseconds(60))
            _ = draw(BenchScenes.infoPanel(), with: renderer)
            rest(.milliseconds(60))
        }
        for turn in 0..<10 {
            _ = draw(hidden, with: renderer)
            // Everything is redrawn, as after a change of language, with cached fonts, glyphs and pictures.
            var state = BenchScenes.infoPanel(focus: .content(turn % 3))
            state.appearance.language = turn % 2 == 0 ? "fr" : "en"
            redrawn.append(draw(state, with: renderer))
            rest(.milliseconds(300))
        }
        figures.add("panel_cached_ms", cached)
        figures.add("panel_focus_ms", again)
        figures.add("panel_redrawn_ms", redrawn)
        figures.add("allocations_panel_focus", allocations(renderer) { BenchScenes.infoPanel(focus: .content($0 % 3)) })
        var bar = PresentationState(screen: .player, video: .full) {
            $0.bar = TransportBarView {
                $0.elapsed = "0:00"
                $0.trailing = "-44:00"
            }
        }
        figures.add(
            "allocations_second",
            allocations(renderer) { second in
                bar.bar?.elapsed = "0:\(10 + second)"
                return bar
            })
        renderer.stop()
    }

    /// The number of allocations of the drawing thread for one redraw, several times.
    private func allocations(_ renderer: InterfaceRenderer, _ state: (Int) -> PresentationState) -> [Double] {
        guard allocation_counter_works(), let thread = Self.threadNumber(named: "drawing") else { return [] }
        return (0..<12).map { turn in
            let next = state(turn)
            allocation_counter_watch(thread)
            _ = draw(next, with: renderer)
            let count = allocation_counter_count()
            allocation_counter_watch(0)
            rest(.milliseconds(200))
            return Double(count)
        }.suffix(8)
    }

    /// The kernel's id of a thread of this process.
    private static func threadNumber(named name: String) -> Int32? {
        for number in Folder.names("/proc/self/task") {
            guard let file = fopen("/proc/self/task/\(number)/comm", "r") else { continue }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 32)
            guard fgets(&line, 32, file) != nil else { continue }
            let word = line.prefix { $0 != 10 && $0 != 0 }.map { UInt8(bitPattern: $0) }
            if String(decoding: word, as: UTF8.self) == name { return Int32(number) }
        }
        return nil
    }

    // MARK: Home and keys

    private func measureHomeAndKeys(_ figures: inout Figures) throws {
        let renderer = makeRenderer()
        rest(.milliseconds(800))
        let content = BenchScenes.home(items: 5000)
        let start = loop.clock.now
        let viewer = BenchViewer(loop: loop, renderer: renderer, home: content)
        let state = (loop.clock.now - start).milliseconds
        figures.add("home_5000_state_ms", [state])
        figures.add("home_5000_first_ms", [draw(viewer.state, with: renderer)])
        viewer.rest(for: .milliseconds(300))
        var home: [Double] = []
        for _ in 0..<8 {
            for key in [RemoteKey.right, .right, .right, .right, .right, .right, .down, .left, .down] {
                if let length = viewer.press(key) { home.append(length.milliseconds) }
            }
        }
        figures.add("home_5000_key_ms", home)
        viewer.play()
        viewer.rest(for: .milliseconds(300))
        var player: [Double] = []
        for _ in 0..<8 {
            let tour: [RemoteKey] = [
                .right, .left, .up, .ok, .left, .ok, .down, .down, .up, .right, .down, .right, .right, .back, .back, .info, .back,
                .playpause,
                .playpause, .back,
            ]
            for key in tour where viewer.state.screen == .player {
                if let length = viewer.press(key) { player.append(length.milliseconds) }
            }
            viewer.play()
            viewer.rest(for: .milliseconds(300))
        }
        figures.add("player_key_ms", player)
        renderer.stop()
    }

    // MARK: Motion

    /// What the display's thread computes for each frame while the panel slides in or fades out. It is the main loop here, which also makes the steps of the
    /// motion; what moves has been drawn before.
    private func measureMotion(_ figures: inout Figures) throws {
        let display = HeadlessDisplay(mode: mode, clock: loop.clock)
        let shop = LayerShop()
        try display.start(shop)
        let renderer = makeRenderer()
        rest(.milliseconds(800))
        let hidden = PresentationState(screen: .player, video: .full)
        var frames: [Double] = []
        for turn in 0..<42 {
            var isDrawn = false
            renderer.update(turn % 2 == 0 ? BenchScenes.infoPanel() : hidden) { layers in
                shop.put(layers)
                display.wake()
                isDrawn = true
            }
            loop.run(until: { isDrawn })
            let start = ThreadTime.milliseconds, commits = display.counters.commits
            rest(.milliseconds(240))
            let computed = ThreadTime.milliseconds - start, shown = display.counters.commits - commits
            // The first two touch memory that the kernel has not mapped yet.
            if turn >= 2, shown > 0 { frames.append(computed / Double(shown)) }
            rest(.milliseconds(200))
        }
        figures.add("motion_ms", frames)
        renderer.stop()
        display.stop()
    }

    // MARK: Idle

    /// An idle second, with the bar of a paused film on a real headless display.
    private func measureQuiet(_ figures: inout Figures) throws {
        let display = HeadlessDisplay(mode: mode, clock: loop.clock)
        let shop = LayerShop()
        try display.start(shop)
        let renderer = makeRenderer()
        let viewer = PresentationState(screen: .player, video: .full) {
            $0.bar = TransportBarView {
                $0.focus = .bar
                $0.elapsed = "1:40"
                $0.trailing = "-42:20"
                $0.glyph = .pause
            }
            $0.title = TitleView(title: "The Lighthouse Keeper’s Daughter")
        }
        renderer.update(viewer) { layers in
            shop.put(layers)
            display.wake()
        }
        rest(.milliseconds(1500))
        let redraws = renderer.redrawCounts.values.reduce(0, +), commits = display.counters.commits
        rest(.seconds(1))
        figures.add("quiet_redraws", [Double(renderer.redrawCounts.values.reduce(0, +) - redraws)])
        figures.add("quiet_commits", [Double(display.counters.commits - commits)])
        figures.add("commits_before", [Double(commits)])
        renderer.stop()
        display.stop()
    }
}
