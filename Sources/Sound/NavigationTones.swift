import Glibc
import MediaModel

/// The sounds of the interface as samples of one channel: soft tones that decay.
enum NavigationTone {
    /// -30 dBFS: audible in a quiet room, and covered by loud scenes.
    static let peak = Float(0.0316)
    /// In seconds. Without it the beginning would be a crackle.
    private static let attack = 0.001

    /// The pitch in hertz; after how many seconds it has fallen to 1/e; how many seconds it lasts.
    private static func shape(of sound: NavigationSound) -> (pitch: Double, decay: Double, length: Double) {
        switch sound {
        case .move: (1200, 0.004, 0.02)
        case .choose: (800, 0.008, 0.03)
        case .edge: (300, 0.008, 0.03)
        }
    }

    static func samples(of sound: NavigationSound, sampleRate: Int) -> [Float] {
        let (pitch, decay, length) = shape(of: sound)
        let count = Int(length * Double(sampleRate))
        let wave = (0..<count).map { index -> Double in
            let time = Double(index) / Double(sampleRate)
            let rise = time < attack ? (1 - cos(.pi * time / attack)) / 2 : 1
            let rest = 1 - Double(index) / Double(count)
            return rise * exp(-time / decay) * rest * sin(2 * .pi * pitch * time)
        }
        let greatest = wave.reduce(0) { max($0, abs($1)) }
        return greatest > 0 ? wave.map { Float($0 / greatest) * peak } : []
    }
}

/// The sounds of the interface, and the one that is being written to a device. Sound thread. Only `init` allocates.
struct NavigationTones: ~Copyable {
    /// All sounds, each in `length` frames.
    private let samples: UnsafeMutablePointer<Float>
    private let length: Int
    private let count: Int
    /// The sound that was begun last, and the device's frame at which it begins.
    private var current: (samples: UnsafePointer<Float>, start: Int)?

    init(sampleRate: Int) {
        let tones = NavigationSound.allCases.map { NavigationTone.samples(of: $0, sampleRate: sampleRate) }
        length = tones.map(\.count).max() ?? 0
        count = tones.count
        samples = .allocate(capacity: length * tones.count)
        samples.initialize(repeating: 0, count: length * tones.count)
        for (number, tone) in tones.enumerated() {
            for (index, sample) in tone.enumerated() { samples[number * length + index] = sample }
        }
    }

    deinit { samples.deallocate() }

    /// Begins a sound.
    ///
    /// - Parameters:
    ///   - number: its place among `NavigationSound.allCases`.
    ///   - start: the device's frame.
    mutating func begin(_ number: Int, at start: Int) {
        guard number >= 0, number < count else { return }
        current = (UnsafePointer(samples + number * length), start)
    }

    /// The device was emptied, and its frames are counted anew.
    mutating func drop() { current = nil }

    /// Whether the current sound is not over at a frame of the device.
    func sounds(at frame: Int) -> Bool {
        guard let current else { return false }
        return frame < current.start + length
    }

    /// Adds what of the current sound belongs to these frames, in the first two channels: those at the front.
    ///
    /// - Parameters:
    ///   - output: interleaved samples.
    ///   - place: the device's frame of the first of them.
    func mix(into output: UnsafeMutablePointer<Float>, frames: Int, channels: Int, at place: Int, gain: Float) {
        guard let current else { return }
        for frame in (current.start..<current.start + length).clamped(to: place..<place + frames) {
            let sample = current.samples[frame - current.start] * gain
            let target = output + (frame - place) * channels
            target[0] += sample
            if channels > 1 { target[1] += sample }
        }
    }
}
