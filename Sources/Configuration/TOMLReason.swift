import TOMLKit

extension TOMLParseError {
    /// Why the text is not TOML, in one line: the library quotes the text, which may have line ends there.
    var reason: String {
        description.replacing("\r\n", with: "\\n").replacing("\n", with: "\\n").replacing("\r", with: "\\r")
    }
}
