import Configuration
import LinuxSupport

/// The settings that a viewer confirmed on the screen of an unprovisioned box.
package enum AdoptedSettings {
    package static func file(in folder: String) -> String { folder + "/adopted.toml" }

    /// Adds these settings if the box's own name no feed. A file on the firmware partition that names one takes precedence.
    package static func standing(for provisioning: Provisioning, in folder: String?) -> Provisioning {
        guard provisioning.problem == nil, !provisioning.configuration.namesFeed,
            let bytes = folder.flatMap({ WholeFile.read(file(in: $0)) })
        else { return provisioning }
        let adopted = Provisioning(file: String(decoding: bytes, as: UTF8.self), applied: nil)
        return adopted.configuration.namesFeed ? adopted : provisioning
    }
}
