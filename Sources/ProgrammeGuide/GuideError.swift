/// Why a guide cannot be used at all. The description is one sentence: what was tried, on what, why it failed, what to do.
public struct GuideError: Error, Equatable, CustomStringConvertible {
    /// The whole sentence.
    public let description: String

    init(_ sentence: String) { description = sentence }
}
