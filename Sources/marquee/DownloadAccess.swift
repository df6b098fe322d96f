import BoxModel

/// The downloads of a box, running or not. Every call blocks until it is answered.
@MainActor
protocol DownloadAccess {
    func list() throws -> [DownloadStatus]
    /// Why programmes cannot be stored, as one sentence; nil if they can, or if only a running box could know.
    func trouble() throws -> String?
    func add(_ id: String, isRequired: Bool) throws
    func remove(_ id: String) throws
    /// - Returns: anything but `running`.
    func verify(_ id: String) throws -> DownloadStatus.Verification
}
