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
        let root: TOMLTable
        do {
            root = try TOMLTable(text)
        } catch {
            throw failure(name, error.line, error.column, error.reason)
        }
        var maps: [String: [String: String]] = [:]
        for member in root.members {
            guard let table = member.value.table else {
                maps[everyDevice, default: [:]][member.name] = try word(member, name)
                continue
            }
            for code in table.members { maps[member.name, default: [:]][code.name] = try word(code, name) }
        }
        return maps
    }

    private static func word(_ member: TOMLTable.Member, _ name: String) throws(ConfigurationError) -> String {
        guard let text = member.value.text else {
            throw failure(name, member.line, 1, "write a key in quotes for \(JSONText.quoted(member.name)), such as \"menu\"")
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
