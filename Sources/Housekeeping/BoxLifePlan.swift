import Configuration
import StatusModel
import Supervision

/// The inputs of a box's life at its start.
package struct BoxLifePlan {
    /// The applied settings.
    package var provisioning: Provisioning
    /// The files of provisioning; nil if there are none.
    package var files: ProvisioningFiles?
    /// The settings from afar; nil without a folder for them.
    package var remote: RemoteSettings?
    /// The feed of the command line, which takes precedence.
    package var feed: String?
    /// The folder of the last good feed.
    package var stateFolder: String?
    /// Settings that could not be applied, in addition to the verdicts.
    package var remarks: [String] = []
    /// The port on which other machines reach the page; nil if they do not.
    package var pagePort: UInt16?
    /// `http` or `https`.
    package var pageScheme = "http"
    /// The folder below which disks are mounted.
    package var media = FoundSource.Places.standardMedia
    /// The machine's network address; nil if it has none.
    package var address: @MainActor () -> String? = { MachineFacts.address }
    /// Makes a support bundle; nil if there is none.
    package var supportBundle: @MainActor (@escaping @MainActor ([UInt8]?) -> Void) -> Void = { $0(nil) }
    /// The runtime folder, from which a service of the system saves reports to USB sticks; nil without that service.
    package var runtimeFolder = RuntimeFolder.path
    /// Browses the network for announced feeds.
    package var question = AnnouncedFeeds.question

    package init(provisioning: Provisioning, files: ProvisioningFiles?) {
        self.provisioning = provisioning
        self.files = files
    }

    /// The address of the page for phones; nil if none reaches it, or for a secret none in private.
    @MainActor
    func phonePage(isSecret: Bool) -> String? {
        guard !isSecret || pageScheme == "https" else { return nil }
        return page(at: address()).map { $0 + "phone" }
    }

    /// The address of the page for other machines; nil if they cannot reach it.
    func page(at address: String?) -> String? {
        guard let port = pagePort, let address else { return nil }
        return "\(pageScheme)://\(address.contains(":") ? "[\(address)]" : address):\(port)/"
    }
}
