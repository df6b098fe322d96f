import Configuration
import LinuxSupport

/// The settings that somebody took into use on the screen of a box that was never provisioned.
package enum AdoptedSettings {
    package static func file(in folder: String) -> String { folder + "/adopted.toml" }

    /// These settings where the box's own name no feed; a file on the firmware partition that does outranks them.
    package static func standing(for provisioning: Provisioning, in folder: String?) -> Provisioning {
        guard provisioning.problem == nil, !provisioning.configuration.namesFeed,
            let bytes = folder.flatMap({ WholeFile.read(file(in: $0)) })
        else { return provisioning }
        let adopted = Provisioning(file: String(decoding: bytes, as: UTF8.self), applied: nil)
        return adopted.configuration.namesFeed ? adopted : provisioning
    }
}
