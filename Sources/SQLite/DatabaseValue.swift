/// A value of a row.
package enum DatabaseValue: Equatable, Sendable {
    case null
    case integer(Int64)
    case text(String)

    /// Nil is `null`.
    package init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}
