import Glibc
import LinuxSupport
import WireFormats

/// The operator's network settings, for all transfers.
package struct TransferOptions: Sendable, Hashable {
    /// A PEM file of certificates that replaces the system's; nil: the system's.
    package var authorities: String?
    /// `http://HOST:PORT` of a proxy; nil: only what the environment sets. Addresses of this machine never use a proxy.
    package var proxy: String?
    /// The hosts to which an https address may redirect over plain http, in lower case.
    package var plainHTTPHosts: Set<String>
    /// Whether an answer with a status from 400 on is an answer like others, for programs that read what an API says to a refusal; otherwise it is a
    /// failure, and its body is not kept.
    package var takesRefusals: Bool

    package init(
        authorities: String? = nil, proxy: String? = nil, plainHTTPHosts: Set<String> = [], takesRefusals: Bool = false
    ) {
        self.authorities = authorities
        self.proxy = proxy
        self.plainHTTPHosts = plainHTTPHosts
        self.takesRefusals = takesRefusals
    }
}

/// Adds the certificates of an operator's own authority to those of the system.
package enum OperatorAuthorities {
    /// The system's bundle on Debian.
    package static let system = "/etc/ssl/certs/ca-certificates.crt"

    /// Writes both into one file, as libcurl requires.
    ///
    /// - Parameters:
    ///   - path: the operator's certificates, PEM.
    ///   - output: the file to write; an old one is replaced.
    /// - Returns: an error in one sentence; nil on success.
    package static func write(adding path: String, to output: String, system: String = Self.system) -> String? {
        guard let own = WholeFile.read(path) else {
            return "The certificates \(path) could not be read: \(String(cString: strerror(errno))); put the file there."
        }
        guard isPEM(own) else {
            return "\(path) is not a PEM certificate (-----BEGIN CERTIFICATE-----); it is not used until this is fixed."
        }
        let bytes = (WholeFile.read(system) ?? []) + [UInt8(ascii: "\n")] + own
        guard WholeFile.write(bytes, to: output, isSynced: false) else {
            return "The certificates \(path) could not be installed: \(output): \(String(cString: strerror(errno)))."
        }
        return nil
    }

    /// Whether there is at least one certificate and every block is complete: one invalid block would make libcurl refuse all.
    static func isPEM(_ bytes: [UInt8]) -> Bool {
        var isInside = false
        var count = 0
        var body = ""
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let line = line.filter { $0 != " " && $0 != "\t" || line.hasPrefix("-----") }
            if line.hasPrefix("-----BEGIN ") {
                guard !isInside, line.hasPrefix("-----BEGIN CERTIFICATE-----") else { return false }
                (isInside, body) = (true, "")
            } else if line.hasPrefix("-----END ") {
                // DER starts with a sequence of more than 255 bytes: "MII".
                guard isInside, body.hasPrefix("MI"), body.utf8.count % 4 == 0 else { return false }
                isInside = false
                count += 1
            } else if isInside {
                guard line.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "+/=".utf8.contains($0) }) else { return false }
                body += line
            }
        }
        return count > 0 && !isInside
    }
}
