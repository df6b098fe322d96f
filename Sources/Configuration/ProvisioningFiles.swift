import Glibc
import LinuxSupport

/// The files of provisioning: `marquee.toml` and the files next to it on the firmware partition, and the stored values on the
/// data partition.
///
/// Any process may read; only `marquee provision --apply` writes. Every write creates a new file that replaces the old one once
/// it is on the disk, and an unchanged file is not written.
package struct ProvisioningFiles: Sendable {
    /// The path of `marquee.toml`; `-` is standard input, for which the files next to it are those of the working folder.
    package let file: String
    /// The folder on the data partition; nil: nothing is stored.
    package let folder: String?

    package init(file: String, folder: String?) {
        self.file = file
        self.folder = folder
    }

    /// The folder of `marquee.toml`.
    package var firmware: String {
        guard let slash = file.lastIndex(of: "/") else { return "." }
        return slash == file.startIndex ? "/" : String(file[..<slash])
    }
    /// The verdicts on the keys, for people.
    package var reportFile: String { firmware + "/applied.txt" }
    /// The applied values.
    package var appliedFile: String? { folder.map { $0 + "/applied.toml" } }

    /// Whether a factory reset is requested. FAT keeps names in any case.
    package var isResetAskedFor: Bool { ["reset", "RESET", "Reset"].contains { access("\(firmware)/\($0)", F_OK) == 0 } }

    /// Reads and decides; writes nothing.
    ///
    /// - Throws: `ConfigurationError` when the file exists and cannot be read.
    package func read() throws(ConfigurationError) -> Provisioning {
        let applied = try appliedFile.flatMap { path throws(ConfigurationError) in try SmallFile.read(path) }
        return Provisioning(
            file: try SmallFile.read(file).map { String(decoding: $0, as: UTF8.self) },
            applied: applied.map { String(decoding: $0, as: UTF8.self) }
        ) { [firmware] in access("\(firmware)/\($0)", R_OK) == 0 }
    }

    /// The path of a file next to `marquee.toml`.
    package func beside(_ name: String) -> String { "\(firmware)/\(name)" }

    /// What `write` changed.
    package struct Changes: OptionSet, Sendable {
        package let rawValue: Int
        /// The stored values were written.
        package static let kept = Changes(rawValue: 1)
        /// `applied.txt` was written.
        package static let report = Changes(rawValue: 2)
        /// Secrets were wiped from `marquee.toml`.
        package static let wiped = Changes(rawValue: 4)

        package init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// Stores the applied values, then writes the report next to the file and wipes secrets from it, in that order: a power cut
    /// between two steps loses nothing, and the next start completes the rest.
    ///
    /// - Parameters:
    ///   - provisioning: the result of `read`.
    ///   - group: a group that may read the stored values besides their owner; nil: none.
    ///   - opening: called before the first write on the firmware partition, to make it writable.
    /// - Throws: `ConfigurationError` naming the file that could not be written.
    package func write(
        _ provisioning: Provisioning, group: gid_t? = nil, opening: () throws(ConfigurationError) -> Void = {}
    ) throws(ConfigurationError) -> Changes {
        var changes: Changes = []
        if let appliedFile, let folder, provisioning.problem == nil, provisioning.hasFile {
            try SmallFile.makeFolder(folder, group: group)
            let text = provisioning.configuration.appliedText
            if try SmallFile.write(text, to: appliedFile, mode: group == nil ? 0o600 : 0o640, group: group) {
                changes.insert(.kept)
            }
        }
        let report = Array(provisioning.report.utf8)
        let isReported = try SmallFile.read(reportFile) == report
        // Secrets that are not stored anywhere stay in the file.
        let wiped = folder == nil ? nil : provisioning.fileWithoutSecrets
        guard !isReported || wiped != nil else { return changes }
        try opening()
        if let wiped {
            try SmallFile.replace(file, with: wiped)
            changes.insert(.wiped)
        }
        if try SmallFile.write(provisioning.report, to: reportFile, mode: 0o644) { changes.insert(.report) }
        return changes
    }
}

/// Small files, written so that a power cut leaves either the old or the new one.
enum SmallFile {
    private static let longest = 1 << 20

    /// The bytes of a file; nil: it does not exist.
    static func read(_ path: String) throws(ConfigurationError) -> [UInt8]? {
        let isPipe = path == "-"
        let number = isPipe ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("read", path)
        }
        defer { close(number) }
        var status = stat()
        guard isPipe || fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationError(
                code: .system(EINVAL),
                description: "\(path) is a folder, a pipe or a device and no file; put a settings file there.")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = Glibc.read(number, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("read", path) }
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
            guard bytes.count <= longest else {
                throw ConfigurationError(
                    code: .system(EFBIG),
                    description: "\(path) is larger than 1 MiB, too large for a settings file; put the right file there.")
            }
        }
    }

    /// Writes a file unless it is unchanged.
    ///
    /// - Returns: whether it was written.
    @discardableResult
    static func write(_ text: String, to path: String, mode: mode_t, group: gid_t? = nil) throws(ConfigurationError) -> Bool {
        let bytes = Array(text.utf8)
        if try read(path) == bytes { return false }
        guard WholeFile.write(bytes, to: path, mode: mode, group: group) else { throw failure("write", path) }
        return true
    }

    /// Writes a new file and overwrites the bytes of the old one, which would otherwise stay on the medium.
    static func replace(_ path: String, with text: String) throws(ConfigurationError) {
        let old = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
        defer { if old >= 0 { close(old) } }
        try write(text, to: path, mode: 0o644)
        if old >= 0 { WholeFile.erase(old) }
    }

    /// Creates a folder that only its owner, and a group if given, may open.
    static func makeFolder(_ path: String, group: gid_t?) throws(ConfigurationError) {
        guard mkdir(path, 0o700) == 0 else {
            if errno == EEXIST { return }
            throw failure("make", path)
        }
        if let group, chown(path, uid_t.max, group) == 0 { chmod(path, 0o750) }
    }

    static func failure(_ verb: String, _ path: String) -> ConfigurationError {
        let code = errno
        return ConfigurationError(
            code: .system(code),
            description:
                "\(path) could not be \(verb == "read" ? "read" : verb == "make" ? "made" : "written"): \(String(cString: strerror(code)))."
        )
    }
}
