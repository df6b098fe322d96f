import MediaModel

/// A programme that is stored or is to be stored, for operators.
package struct DownloadStatus: Sendable, Equatable {
    package enum State: String, Sendable, CaseIterable {
        /// It waits for its turn, its time or another try.
        case queued
        case downloading
        /// It plays without a network.
        case saved
        /// It cannot be stored until it changes.
        case failed
    }
    /// What a comparison of the stored bytes with their SHA-256 has found.
    package enum Verification: String, Sendable, CaseIterable {
        case running
        case intact
        /// The damaged part is loaded again.
        case damaged
        /// The disk did not answer.
        case failed
    }

    /// Of the item.
    package let id: String
    package var title: String?
    package var state: State
    /// Whether it is never removed to make room.
    package var isRequired: Bool
    /// The stored part, from 0 to 1.
    package var progress = 0.0
    /// On the disk.
    package var bytes: Int64 = 0
    /// Of the whole, as far as known; nil before the playlists are loaded.
    package var expectedBytes: Int64?
    /// Why it is not being stored now, as one word; nil if it is, or is saved.
    package var waitsFor: String?
    /// The last failure, until it is over.
    package var error: MediaError?
    /// Of the last comparison; nil if none was asked for since the start.
    package var verification: Verification?

    package init(id: String, state: State, isRequired: Bool) {
        self.id = id
        self.state = state
        self.isRequired = isRequired
    }
}

/// Why programmes cannot be stored (STORAGE).
package enum StorageTrouble: String, Sendable, CaseIterable {
    /// There is too little room for what must be stored.
    case full
    /// The disk cannot be read, or does not take changes.
    case unusable
}

/// The downloads of the box, for operators. Main loop only; every call returns at once.
@MainActor
package protocol DownloadDoor: AnyObject {
    /// What is stored or is to be stored, in the order in which that is done: a part of the list, and how long the whole is. The cost is that of the part.
    ///
    /// - Parameter range: places in the list; what is beyond its end is left out.
    func downloads(_ range: Range<Int>) -> (total: Int, downloads: [DownloadStatus])
    /// The free space of the disk, in bytes; nil if unknown.
    var freeBytes: Int64? { get }
    /// Why programmes cannot be stored; nil if they can.
    var trouble: StorageTrouble? { get }
    /// Stores an item of the feed, whether the feed marks it or not, from now on.
    ///
    /// - Parameter isRequired: whether it is never removed to make room.
    func addDownload(_ id: String, isRequired: Bool) -> CommandResult
    /// Removes what is stored of an item, and stores it no more until it is added, or has left the feed and come back.
    func removeDownload(_ id: String) -> CommandResult
    /// Compares everything that is stored of an item with its SHA-256. `verification` in its status is the answer; what is damaged is loaded again.
    func verifyDownload(_ id: String) -> CommandResult
}
