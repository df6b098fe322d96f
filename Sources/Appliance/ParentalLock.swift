import ChannelFeed

/// Decides which programmes need the PIN. A value.
@MainActor
struct ParentalLock {
    private var digest: String?
    /// The ids that the PIN has unlocked until standby.
    private var unlocked: Set<String> = []

    /// - Parameter digest: the digest of the PIN (`PINDigest`); nil if no PIN is set.
    init(digest: String?) { self.digest = digest }

    /// The viewer has set another PIN, or none.
    mutating func setPIN(digest: String?) { self.digest = digest }

    /// Whether digits are the PIN.
    func isRight(_ digits: String) -> Bool { digest.map { PINDigest.matches(digits, digest: $0) } ?? false }

    /// The PIN has unlocked an item or a channel.
    mutating func unlock(_ id: String) { unlocked.insert(id) }

    /// Locks everything again.
    mutating func lockAll() { unlocked = [] }

    /// Whether a programme needs the PIN and was not unlocked.
    func isLocked(_ programme: Programme, by presentations: Presentations) -> Bool {
        let ids = [programme.id] + (programme.queue.map { [$0.channel.id] } ?? [])
        guard unlocked.isDisjoint(with: ids) else { return false }
        if case .url = programme.subject { return false }
        return presentations.isLocked(programme.rating)
    }
}
