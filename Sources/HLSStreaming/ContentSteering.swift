import FoundationEssentials
import HLSPlaylist
import LinuxSupport
import MediaModel
import MediaTime
import URLReferences

/// The content of a steering manifest (RFC 8216bis, 7).
struct SteeringManifest: Sendable {
    /// A pathway that is a copy of another with other addresses.
    struct Clone: Sendable {
        var baseID: String
        var id: String
        /// Replaces the host of each address.
        var host: String?
        /// Query parameters to set, ordered by name.
        var parameters: [(name: String, value: String)] = []
        /// Addresses by STABLE-VARIANT-ID.
        var variantAddresses: [String: String] = [:]
        /// Addresses by STABLE-RENDITION-ID.
        var renditionAddresses: [String: String] = [:]
    }

    /// The time until it must be reloaded.
    var timeToLive: Duration = .seconds(300)
    /// The address of the reload; nil: the same as before.
    var reloadAddress: String?
    /// Pathways, best first.
    var priority: [String]
    var clones: [Clone] = []

    private struct Document: Decodable {
        struct Clone: Decodable {
            struct Replacement: Decodable {
                var HOST: String?
                var PARAMS: [String: String]?
                var variants: [String: String]?
                var renditions: [String: String]?
                enum CodingKeys: String, CodingKey {
                    case HOST
                    case PARAMS
                    case variants = "PER-VARIANT-URIS"
                    case renditions = "PER-RENDITION-URIS"
                }
            }
            var baseID: String
            var ID: String
            var replacement: Replacement
            enum CodingKeys: String, CodingKey {
                case baseID = "BASE-ID"
                case ID
                case replacement = "URI-REPLACEMENT"
            }
        }
        var VERSION: Int
        var TTL: Int?
        var reload: String?
        var priority: [String]
        var clones: [Clone]?
        enum CodingKeys: String, CodingKey {
            case VERSION
            case TTL
            case reload = "RELOAD-URI"
            case priority = "PATHWAY-PRIORITY"
            case clones = "PATHWAY-CLONES"
        }
    }

    /// Nil when the text is not a manifest, or has an unknown version: it must then be treated as absent.
    init?(_ bytes: [UInt8]) {
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)), document.VERSION == 1,
            !document.priority.isEmpty
        else { return nil }
        if let seconds = document.TTL, seconds > 0 { timeToLive = .seconds(min(seconds, 86_400)) }
        reloadAddress = document.reload
        priority = document.priority
        clones = (document.clones ?? []).map { clone in
            Clone(
                baseID: clone.baseID, id: clone.ID, host: clone.replacement.HOST,
                parameters: (clone.replacement.PARAMS ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
                variantAddresses: clone.replacement.variants ?? [:], renditionAddresses: clone.replacement.renditions ?? [:])
        }
    }
}

extension SteeringManifest.Clone {
    /// The address of a variant or rendition on this pathway.
    func address(of original: String, base: String, stableID: String?, in replacements: [String: String]) -> String {
        if let stableID, let replacement = replacements[stableID] { return replacement }
        var reference = URLReference(URLReference.resolve(reference: original, against: base))
        if let host, let authority = reference.authority {
            let port = authority.split(separator: ":", maxSplits: 1).dropFirst().first.map { ":\($0)" } ?? ""
            reference.authority = host.contains(":") ? host : host + port
        }
        guard !parameters.isEmpty else { return reference.description }
        var query = (reference.query ?? "").split(separator: "&").map(String.init)
        query.removeAll { item in parameters.contains { item == $0.name || item.hasPrefix($0.name + "=") } }
        query += parameters.map { "\($0.name)=\($0.value)" }
        reference.query = query.joined(separator: "&")
        return reference.description
    }
}

/// Asks the steering server for the pathway order, at the intervals that it sets.
@MainActor
final class SteeringClient {
    private let context: StreamContext
    private var address: String
    private let pathway: @MainActor () -> String
    private let onManifest: @MainActor (SteeringManifest) -> Void
    private var task: StreamTask?
    private var timer: ScheduledEvent?
    private var timeToLive = Duration.seconds(300)

    init(
        address: String, context: StreamContext, pathway: @escaping @MainActor () -> String,
        onManifest: @escaping @MainActor (SteeringManifest) -> Void
    ) {
        self.address = address
        self.context = context
        self.pathway = pathway
        self.onManifest = onManifest
        request()
    }

    func close() {
        task?.cancel()
        timer?.cancel()
        timer = nil
    }

    /// The address with the current pathway, which the server is told.
    private var fullAddress: String {
        var reference = URLReference(address)
        let query = reference.query.map { $0 + "&" } ?? ""
        reference.query = query + "_HLS_pathway=\"\(pathway())\""
        return reference.description
    }

    private func request() {
        if address.hasPrefix("data:") { return }
        let request = StreamRequest(kind: .steering, role: .presentation, url: fullAddress)
        task = StreamTask(request, context: context, state: { [context] in ReadingState(now: context.clock.now) }) {
            [weak self] in
            self?.take($0)
        }
    }

    private func take(_ outcome: StreamTask.Outcome) {
        task = nil
        if case .loaded(let response) = outcome, let manifest = SteeringManifest(response.bytes) {
            timeToLive = manifest.timeToLive
            if let next = manifest.reloadAddress { address = URLReference.resolve(reference: next, against: address) }
            onManifest(manifest)
        }
        timer = context.clock.schedule(after: timeToLive, rank: .transfer) { [weak self] in self?.request() }
    }
}
