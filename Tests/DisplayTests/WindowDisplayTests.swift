import LinuxSupport
import MediaModel
import MediaTime
import Synchronization
import Testing

@testable import Display

extension LoopSuites {
    @Suite("WindowDisplay", .serialized)
    @MainActor
    struct WindowDisplayTests {
        private let record: WindowRecord
        private let rig: DisplayRig
        private var display: WindowDisplay { get throws { try #require(rig.display as? WindowDisplay) } }

        init() throws {
            record = try WindowRecord(width: 320, height: 180)
            rig = try DisplayRig(window: record)
        }

        /// A source that gives a scene each time it is asked, and no more.
        private func still(_ colour: OpaqueColour = OpaqueColour(red: 90, green: 0, blue: 0)) -> TestSource {
            TestSource { _, opportunity in
                PresentationAnswer(scene: Scene(background: colour, wantedTime: opportunity.targetTime), wantsNext: false)
            }
        }

        private func start(_ source: TestSource) throws {
            try rig.display.start(source)
            try rig.run("the first picture") { source.seen.flips.count == 1 }
        }

        @Test("a window is not seen before it is started, and is closed at the end")
        func life() throws {
            #expect(!record.now.isShown)
            #expect(rig.display.name == "window:memory")
            #expect(rig.display.mode == DisplayMode(width: 320, height: 180, refresh: Ratio(60)))
            try start(still())
            #expect(record.now.isShown)
            rig.display.stop()
            #expect(record.now.isClosed)
        }

        @Test("while the viewer resizes, the picture is scaled; then the new size is reported once, and a picture is made for it")
        func resizing() throws {
            defer { rig.display.stop() }
            let source = still()
            try start(source)
            let drawn = record.now.drawn.count
            for step in 1...5 { record.resize(width: 320 + step * 64, height: 180) }
            try rig.run("the last picture being scaled") { record.now.drawn.count > drawn }
            #expect(source.seen.modes.isEmpty)
            try rig.run("the new size") { !source.seen.modes.isEmpty }
            let mode = DisplayMode(width: 640, height: 180, refresh: Ratio(60))
            #expect(source.seen.modes == [mode] && rig.display.mode == mode)
            try rig.run("a picture for it") { source.seen.flips.count == 2 }
            #expect(source.seen.opportunities.last?.needsScene == true)
            let clips = record.now.drawn.compactMap { $0.count > 1 ? $0[1] : nil }
            #expect(clips.contains(.clip(PixelRect(x: 160, y: 0, width: 320, height: 180))), "between, it is in the middle")
            #expect(clips.last == .clip(PixelRect(x: 0, y: 0, width: 640, height: 180)))
            #expect(try rig.picture().pixels.width == 640)
        }

        @Test("another screen has another rate")
        func otherScreen() throws {
            defer { rig.display.stop() }
            let source = still()
            try start(source)
            record.change { $0.refresh = Ratio(75) }
            record.happen(.resized)
            try rig.run("the rate being reported") { !source.seen.modes.isEmpty }
            #expect(rig.display.refreshRates == [Ratio(75)])
            try rig.run("a picture") { source.seen.flips.count == 2 }
            #expect(source.seen.opportunities.last?.interval == .nanoseconds(13_333_333))
        }

        @Test("a window that was covered is drawn again, which is no new picture")
        func exposed() throws {
            defer { rig.display.stop() }
            let source = still()
            try start(source)
            let before = record.now.drawn
            record.happen(.exposed)
            try rig.run("the window being drawn") { record.now.drawn.count > before.count }
            #expect(record.now.drawn.last == before.last)
            #expect(source.seen.flips.count == 1 && source.seen.opportunities.count == 1)
            #expect(rig.display.counters.flips == 1)
        }

        @Test("in a window that nobody sees the time goes on, and nothing is drawn")
        func hidden() throws {
            defer { rig.display.stop() }
            let source = TestSource { _, opportunity in
                PresentationAnswer(scene: Scene(wantedTime: opportunity.targetTime), wantsNext: true)
            }
            try start(source)
            record.happen(.visible(false))
            try rig.run("the window being hidden") { record.now.events.isEmpty }
            let (flips, drawn) = (source.seen.flips.count, record.now.drawn.count)
            try rig.run("ten more pictures") { source.seen.flips.count >= flips + 10 }
            #expect(record.now.drawn.count <= drawn + 1)
            record.happen(.visible(true))
            try rig.run("the window being drawn") { record.now.drawn.count > drawn + 3 }
            let seen = source.seen.flips
            #expect(zip(seen, seen.dropFirst()).allSatisfy { $1.sequence > $0.sequence && $1.time > $0.time })
        }

        @Test("after its textures are lost, everything is uploaded again")
        func texturesLost() throws {
            defer { rig.display.stop() }
            let label = try TestPictures.slopes(.argb8888, width: 16, height: 8)
            let layer = InterfaceLayer(id: "label", pixels: label, destination: PixelRect(x: 0, y: 0, width: 16, height: 8), z: 1)
            let source = TestSource { _, opportunity in
                PresentationAnswer(scene: Scene(layers: [layer], wantedTime: opportunity.targetTime), wantsNext: false)
            }
            try start(source)
            #expect(record.now.uploads.count == 1)
            record.happen(.texturesLost)
            try rig.run("the upload") { record.now.uploads.count == 2 }
            try rig.run("the picture") { source.seen.flips.count == 2 }
        }

        @Test(
            "keys, the wheel and the pointer are passed on; the pointer is hidden when it rests; closing is a wish of the viewer")
        func inputs() throws {
            defer { rig.display.stop() }
            let window = try display
            var seen: [WindowInput] = []
            window.listen { input, _ in seen.append(input) }
            try start(still())
            let inputs: [WindowInput] = [
                .key(code: 103, value: 1), .key(code: 103, value: 0), .motion(horizontal: 4, vertical: -9), .wheel(-1),
            ]
            for input in inputs { record.happen(.input(input)) }
            record.happen(.toggleFullScreen)
            try rig.run("the inputs") { seen.count == 4 }
            #expect(seen == inputs)
            try rig.run("the full screen") { record.now.isFullScreen }
            try rig.run("the pointer being hidden") { !record.now.hasPointer }
            record.happen(.input(.motion(horizontal: 1, vertical: 0)))
            try rig.run("the pointer being shown") { record.now.hasPointer }
            #expect(!window.isCloseRequested)
            record.happen(.close)
            try rig.run("the wish") { window.isCloseRequested }
            #expect(!record.now.isClosed)
        }

        @Test("a screen that is switched off is black, and lets the desktop's screen sleep")
        func power() throws {
            defer { rig.display.stop() }
            let source = still()
            try start(source)
            rig.display.setPower(false)
            try rig.run("the loss being reported") { source.seen.modes == [nil] }
            #expect(record.now.drawn.last == [.clear] && record.now.maySleep)
            record.happen(.exposed)
            rig.display.setPower(true)
            try rig.run("a picture") { source.seen.flips.count == 2 }
            #expect(!record.now.maySleep)
        }

        @Test("a picture that takes too long to be shown is counted, and the next ones are asked for later blanks")
        func late() throws {
            defer { rig.display.stop() }
            let source = still()
            try start(source)
            record.change { $0.delay = .milliseconds(130) }
            rig.display.wake()
            try rig.run("the slow picture") { source.seen.flips.count == 2 }
            record.change { $0.delay = nil }
            #expect(rig.display.counters.timeouts == 1)
            rig.display.wake()
            try rig.run("the next one") { source.seen.flips.count == 3 }
            let flips = source.seen.flips
            #expect(flips[1].time > flips[1].wantedTime)
            #expect(flips[2].sequence > flips[1].sequence)
        }

        @Test("there is no window in simulated time, and none without a desktop")
        func refusals() throws {
            rig.display.stop()
            let simulated = try MainLoop(time: .simulated)
            let session = DesktopSession(drivers: ["nothing"])
            #expect(throws: MediaError.self) { try WindowDisplay(.init(), session: session, clock: simulated.clock) }
            var notes: [String] = []
            let display = try DisplayFactory.make(.auto, session: session, loop: simulated) { notes.append($0) }
            #expect(notes.isEmpty && !(display is WindowDisplay))
            display.stop()
            let loop = try MainLoop(time: .real)
            let other = try DisplayFactory.make(.auto, session: session, loop: loop) { notes.append($0) }
            #expect(notes.count == 1 && notes[0].hasPrefix("Opening a window failed:") && notes[0].hasSuffix("."))
            // A machine with a card shows its pictures there, and says so instead.
            if other is HeadlessDisplay { #expect(DisplayFactory.probe(other)?.remarks.contains(notes[0]) == true) }
            other.stop()
        }
    }
}
