import CDRM
import CKernelSeam
import Glibc
import LinuxSupport
import MediaModel
import Synchronization
import Testing

@testable import Display

/// A dma-heap that exists only in memory. Any thread.
private final class SoftwareHeap: Sendable {
    /// The errnos of the next allocations; the last one is that of all further ones if `failsAlways`.
    struct State {
        var failures: [Int32] = []
        var failsAlways = false
        var allocations = 0
    }
    let state = Mutex(State())
    let name = "marquee-heap-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    private let fifo: FileDescriptor

    init() throws {
        let path = "/tmp/\(name)"
        try systemCall("mkfifo", on: path) { mkfifo(path, 0o600) }
        fifo = try FileDescriptor(opening: path, flags: O_RDWR | O_NONBLOCK)
        let context = Unmanaged.passUnretained(self).toOpaque()
        precondition(kernel_seam_claim(fifo.number, -1, answerSoftwareHeap, context), "a test uses few files")
    }

    deinit {
        kernel_seam_release(fifo.number)
        unlink("/tmp/\(name)")
    }

    fileprivate func answer(_ argument: UnsafeMutableRawPointer?) -> Int32 {
        let failure = state.withLock { state -> Int32? in
            state.allocations += 1
            guard let code = state.failures.first else { return nil }
            if !state.failsAlways { state.failures.removeFirst() }
            return code
        }
        if let failure { return -failure }
        guard let place = argument?.assumingMemoryBound(to: dma_heap_allocation_data.self) else { return -EFAULT }
        // O_TMPFILE is a macro that Swift does not import.
        let number = open("/tmp", O_RDWR | O_CLOEXEC | 0o20_200_000, 0o600)
        guard number >= 0, ftruncate(number, Int(place.pointee.len)) == 0 else { return -ENOMEM }
        place.pointee.fd = UInt32(number)
        return 0
    }
}

private func answerSoftwareHeap(
    _ context: UnsafeMutableRawPointer?, _ request: UInt, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    Unmanaged<SoftwareHeap>.fromOpaque(context!).takeUnretainedValue().answer(argument)
}

extension LoopSuites.CardInMemory {
    /// The calls of the kernel's graphics interface that `SoftwareCardTests` does not make fail, or not at these moments.
    @Suite("Forced errors of the kernel's graphics interface", .serialized)
    @MainActor
    struct ForcedErrorTests {
        nonisolated private static let codes = [EINVAL, EACCES, ENOMEM, EIO, ENODEV]

        @Test(
            "a call that fails once at the start gives one sentence, or a display that shows pictures",
            arguments: SoftwareCard.Call.allCases)
        func onceAtStart(_ call: SoftwareCard.Call) throws {
            for code in Self.codes {
                let card: SoftwareCard
                do {
                    let rig = try CardRig(before: { $0.fail(call, code, times: 1) })
                    card = rig.card
                    defer { rig.stop() }
                    try rig.start()
                    try rig.waitForFlips(3)
                } catch let error as MediaError {
                    #expect(error.code == .internal)
                    let isTold = ["errno \(code)", "marquee-card", "HDMI"].contains { error.sentence.contains($0) }
                    #expect(isTold, "\(error.sentence)")
                    continue
                }
                // What the kernel does not remove stays until the descriptor is closed.
                #expect(card.leftovers["framebuffers"] == (call == .removeFramebuffer ? 1 : 0))
            }
        }

        @Test("whatever fails at the end, the display stops", arguments: SoftwareCard.Call.allCases)
        func atTheEnd(_ call: SoftwareCard.Call) throws {
            for code in [EINVAL, EIO] {
                for times in [1, nil] as [Int?] {
                    let rig = try CardRig()
                    try rig.start()
                    try rig.waitForFlips(2)
                    rig.card.fail(call, code, times: times)
                    rig.stop()
                    #expect(call == .dropMaster || !rig.card.isMaster)
                }
            }
        }

        @Test("a card whose mastership is refused once, and for a while, is taken again when it is granted", arguments: codes)
        func mastership(_ code: Int32) throws {
            for times in [1, nil] as [Int?] {
                let rig = try CardRig()
                defer { rig.stop() }
                try rig.start()
                try rig.waitForFlips()
                rig.card.setOtherMaster(true)
                try rig.wait("the loss") { rig.source.seen.modes == [nil] }
                let before = rig.card.count(.becomeMaster)
                rig.card.fail(.becomeMaster, code, times: times)
                rig.card.setOtherMaster(false)
                try rig.wait("an attempt") { rig.card.count(.becomeMaster) > before + (times == nil ? 1 : 0) }
                rig.card.heal()
                try rig.wait("the return") { rig.source.seen.modes.count == 2 }
                try rig.waitForFlips(1)
                #expect(rig.card.isMaster)
            }
        }

        /// A card, and the memory of a heap that is imported into it.
        private func heap() throws -> (card: SoftwareCard, heap: SoftwareHeap, allocator: DMAHeapAllocator) {
            let card = try SoftwareCard(screens: [SoftwareCard.Screen(modes: [CardRig.mode])])
            let heap = try SoftwareHeap()
            let loop = try MainLoop(time: .real)
            let device = try DRMDevice(path: card.path)
            return (card, heap, try DMAHeapAllocator(device: device, heap: heap.name, in: "/tmp", clock: loop.clock))
        }

        private func picture(_ allocator: DMAHeapAllocator, _ size: Int) throws(MediaError) -> PixelBuffer {
            try allocator.makeBuffer(format: .nv12, width: 16 * size, height: 16)
        }

        @Test("memory of a heap that is refused once or always is one sentence, and nothing is left of it", arguments: codes)
        func heapMemory(_ code: Int32) throws {
            for isImport in [false, true] {
                for isAlways in [false, true] {
                    let (card, heap, allocator) = try heap()
                    allocator.pool.empty()
                    let descriptors = Folder.names("/proc/self/fd").count
                    if isImport {
                        card.fail(.importBuffer, code, times: isAlways ? nil : 1)
                    } else {
                        heap.state.withLock { ($0.failures, $0.failsAlways) = ([code], isAlways) }
                    }
                    for attempt in 1...(isAlways ? 3 : 1) {
                        let error = #expect(throws: MediaError.self) { try picture(allocator, attempt) }
                        #expect(error?.sentence.contains("errno \(code)") == true)
                    }
                    #expect(card.leftovers["buffers"] == 0)
                    #expect(Folder.names("/proc/self/fd").count == descriptors)
                    card.heal()
                    heap.state.withLock { ($0.failures, $0.failsAlways) = ([], false) }
                    do {
                        let picture = try picture(allocator, 4)
                        #expect(picture.scanOutBlock != nil && card.leftovers["buffers"] == 1)
                    }
                    allocator.pool.empty()
                    #expect(card.leftovers["buffers"] == 0)
                    #expect(Folder.names("/proc/self/fd").count == descriptors)
                }
            }
        }

        @Test("a heap that refuses the first memory is not used", arguments: codes)
        func firstMemory(_ code: Int32) throws {
            let card = try SoftwareCard(screens: [SoftwareCard.Screen(modes: [CardRig.mode])])
            let heap = try SoftwareHeap()
            let device = try DRMDevice(path: card.path)
            let clock = try MainLoop(time: .real).clock
            heap.state.withLock { $0.failures = [code] }
            let error = #expect(throws: DisplayError.self) {
                try DMAHeapAllocator(device: device, heap: heap.name, in: "/tmp", clock: clock)
            }
            #expect(error?.code == code)
        }

        @Test("an interrupted allocation is repeated")
        func interrupted() throws {
            let (card, heap, allocator) = try heap()
            defer { withExtendedLifetime(card) {} }
            heap.state.withLock { $0.failures = [EINTR, EAGAIN, EINTR] }
            _ = try picture(allocator, 2)
            #expect(heap.state.withLock { $0.failures.isEmpty })
        }

        @Test("a handle that cannot be closed does no harm")
        func closing() throws {
            let (card, heap, allocator) = try heap()
            defer { withExtendedLifetime(heap) {} }
            _ = try picture(allocator, 2)
            card.fail(.closeHandle, EINVAL)
            allocator.pool.empty()
            #expect(card.leftovers["buffers"] ?? 0 > 0)
        }
    }
}
