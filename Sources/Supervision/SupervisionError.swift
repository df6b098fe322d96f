/// Why crashes cannot be recorded.
package struct SupervisionError: Error, Hashable, CustomStringConvertible {
    /// One sentence: what was tried, on what, why it failed, and what to do.
    package let description: String
}
