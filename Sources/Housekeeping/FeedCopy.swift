import Glibc
import LinuxSupport

/// A document on the disk as it was loaded: the last good feed with its pages, or a guide. It is stored with the URL from which each page
/// came, and the requested address.
struct FeedCopy: Sendable {
    /// A stored document.
    struct Page: Sendable, Equatable {
        var bytes: [UInt8]
        /// Empty for one that is not signed.
        var signature: [UInt8]
        var url: String
    }

    /// Where it is stored.
    let folder: String
    /// The requested address.
    let address: String

    private var sourceFile: String { folder + "/source" }

    /// The stored pages, at least one; nil if there is none, one that is incomplete, or one of another address.
    func read() -> [Page]? {
        guard let source = WholeFile.read(sourceFile) else { return nil }
        let lines = String(decoding: source, as: UTF8.self).split(separator: "\n").map(String.init)
        guard lines.count >= 3, lines.count % 2 == 1, lines[0] == address else { return nil }
        var pages: [Page] = []
        for line in stride(from: 1, to: lines.count, by: 2) {
            let file = folder + "/" + Self.name(index: pages.count, mark: lines[line + 1])
            guard let bytes = WholeFile.read(file), Self.mark(bytes) == lines[line + 1] else { return nil }
            pages.append(Page(bytes: bytes, signature: WholeFile.read(file + ".sig") ?? [], url: lines[line]))
        }
        return pages
    }

    /// Stores a document. After a power cut there is the old one, the new one, or none that counts as complete.
    func write(_ pages: [Page]) -> Bool {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { return false }
        let marks = pages.map { Self.mark($0.bytes) }
        let names = marks.enumerated().map { Self.name(index: $0, mark: $1) }
        // The names of further pages are those of their content, so that they replace nothing that the old copy needs. Between the writes
        // for the first page no copy counts as complete, because the checksum covers the bytes, and so does the signature.
        for (page, name) in zip(pages, names).reversed() {
            guard Self.put(page.bytes, folder + "/" + name) else { return false }
            guard page.signature.isEmpty || Self.put(page.signature, folder + "/" + name + ".sig") else { return false }
        }
        let lines = [address] + zip(pages, marks).flatMap { [$0.url, $1] }
        guard WholeFile.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: sourceFile) else { return false }
        removePages(except: Set(names))
        return true
    }

    /// Removes the further pages of older copies.
    private func removePages(except names: Set<String>) {
        for file in Folder.names(folder) where file.hasPrefix("page-") {
            let name = file.hasSuffix(".sig") ? String(file.dropLast(4)) : file
            if !names.contains(name) { unlink(folder + "/" + file) }
        }
    }

    private static func put(_ bytes: [UInt8], _ path: String) -> Bool {
        // A page that has not changed is not written again, for the sake of the flash memory.
        WholeFile.read(path) == bytes || WholeFile.write(bytes, to: path)
    }

    private static func name(index: Int, mark: String) -> String { index == 0 ? "feed.json" : "page-\(mark).json" }

    /// A checksum that detects incomplete bytes (FNV-1a).
    static func mark(_ bytes: some Sequence<UInt8>) -> String {
        String(bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
    }
}
