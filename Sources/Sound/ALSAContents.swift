/// What was written to the device, as a list of stretches, newest last: each maps device frames to frames of the ring, or to
/// silence.
///
/// The list has a fixed size, so appending allocates nothing. The oldest stretches are dropped; they were heard long ago.
struct ALSAContents: ~Copyable {
    struct Stretch: Equatable {
        /// The first frame, counted from the opening of the device.
        var device: Int
        /// The frame of the ring at `device`; for silence, the next frame of sound.
        var ring: Int
        var count: Int
        var isSound: Bool

        var deviceEnd: Int { device + count }
        /// The frame of the ring that follows this stretch.
        var ringEnd: Int { isSound ? ring + count : ring }
    }

    private static let capacity = 64
    private let stretches = UnsafeMutablePointer<Stretch>.allocate(capacity: Self.capacity)
    private var count = 0
    /// The number of frames given to the device, less those that were taken back.
    private(set) var end = 0

    deinit { stretches.deallocate() }

    mutating func append(_ frames: Int, ring: Int, isSound: Bool) {
        if count > 0, stretches[count - 1].isSound == isSound, stretches[count - 1].ringEnd == ring {
            stretches[count - 1].count += frames
        } else {
            if count == Self.capacity {
                for index in 1..<count { stretches[index - 1] = stretches[index] }
                count -= 1
            }
            (stretches + count).initialize(to: Stretch(device: end, ring: ring, count: frames, isSound: isSound))
            count += 1
        }
        end += frames
    }

    /// Forgets the last frames, which were taken back from the device or lost with it.
    ///
    /// - Returns: the frame of the ring to continue with; nil when that frame is no longer in the list.
    mutating func takeBack(_ frames: Int) -> Int? {
        end -= frames
        while count > 1, stretches[count - 1].device >= end { count -= 1 }
        guard count > 0, stretches[count - 1].device <= end else { return nil }
        stretches[count - 1].count = end - stretches[count - 1].device
        return stretches[count - 1].ringEnd
    }

    /// The stretch that contains a frame of the device, and the next stretch of sound if that one is silence.
    func lookUp(_ device: Int) -> (here: Stretch?, nextSound: Stretch?) {
        var next: Stretch?
        for index in stride(from: count - 1, through: 0, by: -1) {
            let stretch = stretches[index]
            if device >= stretch.device { return (device < stretch.deviceEnd ? stretch : nil, next) }
            if stretch.isSound { next = stretch }
        }
        return (nil, next)
    }

    /// Forgets everything. The device starts again from zero.
    mutating func removeAll() {
        count = 0
        end = 0
    }

    /// How many of the last frames written are silence.
    var silenceAtEnd: Int {
        guard count > 0, !stretches[count - 1].isSound else { return 0 }
        return stretches[count - 1].count
    }

    /// Whether the last frames written are sound that ends right before the ring's frame `ring`.
    func endsInSound(before ring: Int) -> Bool {
        guard count > 0 else { return false }
        let last = stretches[count - 1]
        return last.isSound && last.count > 0 && last.ringEnd == ring
    }
}
