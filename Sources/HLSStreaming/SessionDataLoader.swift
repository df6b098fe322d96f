import FoundationEssentials
import HLSPlaylist
import LinuxSupport
import MediaSources
import MediaTime
import URLReferences

/// Loads the resources of EXT-X-SESSION-DATA: further values, and chapters.
@MainActor
final class SessionDataLoader {
    private(set) var sessionData: [SessionDatum]
    private(set) var chapters: [StreamChapter] = []
    private let context: StreamContext
    private let url: String
    private let onChange: @MainActor () -> Void
    private var timer: ScheduledEvent?
    private var tasks: [StreamTask] = []
    private var bytesLeft = SessionDataLoader.mostBytes

    /// DATA-ID of a JSON text of chapters.
    private static let chaptersID = "com.apple.hls.chapters"
    private static let mostDocuments = 8
    /// The entries of a playlist, and the bytes of the documents that are values.
    private static let mostEntries = 1000
    private static let mostBytes = 1 << 20
    /// Documents are loaded after playback has had time to start.
    private static let delay = Duration.seconds(1)

    /// Values in the playlist itself are available at once.
    ///
    /// - Parameters:
    ///   - url: the address of the playlist, against which references are resolved.
    ///   - onChange: called on the main loop when a document has been loaded.
    init(_ playlist: MultivariantPlaylist, url: String, context: StreamContext, onChange: @escaping @MainActor () -> Void) {
        self.context = context
        self.url = url
        self.onChange = onChange
        sessionData = playlist.sessionData.prefix(Self.mostEntries).compactMap { data in
            data.value.map { SessionDatum(identifier: data.dataID, value: $0, languageTag: data.language) }
        }
        let documents = playlist.sessionData.filter { $0.uri != nil && $0.value == nil && $0.format == .json }
            .prefix(Self.mostDocuments)
        guard !documents.isEmpty else { return }
        timer = context.clock.schedule(after: Self.delay, rank: .transfer) { [weak self] in
            for data in documents { self?.load(data) }
        }
    }

    func close() {
        timer?.cancel()
        tasks.forEach { $0.cancel() }
    }

    private func load(_ data: SessionData) {
        guard let uri = data.uri else { return }
        let request = StreamRequest(
            kind: .assetList, role: .presentation, url: URLReference.resolve(reference: uri, against: url))
        tasks.append(
            StreamTask(request, context: context, state: { [context] in ReadingState(now: context.clock.now) }) {
                [weak self] outcome in
                guard let self, case .loaded(let response) = outcome else { return }
                if data.dataID == Self.chaptersID {
                    self.chapters = ChapterDocument.chapters(of: response.bytes, url: response.url)
                } else {
                    self.bytesLeft -= response.bytes.count
                    guard self.bytesLeft >= 0 else { return }
                    self.sessionData.append(
                        SessionDatum(
                            identifier: data.dataID, value: String(decoding: response.bytes, as: UTF8.self),
                            languageTag: data.language))
                }
                self.onChange()
            })
    }
}

/// The JSON text at `com.apple.hls.chapters`: an array of chapters.
enum ChapterDocument {
    private struct Chapter: Decodable {
        struct Title: Decodable {
            var language: String?
            var title: String
        }
        struct Image: Decodable {
            var url: String
            var width: Int?
            enum CodingKeys: String, CodingKey {
                case url
                case width = "pixel-width"
            }
        }
        var start: Decimal
        var duration: Decimal?
        var titles: [Title]?
        var images: [Image]?
        enum CodingKeys: String, CodingKey {
            case start = "start-time"
            case duration, titles, images
        }
    }

    /// The list as far as it is read: a document may have more chapters than any film.
    private struct List: Decodable {
        var chapters: [Chapter] = []

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd, chapters.count < ChapterDocument.most {
                chapters.append(try container.decode(Chapter.self))
            }
        }
    }

    /// The chapters of a list, in the order of the document; and the titles of one.
    private static let most = 1000
    private static let mostTitles = 64

    /// The chapters ordered by time; none when the text is not such a list.
    static func chapters(of bytes: [UInt8], url: String) -> [StreamChapter] {
        guard let list = try? JSONDecoder().decode(List.self, from: Data(bytes)) else { return [] }
        return list.chapters.compactMap { chapter -> StreamChapter? in
            guard let start = MediaTime(decimalSeconds: chapter.start.description), start >= .zero else { return nil }
            let images = chapter.images ?? []
            let widest = images.max { ($0.width ?? 0) < ($1.width ?? 0) }
            return StreamChapter(
                start: start, duration: chapter.duration.flatMap { MediaTime(decimalSeconds: $0.description) },
                titles: (chapter.titles ?? []).prefix(mostTitles).map {
                    .init(languageTag: $0.language == "und" ? nil : $0.language, text: $0.title)
                }, image: widest.map { URLReference.resolve(reference: $0.url, against: url) })
        }.sorted { $0.start < $1.start }
    }
}
