import LinuxSupport
import MediaTime

/// The rules about what survives a power cut: the viewer's settings, and the position of the film. A value: it is told what was before, and what the next
/// process has.
struct MemoryRule {
    /// What was changed this long before a power cut is on the disk, if that can be written to.
    static let settled = Duration.seconds(20)

    /// A box at a power cut.
    struct Loss {
        /// Settings and choices, one line each.
        var settings: [String]
        /// The film's picture on the screen, if the film plays, and since when it is there.
        var picture: (time: MediaTime, age: Duration)?
    }

    private let places: PlaceRule?
    private var loss: Loss?

    /// - Parameter places: judges the position of the film; nil if there is no film.
    init(places: PlaceRule?) { self.places = places }

    /// The power is cut.
    ///
    /// - Parameter loss: nil if nothing can be expected to be stored.
    mutating func powerIsCut(_ loss: Loss?) { self.loss = loss }

    /// The next process has started.
    ///
    /// - Parameters:
    ///   - settings: those that it has read.
    ///   - place: the position of the film that it has read; nil if there is none.
    /// - Returns: the sentence of a breach; nil if the rules hold.
    mutating func started(settings: [String], place: MediaTime?) -> String? {
        guard let loss else { return nil }
        self.loss = nil
        if settings != loss.settings {
            let different = Set(loss.settings).symmetricDifference(settings).sorted().prefix(4)
            return "after a power cut these settings differ: \(different.joined(separator: ", "))"
        }
        return loss.picture.flatMap { places?.check(stored: place, picture: $0.time, age: $0.age) }
    }
}
