import Glibc
import LinuxSupport
import MediaModel
import MediaTime
import Synchronization

@testable import Display

/// What a window in memory was told, and what it tells. Any thread.
final class WindowRecord: Sendable {
    struct State: Sendable {
        var width: Int
        var height: Int
        var refresh = Ratio(60)
        var events: [WindowEvent] = []
        var isShown = false
        var isClosed = false
        var isFullScreen = false
        var hasPointer = true
        var maySleep = false
        /// Each drawn picture.
        var drawn: [[DrawStep]] = []
        /// Each composed picture with its place.
        var put: [(picture: PixelBuffer, area: PixelRect)] = []
        /// The shapes of the textures that there are.
        var textures: [TextureID: TextureShape] = [:]
        /// What was uploaded, in order, unless that is not to be kept.
        var uploads: [(texture: TextureID, picture: PixelBuffer)] = []
        var keepsUploads = true
        var made = 0
        /// How many more textures there is memory for.
        var memory = Int.max
        /// How long each picture takes to be shown; nil: until the next blank.
        var delay: Duration?
    }
    private let state: Mutex<State>
    /// Wakes the window's thread.
    private let bell: FileDescriptor
    private let listener: FileDescriptor

    init(width: Int, height: Int) throws {
        state = Mutex(State(width: width, height: height))
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SystemError(call: "pipe", object: "a window in memory", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        listener = FileDescriptor(adopting: ends[0])
        bell = FileDescriptor(adopting: ends[1])
    }

    var now: State { state.withLock { $0 } }
    func change<Result: Sendable>(_ body: (inout sending State) -> Result) -> Result { state.withLock { body(&$0) } }

    /// Something happens in the window.
    func happen(_ event: WindowEvent) {
        change { $0.events.append(event) }
        var one: UInt8 = 1
        _ = write(bell.number, &one, 1)
    }

    /// The viewer gives the window another size.
    func resize(width: Int, height: Int) {
        change { ($0.width, $0.height) = (width, height) }
        happen(.resized)
    }

    fileprivate func next(within patience: Duration?, _ poller: Poller) -> WindowEvent? {
        func take() -> WindowEvent? { change { $0.events.isEmpty ? nil : $0.events.removeFirst() } }
        if let event = take() { return event }
        guard patience != .zero, !poller.wait(timeout: patience).isEmpty else { return nil }
        var bytes = [UInt8](repeating: 0, count: 64)
        _ = read(listener.number, &bytes, bytes.count)
        return take()
    }

    fileprivate func makePoller() throws -> Poller {
        let poller = try Poller()
        try poller.watch(listener.number, tag: 1)
        return poller
    }
}

/// A window in memory.
final class MemoryWindow: WindowPort {
    private let record: WindowRecord
    private let clock: RealClock
    private let poller: Poller
    let largestTexture: (width: Int, height: Int)?
    let waitsForScreen: Bool
    let ring: @Sendable () -> Void

    /// - Parameters:
    ///   - largest: the largest side of a texture; nil without a graphics processor.
    ///   - waits: whether a picture waits for the next blank.
    init(_ record: WindowRecord, clock: RealClock, largest: Int? = 4096, waits: Bool = false) throws {
        self.record = record
        self.clock = clock
        poller = try record.makePoller()
        largestTexture = largest.map { ($0, $0) }
        waitsForScreen = waits
        ring = { record.happen(.bell) }
    }

    var facts: String { "in memory" }
    var size: (width: Int, height: Int) { (record.now.width, record.now.height) }
    var refresh: Ratio { record.now.refresh }
    func show() -> HostTime? {
        record.change { $0.isShown = true }
        let grid = RefreshGrid(refresh)
        return waitsForScreen ? grid.instant(grid.last(atOrBefore: clock.now)) : nil
    }

    func makeTexture(_ shape: TextureShape) -> TextureID? {
        record.change { state in
            guard state.memory > 0 else { return nil }
            state.memory -= 1
            state.made += 1
            state.textures[state.made] = shape
            return state.made
        }
    }

    func fill(_ texture: TextureID, with picture: PixelBuffer) -> Bool {
        record.change { state in
            if state.keepsUploads { state.uploads.append((texture, picture)) }
            return state.textures[texture] != nil
        }
    }

    func discard(_ texture: TextureID) { record.change { $0.textures[texture] = nil } }

    func draw(_ steps: [DrawStep]) {
        record.change { $0.drawn.append(steps) }
        waitForScreen()
    }

    func put(_ picture: PixelBuffer, in area: PixelRect) {
        record.change { $0.put.append((picture, area)) }
        waitForScreen()
    }

    private func waitForScreen() {
        let delay = record.now.delay
        guard waitsForScreen || delay != nil else { return }
        let grid = RefreshGrid(refresh)
        let end = delay.map { clock.now + $0 } ?? grid.instant(grid.first(atOrAfter: clock.now + .nanoseconds(1)))
        // A poller without descriptors wakes at the end of its time only.
        while clock.now < end { _ = try? Poller().wait(timeout: end - clock.now) }
    }

    func nextEvent(within patience: Duration?) -> WindowEvent? { record.next(within: patience, poller) }
    func toggleFullScreen() { record.change { $0.isFullScreen.toggle() } }
    func showPointer(_ isShown: Bool) { record.change { $0.hasPointer = isShown } }
    func allowSleep(_ isAllowed: Bool) { record.change { $0.maySleep = isAllowed } }
    func close() { record.change { $0.isClosed = true } }
}

extension WindowDisplay {
    /// A window in memory.
    @MainActor convenience init(memory record: WindowRecord, largest: Int?, waits: Bool, clock: any HostClock) throws {
        try self.init(clock: clock) { clock throws(MediaError) in
            do {
                return (try MemoryWindow(record, clock: clock, largest: largest, waits: waits), "memory")
            } catch {
                throw MediaError(.internal, "Making a window in memory failed: \(error).")
            }
        }
    }
}
