import MediaModel
import MediaTime
import PlayerInterface

/// The small pictures of what plays: who brings them, and which there are.
@MainActor
final class ItemThumbnails {
    /// What all references to such pictures begin with.
    static let prefix = "thumbnails:"
    private var provider: (any ThumbnailProviding)?
    private var track: ThumbnailTrack?
    /// Counts items, so that pictures of one are never taken for another's.
    private var number = 0

    private let drawing: any InterfaceDrawing
    private let make: (@MainActor (_ bif: String?, _ url: String, _ duration: MediaTime) -> (any ThumbnailProviding)?)?

    init(_ parts: ApplianceParts) {
        drawing = parts.drawing
        make = parts.makeThumbnails
    }

    /// The asset time that a reference to a small picture names; nil: it is another reference.
    static func time(of reference: String) -> MediaTime? {
        guard reference.hasPrefix(prefix), let mark = reference.lastIndex(of: "#") else { return nil }
        return Int64(reference[reference.index(after: mark)...]).map { MediaTime($0, 1000) }
    }

    /// Lets go of the pictures of the item before.
    func close() {
        guard provider != nil else { return }
        drawing.setThumbnails(nil)
        provider?.close()
        provider = nil
        track = nil
    }

    /// Finds out which small pictures there are of what plays, once it is open: those of the feed, else frames of its stream.
    ///
    /// - Parameter whenKnown: called when there are any.
    func open(_ programme: Programme, _ source: SourceDescription, whenKnown: @escaping @MainActor @Sendable () -> Void) {
        guard provider == nil, let make, case .finite(let duration) = source.duration,
            source.tracks.contains(where: { $0.type == .video }), let url = programme.urls.first
        else { return }
        var file: String?
        if case .item(let item) = programme.subject { file = item.thumbnails }
        guard let provider = make(file, url, duration) else { return }
        self.provider = provider
        number += 1
        let number = self.number
        drawing.setThumbnails(provider)
        provider.loadTimes { [weak self] times in
            guard let self, self.number == number, self.provider != nil, !times.isEmpty else { return }
            self.track = ThumbnailTrack(reference: "\(Self.prefix)\(number)", times: times)
            whenKnown()
        }
    }

    /// Puts the pictures into what the interface knows of the item; chapters without one get the first of their own.
    func add(to presentation: inout ItemPresentation) {
        guard let track else { return }
        presentation.thumbnails = track
        let chapters = presentation.markers.indices.filter { presentation.markers[$0].kind == .chapter }
        for (place, index) in chapters.enumerated() where presentation.markers[index].image == nil {
            let end =
                place + 1 < chapters.count ? presentation.markers[chapters[place + 1]].start : presentation.markers[index].end
            let first = track.times.first { $0 >= presentation.markers[index].start }
            guard let first, end.map({ first < $0 }) ?? true else { continue }
            presentation.markers[index].image = track.reference(at: first)
        }
    }
}

extension Appliance {
    /// The asset time that a reference to a small picture names; nil: it is another reference.
    package static func thumbnailTime(_ reference: String) -> MediaTime? { ItemThumbnails.time(of: reference) }
}
