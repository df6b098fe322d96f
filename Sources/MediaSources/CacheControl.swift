/// How long a server lets its answer be kept (RFC 9111, 5.2.2): what it says to a cache of one user.
package struct CacheControl: Sendable, Hashable {
    /// Whether it may be kept on a disk.
    package var isStorable = true
    /// How long it need not be asked about again; nil if that is not stated.
    package var maximumAge: Duration?

    /// Reads the value of the header; nil without one. What is not known is passed over.
    package init?(_ header: String?) {
        guard let header else { return nil }
        for directive in header.lowercased().split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1)
            switch parts.first?.filter({ $0 != " " && $0 != "\t" }) {
            case "no-store": isStorable = false
            case "no-cache": maximumAge = .zero
            case "max-age":
                let seconds = parts.last.flatMap { Int64($0.filter { $0 != "\"" && $0 != " " && $0 != "\t" }) }
                // `no-cache` counts more, wherever it is.
                guard maximumAge == nil, let seconds, seconds >= 0 else { continue }
                maximumAge = .seconds(min(seconds, Self.longestAge))
            default: break
            }
        }
    }

    /// A year, which is the longest that servers state.
    private static let longestAge: Int64 = 366 * 86_400
}
