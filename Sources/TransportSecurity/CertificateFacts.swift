import CTLS
import Glibc
import MediaTime
import WireFormats

/// What a certificate says that people compare.
package struct CertificateFacts: Sendable, Hashable, CustomStringConvertible {
    /// Its SHA-256 as browsers show it: pairs of hexadecimal digits separated by colons.
    package let fingerprint: String
    /// Its last second, counted from 1970.
    package let end: Int64

    /// - Parameter certificate: an `X509`; it stays the caller's.
    init(_ certificate: OpaquePointer) throws(TransportSecurityError) {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        var time = tm()
        guard X509_digest(certificate, EVP_sha256(), &digest, &count) == 1,
            ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &time) == 1
        else { throw TransportSecurityError(.readCertificate) }
        fingerprint = digest.prefix(Int(count)).map { $0.hexadecimal(uppercase: true) }.joined(separator: ":")
        end = Int64(timegm(&time))
    }

    /// The certificates in a text of PEM, in its order; none if it has none.
    package static func list(_ pem: [UInt8]) throws(TransportSecurityError) -> [CertificateFacts] {
        let text = MemoryText(pem)
        var facts: [CertificateFacts] = []
        while let certificate = PEM_read_bio_X509(text.bio, nil, refusePassword, nil) {
            defer { X509_free(certificate) }
            facts.append(try CertificateFacts(certificate))
        }
        // The end of the text is an error for the reader.
        ERR_clear_error()
        return facts
    }

    /// The day of its last second, in UTC.
    package var lastDay: CalendarDate {
        let day: Int64 = 86_400
        return CalendarDate(daysSince1970: end / day - (end % day < 0 ? 1 : 0))
    }

    package var description: String { "certificate SHA-256 \(fingerprint), valid until \(lastDay)" }
}
