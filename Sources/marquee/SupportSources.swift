import CommandSupport
import Configuration
import ControlServer
import Glibc
import Housekeeping
import LinuxSupport

extension SupportSources {
    /// What the program adds to a support bundle.
    ///
    /// - Parameters:
    ///   - provisioning: the applied settings.
    ///   - files: of provisioning; nil if there are none.
    init(_ provisioning: Provisioning, _ files: ProvisioningFiles?) {
        let configuration = provisioning.configuration
        self.init(
            box: "\(configuration.name(serial: MachineFacts.serial)), Marquee \(Program.version)",
            secrets: configuration.secretTexts, configuration: configuration.text(hidingSecrets: true),
            doctor: {
                let provisioning = Result { () throws(ConfigurationError) -> Provisioning in
                    guard let files else { return Provisioning(file: nil, applied: nil) }
                    return try files.read()
                }
                return MachineExamination.text((FoundParts.read() ?? []) + MachineExamination.facts(provisioning)) + "\n"
            },
            date: {
                guard MachineDate.isTrusted() else { return nil }
                var now = timespec()
                clock_gettime(CLOCK_REALTIME, &now)
                return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
            })
    }
}
