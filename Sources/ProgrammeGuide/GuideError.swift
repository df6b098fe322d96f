/// A guide that cannot be used at all. The description is one sentence: what was tried, on what, why it failed, what to do.
package struct GuideError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ sentence: String) { description = sentence }
}
