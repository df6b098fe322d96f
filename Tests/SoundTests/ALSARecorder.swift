import CALSA
import Glibc

@testable import Sound

/// The capture end of a loopback card: records what is played into it, with the instant of each frame. Used on the test's thread.
final class LoopbackRecorder {
    private let pcm: OpaquePointer
    private var isClosed = false
    private let statusMemory: OpaquePointer
    let channels: Int
    /// Interleaved, 32 bits.
    private(set) var samples: [Int32] = []
    private var chunk: [Int32]
    /// A frame of the recording, and the instant of CLOCK_MONOTONIC at which it was recorded.
    private var anchor = (frame: 0, nanoseconds: Int64(0))
    /// How often frames were lost because they were read too late.
    private(set) var overruns = 0

    static let isPresent = access("/proc/asound/Loopback", F_OK) == 0

    init(channels: Int = 2) throws(ALSAError) {
        self.channels = channels
        chunk = [Int32](repeating: 0, count: channels * 4096)
        marquee_alsa_be_quiet()
        var handle: OpaquePointer?
        let name = "hw:Loopback,1,0"
        var code = snd_pcm_open(&handle, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
        guard code >= 0, let handle else { throw ALSAError(call: "snd_pcm_open", device: name, code: -code) }
        pcm = handle
        var status: OpaquePointer?
        snd_pcm_status_malloc(&status)
        statusMemory = status!
        code = snd_pcm_set_params(
            pcm, SND_PCM_FORMAT_S32_LE, SND_PCM_ACCESS_RW_INTERLEAVED, UInt32(channels), 48_000, 0, 1_000_000)
        if code >= 0 { code = Self.useMonotonicTime(handle) }
        if code >= 0 { code = snd_pcm_start(pcm) }
        guard code >= 0 else { throw ALSAError(call: "snd_pcm_start", device: name, code: -code) }
    }

    deinit {
        close()
        snd_pcm_status_free(statusMemory)
    }

    /// Closes the card; recording stops.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        snd_pcm_close(pcm)
    }

    private static func useMonotonicTime(_ pcm: OpaquePointer) -> Int32 {
        var software: OpaquePointer?
        snd_pcm_sw_params_malloc(&software)
        defer { snd_pcm_sw_params_free(software) }
        snd_pcm_sw_params_current(pcm, software)
        snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
        snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
        return snd_pcm_sw_params(pcm, software)
    }

    /// Reads what has been recorded so far.
    func read() {
        guard !isClosed else { return }
        if snd_pcm_status(pcm, statusMemory) == 0, snd_pcm_status_get_state(statusMemory) == SND_PCM_STATE_RUNNING {
            var stamp = snd_htimestamp_t()
            snd_pcm_status_get_htstamp(statusMemory, &stamp)
            anchor = (
                samples.count / channels + Int(snd_pcm_status_get_avail(statusMemory)),
                Int64(stamp.tv_sec) * 1_000_000_000 + Int64(stamp.tv_nsec)
            )
        }
        while true {
            let count = snd_pcm_readi(pcm, &chunk, 4096)
            if count == -Int(EPIPE) {
                overruns += 1
                snd_pcm_prepare(pcm)
                snd_pcm_start(pcm)
            }
            guard count > 0 else { return }
            samples.append(contentsOf: chunk.prefix(channels * count))
        }
    }

    /// Which frame was recorded at an instant of CLOCK_MONOTONIC.
    func frame(at nanoseconds: Int64) -> Int {
        anchor.frame + Int((Double(nanoseconds - anchor.nanoseconds) * 48e3 / 1e9).rounded())
    }

    /// When a frame was recorded.
    func nanoseconds(of frame: Int) -> Int64 { anchor.nanoseconds + Int64((Double(frame - anchor.frame) * 1e9 / 48e3).rounded()) }

    /// The left channel.
    var left: [Int32] { stride(from: 0, to: samples.count, by: 2).map { samples[$0] } }

    /// Frames are numbered modulo this. It is small enough that 32 bits distinguish the numbers even in a fade, and prime, so that no buffer is a
    /// multiple of it.
    static let modulus = 251

    /// The numbers of the recorded frames, where each frame is (number + 1, 1) times some gain; nil for silence.
    var numbers: [Int?] {
        stride(from: 0, to: samples.count - 1, by: 2).map { index -> Int? in
            guard samples[index + 1] != 0 else { return nil }
            let ratio = Double(samples[index]) / Double(samples[index + 1])
            return Int(ratio.rounded()) - 1
        }
    }
}
