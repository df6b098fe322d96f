import LinuxSupport
import MediaModel
import MediaTime
import Screens

/// Loads artwork and posters as pictures, decoded and scaled off the main loop.
@MainActor
package protocol ImageLoading: AnyObject {
    /// Loads a picture once, scaled so that it covers (or at least one side fits) the given size, in `argb8888` or `xrgb8888`.
    ///
    /// - Parameters:
    ///   - reference: from the presentation state: a URL, or a name that the loader knows.
    ///   - width: pixels of its rectangle.
    ///   - height: rows of its rectangle.
    ///   - then: called once on the main loop. What is missing is not requested again for a while; what was dropped is, as soon as it is shown.
    func load(_ reference: String, width: Int, height: Int, then: @escaping @MainActor @Sendable (LoadedPicture) -> Void)
    /// A picture is shown now: the loader may look whether there is a newer one. Called with each state.
    func use(_ reference: String)
}

extension ImageLoading {
    package func use(_ reference: String) {}
}

/// A picture used in a layer: equal when it is the same picture in the same loading state.
struct LayerPicture: Sendable, Equatable {
    let reference: String
    /// The picture; nil while it is loading or when it does not exist.
    let pixels: PixelBuffer?

    static func == (left: LayerPicture, right: LayerPicture) -> Bool {
        left.reference == right.reference && left.pixels === right.pixels
    }
}

/// A request to the loader: a picture at a size, in pixels of the mode.
struct ImageRequest: Sendable, Hashable, Comparable {
    var reference: String
    var width, height: Int

    static func < (left: ImageRequest, right: ImageRequest) -> Bool {
        (left.reference, left.width, left.height) < (right.reference, right.width, right.height)
    }
}

/// The loaded pictures, bounded; the least recently used is dropped first. A value: the main loop fills it and passes copies to
/// the drawing thread.
struct ImageShelf: Sendable {
    private struct Entry: Sendable {
        var pixels: PixelBuffer?
        var lastUse: UInt64
        /// When it was added.
        var time: HostTime
        /// Whether there is a newer one. It is shown until that has come.
        var isOutdated = false
    }
    /// After this time a missing picture is requested again.
    static let forgivesAfter = Duration.seconds(60)
    private var entries: [ImageRequest: Entry] = [:]
    private var uses: UInt64 = 0
    private let byteLimit: Int

    /// - Parameter byteLimit: the memory limit for all pictures together, except those in use.
    init(byteLimit: Int) { self.byteLimit = byteLimit }

    /// A picture for use in a layer.
    func artwork(_ request: ImageRequest) -> LayerPicture {
        LayerPicture(reference: request.reference, pixels: entries[request]?.pixels)
    }

    /// The thumbnail of a place; while it is not there, the nearest one that is, up to a distance.
    func thumbnail(_ request: ImageRequest, within distance: MediaTime) -> LayerPicture {
        let exact = artwork(request)
        guard exact.pixels == nil, let wanted = ThumbnailTrack.place(of: request.reference) else { return exact }
        var nearest: (LayerPicture, distance: MediaTime)?
        for (other, entry) in entries where (other.width, other.height) == (request.width, request.height) {
            guard let pixels = entry.pixels, let place = ThumbnailTrack.place(of: other.reference), place.track == wanted.track
            else { continue }
            let apart = (place.time - wanted.time).magnitude
            // Two that are as near are told apart by their names, so that two equal runs show the same.
            guard apart <= distance, nearest.map({ (apart, other.reference) < ($0.distance, $0.0.reference) }) ?? true else {
                continue
            }
            nearest = (LayerPicture(reference: other.reference, pixels: pixels), apart)
        }
        return nearest?.0 ?? exact
    }

    /// Whether it is loaded, or was recently found missing.
    func isKnown(_ request: ImageRequest, at now: HostTime) -> Bool {
        guard let entry = entries[request], !entry.isOutdated else { return false }
        return entry.pixels != nil || now < entry.time + Self.forgivesAfter
    }

    /// The size of all pictures.
    var byteCount: Int { entries.values.reduce(0) { $0 + ($1.pixels?.storage.byteCount ?? 0) } }

    /// Marks pictures as used now, so that they stay.
    mutating func touch(_ requests: [ImageRequest]) {
        uses += 1
        for request in requests { entries[request]?.lastUse = uses }
    }

    /// Adds a picture (nil: it does not exist) and drops the least recently used ones until the limit is met.
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

    /// Keeps all pictures of a name until newer ones have come.
    mutating func outdate(_ reference: String) {
        for request in entries.keys where request.reference == reference { entries[request]?.isOutdated = true }
    }

    /// Drops all pictures of a name, because its content has changed.
    mutating func remove(_ reference: String) { entries = entries.filter { $0.key.reference != reference } }
}
