import LinuxSupport

/// Where the certificate of a server comes from: the operator's files, otherwise one that the box makes once and keeps.
package struct IdentitySource: Sendable {
    /// The name of the box, for its own certificate: letters, digits and hyphens.
    package var name: String
    /// The operator's certificate and key in PEM; nil for the box's own.
    package var files: (certificate: String, key: String)?

    package init(name: String) { self.name = name }

    /// The file with key and certificate that the box makes: one, so that a power cut leaves both or none.
    static let ownFile = "page-identity.pem"
    /// No certificate or key is longer.
    private static let longestFile = 1 << 20

    /// The certificate. An operator's that cannot be used is replaced by the box's own: a page with a certificate that must be
    /// confirmed is better than none, and than one without TLS. Blocks on the disk.
    ///
    /// - Parameters:
    ///   - folder: where the box's own is stored; nil for nowhere: then it is another one after each start.
    ///   - now: seconds since 1970. A box whose clock is not yet set says a date that is too early, so that only the end of a
    ///     certificate is compared with it.
    ///   - note: receives what the operator must know, one sentence each.
    package func identity(
        storedIn folder: String?, now: Int64, note: (String) -> Void
    ) throws(TransportSecurityError) -> ServerIdentity {
        if let files {
            do throws(TransportSecurityError) {
                let identity = try ServerIdentity(certificates: Self.read(files.certificate), key: Self.read(files.key))
                if identity.certificate.end < now {
                    note(
                        "api.certificate: it is not valid since \(identity.certificate.lastDay), and clients refuse it; renew it."
                    )
                }
                return identity
            } catch {
                note("api.certificate: it is not used, because \(error); the box's own is used until it is corrected.")
            }
        }
        return try ownIdentity(storedIn: folder, note: note)
    }

    private func ownIdentity(storedIn folder: String?, note: (String) -> Void) throws(TransportSecurityError) -> ServerIdentity {
        let file = folder.map { "\($0)/\(Self.ownFile)" }
        // One that is damaged is made again.
        if let file, let bytes = try? Self.read(file), let kept = try? ServerIdentity(certificates: bytes, key: bytes) {
            return kept
        }
        let made = try SelfSignedCertificate(name: name)
        let identity = try ServerIdentity(certificates: made.certificate, key: made.key)
        if let file, !WholeFile.write(made.key + made.certificate, to: file, mode: 0o600) {
            note("api.certificate: the box's own could not be saved, so that it is another one after the next start.")
        }
        return identity
    }

    private static func read(_ path: String) throws(TransportSecurityError) -> [UInt8] {
        guard let bytes = WholeFile.read(path, most: longestFile) else { throw TransportSecurityError(reading: path) }
        return bytes
    }
}
