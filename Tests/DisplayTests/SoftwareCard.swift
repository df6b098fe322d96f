import CDRM
import CKernelSeam
import Glibc
import LinuxSupport
import Synchronization

/// A graphics card that exists only in memory: libdrm itself runs, and its ioctls are answered here as the kernel's atomic helpers answer them. Any
/// thread.
///
/// The card is a FIFO: opened like a device, it delivers flip events. Its blanks come when `blank` is called, or, in drivers without blanks, at once.
final class SoftwareCard: Sendable {
    /// What differs between drivers, and what goes wrong in them.
    struct Quirks: Sendable {
        /// Whether planes show YUV (virtio-gpu and simpledrm show RGB only).
        var showsYUV = true
        /// Whether planes scale.
        var scales = true
        /// Whether there are vertical blanks. Without them flips are reported at once, and all have number 0.
        var hasBlanks = true
        /// The time that DRM_IOCTL_CRTC_GET_SEQUENCE reports, in nanoseconds; nil: the last blank.
        var blankTime: Int64?
        /// Overlay planes of each CRTC.
        var overlays = 3
        /// Whether planes have `alpha`.
        var hasAlpha = true
        /// The bits of the planes' property `rotation`, by their names (drm_blend.c); empty: they do not have it.
        var rotations: [String] = []
        /// Whether pictures that are turned are shown; some drivers list what they refuse in linear memory.
        var turnsPictures = true
        /// Commits with this many pictures or more are refused with EINVAL.
        var refusedPictures = Int.max
        /// Whether test commits are refused for that too.
        var testsTellTheTruth = true
        /// This many of the next flips never come.
        var lostFlips = 0
        /// At modes of this rate (`vrefresh`) no flip comes.
        var darkRate: UInt32?
        /// This many of the next commits find a flip pending.
        var busyCommits = 0
        /// Whether connectors have the properties of a high dynamic range, and planes show ten bits.
        var signalsRange = false
        /// Commits in a high range are refused with EINVAL.
        var refusesRange = false
        /// In a high range no flip comes.
        var isDarkInRange = false
        /// Whether a connector names its encoder only after a mode was set.
        var forgetsEncoder = false
        /// Whether NV12 in columns (SAND) can be registered, and whether planes list and show it.
        var registersColumns = false
        var showsColumns = false
        /// Whether commits with imported pictures are refused, although their tests are accepted.
        var refusesImports = false
        /// Whether tests with them are refused too.
        var testsRefuseImports = false
    }
    /// A forced failure of an ioctl.
    struct Failure: Sendable {
        var code: Int32
        /// How many calls still fail.
        var remaining: Int
        /// How many succeed before that.
        var skipped = 0
    }
    /// The calls of the kernel's interface that have a name here, by the lower byte of their number (drm.h).
    enum Call: UInt, CaseIterable, Sendable {
        case version = 0x00, closeHandle = 0x09, capability = 0x0C, clientCapability = 0x0D, authenticate = 0x11
        case becomeMaster = 0x1E, dropMaster = 0x1F, importBuffer = 0x2E, sequence = 0x3B, resources = 0xA0, encoder = 0xA6,
            connector = 0xA7
        case property = 0xAA, blob = 0xAC, removeFramebuffer = 0xAF, makeDumb = 0xB2, mapDumb = 0xB3, freeDumb = 0xB4
        case planes = 0xB5, plane = 0xB6, addFramebuffer = 0xB8, properties = 0xB9, commit = 0xBC, makeBlob = 0xBD
        case freeBlob = 0xBE
    }
    /// A screen on a connector.
    struct Screen: Sendable {
        var isConnected = true
        /// In kilohertz of pixel clock: widths, heights and totals follow from it.
        var modes: [drmModeModeInfo]
        /// Its EDID, which need not be a real one; empty: it cannot be read.
        var edid: [UInt8] = [1]
        /// `BAD` of the property `link-status`.
        var isLinkBad = false
    }

    struct Property {
        var name: String
        var isImmutable = false
        var range: [UInt64] = []
        var isSigned = false
        /// Whether the values of `names` are the places of bits.
        var isMask = false
        var names: [(String, UInt64)] = []
    }
    struct Thing {
        enum Kind: Equatable {
            case connector(Int), crtc(Int)
            /// The CRTC that it belongs to.
            case plane(crtc: Int)
        }
        var kind: Kind
        /// In the order of the ids.
        var values: [UInt32: UInt64] = [:]
    }
    struct Framebuffer: Sendable {
        var width, height, format: UInt32
        var modifier: UInt64 = 0
        /// Of its planes in the memory, or in the imported files.
        var offsets: [UInt64]
        var pitches: [UInt64]
        /// The imported files of its planes; nil for the card's own memory.
        var files: [FileDescriptor?] = []

        var isImported: Bool { files.contains { $0 != nil } }
    }
    /// What a handle stands for: a part of the card's own memory, or an imported file.
    struct Buffer: Sendable {
        var offset: UInt64 = 0
        var size: UInt64
        /// The kernel has a reference of its own to what was imported.
        var file: FileDescriptor?
        var inode: UInt64?
    }
    struct State {
        var quirks: Quirks
        var screens: [Screen]
        var properties: [UInt32: Property] = [:]
        var ids: [String: UInt32] = [:]
        var things: [UInt32: Thing] = [:]
        var blobs: [UInt32: [UInt8]] = [:]
        var framebuffers: [UInt32: Framebuffer] = [:]
        /// By their handles.
        var buffers: [UInt32: Buffer] = [:]
        /// Handles that were closed although they did not exist.
        var wrongCloses = 0
        var memorySize: UInt64 = 0
        var lastID: UInt32 = 1000
        var isMaster = true
        var hasOtherMaster = false
        /// The user data of the flip that a CRTC waits for, by its index.
        var pending: [Int: UInt64] = [:]
        var sequence: UInt32 = 0
        var blankTime: Int64 = 0
        var failures: [Call: Failure] = [:]
        var calls: [Call: Int] = [:]
        /// The names of the properties in the last commit that was not a test, in its order.
        var committed: [String] = []
        /// Connectors whose mode was set since they were connected.
        var litConnectors: Set<Int> = []
        var modesets = 0
        /// The metadata of each high range that was set.
        var signals: [[UInt8]] = []
        /// Blobs that the card itself made.
        var ownBlobs: Set<UInt32> = []
        /// Blobs that their program has given up.
        var released: Set<UInt32> = []
    }
    private let state: Mutex<State>
    private let fifo: FileDescriptor
    private let memory: FileDescriptor
    /// Of the FIFO.
    let path: String

    /// - Parameters:
    ///   - screens: one for each connector.
    ///   - crtcs: each connector reaches all of them.
    init(_ quirks: Quirks = Quirks(), screens: [Screen], crtcs: Int = 1) throws {
        let path = "/tmp/marquee-card-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        self.path = path
        try systemCall("mkfifo", on: path) { mkfifo(path, 0o600) }
        fifo = try FileDescriptor(opening: path, flags: O_RDWR | O_NONBLOCK)
        memory = try FileDescriptor(opening: "/tmp", flags: O_RDWR | 0o20_200_000)
        // O_TMPFILE is a macro that Swift does not import.
        var first = State(quirks: quirks, screens: screens)
        for index in 0..<crtcs {
            first.add(UInt32(300 + index), .crtc(index), [("ACTIVE", 0), ("MODE_ID", 0)])
            for plane in 0...quirks.overlays {
                var values: [(String, UInt64)] = [
                    ("type", plane == 0 ? 1 : 0), ("FB_ID", 0), ("CRTC_ID", 0), ("SRC_X", 0), ("SRC_Y", 0), ("SRC_W", 0),
                    ("SRC_H", 0), ("CRTC_X", 0), ("CRTC_Y", 0), ("CRTC_W", 0), ("CRTC_H", 0), ("zpos", UInt64(plane)),
                    ("pixel blend mode", 0),
                ]
                if quirks.hasAlpha { values.append(("alpha", 0xFFFF)) }
                if !quirks.rotations.isEmpty { values.append(("rotation", 1)) }
                if quirks.showsYUV { values += [("COLOR_ENCODING", 0), ("COLOR_RANGE", 0)] }
                if quirks.showsColumns { values.append(("IN_FORMATS", UInt64(first.makeFormatsBlob()))) }
                first.add(UInt32(400 + 10 * index + plane), .plane(crtc: index), values)
            }
        }
        for index in screens.indices {
            var values: [(String, UInt64)] = [("CRTC_ID", 0), ("EDID", 0), ("link-status", 0), ("non-desktop", 0)]
            if quirks.signalsRange { values += [("HDR_OUTPUT_METADATA", 0), ("Colorspace", 0), ("max bpc", 8)] }
            first.add(UInt32(100 + index), .connector(index), values)
            first.updateScreen(index)
        }
        state = Mutex(first)
        // Released in `deinit`, so that the handler never sees a card that is gone.
        let context = Unmanaged.passUnretained(self).toOpaque()
        precondition(kernel_seam_claim(fifo.number, memory.number, answerSoftwareCard, context), "a test uses few cards")
    }

    deinit {
        kernel_seam_release(fifo.number)
        unlink(path)
    }

    // MARK: What a test does and sees

    func change(_ body: (inout Quirks) -> Void) { state.withLock { body(&$0.quirks) } }

    /// Changes a screen, as when a cable is plugged. The kernel would send a hot-plug event.
    func changeScreen(_ index: Int = 0, _ body: (inout Screen) -> Void) {
        state.withLock { state in
            let wasConnected = state.screens[index].isConnected
            body(&state.screens[index])
            if !wasConnected { state.litConnectors.remove(index) }
            state.updateScreen(index)
        }
    }

    /// Lets a call fail from now on.
    ///
    /// - Parameters:
    ///   - times: how often; nil: until `heal`.
    ///   - calls: how many calls succeed before that.
    func fail(_ call: Call, _ code: Int32, times: Int? = nil, after calls: Int = 0) {
        state.withLock { $0.failures[call] = Failure(code: code, remaining: times ?? .max, skipped: calls) }
    }

    /// Ends all forced failures.
    func heal() { state.withLock { $0.failures = [:] } }

    /// Another program takes the card, or gives it back without making anyone its master.
    func setOtherMaster(_ isThere: Bool) {
        state.withLock { state in
            state.hasOtherMaster = isThere
            if isThere { state.isMaster = false }
        }
    }

    /// A vertical blank of all CRTCs: what was committed is on the screen.
    func blank() {
        state.withLock { state in
            guard state.quirks.hasBlanks else { return }
            state.sequence &+= 1
            state.blankTime = Self.now()
            for index in state.pending.keys.sorted() { finishFlip(index, &state) }
        }
    }

    /// Another program, such as the console, shows something on a connector before a test starts.
    func light(connector: Int, crtc: Int) {
        state.withLock { state in
            state.lastID += 1
            state.blobs[state.lastID] = withUnsafeBytes(of: state.screens[connector].modes[0]) { Array($0) }
            state.ownBlobs.insert(state.lastID)
            state.set(UInt32(100 + connector), "CRTC_ID", UInt64(300 + crtc))
            state.set(UInt32(300 + crtc), "MODE_ID", UInt64(state.lastID))
            state.set(UInt32(300 + crtc), "ACTIVE", 1)
        }
    }

    var isMaster: Bool { state.withLock { $0.isMaster } }
    /// The metadata of each high range that was set, in order.
    var signals: [[UInt8]] { state.withLock { $0.signals } }

    /// What a connector signals: metadata (nil: none), `Colorspace` and `max bpc`.
    func signal(connector: Int = 0) -> (metadata: [UInt8]?, space: UInt64, bits: UInt64) {
        state.withLock { state in
            let thing = state.things[UInt32(100 + connector)]!
            return (state.metadata(of: thing), state.value(thing, "Colorspace"), state.value(thing, "max bpc"))
        }
    }

    var modesets: Int { state.withLock { $0.modesets } }
    /// Whether a commit waits for a blank.
    var isFlipPending: Bool { state.withLock { !$0.pending.isEmpty } }
    var wrongCloses: Int { state.withLock { $0.wrongCloses } }
    var committed: [String] { state.withLock { $0.committed } }
    func count(_ call: Call) -> Int { state.withLock { $0.calls[call] ?? 0 } }
    /// The calls made so far.
    var calls: Set<Call> { state.withLock { Set($0.calls.keys) } }

    /// What is left in the kernel: framebuffers, buffers, and blobs of programs.
    var leftovers: [String: Int] {
        state.withLock { state in
            [
                "framebuffers": state.framebuffers.count, "buffers": state.buffers.count,
                "blobs": state.blobs.count - state.ownBlobs.count - state.released.count,
            ]
        }
    }

    /// The formats of the pictures on the planes of a CRTC, from the lowest.
    func shownFormats(crtc: Int = 0) -> [String] { shownPlanes(crtc: crtc).map(\.format) }

    /// A picture on a plane.
    struct ShownPlane: Sendable {
        var framebuffer: Framebuffer
        /// In pixels of the framebuffer.
        var x, y, width, height: Int
        /// On the screen.
        var left, top, wide, high: Int
        /// 0…65535.
        var alpha: Int
        /// The numbers of the kernel's enumeration.
        var encoding, range: UInt64
        /// The bits of the kernel's property.
        var rotation: UInt64

        /// The kernel's name of the format.
        var format: String { withUnsafeBytes(of: framebuffer.format) { String(decoding: $0, as: UTF8.self) } }
    }

    /// The pictures on the planes of a CRTC, from the lowest.
    func shownPlanes(crtc: Int = 0) -> [ShownPlane] {
        state.withLock { state in
            state.things.filter { $0.value.kind == .plane(crtc: crtc) }.sorted { $0.key < $1.key }.compactMap { _, thing in
                guard let framebuffer = state.framebuffers[UInt32(state.value(thing, "FB_ID"))] else { return nil }
                func number(_ name: String) -> Int { Int(Int64(bitPattern: state.value(thing, name))) }
                return ShownPlane(
                    framebuffer: framebuffer, x: number("SRC_X") >> 16, y: number("SRC_Y") >> 16, width: number("SRC_W") >> 16,
                    height: number("SRC_H") >> 16, left: number("CRTC_X"), top: number("CRTC_Y"), wide: number("CRTC_W"),
                    high: number("CRTC_H"), alpha: state.quirks.hasAlpha ? number("alpha") : 0xFFFF,
                    encoding: state.value(thing, "COLOR_ENCODING"), range: state.value(thing, "COLOR_RANGE"),
                    rotation: state.quirks.rotations.isEmpty ? 1 : state.value(thing, "rotation"))
            }
        }
    }

    /// Bytes of the memory that pictures are in, or of a file that was imported.
    func bytes(at offset: UInt64, count: Int, of file: FileDescriptor? = nil) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread((file ?? memory).number, buffer.baseAddress, count, Int(offset)))
        }
    }

    /// The mode of a CRTC; nil: it is off.
    func mode(crtc: Int = 0) -> drmModeModeInfo? {
        state.withLock { $0.mode(of: crtc) }
    }

    /// The index of the CRTC that drives a connector.
    func crtc(ofConnector index: Int) -> Int? {
        state.withLock { state in
            state.things[UInt32(100 + index)].flatMap { thing in
                let id = state.value(thing, "CRTC_ID")
                return id == 0 ? nil : Int(id) - 300
            }
        }
    }

    /// A mode of some size and rate, with blanking of a quarter.
    static func mode(_ width: Int, _ height: Int, _ hertz: Int, isPreferred: Bool = false) -> drmModeModeInfo {
        var mode = drmModeModeInfo()
        (mode.hdisplay, mode.htotal) = (UInt16(width), UInt16(width + width / 4))
        (mode.vdisplay, mode.vtotal) = (UInt16(height), UInt16(height + height / 4))
        mode.clock = UInt32(Int(mode.htotal) * Int(mode.vtotal) * hertz / 1000)
        mode.vrefresh = UInt32(hertz)
        mode.type = isPreferred ? UInt32(DRM_MODE_TYPE_PREFERRED) : 0
        return mode
    }

    // MARK: The kernel's side

    fileprivate func answer(_ request: UInt, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        guard let call = Call(rawValue: request & 0xFF) else { return -ENOTTY }
        return state.withLock { state in
            state.calls[call, default: 0] += 1
            if let failure = state.failures[call], failure.skipped > 0 {
                state.failures[call]?.skipped -= 1
            } else if var failure = state.failures[call] {
                failure.remaining -= 1
                state.failures[call] = failure.remaining > 0 ? failure : nil
                return -failure.code
            }
            switch call {
            case .becomeMaster, .dropMaster, .authenticate: return state.master(call)
            case .commit: return commit(argument!.assumingMemoryBound(to: drm_mode_atomic.self), &state)
            case .makeDumb: return makeDumb(argument!.assumingMemoryBound(to: drm_mode_create_dumb.self), &state)
            case .sequence: return sequence(argument!.assumingMemoryBound(to: drm_crtc_get_sequence.self), &state)
            default: return argument.map { state.simple(call, $0) } ?? -EFAULT
            }
        }
    }

    private func makeDumb(_ wanted: UnsafeMutablePointer<drm_mode_create_dumb>, _ state: inout State) -> Int32 {
        wanted.pointee.pitch = wanted.pointee.width * (wanted.pointee.bpp / 8)
        wanted.pointee.size = (UInt64(wanted.pointee.pitch) * UInt64(wanted.pointee.height) + 4095) & ~4095
        state.lastID += 1
        wanted.pointee.handle = state.lastID
        state.buffers[state.lastID] = Buffer(offset: state.memorySize, size: wanted.pointee.size)
        state.memorySize += wanted.pointee.size
        return ftruncate(memory.number, Int(state.memorySize)) == 0 ? 0 : -ENOMEM
    }

    private func sequence(_ place: UnsafeMutablePointer<drm_crtc_get_sequence>, _ state: inout State) -> Int32 {
        guard state.quirks.hasBlanks else { return -EOPNOTSUPP }
        place.pointee.active = 1
        place.pointee.sequence = UInt64(state.sequence)
        place.pointee.sequence_ns = state.quirks.blankTime ?? state.blankTime
        return 0
    }

    private func commit(_ request: UnsafeMutablePointer<drm_mode_atomic>, _ state: inout State) -> Int32 {
        guard state.isMaster else { return -EACCES }
        let flags = request.pointee.flags
        let isTest = flags & UInt32(DRM_MODE_ATOMIC_TEST_ONLY) != 0
        var next = state
        if let code = next.apply(request.pointee) { return -code }
        if let code = next.check(before: state, mayChangeMode: flags & UInt32(DRM_MODE_ATOMIC_ALLOW_MODESET) != 0, isTest: isTest)
        {
            return -code
        }
        if isTest { return 0 }
        let touched = next.touchedCRTCs(request.pointee)
        if flags & UInt32(DRM_MODE_ATOMIC_NONBLOCK) != 0 {
            if state.quirks.busyCommits > 0 {
                state.quirks.busyCommits -= 1
                return -EBUSY
            }
            if touched.contains(where: { state.pending[$0] != nil }) { return -EBUSY }
        } else {
            // A blocking commit waits for the flips before it.
            for index in touched where next.pending[index] != nil { finishFlip(index, &next) }
        }
        let wantsEvent = flags & UInt32(DRM_MODE_PAGE_FLIP_EVENT) != 0
        if wantsEvent, touched.contains(where: { !next.isActive($0) }) { return -EINVAL }
        if next.modeDiffers(from: state) {
            next.modesets += 1
            for (index, _) in next.screens.enumerated() where next.value(next.things[UInt32(100 + index)]!, "CRTC_ID") != 0 {
                next.litConnectors.insert(index)
                next.screens[index].isLinkBad = false
                next.updateScreen(index)
            }
        }
        for (id, thing) in next.things.sorted(by: { $0.key < $1.key }) {
            if let metadata = next.metadata(of: thing), metadata != state.things[id].flatMap({ state.metadata(of: $0) }) {
                next.signals.append(metadata)
            }
        }
        next.sweep()
        next.committed = next.names(request.pointee)
        state = next
        guard wantsEvent else { return 0 }
        for index in touched {
            if state.quirks.lostFlips > 0 {
                state.quirks.lostFlips -= 1
                continue
            }
            if state.quirks.isDarkInRange, state.hasHighRange { continue }
            if let dark = state.quirks.darkRate, state.mode(of: index)?.vrefresh == dark { continue }
            state.pending[index] = request.pointee.user_data
            if !state.quirks.hasBlanks { finishFlip(index, &state) }
        }
        return 0
    }

    private func finishFlip(_ index: Int, _ state: inout State) {
        guard let data = state.pending.removeValue(forKey: index) else { return }
        let time = Self.now()
        var event = drm_event_vblank()
        event.base.type = UInt32(DRM_EVENT_FLIP_COMPLETE)
        event.base.length = UInt32(MemoryLayout<drm_event_vblank>.size)
        event.user_data = data
        event.tv_sec = UInt32(time / 1_000_000_000)
        event.tv_usec = UInt32(time % 1_000_000_000 / 1000)
        event.sequence = state.quirks.hasBlanks ? state.sequence : 0
        event.crtc_id = UInt32(300 + index)
        _ = write(fifo.number, &event, MemoryLayout<drm_event_vblank>.size)
    }

    private static func now() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}

/// Called by libdrm's ioctls.
private func answerSoftwareCard(
    _ context: UnsafeMutableRawPointer?, _ request: UInt, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
    Unmanaged<SoftwareCard>.fromOpaque(context!).takeUnretainedValue().answer(request, argument)
}
