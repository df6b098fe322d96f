import Glibc

/// The memory in which one chunk of sound becomes what the device takes: gains are applied, sounds of the interface mixed in, channels routed, samples
/// encoded; bursts are turned back into words. Sound thread. Only `init` allocates.
struct ALSAChunk: ~Copyable {
    /// The most frames.
    let capacity: Int
    private let channels: Int
    /// With gains applied.
    private let mixed: UnsafeMutablePointer<Float>
    /// In the device's channels, when those differ.
    private let routed: UnsafeMutablePointer<Float>
    /// In the device's sample format.
    private let encoded: UnsafeMutableRawPointer
    /// Set when the sound is encoded bursts, which are written bit-exactly and never cut; nil: samples.
    private var words: BurstWords?
    /// The sounds of the interface, which are mixed into samples and into silence.
    var tones: NavigationTones

    init(capacity: Int, channels: Int, sampleRate: Int, isCarrying: Bool) {
        self.capacity = capacity
        self.channels = channels
        tones = NavigationTones(sampleRate: sampleRate)
        words = isCarrying ? BurstWords() : nil
        mixed = .allocate(capacity: capacity * channels)
        routed = .allocate(capacity: capacity * ChannelRoute.mostChannels)
        encoded = .allocate(byteCount: capacity * max(channels, ChannelRoute.mostChannels) * 4, alignment: 16)
    }

    deinit {
        mixed.deallocate()
        routed.deallocate()
        encoded.deallocate()
    }

    var isCarrying: Bool { words != nil }

    /// Makes what the device takes of samples.
    ///
    /// - Parameters:
    ///   - frames: at most `capacity`.
    ///   - place: the number of the first frame in the device.
    ///   - fade: the gain at the end of a fade that begins here; 1: none.
    /// - Returns: the frames as the device takes them, until the next call.
    mutating func fill(
        _ samples: UnsafePointer<Float>, frames: Int, for device: some PlaybackDevice, at place: Int, levels: inout ALSALevels,
        volume: Float, fade: Float
    ) -> UnsafeMutableRawPointer {
        if words != nil {
            carry(samples, frames, volume)
            return encoded
        }
        levels.apply(to: samples, mixed, frames: frames, channels: channels, device: place, volume: volume, fade: fade)
        tones.mix(into: mixed, frames: frames, channels: channels, at: place, gain: volume)
        return encode(frames, for: device)
    }

    /// Silence, with a sound of the interface if there is one, as the device takes it, until the next call.
    ///
    /// - Parameters:
    ///   - frames: at most `capacity`.
    ///   - place: the number of the first frame in the device.
    func silence(frames: Int, for device: some PlaybackDevice, at place: Int, volume: Float) -> UnsafeMutableRawPointer {
        guard tones.sounds(at: place) else {
            memset(encoded, 0, frames * (device.route?.outputs ?? channels) * device.encoding.bytes)
            return encoded
        }
        memset(mixed, 0, frames * channels * MemoryLayout<Float>.stride)
        tones.mix(into: mixed, frames: frames, channels: channels, at: place, gain: volume)
        return encode(frames, for: device)
    }

    /// Brings what was mixed into the channels and the sample format of the device.
    private func encode(_ frames: Int, for device: some PlaybackDevice) -> UnsafeMutableRawPointer {
        if let route = device.route {
            route.apply(to: mixed, routed, frames: frames)
            device.encoding.store(routed, frames * route.outputs, in: encoded)
        } else {
            device.encoding.store(mixed, frames * channels, in: encoded)
        }
        return encoded
    }

    private mutating func carry(_ samples: UnsafePointer<Float>, _ frames: Int, _ volume: Float) {
        let output = encoded.assumingMemoryBound(to: Int16.self)
        for frame in 0..<frames {
            (output[2 * frame], output[2 * frame + 1]) = words!.store(samples[2 * frame], samples[2 * frame + 1], volume: volume)
        }
    }
}
