import LinuxSupport
import MediaModel

#if canImport(Glibc)
    import Glibc
#endif

/// A failure of the segment store.
package struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What a caller can act on.
    package enum Reason: Sendable, Hashable {
        /// The store is not open yet, or not any more.
        case notOpen
        /// The file system has no room (ENOSPC, EDQUOT).
        case diskFull
        /// The file system is read-only, or its rights forbid writing. What is stored can still be read.
        case readOnly
        /// The folder of the store has vanished: its disk was removed.
        case folderLost
        /// Another failure of the disk.
        case disk
        /// The resource is not stored.
        case absent
        /// The stored body is damaged; from now on it counts as absent.
        case damaged
        /// The body has another length than expected.
        case wrongLength
        /// The body has another SHA-256 than expected.
        case wrongDigest
        /// Another body has the same checksum.
        case sameName
        /// A resource of the asset is not stored, so that the asset is not complete.
        case incomplete
        /// There is no asset of that name.
        case noAsset
        /// More bytes wait for the disk than the store accepts.
        case overloaded
        /// The resource is being written already.
        case busy
        /// The key of this box cannot be read or made.
        case noKey
        /// Another process has the folder open.
        case inUse
    }
    package let reason: Reason
    /// What was tried, on what, why it failed, and what to do.
    package let sentence: String

    package init(_ reason: Reason, _ sentence: String) {
        self.reason = reason
        self.sentence = sentence
    }

    package var description: String { sentence }

    /// Whether the disk itself refuses changes, and not only this one.
    package var isOfDisk: Bool {
        switch reason {
        case .diskFull, .readOnly, .folderLost, .disk: true
        case .notOpen, .absent, .damaged, .wrongLength, .wrongDigest, .sameName, .incomplete, .noAsset, .overloaded, .busy,
            .noKey,
            .inUse:
            false
        }
    }

    /// Converts the failure of a system call.
    ///
    /// - Parameter act: what was tried, e.g. `Saving a segment`.
    init(_ error: SystemError, while act: String) {
        switch error.code {
        case EWOULDBLOCK:
            self.init(.inUse, "\(act) failed: another process has them open; stop it, or ask the running box.")
        case ENOSPC, EDQUOT: self.init(.diskFull, "\(act) failed: the disk is full; delete saved programmes.")
        case EROFS, EACCES, EPERM:
            self.init(.readOnly, "\(act) failed: \(error); check the disk and the rights of its folder.")
        case ENOENT, ENOTDIR, ENODEV, ENXIO, ESTALE:
            self.init(.folderLost, "\(act) failed: \(error); connect the disk again.")
        default: self.init(.disk, "\(act) failed: \(error); check the disk.")
        }
    }

    /// As a player sees it.
    var asMediaError: MediaError {
        MediaError(reason == .absent ? .sourceMissing : .sourceFormat, sentence, fault: .unreadable)
    }
}
