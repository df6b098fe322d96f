import MediaSources
import URLReferences

/// Where a media playlist is asked for: a redirect that is not permanent holds for one answer, and a permanent one until the first failure.
struct PlaylistAddresses {
    /// Where it is asked for first, and after a failure.
    private(set) var entrance: String
    /// Where it is asked for at a reload.
    private(set) var reload: String
    /// Its address after redirects, the base of its references.
    private(set) var base: String
    /// Whether the next reload starts over, at the entrance and without delivery directives: the last one failed, or its addresses have expired.
    private(set) var startsOver = false

    init(_ address: String) { (entrance, reload, base) = (address, address, address) }

    /// It was asked for at another address than the one by which the presentation knows it.
    mutating func enter(at address: String) { entrance = address }

    /// The presentation lists it at an address.
    ///
    /// - Parameter isLoaded: whether it was loaded before, so that its references are those of its new address.
    /// - Returns: whether that is another address.
    mutating func move(to address: String, isLoaded: Bool) -> Bool {
        guard address != entrance else { return false }
        entrance = address
        if isLoaded { (base, reload) = (address, address) }
        return true
    }

    mutating func startOver() { startsOver = true }

    /// The playlist has arrived.
    ///
    /// - Parameter hasDirectives: whether it is asked for with delivery directives, which a router need not pass on: it stays at its server until that fails.
    mutating func take(_ response: ByteResponse, hasDirectives: Bool) {
        base = Self.withoutDirectives(response.url)
        reload = hasDirectives ? base : Self.withoutDirectives(response.lastingURL)
        startsOver = false
    }

    /// References are relative to the address without the delivery directives.
    private static func withoutDirectives(_ url: String) -> String {
        var reference = URLReference(url)
        guard let query = reference.query, query.contains("_HLS_") else { return url }
        let kept = query.split(separator: "&").filter { !$0.hasPrefix("_HLS_") }.joined(separator: "&")
        reference.query = kept.isEmpty ? nil : kept
        return reference.description
    }
}
