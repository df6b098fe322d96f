import ChannelFeed
import Housekeeping
import LinuxSupport
import MediaSources
import Transfer

extension FeedFile {
    /// Loads a feed with its further pages. Blocks until done.
    ///
    /// - Throws: `CommandFault` if there is nothing to check.
    @MainActor
    package static func load(_ address: String, plainHTTPHosts: Set<String> = [], clock: FeedClock = .notAsked) throws
        -> FeedPages
    {
        let loop = try MainLoop(time: .real)
        let loader = CurlTransfer(clock: loop.clock, version: Program.version)
        let response = try OneShot.load(address, kind: .feed, loop: loop, loader: loader)
        return pages(after: response, plainHTTPHosts: plainHTTPHosts, clock: clock, loop: loop, loader: loader)
    }

    /// Loads the further pages of a feed. Blocks until done. A page that cannot be loaded refuses the feed.
    @MainActor
    package static func pages(
        after first: ByteResponse, plainHTTPHosts: Set<String> = [], clock: FeedClock = .notAsked, loop: MainLoop,
        loader: any ByteLoading
    ) -> FeedPages {
        var pages = pages(first: first.bytes, url: first.url, plainHTTPHosts: plainHTTPHosts, clock: clock)
        while case .load(let address) = pages.step {
            do throws(CommandFault) {
                let response = try OneShot.load(address, kind: .feed, loop: loop, loader: loader)
                pages.append(response.bytes, url: place(of: response.url))
            } catch {
                pages.refuse(missing: error.sentence)
            }
        }
        return pages
    }
}
