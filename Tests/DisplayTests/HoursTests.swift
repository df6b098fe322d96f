import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization
import Testing

@testable import Display
@testable import Playback

/// What the process and the card hold at a moment.
private struct Holdings {
    var descriptors, threads, framebuffers, buffers, blobs, bytes: Int

    init(_ card: SoftwareCard) {
        let left = card.leftovers
        descriptors = Folder.names("/proc/self/fd").count
        threads = Folder.names("/proc/self/task").count
        (framebuffers, buffers, blobs) = (left["framebuffers"] ?? 0, left["buffers"] ?? 0, left["blobs"] ?? 0)
        bytes = MemoryUse.allocatedBytes
    }

    /// The most of each, and the least memory: much of it comes and goes.
    func joined(with other: Holdings) -> Holdings {
        var both = self
        both.descriptors = max(descriptors, other.descriptors)
        both.threads = max(threads, other.threads)
        both.framebuffers = max(framebuffers, other.framebuffers)
        both.buffers = max(buffers, other.buffers)
        both.blobs = max(blobs, other.blobs)
        both.bytes = min(bytes, other.bytes)
        return both
    }
}

/// A display on a card in memory whose blanks come as fast as the machine can, with everything that an evening has: new pictures, changing layers, reads of the
/// screen, removals and returns, standby.
@MainActor
private final class HoursRig {
    let card: SoftwareCard
    let display: KMSDisplay
    let scheduler: PresentationScheduler
    private let loop: MainLoop
    private var queue = BoundedQueue<Decoded<VideoFrame>>(capacity: 4, ledger: nil)
    private var picture: Int64 = 0
    private var turn = 0
    private var isOver = false
    private(set) var reads = 0
    private(set) var losses = 0

    init() throws {
        let mode = SoftwareCard.mode(320, 180, 1000, isPreferred: true)
        card = try SoftwareCard(screens: [SoftwareCard.Screen(modes: [mode])])
        loop = try MainLoop(time: .real)
        display = try KMSDisplay(KMSDisplay.Options(path: card.path), clock: loop.clock)
        scheduler = PresentationScheduler(display: display)
        try display.start(scheduler)
        begin()
        next()
    }

    /// Another programme: a new queue, and a clock that starts now.
    private func begin() {
        queue.cancel()
        queue = BoundedQueue(capacity: 4, ledger: nil)
        picture = 0
        fill()
        scheduler.begin(queue)
        scheduler.setClock(MediaClock(anchorHost: loop.clock.now, anchorTime: .zero, rate: .one))
    }

    private func fill() {
        while let pixels = try? display.videoAllocator.makeBuffer(format: .nv12, width: 160, height: 90) {
            let frame = VideoFrame(
                pixels: pixels, time: .milliseconds(picture), duration: .milliseconds(1),
                colour: ColourDescription(matrix: .bt709, isFullRange: false))
            guard queue.tryPush(.media(frame)) else { return }
            picture += 1
        }
    }

    private func next() {
        guard !isOver else { return }
        turn += 1
        card.blank()
        for case .display(nil) in scheduler.takeEvents() { losses += 1 }
        fill()
        if turn % 7 == 0, let pixels = try? display.interfaceAllocator.makeBuffer(format: .argb8888, width: 32, height: 18) {
            let layer = InterfaceLayer(
                id: "layer", pixels: pixels, destination: PixelRect(x: turn % 100, y: 8, width: 32, height: 18), z: 1)
            scheduler.setInterface([layer], video: PixelRect(x: 0, y: 0, width: 320, height: 180), background: .black)
        }
        if turn % 250 == 0 { display.readScreen { [weak self] in if $0 != nil { self?.reads += 1 } } }
        switch turn % 1000 {
        case 300: plug(false)
        case 340: plug(true)
        case 500: begin()
        case 700: display.setPower(false)
        case 740: display.setPower(true)
        default: break
        }
        loop.clock.schedule(after: .microseconds(300)) { [weak self] in self?.next() }
    }

    private func plug(_ isConnected: Bool) {
        card.changeScreen { $0.isConnected = isConnected }
        display.connectorsChanged()
    }

    /// Plays some thousand blanks.
    ///
    /// - Returns: what was held meanwhile.
    func play(thousands: Int) throws -> Holdings {
        var held = Holdings(card)
        for _ in 0..<thousands * 5 {
            let end = turn + 200
            try loop.run("200 blanks") { self.turn >= end }
            held = held.joined(with: Holdings(card))
        }
        return held
    }

    func stop() {
        isOver = true
        scheduler.begin(nil)
        scheduler.clearVideo()
        queue.cancel()
        display.stop()
    }
}

extension LoopSuites.CardInMemory {
    @Suite("Hours of pictures", .serialized)
    @MainActor
    struct HoursTests {
        /// Two hours at sixty blanks in a second; normally a few minutes of them.
        nonisolated private static let thousands = getenv("MARQUEE_LONG").map { String(cString: $0) } == "1" ? 432 : 9
        /// Of two windows, at the beginning and at the end.
        nonisolated private static let window = 3

        @Test("memory, descriptors, threads, framebuffers and buffers of the card do not grow")
        func growth() throws {
            let rig = try HoursRig()
            defer { rig.stop() }
            _ = try rig.play(thousands: Self.window)
            let (early, flips) = (try rig.play(thousands: Self.window), rig.scheduler.flipCount)
            _ = try rig.play(thousands: Self.thousands - 2 * Self.window)
            let late = try rig.play(thousands: Self.window)
            #expect(rig.scheduler.flipCount > flips && rig.reads > 0 && rig.losses >= Self.thousands)
            #expect(late.descriptors <= early.descriptors)
            #expect(late.threads <= early.threads)
            #expect(late.blobs <= early.blobs)
            // The pools keep some memory of each size.
            #expect(late.framebuffers <= early.framebuffers + 2 && late.buffers <= early.buffers + 2)
            let hours = Double(Self.thousands - Self.window) * 1000 / 60 / 3600
            let growth = Double(late.bytes - early.bytes) / hours
            #expect(growth < Double(4 << 20), "the memory grows by \(Int(growth)) bytes in an hour")
        }
    }
}
