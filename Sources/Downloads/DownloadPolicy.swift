import LinuxSupport
import MediaTime

/// The operator's rules for downloads.
package struct DownloadPolicy: Sendable, Hashable {
    /// The time of day in which they run; nil for always.
    package var window: DailyWindow?
    /// Their highest mean bit rate, in bits per second; nil for no cap.
    package var bitRate: Int64?
    /// The space that they leave free on the disk, in bytes.
    package var freeBytes: Int64
    /// From 0 to 1, different for each box: when in the window it begins, and how long after its start.
    package var spread: Double

    /// After a power failure all boxes start at once: they begin their downloads within this time.
    private static let longestStartDelay = 1800

    package init(window: DailyWindow?, bitRate: Int64?, freeBytes: Int64, spread: Double = 0) {
        self.window = window
        self.bitRate = bitRate
        self.freeBytes = freeBytes
        self.spread = spread
    }
}

/// What surrounds the downloads.
package struct DownloadConditions: Sendable, Hashable {
    /// What playback does to the network.
    package enum Playback: Sendable, Hashable {
        /// Nothing plays from the network, or its buffer is full.
        case idle
        /// Its buffer is short.
        case needsNetwork
    }

    /// Seconds since local midnight; nil while the clock is not trusted.
    package var timeOfDay: Int?
    package var hasNetwork: Bool
    package var isMetered: Bool
    /// Whether the operator allows everything on a metered network.
    package var allowsMetered: Bool
    /// The free space of the disk; nil if unknown.
    package var freeBytes: Int64?
    /// What eviction can free: stored assets that are not required, and cached segments.
    package var evictableBytes: Int64
    package var playback: Playback

    package init(
        timeOfDay: Int? = nil, hasNetwork: Bool = true, isMetered: Bool = false, allowsMetered: Bool = false,
        freeBytes: Int64? = nil,
        evictableBytes: Int64 = 0, playback: Playback = .idle
    ) {
        self.timeOfDay = timeOfDay
        self.hasNetwork = hasNetwork
        self.isMetered = isMetered
        self.allowsMetered = allowsMetered
        self.freeBytes = freeBytes
        self.evictableBytes = evictableBytes
        self.playback = playback
    }
}

/// How important it is that an asset is stored.
package enum DownloadPriority: Int, Sendable, Hashable, Codable, Comparable {
    case required
    case opportunistic

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension DownloadPolicy {
    /// Why a download may not run; nil if it may.
    ///
    /// - Parameters:
    ///   - missingBytes: what it still has to store.
    ///   - now: an instant of the clock that began when the box started.
    package func obstacle(
        to priority: DownloadPriority, missingBytes: Int64, in conditions: DownloadConditions, at now: HostTime
    ) -> AssetDownloadTask.SuspensionReason? {
        guard conditions.hasNetwork else { return .network }
        if conditions.isMetered, priority == .opportunistic || !conditions.allowsMetered { return .metered }
        if let window {
            guard let timeOfDay = conditions.timeOfDay else { return .untrustedClock }
            let isTurn = now >= .zero + .seconds(DailyWindow.part(spread, of: Self.longestStartDelay))
            guard isTurn, window.contains(timeOfDay, spread: spread) else { return .window }
        }
        if lacksSpace(for: priority, missingBytes: missingBytes, in: conditions) { return .space }
        return conditions.playback == .needsNetwork ? .playback : nil
    }

    /// Whether the disk has too little room for what a download still has to store, also after eviction.
    func lacksSpace(for priority: DownloadPriority, missingBytes: Int64, in conditions: DownloadConditions) -> Bool {
        guard let free = conditions.freeBytes else { return false }
        let room = priority == .opportunistic ? free : free + conditions.evictableBytes
        return room - missingBytes < freeBytes
    }
}
