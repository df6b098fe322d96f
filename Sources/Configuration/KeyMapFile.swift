import TOMLKit
import WireFormats

/// The file named by `[remote] keymap`: maps evdev codes to keys of the remote, for all devices and for single ones.
///
///     KEY_RED = "subtitle"
///     0x2c0 = "menu"
///     ["IR receiver"]
///     KEY_F1 = "none"
package enum KeyMapFile {
    /// The name for changes that apply to every device.
    package static let everyDevice = "*"

    /// Parses the file: keys by code, by the name of the device.
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - name: its name, for the error message.
    /// - Throws: `ConfigurationError` when it is not TOML, or a value is not a text. The caller checks whether codes and keys
    ///   exist.
    package static func read(_ text: String, name: String) throws(ConfigurationError) -> [String: [String: String]] {
        if let fault = TOMLHazard(in: text) { throw failure(name, fault.line, fault.column, fault.reason) }
        let root: TOMLTable
        do {
            root = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw failure(name, error.source.begin.line, error.source.begin.column, error.reason)
        } catch {
            throw failure(name, 1, 1, "\(error)")
        }
        let lines = LineFinder(text)
        var maps: [String: [String: String]] = [:]
        for key in root.keys.sorted() {
            guard let table = root[key]?.table else {
                maps[everyDevice, default: [:]][key] = try word(root[key]?.string, key, lines.line(of: key), name)
                continue
            }
            for code in table.keys.sorted() {
                maps[key, default: [:]][code] = try word(table[code]?.string, code, lines.line(of: "\"\(key)\".\(code)"), name)
            }
        }
        return maps
    }

    private static func word(_ text: String?, _ key: String, _ line: Int?, _ name: String) throws(ConfigurationError) -> String {
        guard let text else {
            throw failure(name, line ?? 1, 1, "write a key in quotes for \(JSONText.quoted(key)), such as \"menu\"")
        }
        return text
    }

    private static func failure(_ name: String, _ line: Int, _ column: Int, _ reason: String) -> ConfigurationError {
        ConfigurationError(
            code: .syntax(line: line, column: column),
            description:
                "\(name) could not be read at line \(line), column \(column): \(reason); remotes have their default keys until this is fixed."
        )
    }
}
