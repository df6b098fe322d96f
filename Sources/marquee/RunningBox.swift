import BoxModel
import CommandSupport
import FoundationEssentials
import LinuxSupport
import MediaModel

/// The downloads of a running box, over its API (`/v1/downloads`).
@MainActor
final class RunningBox: DownloadAccess {
    /// `GET /v1/downloads`.
    private struct Page: Decodable {
        struct Download: Decodable {
            struct Fault: Decodable {
                var code: String
                var sentence: String
            }
            var id: String
            var title: String?
            var state: String
            var required: Bool
            var progress: Double
            var bytes: Int64
            var expectedBytes: Int64?
            var waitsFor: String?
            var error: Fault?
            var verification: String?
        }
        var total: Int
        var downloads: [Download]
        var trouble: String?
    }
    /// The body of all orders.
    private struct Order: Encodable {
        var id: String
        var required: Bool?
    }
    private struct Answer: Decodable {
        var result: String
        var reason: String?
    }

    /// The answer to a comparison is asked for this often.
    private static let pollInterval = Duration.seconds(1)

    private let box: BoxClient

    init(_ box: BoxClient) { self.box = box }

    // MARK: DownloadAccess

    func list() throws -> [DownloadStatus] {
        var all: [DownloadStatus] = []
        var offset = 0
        while true {
            let page = try self.page(offset: offset)
            offset += page.downloads.count
            all += page.downloads.compactMap(Self.status)
            if page.downloads.isEmpty || offset >= page.total { return all }
        }
    }

    func trouble() throws -> String? {
        try page(offset: .max).trouble.flatMap { StorageTrouble(rawValue: $0) }.map { trouble in
            switch trouble {
            case .full: "STORAGE: there is no room for what must be stored; remove something, or lower download.keep_free_mib."
            case .unusable: "STORAGE: the box cannot use the disk of its downloads; its log says why."
            }
        }
    }

    func add(_ id: String, isRequired: Bool) throws { try order("add", Order(id: id, required: isRequired)) }

    func remove(_ id: String) throws { try order("remove", Order(id: id)) }

    func verify(_ id: String) throws -> DownloadStatus.Verification {
        try order("verify", Order(id: id))
        while true {
            guard let verification = try list().first(where: { $0.id == id })?.verification else {
                throw CommandFault("\(id) was removed while it was compared.")
            }
            if verification != .running { return verification }
            var isDue = false
            box.loop.clock.schedule(after: Self.pollInterval) { isDue = true }
            box.loop.run(until: { isDue })
        }
    }

    // MARK: Requests

    private func page(offset: Int) throws -> Page { try box.get("/v1/downloads?limit=200&offset=\(offset)") }

    private func order(_ name: String, _ order: Order) throws {
        let answer: Answer = try box.post("/v1/downloads/\(name)", Array(try JSONEncoder().encode(order)))
        guard answer.result != "success" else { return }
        throw CommandFault("The box refused to \(name) \(order.id): \(Self.words(answer.reason)).")
    }

    private static func words(_ reason: String?) -> String {
        switch reason.flatMap({ CommandRefusal(rawValue: $0) }) {
        case .unknownID: "it is not in the feed, or is not stored"
        case .noChange: "nothing would change"
        case .notReady: "it has no feed or no store yet, or compares something; try again later"
        case .notSupported: "it does not store programmes, or keeps too many choices already"
        case .linear, .noItem, .standby, .emergency, .outOfRange, nil: reason ?? "it gave no reason"
        }
    }

    /// nil for a state that this version does not know.
    private static func status(_ download: Page.Download) -> DownloadStatus? {
        guard let state = DownloadStatus.State(rawValue: download.state) else { return nil }
        var status = DownloadStatus(id: download.id, state: state, isRequired: download.required)
        (status.title, status.progress, status.bytes) = (download.title, download.progress, download.bytes)
        (status.expectedBytes, status.waitsFor) = (download.expectedBytes, download.waitsFor)
        status.error = download.error.map { MediaError(ErrorCode(rawValue: $0.code) ?? .internal, $0.sentence) }
        status.verification = download.verification.flatMap { DownloadStatus.Verification(rawValue: $0) }
        return status
    }
}
