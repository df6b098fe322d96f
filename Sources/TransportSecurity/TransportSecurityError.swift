import CTLS
import Glibc

/// Why a certificate cannot be used, or a connection ended.
package struct TransportSecurityError: Error, CustomStringConvertible {
    /// What was tried.
    package enum Operation: String, Sendable {
        case openFile = "opening a file"
        case readCertificate = "reading the certificate"
        case readKey = "reading the key of the certificate"
        case matchKey = "using the key, which does not belong to the certificate,"
        case makeCertificate = "making a certificate"
        case exchange = "the exchange with the client"
    }
    package let operation: Operation
    /// The words of OpenSSL or of the kernel.
    package let reason: String

    /// - Parameter operation: what has just failed on this thread.
    init(_ operation: Operation) {
        self.operation = operation
        var text = [CChar](repeating: 0, count: 256)
        let code = ERR_get_error()
        ERR_error_string_n(code, &text, text.count)
        reason =
            code == 0 ? "no reason given" : String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        ERR_clear_error()
    }

    /// The file could not be read; the reason is in `errno`.
    init(reading path: String) {
        operation = .openFile
        reason = "\(path): \(String(cString: strerror(errno)))"
    }

    package var description: String { "\(operation.rawValue) failed: \(reason)" }
}
