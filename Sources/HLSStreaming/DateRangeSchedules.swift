import FoundationEssentials
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import URLReferences

/// Loads the resources of date ranges of the classes `com.apple.hls.daterange-schedule` and `com.apple.hls.preload`, once each:
/// schedules with further date ranges, and resources that others will need.
@MainActor
final class DateRangeSchedules {
    /// A date range, and the base address of its references.
    struct Entry {
        var range: DateRange
        var base: String
    }

    private struct Body {
        var bytes: [UInt8]
        /// Its address after redirects.
        var url: String
        /// The objects in it, if it is a schedule.
        var objects: [[(name: String, value: String)]]
    }

    private let context: StreamContext
    private let onChange: @MainActor () -> Void
    private var bodies: [String: Body] = [:]
    private var asked: Set<String> = []
    private var tasks: [StreamTask] = []

    /// Schedules may nest to this depth, with this many in total.
    private static let deepest = 4
    private static let most = 64
    private static let mostRanges = 4096

    init(context: StreamContext, onChange: @escaping @MainActor () -> Void) {
        self.context = context
        self.onChange = onChange
    }

    func close() {
        tasks.forEach { $0.cancel() }
        tasks = []
    }

    /// The response to a preload request.
    func preloaded(_ url: String) -> (bytes: [UInt8], url: String)? { bodies[url].map { ($0.bytes, $0.url) } }

    /// The date ranges of a playlist with those of the loaded schedules, each ID once; missing schedules are requested.
    func entries(of ranges: [DateRange], base: String) -> [Entry] {
        var seen = Set(ranges.map(\.id))
        var entries: [Entry] = []
        expand(ranges.map { Entry(range: $0, base: base) }, depth: 0, &seen, &entries)
        return entries
    }

    private func expand(_ found: [Entry], depth: Int, _ seen: inout Set<String>, _ entries: inout [Entry]) {
        for entry in found {
            guard entries.count < Self.mostRanges else { return }
            entries.append(entry)
            guard let schedule = entry.range.schedule, let uri = schedule.uri else { continue }
            let url = URLReference.resolve(reference: uri, against: entry.base)
            load(url)
            guard schedule.kind == .dateRangeSchedule, depth < Self.deepest, let body = bodies[url] else { continue }
            var children: [Entry] = []
            for (number, attributes) in body.objects.enumerated() {
                let range = DateRange(
                    scheduled: attributes, fallbackID: "\(entry.range.id)#\(number + 1)", scheduleStart: entry.range.startDate)
                if let range, seen.insert(range.id).inserted { children.append(Entry(range: range, base: body.url)) }
            }
            expand(children, depth: depth + 1, &seen, &entries)
        }
    }

    private func load(_ url: String) {
        guard asked.count < Self.most, asked.insert(url).inserted else { return }
        let request = StreamRequest(kind: .assetList, role: .presentation, url: url)
        tasks.append(
            StreamTask(request, context: context, state: { [context] in ReadingState(now: context.clock.now) }) {
                [weak self] outcome in
                guard let self, case .loaded(let response) = outcome else { return }
                self.bodies[url] = Body(bytes: response.bytes, url: response.url, objects: Self.objects(of: response.bytes))
                self.onChange()
            })
    }

    /// `{"DATERANGES":[{…}]}`: each object has the attributes of an EXT-X-DATERANGE as its members. Any other text has none.
    private static func objects(of bytes: [UInt8]) -> [[(name: String, value: String)]] {
        struct Document: Decodable {
            struct Value: Decodable {
                var text: String
                init(from decoder: any Decoder) throws {
                    let container = try decoder.singleValueContainer()
                    if let text = try? container.decode(String.self) {
                        self.text = text
                    } else if let flag = try? container.decode(Bool.self) {
                        text = flag ? "YES" : "NO"
                    } else {
                        text = try container.decode(Decimal.self).description
                    }
                }
            }
            var DATERANGES: [[String: Value]]
        }
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else { return [] }
        return document.DATERANGES.map { object in
            object.sorted { $0.key < $1.key }.map { ($0.key, $0.value.text) }
        }
    }
}
