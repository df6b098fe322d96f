/// The gain of each frame: the ramp to the wanted volume, and the fades around a stop. It remembers the gains of the last frames,
/// so that frames taken back from the device are written again with the same ramp.
struct ALSALevels: ~Copyable {
    private struct Level {
        var volume: Float
        var fade: Float
    }

    /// Frames that are remembered: more than a device holds.
    private static let capacity = 1 << 15
    private let history = UnsafeMutablePointer<Level>.allocate(capacity: Self.capacity)
    private var now: Level
    /// A ramp of `rampFrames` frames ends just short of its target, so that each of its frames is audible.
    private let step: Float

    init(volume: Float, rampFrames: Int) {
        now = Level(volume: volume, fade: 1)
        step = 1 / Float(rampFrames + 1)
        history.initialize(repeating: now, count: Self.capacity)
    }

    deinit { history.deallocate() }

    /// Applies the gains of the next frames, the first of which is the device's frame `device`, and remembers them.
    mutating func apply(
        to input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, frames: Int, channels: Int, device: Int,
        volume: Float,
        fade: Float
    ) {
        for frame in 0..<frames {
            if now.volume != volume { now.volume += max(-step, min(step, volume - now.volume)) }
            if now.fade != fade { now.fade += max(-step, min(step, fade - now.fade)) }
            history[(device + frame) & (Self.capacity - 1)] = now
            let gain = now.volume * now.fade
            var index = frame * channels
            while index < (frame + 1) * channels {
                output[index] = input[index] * gain
                index += 1
            }
        }
    }

    /// Silence was written: what follows fades in from silence at the wanted volume.
    mutating func fall(device: Int, count: Int, volume: Float) {
        now = Level(volume: volume, fade: 0)
        for frame in device..<device + count { history[frame & (Self.capacity - 1)] = now }
    }

    /// The next frame will be the frame `device` again.
    mutating func goBack(to device: Int) { if device > 0 { now = history[(device - 1) & (Self.capacity - 1)] } }

    /// Does not fade in the first frame of new content: its attack is intended.
    mutating func begin() { now.fade = 1 }

    /// How many frames can still be heard in a fade from here to silence.
    var framesToSilence: Int { Int(now.fade / step - 0.5) }
}
