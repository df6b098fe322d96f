import ChannelFeed
import MediaModel
import MediaSources
import MediaTime
import Screens

/// The thumbnails of the current item: their source, and the available times.
@MainActor
final class ItemThumbnails {
    /// The prefix of all thumbnail references.
    static let prefix = "thumbnails:"
    private var provider: (any ThumbnailProviding)?
    private var track: ThumbnailTrack?
    /// Counts items, so that thumbnails of one are never used for another.
    private var number = 0

    private let drawing: any InterfaceDrawing
    private let make: (@MainActor (_ bif: String?, _ stream: StreamLocation, _ duration: MediaTime) -> (any ThumbnailProviding)?)?

    init(_ parts: ApplianceParts) {
        drawing = parts.drawing
        make = parts.makeThumbnails
    }

    /// The asset time in a thumbnail reference; nil for any other reference.
    static func time(of reference: String) -> MediaTime? {
        guard reference.hasPrefix(prefix), let mark = reference.lastIndex(of: "#") else { return nil }
        return Int64(reference[reference.index(after: mark)...]).map { MediaTime($0, 1000) }
    }

    /// Discards the thumbnails of the previous item.
    func close() {
        guard provider != nil else { return }
        drawing.setThumbnails(nil)
        provider?.close()
        provider = nil
        track = nil
    }

    /// Finds the thumbnails of the current item once it is open: those of the feed, otherwise frames of its stream.
    ///
    /// - Parameter whenKnown: called when there are any.
    func open(_ programme: Programme, _ source: SourceDescription, whenKnown: @escaping @MainActor @Sendable () -> Void) {
        guard provider == nil, let make, case .finite(let duration) = source.duration,
            source.tracks.contains(where: { $0.type == .video }), let stream = programme.streams.first
        else { return }
        var file: String?
        if case .item(let item) = programme.subject { file = item.thumbnails }
        guard let provider = make(file, stream, duration) else { return }
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

    /// Adds the thumbnails to the interface's item. Chapters without a picture get their first thumbnail that is not of an advertisement.
    func add(to presentation: inout ItemPresentation) {
        guard let track else { return }
        presentation.thumbnails = track
        let chapters = presentation.markers.indices.filter { presentation.markers[$0].kind == .chapter }
        for (place, index) in chapters.enumerated() where presentation.markers[index].image == nil {
            let end =
                place + 1 < chapters.count ? presentation.markers[chapters[place + 1]].start : presentation.markers[index].end
            let start = presentation.markers[index].start
            let first = track.times.first { time in
                time >= start && !presentation.interstitials.contains { $0.range.contains(time) }
            }
            guard let first, end.map({ first < $0 }) ?? true else { continue }
            presentation.markers[index].image = track.reference(at: first)
        }
    }
}

extension Appliance {
    /// The asset time in a thumbnail reference; nil for any other reference.
    package static func thumbnailTime(_ reference: String) -> MediaTime? { ItemThumbnails.time(of: reference) }
}
