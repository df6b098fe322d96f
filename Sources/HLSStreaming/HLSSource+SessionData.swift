import FoundationEssentials
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import URLReferences

/// What a presentation tells of itself, as far as it is known.
struct PresentationMetadata {
    var sessionData: [SessionDatum] = []
    var chapters: [StreamChapter] = []
    var dateRanges: [DateRangeMetadata] = []
}

/// EXT-X-SESSION-DATA and EXT-X-DATERANGE as metadata.
extension HLSSource: MetadataSource {
    package var sessionData: [SessionDatum] { metadata.sessionData }
    package var chapters: [StreamChapter] { metadata.chapters }
    package var dateRangeMetadata: [DateRangeMetadata] { metadata.dateRanges }

    /// DATA-ID of a JSON text of chapters.
    static let chaptersID = "com.apple.hls.chapters"

    /// What stands in the playlist itself is known at once; what stands elsewhere is loaded when play has had time to begin.
    func readSessionData(_ playlist: MultivariantPlaylist) {
        metadata.sessionData = playlist.sessionData.compactMap { data in
            data.value.map { SessionDatum(identifier: data.dataID, value: $0, languageTag: data.language) }
        }
        let documents = playlist.sessionData.filter { $0.uri != nil && $0.value == nil && $0.format == .json }.prefix(8)
        guard !documents.isEmpty else { return }
        context.clock.schedule(after: .seconds(1), rank: .transfer) { [weak self] in
            guard let self, !self.isClosed else { return }
            for data in documents { self.load(data) }
        }
    }

    private func load(_ data: SessionData) {
        guard let uri = data.uri else { return }
        let request = StreamRequest(
            kind: .assetList, role: .presentation, url: URLReference.resolve(reference: uri, against: url))
        assetListTasks.append(
            StreamTask(request, context: context, state: { [context] in ReadingState(now: context.clock.now) }) {
                [weak self] outcome in
                guard let self, !self.isClosed, case .loaded(let response) = outcome else { return }
                if data.dataID == Self.chaptersID {
                    self.metadata.chapters = ChapterDocument.chapters(of: response.bytes, url: response.url)
                } else {
                    self.metadata.sessionData.append(
                        SessionDatum(
                            identifier: data.dataID, value: String(decoding: response.bytes, as: UTF8.self),
                            languageTag: data.language))
                }
                self.onMetadataChange?()
            })
    }

    /// Takes what the date ranges of a playlist and its schedules say.
    func updateDateRanges(_ entries: [DateRangeSchedules.Entry], _ builder: InterstitialBuilder) {
        let fresh = entries.compactMap { entry -> DateRangeMetadata? in
            let range = entry.range
            guard let start = builder.time(of: range.startDate) else { return nil }
            return DateRangeMetadata(
                identifier: range.id, classifyingLabel: range.classID, start: start,
                end: range.resolvedEndDate.map { start + ($0 - range.startDate) },
                startDate: range.startDate.nanosecondsSinceEpoch, endDate: range.resolvedEndDate?.nanosecondsSinceEpoch,
                attributes: range.attributes.filter { $0.name.hasPrefix("X-") || $0.name.hasPrefix("SCTE35-") }.map {
                    .init(name: $0.name, value: $0.value)
                })
        }.sorted { ($0.start, $0.identifier) < ($1.start, $1.identifier) }
        guard fresh != metadata.dateRanges else { return }
        metadata.dateRanges = fresh
        onMetadataChange?()
    }
}

/// The JSON text behind `com.apple.hls.chapters`: an array of chapters.
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

    /// The chapters in order of time; none where the text is no such list.
    static func chapters(of bytes: [UInt8], url: String) -> [StreamChapter] {
        guard let list = try? JSONDecoder().decode([Chapter].self, from: Data(bytes)) else { return [] }
        return list.compactMap { chapter -> StreamChapter? in
            guard let start = MediaTime(decimalSeconds: chapter.start.description), start >= .zero else { return nil }
            let images = chapter.images ?? []
            let widest = images.max { ($0.width ?? 0) < ($1.width ?? 0) }
            return StreamChapter(
                start: start, duration: chapter.duration.flatMap { MediaTime(decimalSeconds: $0.description) },
                titles: (chapter.titles ?? []).map {
                    .init(languageTag: $0.language == "und" ? nil : $0.language, text: $0.title)
                }, image: widest.map { URLReference.resolve(reference: $0.url, against: url) })
        }.sorted { $0.start < $1.start }
    }
}
