/// What was written to the device, stretch by stretch, newest last: which frame of the ring, or silence, is at which frame of the device.
///
/// A short list of fixed size, so that keeping it allocates nothing. The oldest stretches fall out; they have long been heard.
struct ALSAContents: ~Copyable {
    struct Stretch: Equatable {
        /// The first frame, counted in what the device was given since it was opened.
        var device: Int
        /// The frame of the ring that lies there; for silence the next one to come.
        var ring: Int
        var count: Int
        var isSound: Bool

        var deviceEnd: Int { device + count }
        /// The frame of the ring that comes after this stretch.
        var ringEnd: Int { isSound ? ring + count : ring }
    }

    private static let capacity = 64
    private let stretches = UnsafeMutablePointer<Stretch>.allocate(capacity: Self.capacity)
    private var count = 0
    /// How many frames the device was given, less those that were taken back.
    private(set) var end = 0

    deinit { stretches.deallocate() }

    /// Adds what was written.
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
    /// - Returns: the frame of the ring with which to go on; nil when nothing is known of that place any more.
    mutating func takeBack(_ frames: Int) -> Int? {
        end -= frames
        while count > 1, stretches[count - 1].device >= end { count -= 1 }
        guard count > 0, stretches[count - 1].device <= end else { return nil }
        stretches[count - 1].count = end - stretches[count - 1].device
        return stretches[count - 1].ringEnd
    }

    /// The stretch in which a frame of the device lies, and the next stretch of sound if that one is silence.
    func lookUp(_ device: Int) -> (here: Stretch?, nextSound: Stretch?) {
        var next: Stretch?
        for index in stride(from: count - 1, through: 0, by: -1) {
            let stretch = stretches[index]
            if device >= stretch.device { return (device < stretch.deviceEnd ? stretch : nil, next) }
            if stretch.isSound { next = stretch }
        }
        return (nil, next)
    }

    /// Forgets everything: the device begins anew.
    mutating func removeAll() {
        count = 0
        end = 0
    }

    /// Whether the last frames that were written are sound up to the frame before `ring`.
    func endsInSound(before ring: Int) -> Bool {
        guard count > 0 else { return false }
        let last = stretches[count - 1]
        return last.isSound && last.count > 0 && last.ringEnd == ring
    }
}
