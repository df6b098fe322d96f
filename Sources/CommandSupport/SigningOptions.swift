import ArgumentParser
import Glibc
import LinuxSupport
import Signatures

/// The options of commands that sign a document for boxes with pinned keys.
package struct SigningOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The private key: PKCS#8 in PEM.", valueName: "FILE"), completion: .file())
    package var key: String

    @Option(help: ArgumentHelp("The name under which boxes pin it; without it the name of its file.", valueName: "NAME"))
    package var name: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Where the signature is written.", valueName: "FILE"), completion: .file())
    package var output: String?

    package init() {}

    /// The key, with its name.
    package func signingKey() throws -> SigningKey {
        let pem = try Self.read(key, "the key")
        let file = key.split(separator: "/").last.map(String.init) ?? key
        do throws(SigningKey.Fault) {
            return try SigningKey(name: name ?? (file.hasSuffix(".pem") ? String(file.dropLast(4)) : file), pem: pem)
        } catch {
            throw CommandFault("Signing with the key \(key) failed: \(error).")
        }
    }

    /// Writes the signature of a document: to a place, else to `output`, or beside the document with `.sig` appended.
    ///
    /// - Parameter signer: nil: `signingKey()`.
    package func sign(_ bytes: [UInt8], of document: String, at place: String? = nil, with signer: SigningKey? = nil) throws {
        guard place != nil || output != nil || document != "-" else {
            throw CommandFault(
                "What comes from standard input has no place for its signature; name one with --output FILE.", code: 2)
        }
        let path = place ?? output ?? document + ".sig"
        let replaced = FileIdentity(path)
        for (other, what) in [(key, "key"), (document, "document")] where replaced != nil && replaced == FileIdentity(other) {
            throw CommandFault("The signature would replace the \(what) \(other); name another file with --output.", code: 2)
        }
        let signature = try (signer ?? signingKey()).signature(of: bytes)
        guard WholeFile.write(signature, to: path) else {
            throw CommandFault("Writing the signature \(path) failed: \(String(cString: strerror(errno))).")
        }
    }

    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - what: names the file in the error.
    package static func read(_ path: String, _ what: String) throws -> [UInt8] {
        if path == "-" { return try OneShot.standardInput() }
        guard let bytes = WholeFile.read(path, mayBePipe: true) else {
            throw CommandFault("Reading \(what) \(path) failed: \(String(cString: strerror(errno))).")
        }
        return bytes
    }
}
