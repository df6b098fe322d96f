/// How loud each frame is: the way to the wanted loudness, and the fades around a stop. What the last frames had is remembered, so that frames that
/// are taken back from the device are written again from where the ramp was.
struct ALSALevels: ~Copyable {
    private struct Level {
        var volume: Float
        var fade: Float
    }

    /// Frames that are remembered: more than devices hold.
    private static let capacity = 1 << 15
    private let history = UnsafeMutablePointer<Level>.allocate(capacity: Self.capacity)
    private var now: Level
    /// A ramp of `rampFrames` ends just short of its goal, so that each of its frames can be heard.
    private let step: Float

    init(volume: Float, rampFrames: Int) {
        now = Level(volume: volume, fade: 1)
        step = 1 / Float(rampFrames + 1)
        history.initialize(repeating: now, count: Self.capacity)
    }

    deinit { history.deallocate() }

    /// Applies the gains of the next frames, of which the first is the frame `device` of the device, and remembers them.
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

    /// Silence was written: what follows it rises from nothing, and at the wanted loudness.
    mutating func fall(device: Int, count: Int, volume: Float) {
        now = Level(volume: volume, fade: 0)
        for frame in device..<device + count { history[frame & (Self.capacity - 1)] = now }
    }

    /// The next frame will be the frame `device` once more.
    mutating func goBack(to device: Int) { if device > 0 { now = history[(device - 1) & (Self.capacity - 1)] } }

    /// The first frame of something new is not faded in: its beginning is meant.
    mutating func begin() { now.fade = 1 }

    /// How many frames can still be heard in a fade from here to silence.
    var framesToSilence: Int { Int(now.fade / step - 0.5) }
}
