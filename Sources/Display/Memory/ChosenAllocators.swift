import Glibc
import LinuxSupport
import MediaModel

/// The memory for a card's pictures.
struct DisplayMemory: Sendable {
    let video: any FrameAllocator
    /// For interface layers and composed pictures.
    let interface: any FrameAllocator
    /// For read-back.
    let readBack: any FrameAllocator
}

/// The memory for a card's pictures, chosen by tests.
struct ChosenAllocators: Sendable {
    let memory: DisplayMemory
    /// The kinds of memory tried, in order, with the result.
    let findings: [DisplayProbe.Memory]
    private let all: [any ScanOutAllocator]

    /// Tries each kind of memory on a screen that is on and shows nothing.
    ///
    /// - Throws: `DisplayError` when not even dumb buffers work.
    init(_ screen: KMSScreen, options: KMSDisplay.Options, clock: any HostClock) throws(DisplayError) {
        let device = screen.device
        let dumb = try DumbAllocator(device: device, clock: clock)
        var trials = Trials(screen: screen)
        let yuv = [PixelFormat.nv12, .yuv420p, .yuv422p, .yuv444p, .p010].first { format in
            screen.output.planes.contains { $0.profile.formats.contains(format) && !$0.profile.isCursor }
        }
        let video: any FrameAllocator
        if let yuv {
            video = Self.chooseVideo(&trials, dumb, format: yuv, memory: options.videoMemory, clock: clock)
        } else {
            video = MemoryAllocator()
            trials.note("memory", for: .video, nil, "used, because no plane shows YUV and the CPU converts every frame")
        }
        let interface = Self.chooseInterface(&trials, dumb, memory: options.interfaceMemory, clock: clock)
        // Every card can write to dumb buffers.
        memory = DisplayMemory(video: video, interface: interface, readBack: dumb)
        findings = trials.findings
        all = [dumb] + trials.used
    }

    /// Frees all unused memory.
    func empty() { for allocator in all { allocator.pool.empty() } }

    private static func chooseVideo(
        _ trials: inout Trials, _ dumb: DumbAllocator, format: PixelFormat, memory: KMSDisplay.VideoMemory, clock: any HostClock
    ) -> any FrameAllocator {
        var slow: (any ScanOutAllocator)?
        for heap in DMAHeapAllocator.heaps where memory.allows(heap: heap) {
            guard access("/dev/dma_heap/\(heap)", F_OK) == 0 else { continue }
            guard
                let allocator = trials.make(
                    "dma-heap \(heap)", for: .video,
                    { () throws(DisplayError) in
                        try DMAHeapAllocator(device: dumb.device, heap: heap, clock: clock)
                    })
            else { continue }
            guard trials.shows(allocator, format, for: .video) else { continue }
            if allocator.isCached { return trials.use(allocator, for: .video) }
            slow = slow ?? allocator
        }
        // Every card can show its own dumb buffers; they come last because the CPU often reads them slowly.
        if memory.allowsDumb, trials.shows(dumb, format, for: .video), dumb.isCached || slow == nil {
            return trials.use(dumb, for: .video)
        }
        if let slow { return trials.use(slow, for: .video) }
        trials.note("memory", for: .video, nil, "used, because nothing else could be shown; frames are copied")
        return MemoryAllocator()
    }

    private static func chooseInterface(
        _ trials: inout Trials, _ dumb: DumbAllocator, memory: KMSDisplay.InterfaceMemory, clock: any HostClock
    ) -> any FrameAllocator {
        if memory == .gbm || (memory == .automatic && GBMAllocator.isWorthTrying) {
            let allocator = trials.make("gbm", for: .interface) { () throws(DisplayError) in
                try GBMAllocator(device: dumb.device, clock: clock)
            }
            if let allocator, trials.shows(allocator, .argb8888, for: .interface), allocator.isCached || !dumb.isCached {
                return trials.use(allocator, for: .interface)
            }
        } else if memory == .automatic {
            trials.note("gbm", for: .interface, nil, "not tried, because the machine has no GPU")
        }
        return trials.use(dumb, for: .interface)
    }

    /// Tries memory and records the result.
    private struct Trials {
        let screen: KMSScreen
        var findings: [DisplayProbe.Memory] = []
        private(set) var used: [any ScanOutAllocator] = []

        mutating func note(_ name: String, for purpose: DisplayProbe.Purpose, _ speed: ReadSpeed?, _ remark: String) {
            findings.append(
                DisplayProbe.Memory(purpose: purpose, name: name, readBytesPerSecond: speed?.bytesPerSecond, remark: remark))
        }

        mutating func make<Allocator>(
            _ name: String, for purpose: DisplayProbe.Purpose, _ body: () throws(DisplayError) -> Allocator
        ) -> Allocator? {
            do {
                return try body()
            } catch {
                note(name, for: purpose, nil, "not used: \(error)")
                return nil
            }
        }

        /// Whether the card would show such memory, by a test commit on any plane.
        mutating func shows(_ allocator: some ScanOutAllocator, _ format: PixelFormat, for purpose: DisplayProbe.Purpose) -> Bool
        {
            let mode = screen.mode.mode
            let (width, height) = (min(640, mode.width & ~1), min(360, mode.height & ~1))
            do {
                let picture = try allocator.makePicture(
                    format: format, width: width, height: height, codedWidth: width, codedHeight: height)
                for (index, plane) in screen.output.planes.enumerated() where plane.profile.formats.contains(format) {
                    let trial = PlanePicture(
                        plane: index, pixels: picture, source: picture.bounds, destination: picture.bounds, colour: nil,
                        alpha: 255)
                    if screen.accepts([trial], background: .black) { return true }
                }
                note(allocator.name, for: purpose, allocator.readSpeed, "not used: no plane shows it as \(format)")
            } catch {
                note(allocator.name, for: purpose, allocator.readSpeed, "not used: \(error)")
            }
            return false
        }

        mutating func use(_ allocator: some ScanOutAllocator, for purpose: DisplayProbe.Purpose) -> any FrameAllocator {
            note(
                allocator.name, for: purpose, allocator.readSpeed,
                allocator.isCached ? "used" : "used, although the CPU reads it slowly")
            used.append(allocator)
            return allocator
        }
    }
}
