import MediaModel

/// A code on a page where letters are typed: a phone that scans it is a keyboard and a remote of the box.
package struct PhoneCode: Sendable, Hashable {
    /// What the code has: the address of the page for phones, with the secret of the pairing.
    package var address: String
    /// The words under it.
    package var caption: String

    package init(address: String, caption: String) {
        self.address = address
        self.caption = caption
    }
}

extension PhoneCode: DumpWritable {
    /// Only the words: the address has a secret.
    package var dumpValue: DumpValue { .text(caption) }
}
