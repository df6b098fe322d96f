/// Why crashes cannot be recorded.
public struct SupervisionError: Error, Hashable, CustomStringConvertible {
    /// One sentence: what was tried, on what, why it failed, what to do.
    public let description: String
}
