/// What an address in the settings must be, so that requests can be made of it: a host, perhaps a port, no user name and password, and no placeholder that
/// nothing replaces.
struct AddressRule: Sendable {
    /// What may stand in `{ }`.
    var placeholders = ["group", "box"]
    /// The key whose headers carry what a server asks for.
    var headers = "feed.headers"

    /// What an address needs, as the middle of a sentence; nil if nothing is wrong with it, or if it is none at all.
    func fault(of text: String) -> String? {
        let whole = text.drop { $0 != "/" }.dropFirst(2)
        let authority = whole.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        if let other = text.first(where: { !$0.utf8.allSatisfy { (0x21...0x7E).contains($0) } }) {
            guard other != " " else { return "write %20 for a space" }
            guard !authority.contains(other) else {
                return "write the name of the host in ASCII, in the form with xn-- if it has other letters"
            }
            return "write \(other.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()) for “\(other)”"
        }
        if authority.contains("@") { return "leave out the part before the @; what the server asks for belongs into \(headers)" }
        return placeholderFault(in: whole) ?? authorityFault(String(authority))
    }

    private func placeholderFault(in text: Substring) -> String? {
        var rest = text
        let known = placeholders.map { "{\($0)}" }
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            rest = rest[brace...]
            guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return "write %7B and %7D for braces" }
            let name = String(rest[...end])
            guard known.contains(name) else {
                return known.isEmpty
                    ? "nothing is put in place of \(name) here; write %7B and %7D for braces"
                    : "there is no \(name); write \(known.joined(separator: " or "))"
            }
            rest = rest[end...].dropFirst()
        }
        return nil
    }

    private func authorityFault(_ authority: String) -> String? {
        let isNumeric = authority.first == "["
        guard isNumeric || authority.count(where: { $0 == ":" }) < 2 else {
            return "write a numeric address of IPv6 in brackets, such as [2001:db8::1]"
        }
        let host = isNumeric ? authority.prefix { $0 != "]" }.dropFirst() : authority.prefix { $0 != ":" }
        if isNumeric, !authority.contains("]") || !host.contains(":") || !isInternetAddress(String(host)) {
            return "write a numeric address of IPv6 within the brackets, such as [2001:db8::1]"
        }
        // Names of hosts may be made of the box's group and name.
        let name = String(host).replacing("{group}", with: "g").replacing("{box}", with: "b").replacing("_", with: "-")
        guard isNumeric || isHost(name) else {
            return host.isEmpty ? "write the name of a host behind //" : "write a host of letters, digits, hyphens and dots"
        }
        let rest = authority.dropFirst(host.utf8.count + (isNumeric ? 2 : 0))
        guard
            rest.isEmpty
                || rest.first == ":" && rest.dropFirst().utf8.allSatisfy({ (0x30...0x39).contains($0) })
                    && (1...65535).contains(Int(rest.dropFirst()) ?? 0)
        else { return "write a port from 1 to 65535 behind the host, or none" }
        return nil
    }
}
