import ArgumentParser
import BoxModel
import ChannelFeed
import CommandSupport
import Glibc
import Housekeeping
import LinuxSupport
import MediaSources
import Signatures
import Transfer

/// `marquee feed keygen`: a key with which an operator signs feeds.
struct FeedKeygenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen", abstract: "Make an Ed25519 key, and print the line for public_keys in marquee.toml.")

    @Argument(help: "The name of the key, which boxes pin: 1 to 64 of A-Z a-z 0-9 . _ -")
    var name: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file of the private key; without it NAME.pem.", valueName: "FILE"),
        completion: .file())
    var output: String?

    func run() throws {
        let path = output ?? name + ".pem"
        let key: SigningKey
        do throws(SigningKey.Fault) {
            key = try SigningKey(name: name)
        } catch {
            throw CommandFault("Making a key failed: \(error).")
        }
        guard KeyFile.create(key.pem, at: path) else {
            let reason = errno == EEXIST ? "it exists, and a key is never replaced" : String(cString: strerror(errno))
            throw CommandFault("Writing the key \(path) failed: \(reason).")
        }
        Console.print("public_keys = [\"\(key.pinned)\"]")
        Console.error("The private key is \(path). Keep it off the boxes and off the server of the feed.")
    }
}

/// `marquee feed sign`: writes the signature beside a feed, and beside its further pages.
struct FeedSignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a feed with its further pages for boxes with pinned keys, after checking it; writes FILE.sig for each.")

    @Argument(help: "The feed, as boxes will load it.", completion: .file())
    var feed: String

    @OptionGroup var signing: SigningOptions

    @Flag(help: "Sign a feed that boxes will refuse, too.")
    var force = false

    func run() throws {
        let bytes = try SigningOptions.read(feed, "the feed")
        let (verdict, further) = try MainActor.assumeIsolated { try check(bytes) }
        if verdict.feed == nil {
            for finding in verdict.findings where finding.severity == .refusal { Console.error(finding.description) }
            guard force else {
                throw CommandFault("\(feed) was not signed: boxes with pinned keys will refuse it. Repair it, or give --force.")
            }
        }
        for page in further { try signing.sign(page.bytes, of: page.path, at: page.path + ".sig") }
        // The first page comes last: it leads boxes to the others.
        try signing.sign(bytes, of: feed)
        if !further.isEmpty { Console.error("Signed \(further.count + 1) pages.") }
    }

    /// A further page, which is a file like the first.
    private struct Page {
        var path: String
        var bytes: [UInt8]
    }

    /// The verdict on the whole feed, and its further pages. Blocks until done.
    ///
    /// - Parameter bytes: the first page.
    @MainActor
    private func check(_ bytes: [UInt8]) throws -> (verdict: FeedVerdict, further: [Page]) {
        let loop = try MainLoop(time: .real)
        let loader = CurlTransfer(clock: loop.clock, version: Program.version)
        var further: [Page] = []
        var pages = FeedFile.pages(first: bytes, url: feed, appliedRevision: 0)
        while case .load(let path) = pages.step {
            do throws(CommandFault) {
                let page = try OneShot.load(path, kind: .feed, loop: loop, loader: loader).bytes
                further.append(Page(path: path, bytes: page))
                pages.append(page, url: path)
            } catch {
                pages.refuse(missing: error.sentence)
            }
        }
        return (FeedReader.read(pages), further)
    }
}

/// `marquee feed verify`: whether boxes with these keys accept a feed's signature.
struct FeedVerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify the signature beside a feed: exit 0 boxes with these keys accept it, 1 they refuse it.")

    @Argument(help: "A file or an http(s) address.", completion: .file())
    var feed: String

    @Option(
        name: .customLong("public-key"),
        help: ArgumentHelp("A key as in public_keys of marquee.toml; may be repeated.", valueName: "NAME:BASE64"))
    var keys: [String]

    @Option(
        help: ArgumentHelp("The signature; without it .sig after the path of the feed.", valueName: "FILE|URL"),
        completion: .file())
    var signature: String?

    func run() throws {
        let pinned = PinnedKeys(keys)
        guard !pinned.isEmpty else { throw CommandFault("No --public-key is NAME:BASE64 of 32 bytes.", code: 2) }
        let pages = try MainActor.assumeIsolated { try load() }
        for page in pages {
            do throws(PinnedKeys.Fault) {
                try pinned.verify(page.bytes, signature: page.signature)
            } catch {
                throw CommandFault("The feed \(page.address) would be refused (FEED-090): \(error).")
            }
        }
        Console.print(pages.count == 1 ? "Good: the signature matches." : "Good: the signatures of \(pages.count) pages match.")
    }

    /// The pages of the feed, each with its signature. Blocks until done.
    @MainActor
    private func load() throws -> [(address: String, bytes: [UInt8], signature: [UInt8])] {
        let loop = try MainLoop(time: .real)
        let loader = CurlTransfer(clock: loop.clock, version: Program.version)
        func signed(_ address: String, _ place: String) throws -> (response: ByteResponse, signature: [UInt8]) {
            (
                try OneShot.load(address, kind: .feed, loop: loop, loader: loader),
                try OneShot.load(place, kind: .feed, loop: loop, loader: loader).bytes
            )
        }
        let (first, mark) = try signed(feed, signature ?? FeedTrust.signatureAddress(of: feed))
        var loaded = [(feed, first.bytes, mark)]
        var pages = FeedFile.pages(first: first.bytes, url: first.url)
        while case .load(let address) = pages.step {
            let (page, mark) = try signed(address, FeedTrust.signatureAddress(of: address))
            loaded.append((address, page.bytes, mark))
            pages.append(page.bytes, url: FeedFile.place(of: page.url))
        }
        return loaded
    }
}
