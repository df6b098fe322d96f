import CZstd

/// Everything that helps to find out why a box did what it did, as one file: a tar archive compressed with Zstandard, with a page
/// (`index.html`) that names its parts. Made in memory, so that a full or broken disk does not matter; bounded, whatever the parts
/// contain. A value; any thread.
package struct SupportBundle: Sendable {
    /// The limits of a bundle.
    package struct Limits: Sendable {
        /// Bytes of a text; of a longer one the end is kept, where the newest lines are.
        package var text = 1 << 20
        /// Bytes of a picture; a larger one is left out.
        package var picture = 4 << 20
        /// Parts; further ones are left out.
        package var parts = 32

        package init() {}
    }

    private struct Part: Sendable {
        var name: String
        /// What it is, in a few words.
        var title: String
        var bytes: [UInt8]
    }

    private let filter: SecretFilter
    private let limits: Limits
    private let box: String
    private let date: Int64?
    private let dateText: String?
    private var parts: [Part] = []

    /// - Parameters:
    ///   - box: the name and version of the box, for the page.
    ///   - date: nanoseconds since the start of 1970, UTC; nil while the box has no trusted date.
    ///   - dateText: the same in words.
    ///   - secrets: values that must not be in it.
    package init(box: String, date: Int64?, dateText: String?, secrets: [String], limits: Limits = Limits()) {
        filter = SecretFilter(secrets: secrets)
        self.box = box
        self.date = date
        self.dateText = dateText
        self.limits = limits
    }

    /// Adds a text, without its secrets.
    ///
    /// - Parameters:
    ///   - name: the name of the file: ASCII letters, digits, `.` and `-`, at most 99 of them.
    ///   - title: what it is, in a few words.
    package mutating func add(_ text: String, as name: String, _ title: String) {
        add(Part(name: name, title: title, bytes: clipped(filter.clean(text))))
    }

    /// Adds JSON, or lines of JSON, without the secrets in its strings; the parameters are those of a text.
    package mutating func add(json: String, as name: String, _ title: String) {
        add(Part(name: name, title: title, bytes: clipped(filter.clean(json: json))))
    }

    /// Adds a picture of the screen. Nothing is removed from it: it is what the viewer sees.
    package mutating func add(picture: [UInt8], as name: String, _ title: String) {
        guard picture.count <= limits.picture else {
            return add(
                "The picture has \(picture.count) bytes, more than the limit of \(limits.picture).\n", as: name + ".txt", title)
        }
        add(Part(name: name, title: title, bytes: picture))
    }

    /// The bundle as a `.tar.zst` file.
    ///
    /// - Throws: `SupportBundleError` if libzstd fails.
    package func archive() throws(SupportBundleError) -> [UInt8] {
        var archive = TarArchive(date: date)
        archive.add("index.html", Array(page.utf8))
        for part in parts { archive.add(part.name, part.bytes) }
        return try Self.compressed(archive.whole)
    }

    private mutating func add(_ part: Part) { if parts.count < limits.parts { parts.append(part) } }

    /// - Parameter text: was cleaned before, so that no half of a secret stays at the cut.
    private func clipped(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        guard bytes.count > limits.text else { return bytes }
        let kept = bytes.suffix(limits.text)
        let start = kept.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? kept.startIndex
        return Array("(The first \(start) bytes were left out.)\n".utf8) + kept[start...]
    }

    // MARK: The page

    private var page: String {
        let rows = parts.map { part in
            "<tr><td><a href=\"\(part.name)\">\(part.name)</a></td><td>\(Self.escaped(part.title))</td>"
                + "<td class=\"size\">\(part.bytes.count)</td></tr>"
        }
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Support bundle</title>
            <style>
            body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
            table { border-collapse: collapse; width: 100%; }
            th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #ccc; }
            .size { text-align: right; font-variant-numeric: tabular-nums; }
            </style>
            <h1>Support bundle</h1>
            <p>\(Self.escaped(filter.clean(box)))\(dateText.map { ", \(Self.escaped($0))" } ?? ", date unknown")</p>
            <p>Secrets were replaced by REDACTED. The error log names the session that an error card shows.</p>
            <table>
            <tr><th>File</th><th>Content</th><th class="size">Bytes</th></tr>
            \(rows.joined(separator: "\n"))
            </table>
            </html>

            """
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"", with: "&quot;")
    }

    // MARK: Compression

    private static func compressed(_ bytes: [UInt8]) throws(SupportBundleError) -> [UInt8] {
        var result: size_t = 0
        let compressed = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { buffer, count in
            result = ZSTD_compress(buffer.baseAddress, buffer.count, bytes, bytes.count, ZSTD_CLEVEL_DEFAULT)
            count = ZSTD_isError(result) == 0 ? result : 0
        }
        guard ZSTD_isError(result) == 0 else {
            throw .compression(bytes: bytes.count, String(cString: ZSTD_getErrorName(result)))
        }
        return compressed
    }
}
