import CALSA
import CLinux
import Glibc
import LinuxSupport
import Testing

@testable import Sound

@Suite("A device of alsa-lib")
struct ALSADeviceTests {
    /// Opens a device with these abilities.
    private func open(
        _ abilities: SoftwarePCM.Abilities = .init(), channels: Int = 2, most: Int = .max, sampleRate: Int = 48_000,
        milliseconds: Int = 50,
        isCarrying: Bool = false
    ) throws(ALSAError) -> (device: ALSADevice, pcm: SoftwarePCM) {
        let library = SoftwareALSA(devices: ["a device": abilities], cardOfDevice: ["a device": 3])
        let device = try ALSADevice(
            name: "a device", sampleRate: sampleRate, channels: channels, most: most, bufferMilliseconds: milliseconds,
            isCarrying: isCarrying,
            library: library)
        return (device, library.pcm)
    }

    // MARK: Setting up

    @Test("it takes interleaved samples of 32 bits if the device has them, in a buffer of five periods")
    func parameters() throws {
        let (device, pcm) = try open()
        #expect(
            pcm.monitor.read(\.parameters)
                == .init(
                    format: SND_PCM_FORMAT_S32_LE, channels: 2, rate: 48_000, access: SND_PCM_ACCESS_RW_INTERLEAVED,
                    periodFrames: 480,
                    bufferFrames: 2400))
        #expect(device.encoding == .signed32 && device.bufferFrames == 2400 && device.route == nil)
        #expect(device.name == "a device" && device.card == 3)
    }

    @Test(
        "samples of 16 bits are preferred to floating point",
        arguments: [
            ([SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S16_LE], SampleEncoding.signed16), ([SND_PCM_FORMAT_FLOAT_LE], .float),
        ])
    func formats(_ formats: [snd_pcm_format_t], _ encoding: SampleEncoding) throws {
        #expect(try open(.init(formats: formats)).device.encoding == encoding)
    }

    @Test("encoded sound is taken as words of 16 bits, in its own channels and at its own rate")
    func carrying() throws {
        let (device, pcm) = try open(.init(channels: [2, 6], rates: [48_000, 192_000]), sampleRate: 192_000, isCarrying: true)
        #expect(device.encoding == .signed16 && device.route == nil)
        #expect(pcm.monitor.read(\.parameters)?.rate == 192_000 && pcm.monitor.read(\.parameters)?.channels == 2)
        #expect(throws: ALSAError(call: "snd_pcm_hw_params_test_format", device: "a device", code: EINVAL)) {
            try open(.init(formats: [SND_PCM_FORMAT_S32_LE]), isCarrying: true)
        }
        // Nothing may mix them for a device with other channels.
        #expect(throws: ALSAError(call: "snd_pcm_hw_params_set_channels", device: "a device", code: EINVAL)) {
            try open(.init(channels: [6]), isCarrying: true)
        }
    }

    @Test(
        "as many channels are taken as the device has and the caller allows: all, else six, else two",
        arguments: [
            ([2, 6, 8], 8, .max, 8), ([2, 6], 8, .max, 6), ([2], 8, .max, 2), ([2, 6, 8], 8, 2, 2), ([2, 6, 8], 8, 6, 6),
            ([2, 6, 8], 6, .max, 6),
            ([2, 6, 8], 2, .max, 2), ([2, 6], 6, 1, 2),
        ] as [([UInt32], Int, Int, UInt32)])
    func channels(_ possible: [UInt32], _ wanted: Int, _ most: Int, _ taken: UInt32) throws {
        let (device, pcm) = try open(.init(channels: possible), channels: wanted, most: most)
        #expect(pcm.monitor.read(\.parameters)?.channels == taken)
        #expect(device.route?.inputs ?? wanted == wanted && device.route?.outputs ?? wanted == Int(taken))
    }

    @Test("channels go where the device's map says; without a map they are in alsa-lib's order")
    func map() throws {
        let mapped = try open(.init(map: [SND_CHMAP_FR, SND_CHMAP_FL])).device
        #expect(mapped.route?[0, 1] == 1 && mapped.route?[1, 0] == 1 && mapped.route?[0, 0] == 0)
        let plain = try open(.init(channels: [6]), channels: 6).device
        // The centre is WAVE's third channel and alsa-lib's fifth.
        #expect(plain.route?[4, 2] == 1 && plain.route?[2, 4] == 1)
        #expect(try open(.init(map: [SND_CHMAP_FL, SND_CHMAP_FR])).device.route == nil)
    }

    @Test("the device stops and starts only when it is told to, plays silence past the end, and gives monotonic time")
    func software() throws {
        let (device, pcm) = try open(milliseconds: 100)
        var memory: OpaquePointer?
        snd_pcm_sw_params_malloc(&memory)
        let software = try #require(memory)
        defer { snd_pcm_sw_params_free(software) }
        var (boundary, start, stop, silence, threshold, least) = (
            0 as UInt, 0 as UInt, 0 as UInt, 0 as UInt, 1 as UInt, 0 as UInt
        )
        var (mode, type) = (SND_PCM_TSTAMP_NONE, SND_PCM_TSTAMP_TYPE_GETTIMEOFDAY)
        #expect(snd_pcm_sw_params_current(pcm.handle, software) == 0 && snd_pcm_sw_params_get_boundary(software, &boundary) == 0)
        snd_pcm_sw_params_get_start_threshold(software, &start)
        snd_pcm_sw_params_get_stop_threshold(software, &stop)
        snd_pcm_sw_params_get_silence_size(software, &silence)
        snd_pcm_sw_params_get_silence_threshold(software, &threshold)
        snd_pcm_sw_params_get_avail_min(software, &least)
        snd_pcm_sw_params_get_tstamp_mode(software, &mode)
        snd_pcm_sw_params_get_tstamp_type(software, &type)
        #expect(boundary > 0 && start == boundary && stop == boundary && silence == boundary && threshold == 0)
        #expect(least == 960 && mode == SND_PCM_TSTAMP_ENABLE && type == SND_PCM_TSTAMP_TYPE_MONOTONIC)
        withExtendedLifetime(device) {}
    }

    @Test(
        "a call that fails is named, and the device is closed",
        arguments: [
            (.init(access: [SND_PCM_ACCESS_RW_NONINTERLEAVED]), "snd_pcm_hw_params_set_access", EINVAL),
            (.init(formats: [SND_PCM_FORMAT_U8]), "snd_pcm_hw_params_test_format", EINVAL),
            (.init(channels: [1]), "snd_pcm_hw_params_set_channels", EINVAL),
            (.init(rates: [44_100]), "snd_pcm_hw_params_set_rate", EINVAL),
            (.init(failures: [.hardware: -EIO]), "snd_pcm_hw_params", EIO),
            (.init(failures: [.software: -EPERM]), "snd_pcm_sw_params", EPERM),
        ] as [(SoftwarePCM.Abilities, String, Int32)])
    func failures(_ abilities: SoftwarePCM.Abilities, _ call: String, _ code: Int32) throws {
        let library = SoftwareALSA(devices: ["a device": abilities])
        #expect(throws: ALSAError(call: call, device: "a device", code: code)) {
            try ALSADevice(name: "a device", sampleRate: 48_000, channels: 2, library: library)
        }
        #expect(library.pcm.monitor.read(\.closings) == 1)
    }

    @Test("it is closed with its last reference")
    func closed() throws {
        var opened: (device: ALSADevice, pcm: SoftwarePCM)? = try open()
        let pcm = try #require(opened?.pcm)
        #expect(pcm.monitor.read(\.closings) == 0)
        opened = nil
        #expect(pcm.monitor.read(\.closings) == 1)
    }

    // MARK: Playing

    /// Writes frames of 8 bytes.
    private func write(_ frames: Int, to device: ALSADevice) -> Int {
        [UInt8](repeating: 7, count: 8 * frames).withUnsafeBytes { device.write($0.baseAddress!, count: frames) }
    }

    @Test("frames are written as far as there is room, fetched, taken back and skipped")
    func frames() throws {
        let (device, pcm) = try open()
        #expect(device.available() == 2400 && device.status().state == .prepared)
        #expect(write(2400, to: device) == 2400 && pcm.monitor.read(\.bytes) == [UInt8](repeating: 7, count: 8 * 2400))
        #expect(device.available() == 0 && pcm.monitor.read(\.starts) == 0 && device.status().state == .prepared)
        #expect(device.start() == 0 && pcm.monitor.read(\.starts) == 1)
        #expect(write(10, to: device) == -Int(EAGAIN))
        pcm.monitor.update { $0.fetched = 1000 }
        #expect(device.rewindable() == 1400 && device.available() == 1000)
        #expect(device.rewind(400) == 400 && device.available() == 1400)
        #expect(device.forward(100) == 100 && device.available() == 1300)
        #expect(write(2000, to: device) == 1300)
    }

    @Test("the status has the delay of the hardware, what it has not fetched, and the instant")
    func status() throws {
        let (device, pcm) = try open()
        _ = write(2000, to: device)
        _ = device.start()
        pcm.monitor.update {
            $0.fetched = 500
            $0.delay = 1750
        }
        let before = monotonicNanoseconds()
        let status = device.status()
        #expect(status.state == .running && status.queued == 1500 && status.delay == 1750)
        #expect(status.nanoseconds >= before && status.nanoseconds <= monotonicNanoseconds())
    }

    @Test("a delay that no device can have is bounded", arguments: [Int.min, -1 << 40, 1 << 40, Int.max])
    func extremeDelay(delay: Int) throws {
        let (device, pcm) = try open()
        _ = write(2000, to: device)
        _ = device.start()
        pcm.monitor.update { $0.delay = delay }
        #expect(abs(device.status().delay) == 1 << 31)
        let exchange = ALSAExchange(channels: 2)
        var feeder = ALSAFeeder(exchange: exchange, sampleRate: 48_000)
        exchange.start.store(.max, ordering: .relaxed)
        exchange.order.store(1 << 1 | 1, ordering: .releasing)
        for _ in 0..<3 { _ = feeder.turn(device) }
        pcm.monitor.update { $0.delay = 1750 }
        #expect(feeder.turn(device) == .wait && exchange.report().isPresent)
    }

    @Test("the time of another clock is replaced by the instant of the call")
    func otherClock() throws {
        let (device, pcm) = try open()
        var memory: OpaquePointer?
        snd_pcm_sw_params_malloc(&memory)
        let software = try #require(memory)
        defer { snd_pcm_sw_params_free(software) }
        #expect(snd_pcm_sw_params_current(pcm.handle, software) == 0)
        #expect(snd_pcm_sw_params_set_tstamp_type(pcm.handle, software, SND_PCM_TSTAMP_TYPE_GETTIMEOFDAY) == 0)
        #expect(snd_pcm_sw_params(pcm.handle, software) == 0)
        let before = monotonicNanoseconds()
        let status = device.status()
        #expect(status.nanoseconds >= before && status.nanoseconds <= monotonicNanoseconds())
    }

    @Test(
        "each state of alsa-lib is a state of the device",
        arguments: [
            (SND_PCM_STATE_RUNNING, .running), (SND_PCM_STATE_XRUN, .underrun), (SND_PCM_STATE_SETUP, .underrun),
            (SND_PCM_STATE_SUSPENDED, .suspended),
            (SND_PCM_STATE_PAUSED, .suspended), (SND_PCM_STATE_PREPARED, .prepared), (SND_PCM_STATE_DISCONNECTED, .lost),
        ] as [(snd_pcm_state_t, DeviceStatus.State)])
    func states(_ state: snd_pcm_state_t, _ wanted: DeviceStatus.State) throws {
        let (device, pcm) = try open()
        _ = write(100, to: device)
        pcm.enter(state)
        #expect(device.status().state == wanted)
    }

    @Test("a device is prepared and resumed, and says why not")
    func recovery() throws {
        let (device, pcm) = try open()
        _ = write(100, to: device)
        #expect(device.prepare() == 0 && device.available() == 2400)
        pcm.enter(SND_PCM_STATE_SUSPENDED)
        #expect(device.status().state == .suspended && device.resume() == 0 && pcm.monitor.read(\.resumes) == 1)
        pcm.monitor.update { $0.abilities.failures = [.prepare: -EIO, .start: -EPIPE] }
        #expect(device.prepare() == -EIO)
        pcm.enter(SND_PCM_STATE_PREPARED)
        _ = (device.status(), write(100, to: device))
        #expect(device.start() == -EPIPE)
    }

    @Test("waiting ends with the device, whose event is acknowledged, with the bell, or with the time")
    func wait() throws {
        let (device, pcm) = try open()
        let bell = FileDescriptor(adopting: eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)))
        #expect(!device.wait(bell: bell.number, milliseconds: 0))
        pcm.wantFrames()
        #expect(device.wait(bell: bell.number, milliseconds: -1) && pcm.monitor.read(\.acknowledgements) == 1)
        #expect(!device.wait(bell: bell.number, milliseconds: 1))
        var one: UInt64 = 1
        _ = Glibc.write(bell.number, &one, 8)
        #expect(device.wait(bell: bell.number, milliseconds: -1) && pcm.monitor.read(\.acknowledgements) == 1)
    }
}
