import ChannelFeed

/// What is not to be seen without the PIN. A value.
@MainActor
struct ParentalLock {
    private let digest: String?
    /// What the PIN has opened until standby.
    private var unlocked: Set<String> = []

    /// - Parameter digest: SHA-256 of the PIN in small hexadecimal digits; nil: none was set up.
    init(digest: String?) { self.digest = digest }

    /// Whether there is a PIN.
    var hasPIN: Bool { digest != nil }

    /// Whether digits are the PIN.
    func isRight(_ digits: String) -> Bool { digest.map { PINDigest.matches(digits, digest: $0) } ?? false }

    /// The PIN has opened an item or a channel.
    mutating func unlock(_ id: String) { unlocked.insert(id) }

    /// Nothing is open any more.
    mutating func lockAll() { unlocked = [] }

    /// Whether a programme is not to be seen without the PIN, and was not opened with it.
    func isLocked(_ programme: Programme, by presentations: Presentations) -> Bool {
        let ids = [programme.id] + (programme.queue.map { [$0.channel.id] } ?? [])
        guard unlocked.isDisjoint(with: ids) else { return false }
        if case .url = programme.subject { return false }
        return presentations.isLocked(programme.rating)
    }
}
