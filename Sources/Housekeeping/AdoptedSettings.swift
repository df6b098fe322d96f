import Configuration
import LinuxSupport

/// The settings that a viewer confirmed on the screen of an unprovisioned box.
package enum AdoptedSettings {
    package static func file(in folder: String) -> String { folder + "/adopted.toml" }

    /// Adds these settings if the box's own name no feed. A file on the firmware partition that names one takes precedence.
    package static func standing(for provisioning: Provisioning, in folder: String?) -> Provisioning {
        guard provisioning.problem == nil, !provisioning.configuration.namesFeed, let adopted = configuration(in: folder) else {
            return provisioning
        }
        return provisioning.adopting(adopted)
    }

    /// The settings with a source that is not adopted yet.
    static func trying(_ source: FoundSource, over provisioning: Provisioning) -> Provisioning {
        provisioning.adopting(Provisioning(file: source.settings, applied: nil).configuration)
    }

    /// Nil where none name a feed.
    private static func configuration(in folder: String?) -> Configuration? {
        guard let bytes = folder.flatMap({ WholeFile.read(file(in: $0)) }) else { return nil }
        let adopted = Provisioning(file: String(decoding: bytes, as: UTF8.self), applied: nil).configuration
        return adopted.namesFeed ? adopted : nil
    }
}
