import BoxModel
import LinuxSupport

/// A fault of the world around a box: its kind, its start, and how long it lasts.
package struct Fault: Sendable, Hashable {
    /// The requests that a server's fault concerns.
    package enum Target: String, Sendable, Hashable, CaseIterable {
        case playlists, segments, everything
    }

    /// The kinds of faults.
    package enum Kind: Sendable, Hashable {
        /// The cable is out: no connection can be made, and no byte arrives.
        case outage
        /// No name of a host is found.
        case nameFailure
        /// The downlink has this many bits per second.
        case slowLink(Int)
        /// The server answers with this status.
        case status(Int, Target)
        /// The server accepts requests and never answers.
        case silence(Target)
        /// The server stops in the middle of each body.
        case stall(Target)
        /// The connection breaks in the middle of each body.
        case truncation(Target)
        /// The server answers with a web page and status 200, as hotel networks do before a guest has paid.
        case webPage(Target)
        /// The packager stops: the live playlists do not change.
        case frozenPlaylists
        /// The packager restarts: media sequence numbers begin again at zero. It has no end.
        case sequenceReset
        /// Playlists list two segments that are not there yet.
        case earlyListing
        /// The packager of the better variant is three segments behind.
        case laggingVariant
        /// The server of the keys answers with this status.
        case keyStatus(Int)
        /// The feed's server answers with a feed that is not valid.
        case brokenFeed
        /// The feed does not offer the film any more, with `withdrawn`.
        case withdrawnFilm
        /// The feed has its programmes in another order, and their streams at other addresses.
        case changedFeed
        /// The television is unplugged.
        case screenLost
        /// The television has another mode when it is plugged in again: 60 Hz for 50 Hz.
        case otherMode
        /// A larger television is plugged in.
        case otherSize
        /// The television shows another input, and says so.
        case otherInput
        /// Video decoders fail at every picture.
        case decoderError
        /// Calls into video decoders do not return, until the process ends.
        case decoderHang
        /// The sound card is unplugged.
        case soundLost
        /// The sound card plays nothing and takes nothing.
        case soundStall
        /// The box's date is this many hours late; with a negative number it is early.
        case wrongDate(hours: Int)
        /// The box's date began in 1970, as without a battery and a time server.
        case noDate
        /// The process ends. It starts again at once, and knows what was playing.
        case crash
        /// The box has no power; only its disk remains.
        case powerCut
        /// A power cut that damages blocks of files which were not being written, as it does on memory cards.
        case damagingCut
        /// The disk is full: nothing can be written to a file.
        case fullDisk
        /// A key is pressed.
        case key(RemoteKey)
        /// Somebody opens a saved film, by its number, with the page.
        case open(Int)
    }

    /// Identifies it among the faults of its world, whatever is left out.
    package var number: Int
    package var kind: Kind
    /// From the start of the simulation.
    package var start: Duration
    package var length: Duration

    package init(number: Int, kind: Kind, start: Duration, length: Duration) {
        self.number = number
        self.kind = kind
        self.start = start
        self.length = length
    }

    /// From the start of the simulation.
    package var end: Duration { start + length }

    /// When a box can notice that it has ended: a feed is loaded again only after its refresh interval.
    package var effectEnd: Duration {
        switch kind {
        case .withdrawnFilm, .brokenFeed: end + SimulatedServer.refreshInterval * 5 / 4
        default: end
        }
    }

    /// Whether it lasts at this time.
    package func isActive(at time: Duration) -> Bool { start <= time && time < end }

    /// Whether playback may suffer from it. Through the others it goes on as if nothing had happened.
    package var disturbsPlayback: Bool {
        switch kind {
        case .soundLost, .wrongDate, .noDate, .changedFeed, .fullDisk, .key, .open: false
        default: true
        }
    }

    /// Whether only the network and the servers suffer from it: what is saved plays on.
    package var concernsNetworkOnly: Bool {
        switch kind {
        case .outage, .nameFailure, .slowLink, .status, .silence, .stall, .truncation, .webPage, .frozenPlaylists, .sequenceReset,
            .earlyListing, .laggingVariant, .keyStatus, .brokenFeed, .withdrawnFilm, .changedFeed:
            true
        case .screenLost, .otherMode, .otherSize, .otherInput, .decoderError, .decoderHang, .soundLost, .soundStall, .wrongDate,
            .noDate, .crash, .powerCut, .damagingCut, .fullDisk, .key, .open:
            false
        }
    }

    /// Whether the viewer acts: not a fault of the world, and nothing to recover from.
    package var isKey: Bool {
        switch kind {
        case .key, .open: true
        default: false
        }
    }

    /// For how long no other fault is likely to begin.
    var spent: Duration {
        switch kind {
        case .brokenFeed, .withdrawnFilm, .changedFeed: .zero
        default: length
        }
    }

    /// Whether it concerns a request for an address.
    func concerns(_ url: String) -> Bool {
        let url = url.prefix { $0 != "?" }
        return switch kind {
        case .outage, .nameFailure, .slowLink: true
        case .status(_, let target), .silence(let target), .stall(let target), .truncation(let target), .webPage(let target):
            switch target {
            case .everything: true
            case .playlists: url.hasSuffix(".m3u8")
            case .segments: url.hasSuffix(".ts")
            }
        case .keyStatus: url.hasSuffix(".key")
        default: false
        }
    }
}

extension Fault: CustomStringConvertible {
    package var description: String {
        let span = isKey ? "\(start.seconds) s" : "\(start.seconds) s for \(length.seconds) s"
        return "#\(number) \(words) at \(span)"
    }

    private var words: String {
        switch kind {
        case .outage: "network outage"
        case .nameFailure: "names not found"
        case .slowLink(let rate): "link of \(rate) bit/s"
        case .status(let status, let target): "HTTP \(status) for \(target.rawValue)"
        case .silence(let target): "no answer for \(target.rawValue)"
        case .stall(let target): "stall in \(target.rawValue)"
        case .truncation(let target): "broken connection in \(target.rawValue)"
        case .webPage(let target): "web page for \(target.rawValue)"
        case .frozenPlaylists: "live playlists do not change"
        case .sequenceReset: "media sequence restarts"
        case .earlyListing: "segments listed early"
        case .laggingVariant: "variant late"
        case .keyStatus(let status): "keys answered with HTTP \(status)"
        case .brokenFeed: "invalid feed"
        case .withdrawnFilm: "film withdrawn"
        case .changedFeed: "feed changed"
        case .screenLost: "television unplugged"
        case .otherMode: "television with another mode"
        case .otherSize: "television of another size"
        case .otherInput: "television shows another input"
        case .decoderError: "video decoders fail"
        case .decoderHang: "decoders hang"
        case .soundLost: "sound card unplugged"
        case .soundStall: "sound card stalls"
        case .wrongDate(let hours): "date wrong by \(hours) hours"
        case .noDate: "date unset"
        case .crash: "crash"
        case .powerCut: "power cut"
        case .damagingCut: "damaging power cut"
        case .fullDisk: "disk full"
        case .key(let key): "key \(key.rawValue)"
        case .open(let film): "opening of saved film \(film)"
        }
    }
}

extension Duration {
    /// Whole seconds.
    var seconds: Int64 { components.seconds }
}
