import LinuxSupport
import MediaModel

/// Brings artwork and posters as pictures: decoded and scaled off the main loop by whoever implements it.
@MainActor
package protocol ImageLoading: AnyObject {
    /// Loads a picture once, scaled so that it covers (or at least one side fits) so many pixels, in `argb8888` or `xrgb8888`.
    ///
    /// - Parameters:
    ///   - reference: as the presentation state has it: a URL, or a name that the loader knows.
    ///   - width: pixels of the place where it will be shown.
    ///   - height: rows of that place.
    ///   - then: called once on the main loop; nil when there is no such picture, which is not asked for again for a while.
    func load(_ reference: String, width: Int, height: Int, then: @escaping @MainActor @Sendable (PixelBuffer?) -> Void)
}

/// A picture as a layer refers to it: equal when it is the same picture in the same state of loading.
struct Artwork: Sendable, Equatable {
    /// What it is called.
    let reference: String
    /// The picture; nil while it is on its way or does not exist.
    let pixels: PixelBuffer?

    static func == (left: Artwork, right: Artwork) -> Bool { left.reference == right.reference && left.pixels === right.pixels }
}

/// What a screen asks of the loader: a picture at a size, in pixels of the mode.
struct ImageRequest: Sendable, Hashable, Comparable {
    var reference: String
    var width, height: Int

    static func < (left: ImageRequest, right: ImageRequest) -> Bool {
        (left.reference, left.width, left.height) < (right.reference, right.width, right.height)
    }
}

/// The pictures at hand, bounded; the least recently used goes first. A value: the main loop fills it and hands copies to the drawing thread.
struct ImageShelf: Sendable {
    private struct Entry: Sendable {
        var pixels: PixelBuffer?
        var lastUse: UInt64
        /// When it was put here.
        var time: HostTime
    }
    /// After this a picture that did not exist may be asked for again.
    static let forgivesAfter = Duration.seconds(60)
    private var entries: [ImageRequest: Entry] = [:]
    private var uses: UInt64 = 0
    private let byteLimit: Int

    /// - Parameter byteLimit: how much memory the pictures may take together, those in use aside.
    init(byteLimit: Int) { self.byteLimit = byteLimit }

    /// A picture as a layer refers to it.
    func artwork(_ request: ImageRequest) -> Artwork { Artwork(reference: request.reference, pixels: entries[request]?.pixels) }

    /// Whether it was loaded, or found not to exist a short while ago.
    func isKnown(_ request: ImageRequest, at now: HostTime) -> Bool {
        guard let entry = entries[request] else { return false }
        return entry.pixels != nil || now < entry.time + Self.forgivesAfter
    }

    /// How many bytes the pictures take.
    var byteCount: Int { entries.values.reduce(0) { $0 + ($1.pixels?.storage.byteCount ?? 0) } }

    /// Marks pictures as used now, so that they stay.
    mutating func touch(_ requests: [ImageRequest]) {
        uses += 1
        for request in requests { entries[request]?.lastUse = uses }
    }

    /// Puts a picture on the shelf (nil: it does not exist) and takes off those least recently used until it fits.
    mutating func insert(_ request: ImageRequest, _ pixels: PixelBuffer?, at now: HostTime) {
        entries[request] = Entry(pixels: pixels, lastUse: uses, time: now)
        while byteCount > byteLimit || entries.count > 256 {
            // Ties are broken by name, so that two equal runs drop the same picture.
            let oldest = entries.filter { $0.value.lastUse < uses }.min {
                ($0.value.lastUse, $0.key) < ($1.value.lastUse, $1.key)
            }
            guard let oldest else { return }
            entries.removeValue(forKey: oldest.key)
        }
    }

    /// Takes off all pictures of a name: what it stands for has changed.
    mutating func remove(_ reference: String) { entries = entries.filter { $0.key.reference != reference } }
}
