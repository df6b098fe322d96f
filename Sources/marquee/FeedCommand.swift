import ArgumentParser
import ChannelFeed
import Glibc
import LinuxSupport
import MediaModel
import Transfer

/// `marquee feed check`: proves a feed good before boxes read it, with the very validator that is in the box.
struct FeedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed", abstract: "Work on channel feeds.", subcommands: [Check.self])

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check a feed: exit 0 good (warnings allowed), 3 items dropped, 1 refused.")

        @Argument(help: "A file or an http(s) address.")
        var feed: String

        @Flag(help: "Print the report as JSON.")
        var json = false

        @Flag(help: "Treat warnings as errors.")
        var strict = false

        func run() throws {
            let verdict = try MainActor.assumeIsolated { try FeedFile.read(feed) }
            Console.write(json ? verdict.json() + "\n" : verdict.text())
            let code = verdict.exitCode(strict: strict)
            if code != 0 { throw CommandFailure("", code: code) }
        }
    }
}

/// Reads feeds from files and servers.
@MainActor
enum FeedFile {
    /// Loads and checks a feed, waiting for it.
    ///
    /// - Throws: `CommandFailure` when there is nothing to check.
    static func read(_ address: String) throws -> FeedVerdict {
        let loop = try MainLoop(time: .real)
        let loader = CurlTransfer(clock: loop.clock, version: Marquee.version)
        return verdict(try OneShot.load(address, loop: loop, loader: loader))
    }

    /// What the validator says of a feed that was loaded.
    static func verdict(_ response: ByteResponse, plainHTTPHosts: Set<String> = []) -> FeedVerdict {
        verdict(bytes: response.bytes, url: response.url, plainHTTPHosts: plainHTTPHosts)
    }

    /// What the validator says of a feed that came from somewhere.
    ///
    /// - Parameter appliedRevision: with pinned keys, the newest revision that was in use.
    static func verdict(
        bytes: [UInt8], url: String, plainHTTPHosts: Set<String> = [], appliedRevision: Int64? = nil
    ) -> FeedVerdict {
        var options = FeedOptions(plainHTTPHosts: plainHTTPHosts, appliedRevision: appliedRevision)
        // A feed that came over plain http may name plain http on its own host: it was let in already.
        if let host = host(of: url) { options.plainHTTPHosts.insert(host) }
        return FeedReader.read(bytes, baseURL: place(of: url), options: options)
    }

    /// Where a feed is, from anywhere: what stands in it is relative to that, and not to the folder that a command was given in.
    static func place(of address: String) -> String {
        guard !address.contains("://"), !address.hasPrefix("/"), let folder = getcwd(nil, 0) else { return address }
        defer { free(folder) }
        return String(cString: folder) + "/" + address
    }

    /// Whether the address of a feed may be asked at all: plain http only on hosts that are let in, and on this machine.
    static func isLetIn(_ address: String, plainHTTPHosts: Set<String>) -> Bool {
        guard address.lowercased().hasPrefix("http://"), let host = host(of: address)?.lowercased() else { return true }
        return ["localhost", "127.0.0.1", "[::1]"].contains(host) || plainHTTPHosts.contains { $0.lowercased() == host }
    }

    /// The host of an address.
    static func host(of url: String) -> String? {
        guard let start = url.range(of: "://", in: url.startIndex) else { return nil }
        return String(url[start...].prefix { $0 != "/" && $0 != ":" && $0 != "?" })
    }
}

extension String {
    /// The index behind the first occurrence of a text.
    fileprivate func range(of text: String, in start: Index) -> Index? {
        var index = start
        while index < endIndex {
            if self[index...].hasPrefix(text) { return self.index(index, offsetBy: text.count) }
            index = self.index(after: index)
        }
        return nil
    }
}

/// One transfer for commands that do nothing else.
@MainActor
enum OneShot {
    /// Loads a body, waiting for it.
    ///
    /// - Throws: `CommandFailure` with the sentence of the error.
    static func load(_ address: String, loop: MainLoop, loader: any ByteLoading) throws -> ByteResponse {
        var result: Result<ByteResponse, MediaError>?
        loader.load(ByteRequest(url: address)) { result = $0 }
        loop.run(until: { result != nil })
        switch result! {
        case .success(let response): return response
        case .failure(let error): throw CommandFailure(error.sentence)
        }
    }
}
