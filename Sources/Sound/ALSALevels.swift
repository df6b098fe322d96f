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

    /// The gain of the next frame, which is the frame `device` of the device.
    mutating func next(device: Int, volume: Float, fade: Float) -> Float {
        now.volume = now.volume < volume ? min(now.volume + step, volume) : max(now.volume - step, volume)
        now.fade = now.fade < fade ? min(now.fade + step, fade) : max(now.fade - step, fade)
        history[device & (Self.capacity - 1)] = now
        return now.volume * now.fade
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
