import BoxAssembly
import CommandSupport
import Configuration
import Display
import Glibc
import Housekeeping
import LinuxSupport
import TransportSecurity

/// Tries what `run` does with the settings and the files beside them, on any machine and without a trace.
enum SettingsTrial {
    /// The settings with the verdicts that they have when `run` uses them, and the remarks that belong to no key. Blocks on the disk.
    static func tried(_ provisioning: Provisioning, _ files: ProvisioningFiles) -> (provisioning: Provisioning, remarks: [String])
    {
        guard provisioning.hasFile, provisioning.problem == nil else { return (provisioning, []) }
        let found = MainActor.assumeIsolated { remarks(provisioning.configuration, files) }
        let tried = provisioning.refusing(found)
        return (tried, found.filter { remark in !tried.configuration.verdicts.contains { remark.hasPrefix($0.name + ": ") } })
    }

    @MainActor
    private static func remarks(_ configuration: Configuration, _ files: ProvisioningFiles) -> [String] {
        var folder = Array("/tmp/marquee-trial-XXXXXX".utf8CString)
        let made = folder.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!).map { String(cString: $0) } }
        defer { if let made { Folder.remove(made) } }
        var plan = BoxPlan(display: .headless(DisplayChoice.defaultHeadlessMode), audio: .null)
        guard let options = try? PlayerOptions.parse([]) else { return [] }
        plan.apply(configuration, files: files, options: options, serial: MachineFacts.serial, folder: made)
        var remarks = plan.remarks
        // A certificate that is not needed now, because the page has no tokens, is one that will be.
        if configuration.pageCertificate != nil {
            var source = plan.doors.identity ?? IdentitySource(name: configuration.name(serial: MachineFacts.serial))
            source.files = configuration.pageCertificate.map { (files.beside($0.certificate), files.beside($0.key)) }
            _ = try? source.identity(storedIn: nil, now: Int64(time(nil))) { remarks.append($0) }
        }
        if let file = configuration.feedFile, !file.hasPrefix("/"), access(files.beside(file), R_OK) != 0 {
            remarks.append(
                "feed.file: there is no file \(file) in the folder of this one; put it there, or write the whole path.")
        }
        return remarks
    }
}
