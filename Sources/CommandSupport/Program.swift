import Supervision

/// What each command may know of the program that it is part of.
package enum Program {
    package static let version = "0.1.0"

    /// When the program began, for measurements of the start. Used on the main thread only.
    @MainActor package static var stamps = BootStamps()
}
