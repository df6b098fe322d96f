import LinuxSupport
import Viewing

/// Checks PINs that are typed, and stores those that viewers set. Main loop only.
@MainActor
final class PINKeeping {
    private let parts: ApplianceParts
    private let driver: InterfaceDriver
    private let viewer: ViewerKeeping
    private let programmes: ProgrammePlayer

    init(_ parts: ApplianceParts, driver: InterfaceDriver, viewer: ViewerKeeping, programmes: ProgrammePlayer) {
        (self.parts, self.driver, self.viewer, self.programmes) = (parts, driver, viewer, programmes)
    }

    /// Compares digits with the PIN in force, and tells the interface the result.
    func check(_ digits: String) {
        let isRight = programmes.isRightPIN(digits)
        parts.dump?.note(.pin(isRight: isRight))
        if !isRight { parts.log.note("a wrong PIN was entered", .warning) }
        driver.send(.pinChecked(isRight))
    }

    /// Stores the viewer's PIN, or removes it with nil. The operator's is never changed.
    func save(_ digits: String?) {
        guard !viewer.hasOperatorPIN else { return }
        viewer.setPIN(digits)
        programmes.setPIN(digest: viewer.pinDigest)
        parts.log.note(digits == nil ? "the PIN was removed" : "a PIN was set")
        driver.changePolicy { $0.hasPIN = digits != nil }
    }
}
