import Configuration
import LinuxSupport
import MediaModel

/// Says what is wrong with the box's settings: in the log at each start, and for a while on the screen unless it was shown before.
@MainActor
final class VerdictNotice {
    /// How long the screen shows it.
    private static let time = Duration.seconds(30)

    private let provisioning: Provisioning
    private let remarks: [String]
    /// What was shown for all its time; nil: that is not remembered.
    private let file: String?

    /// - Parameters:
    ///   - remarks: what of the settings could not be put into force, beside what their verdicts say.
    ///   - folder: where it is remembered what was shown; nil: nowhere.
    init(_ provisioning: Provisioning, remarks: [String], folder: String?) {
        self.provisioning = provisioning
        self.remarks = remarks
        file = folder.map { $0 + "/verdict" }
    }

    /// Writes it into the log, and shows it where it is news.
    func tell(_ parts: BoxParts, screens: SetUpScreens) {
        for verdict in provisioning.configuration.verdicts { parts.log.note("configuration: \(verdict)") }
        if let problem = provisioning.problem { parts.log.note("configuration: \(problem.description)") }
        for remark in remarks { parts.log.note("configuration: \(remark)") }
        guard isNews else { return }
        let problems =
            (provisioning.problem.map { [$0.description] } ?? provisioning.configuration.problems.map(\.description)) + remarks
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
