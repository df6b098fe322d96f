import LinuxSupport
import URLReferences

/// When pictures that could not be loaded are asked for again. A value without a clock.
///
/// While a server does not answer, one of its pictures is asked for at a time, after 5 s at first and after 2 minutes at most; with the first answer the
/// others follow. A picture that its server refuses waits by itself, from a minute up to an hour.
struct ArtworkRetries: Sendable {
    private struct Pause: Sendable {
        var failures = 0
        var due: HostTime

        /// Counts a failure.
        mutating func grow(from first: Duration, to longest: Duration, at now: HostTime) {
            due = now + min(first * (1 << min(failures, 16)), longest)
            failures += 1
        }
    }
    private struct Server: Sendable {
        var pause: Pause
        /// What is to be asked for, the next one first.
        var addresses: [String] = []

        mutating func add(_ address: String) {
            if !addresses.contains(address) { addresses.append(address) }
            if addresses.count > ArtworkRetries.mostAddresses { addresses.removeFirst() }
        }
    }
    private var servers: [String: Server] = [:]
    private var refused: [String: Pause] = [:]

    static let ofServer = (first: Duration.seconds(5), longest: Duration.seconds(120))
    static let ofPicture = (first: Duration.seconds(60), longest: Duration.seconds(3600))
    /// More of one server, and more refused ones, are forgotten: they are asked for when they are drawn again.
    static let mostAddresses = 256
    private static let mostServers = 32

    /// The server did not answer, or is at fault itself.
    ///
    /// - Returns: whether that is news.
    mutating func serverFailed(_ address: String, at now: HostTime) -> Bool {
        let host = Self.server(of: address)
        guard servers.count < Self.mostServers || servers[host] != nil else { return false }
        let isNew = servers[host] == nil
        var server = servers[host] ?? Server(pause: Pause(due: now))
        // Those that were asked for together fail together, which is one failure.
        if server.pause.due <= now { server.pause.grow(from: Self.ofServer.first, to: Self.ofServer.longest, at: now) }
        server.add(address)
        servers[host] = server
        return isNew
    }

    /// The server answers, and does not give this picture, or gives something that is none.
    ///
    /// - Returns: whether that is news.
    mutating func wasRefused(_ address: String, at now: HostTime) -> Bool {
        let isNew = refused[address] == nil
        var pause = refused[address] ?? Pause(due: now)
        // An attempt that was taken is counted already.
        if pause.due <= now { pause.grow(from: Self.ofPicture.first, to: Self.ofPicture.longest, at: now) }
        refused[address] = pause
        if refused.count > Self.mostAddresses, let first = refused.min(by: { ($0.value.due, $0.key) < ($1.value.due, $1.key) }) {
            refused[first.key] = nil
        }
        return isNew
    }

    /// The server has given the picture, or says that it has not changed.
    mutating func succeeded(_ address: String) { refused[address] = nil }

    /// A server answers.
    ///
    /// - Returns: what waited for it, except this one.
    mutating func serverAnswered(_ address: String) -> [String] {
        let waiting = servers.removeValue(forKey: Self.server(of: address))?.addresses ?? []
        return waiting.filter { $0 != address }
    }

    /// Whether an address waits for its time.
    func isWaiting(_ address: String, at now: HostTime) -> Bool {
        if let pause = refused[address] { return now < pause.due }
        guard let server = servers[Self.server(of: address)] else { return false }
        return now < server.pause.due && server.addresses.contains(address)
    }

    /// Lets an address wait with others if its server does not answer now.
    mutating func postpones(_ address: String, at now: HostTime) -> Bool {
        let host = Self.server(of: address)
        guard var server = servers[host], now < server.pause.due else { return false }
        server.add(address)
        servers[host] = server
        return true
    }

    /// The next time at which something is due; nil if nothing waits.
    var next: HostTime? { (servers.values.map(\.pause.due) + refused.values.map(\.due)).min() }

    /// Takes what is due: of each server one picture, and the refused ones whose pause is over.
    mutating func takeDue(at now: HostTime) -> [String] {
        var due: [String] = []
        for host in servers.keys.sorted() where servers[host]!.pause.due <= now {
            servers[host]!.pause.grow(from: Self.ofServer.first, to: Self.ofServer.longest, at: now)
            // The next attempt is with another one: this one may be what the server stumbles over.
            let first = servers[host]!.addresses.removeFirst()
            servers[host]!.addresses.append(first)
            due.append(first)
        }
        for address in refused.keys.sorted() where refused[address]!.due <= now {
            refused[address]!.grow(from: Self.ofPicture.first, to: Self.ofPicture.longest, at: now)
            due.append(address)
        }
        return due
    }

    /// Takes all that waits: the network is another one now, or is there again.
    mutating func takeAll() -> [String] {
        let all = servers.keys.sorted().flatMap { servers[$0]!.addresses } + refused.keys.sorted()
        self = ArtworkRetries()
        return all
    }

    /// Scheme, host and port.
    private static func server(of address: String) -> String {
        let reference = URLReference(address)
        return "\(reference.scheme?.lowercased() ?? "")://\(reference.authority?.lowercased() ?? "")"
    }
}
