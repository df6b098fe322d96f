import Configuration
import LinuxSupport
import MediaModel

/// Reports errors in the box's settings: in the log at each start, and for a while on the screen unless they were shown before.
@MainActor
final class VerdictNotice {
    /// How long the screen shows them.
    private static let time = Duration.seconds(30)

    private let provisioning: Provisioning
    private let remarks: [String]
    /// The errors that were shown for the whole time; nil if that is not stored.
    private let file: String?

    /// - Parameters:
    ///   - remarks: settings that could not be applied, in addition to the verdicts.
    ///   - folder: where it is stored which errors were shown; nil for nowhere.
    init(_ provisioning: Provisioning, remarks: [String], folder: String?) {
        self.provisioning = provisioning
        self.remarks = remarks
        file = folder.map { $0 + "/verdict" }
    }

    /// Writes the errors to the log, and shows them if they are new.
    func tell(_ parts: BoxParts, screens: SetUpScreens) {
        for verdict in provisioning.configuration.verdicts { parts.log.note("configuration: \(verdict)") }
        if let problem = provisioning.problem { parts.log.note("configuration: \(problem.description)") }
        for remark in remarks { parts.log.note("configuration: \(remark)") }
        guard isNews else { return }
        let problems =
            (provisioning.problem.map { [$0.description] } ?? provisioning.configuration.problems.map(screens.words(for:)))
            + remarks
        guard let view = screens.verdict(problems: problems, isWhole: provisioning.problem == nil) else { return }
        let appliance = parts.appliance
        appliance.showVerdict(view)
        parts.clock.schedule(after: Self.time) { [weak self, weak appliance] in
            appliance?.showVerdict(nil)
            self?.remember()
        }
    }

    private var isNews: Bool {
        guard let file, let seen = WholeFile.read(file) else { return true }
        return seen != Array(text.utf8)
    }

    private var text: String { ([provisioning.report] + remarks).joined(separator: "\n") }

    private func remember() {
        if let file { WholeFile.write(Array(text.utf8), to: file) }
    }
}
