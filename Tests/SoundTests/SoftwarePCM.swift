import CALSA
import CLinux
import Glibc
import LinuxSupport

@testable import Sound

/// A PCM made with alsa-lib's plug-in interface (pcm_ioplug.h): alsa-lib agrees on its parameters and keeps its buffer as it does for a card's. It fetches frames
/// only when the test says so. Any thread.
final class SoftwarePCM: Sendable {
    /// What it accepts.
    struct Abilities: Sendable {
        var formats = [SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_FLOAT_LE]
        var access = [SND_PCM_ACCESS_RW_INTERLEAVED]
        var channels: [UInt32] = [2]
        var rates: [UInt32] = [48_000]
        var bufferBytes: ClosedRange<UInt32> = 64...1 << 22
        /// The positions of its channels; empty: it has no map.
        var map: [snd_pcm_chmap_position] = []
        /// The errno of a callback, negative.
        var failures: [Callback: Int32] = [:]
        /// Whether each of them fails only once.
        var failsOnce = false
    }

    enum Callback: Sendable { case hardware, software, start, prepare, pointer, transfer, delay }

    /// The parameters that alsa-lib agreed on.
    struct Parameters: Equatable {
        var format: snd_pcm_format_t
        var channels: UInt32
        var rate: UInt32
        var access: snd_pcm_access_t
        var periodFrames: Int
        var bufferFrames: Int
    }

    struct State {
        var abilities: Abilities
        var parameters: Parameters?
        /// Frames that the hardware has fetched.
        var fetched = 0
        /// Frames until the next frame written is heard; nil: alsa-lib calculates it.
        var delay: Int?
        /// Entered when the position is next read.
        var nextState: snd_pcm_state_t?
        /// What was written.
        var bytes: [UInt8] = []
        /// Whether alsa-lib has set its own defaults, which it does with the parameters of the hardware.
        var hasDefaults = false
        /// The bytes before the device was last prepared.
        var earlierBytes = 0
        var starts = 0
        var resumes = 0
        var acknowledgements = 0
        var closings = 0

        /// The errno with which a callback fails now, negative; nil: it succeeds.
        mutating func failure(of callback: Callback) -> Int32? {
            guard let code = abilities.failures[callback] else { return nil }
            if abilities.failsOnce { abilities.failures[callback] = nil }
            return code
        }
    }

    let monitor: Monitor<State>
    /// Readable while the device wants frames.
    private let bell: FileDescriptor
    // Unchecked: written when it is opened, and then only by alsa-lib on the thread that uses the PCM.
    nonisolated(unsafe) private let plugin: UnsafeMutablePointer<snd_pcm_ioplug_t>

    init(_ abilities: Abilities = Abilities()) {
        monitor = Monitor(State(abilities: abilities), ledger: nil)
        bell = FileDescriptor(adopting: eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)))
        plugin = .allocate(capacity: 1)
        plugin.initialize(to: snd_pcm_ioplug_t())
    }

    deinit { plugin.deallocate() }

    /// alsa-lib's handle, until it is closed.
    var handle: OpaquePointer { plugin.pointee.pcm }

    /// Makes alsa-lib's handle. Called once.
    func open(_ name: String) throws(ALSAError) -> OpaquePointer {
        let abilities = monitor.read(\.abilities)
        plugin.pointee.version = UInt32(1 << 16 | 2)
        plugin.pointee.flags = UInt32(SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA)
        plugin.pointee.poll_fd = bell.number
        plugin.pointee.poll_events = UInt32(POLLIN)
        plugin.pointee.callback = UnsafePointer(Self.callbacks)
        plugin.pointee.private_data = Unmanaged.passRetained(self).toOpaque()
        let check = ALSACheck(device: name)
        try check("snd_pcm_ioplug_create", snd_pcm_ioplug_create(plugin, name, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK)))
        for (parameter, values) in [
            (SND_PCM_IOPLUG_HW_ACCESS, abilities.access.map(\.rawValue)), (SND_PCM_IOPLUG_HW_CHANNELS, abilities.channels),
            (SND_PCM_IOPLUG_HW_FORMAT, abilities.formats.map { UInt32($0.rawValue) }), (SND_PCM_IOPLUG_HW_RATE, abilities.rates),
        ] {
            try check(
                "snd_pcm_ioplug_set_param_list",
                snd_pcm_ioplug_set_param_list(plugin, Int32(parameter), UInt32(values.count), values))
        }
        for (parameter, values) in [
            (SND_PCM_IOPLUG_HW_BUFFER_BYTES, abilities.bufferBytes), (SND_PCM_IOPLUG_HW_PERIOD_BYTES, 8...1 << 20),
            (SND_PCM_IOPLUG_HW_PERIODS, 2...64),
        ] {
            try check(
                "snd_pcm_ioplug_set_param_minmax",
                snd_pcm_ioplug_set_param_minmax(plugin, Int32(parameter), values.lowerBound, values.upperBound))
        }
        return handle
    }

    /// Lets the thread that waits for the device run a round.
    func wantFrames() {
        var one: UInt64 = 1
        _ = Glibc.write(bell.number, &one, 8)
    }

    /// Lets the device enter a state, and be noticed.
    func enter(_ state: snd_pcm_state_t) {
        monitor.update { $0.nextState = state }
        wantFrames()
    }

    // MARK: Called by alsa-lib

    private static func of(_ plugin: UnsafeMutablePointer<snd_pcm_ioplug_t>?) -> SoftwarePCM {
        Unmanaged<SoftwarePCM>.fromOpaque(plugin!.pointee.private_data).takeUnretainedValue()
    }

    private func result(of callback: Callback, _ body: (inout State) -> Void = { _ in }) -> Int32 {
        monitor.update { state in
            if let failure = state.failure(of: callback) { return failure }
            body(&state)
            return 0
        }
    }

    private func position() -> Int {
        let (fetched, next) = monitor.update { state in
            defer { state.nextState = nil }
            return (state.failure(of: .pointer).map { Int($0) } ?? state.fetched, state.nextState)
        }
        if let next { snd_pcm_ioplug_set_state(plugin, next) }
        return fetched
    }

    private func record(_ area: snd_pcm_channel_area_t, _ offset: Int, _ frames: Int) {
        let start = area.addr + Int(area.first + area.step * UInt32(offset)) / 8
        let bytes = UnsafeRawBufferPointer(start: start, count: frames * Int(area.step) / 8)
        monitor.update { $0.bytes += bytes }
    }

    private func agree() -> Int32 {
        let parameters = Parameters(
            format: plugin.pointee.format, channels: plugin.pointee.channels, rate: plugin.pointee.rate,
            access: plugin.pointee.access,
            periodFrames: Int(plugin.pointee.period_size), bufferFrames: Int(plugin.pointee.buffer_size))
        return result(of: .hardware) { $0.parameters = parameters }
    }

    private func takeSoftwareParameters() -> Int32 {
        monitor.update { state in
            defer { state.hasDefaults = true }
            return state.hasDefaults ? state.abilities.failures[.software] ?? 0 : 0
        }
    }

    /// In memory from malloc, which alsa-lib's caller frees.
    private func map() -> UnsafeMutablePointer<snd_pcm_chmap_t>? {
        let positions = monitor.read(\.abilities.map).map(\.rawValue)
        guard !positions.isEmpty, let memory = malloc(4 * (positions.count + 1)) else { return nil }
        let words = memory.bindMemory(to: UInt32.self, capacity: positions.count + 1)
        words[0] = UInt32(positions.count)
        for (index, position) in positions.enumerated() { words[index + 1] = position }
        return UnsafeMutableRawPointer(words).assumingMemoryBound(to: snd_pcm_chmap_t.self)
    }

    // Unchecked: constant.
    nonisolated(unsafe) private static let callbacks: UnsafeMutablePointer<snd_pcm_ioplug_callback_t> = {
        var table = snd_pcm_ioplug_callback_t()
        table.start = { of($0).result(of: .start) { $0.starts += 1 } }
        table.stop = { _ in 0 }
        table.pointer = { of($0).position() }
        table.transfer = { plugin, areas, offset, frames in
            let code = of(plugin).result(of: .transfer)
            guard code == 0 else { return snd_pcm_sframes_t(code) }
            of(plugin).record(areas![0], Int(offset), Int(frames))
            return snd_pcm_sframes_t(frames)
        }
        table.close = { plugin in
            of(plugin).monitor.update { $0.closings += 1 }
            Unmanaged<SoftwarePCM>.fromOpaque(plugin!.pointee.private_data).release()
            return 0
        }
        table.hw_params = { plugin, _ in of(plugin).agree() }
        table.sw_params = { plugin, _ in of(plugin).takeSoftwareParameters() }
        table.prepare = { of($0).result(of: .prepare) { ($0.fetched, $0.earlierBytes) = (0, $0.bytes.count) } }
        table.resume = { plugin in
            of(plugin).monitor.update { $0.resumes += 1 }
            return 0
        }
        table.poll_revents = { plugin, descriptors, _, events in
            let pcm = of(plugin)
            var count: UInt64 = 0
            if read(pcm.bell.number, &count, 8) == 8 { pcm.monitor.update { $0.acknowledgements += 1 } }
            events!.pointee = UInt16(bitPattern: descriptors![0].revents)
            return 0
        }
        table.delay = { plugin, delay in
            let code = of(plugin).result(of: .delay)
            guard code == 0 else { return code }
            guard let frames = of(plugin).monitor.read(\.delay) else { return -ENOSYS }
            delay!.pointee = frames
            return 0
        }
        table.get_chmap = { of($0).map() }
        let memory = UnsafeMutablePointer<snd_pcm_ioplug_callback_t>.allocate(capacity: 1)
        memory.initialize(to: table)
        return memory
    }()
}
