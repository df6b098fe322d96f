import Appliance
import ChannelFeed
import Configuration
import Display
import Glibc
import LinuxSupport
import MediaModel
import NetworkConditions
import PlayerInterface
import Remote
import Transfer

extension Box {
    /// What a box is made from.
    struct Plan {
        var time = MainLoop.Time.real
        var display = DisplayChoice.auto
        var audio = AudioChoice.automatic
        var languages = ["en"]
        var dump: (@MainActor (String) -> Void)?
        var echoesLog = false
        /// Back only closes layers, and nothing leads out of the feed.
        var isKiosk = false
        /// Where places are remembered over power cuts; nil: only while the program runs.
        var stateFolder: String?
        /// The mode that the box was set up with: of the card, or of a headless screen that was chosen for want of another.
        var preferredMode: DisplayMode?
        /// A network to play over that is worse than the machine's own.
        var network: NetworkProfile?
        /// Who makes it worse, in words.
        var networkMaker = "shaped inside the program"
        /// SHA-256 of the PIN that the box was set up with.
        var pinDigest: String?
        /// The highest rating that is open without it.
        var parentalLimit: ParentalLimit?
        /// By how much the interface is shrunk on each side, in percent.
        var overscanPercent = 0
        /// Its name, for About.
        var name: String?
        /// What the wall clock shows at the beginning of simulated time; nil: simulated time has no date.
        var simulatedStart: FeedDate?
        /// What the operator says of the network.
        var transfer = TransferOptions()
        /// Whether the network is paid for by the byte.
        var isMetered: @MainActor @Sendable () -> Bool = { false }
        /// How much later than the picture the sound is to be.
        var soundDelay = Duration.zero
        /// Whether a card that is muted is switched on when it is opened: on a box, where no other program sets the mixer.
        var unmutesCards = false
        /// Whether sound may leave the box as it was encoded.
        var passesSoundThrough = false
        /// Whether the screen's refresh rate follows that of what plays.
        var matchesRefresh = false
        /// What keys of remotes mean besides, by the name of the device.
        var keyMaps: [String: [String: String]] = [:]
        /// SHA-256 of the token by which the page is reached from other machines.
        var tokenDigest: String?
        /// Whether something beside the player can make the box as new.
        var canReset = false
        /// What could not be put into force, one sentence each.
        var remarks: [String] = []
    }
}

/// What the operator's file makes of a box: the one place where keys become settings of parts.
extension Box.Plan {
    /// Puts the values of a file into force. Options that were given on the command line outrank them.
    ///
    /// - Parameters:
    ///   - configuration: the file.
    ///   - files: where it is; nil: there is none, and no file beside it.
    ///   - options: the command line.
    ///   - serial: the machine's serial number, which may be part of the box's name.
    ///   - folder: where a file may be made that this run needs; nil: nowhere.
    mutating func apply(
        _ configuration: Configuration, files: ProvisioningFiles?, options: PlayerOptions, serial: String?, folder: String?
    ) {
        isKiosk = configuration.isKiosk
        name = configuration.name(serial: serial)
        if options.languages == PlayerOptions.defaultLanguages, let language = configuration.language { languages = [language] }
        preferredMode = configuration.displayMode.flatMap { DisplayMode(text: $0) }
        matchesRefresh = configuration.matchesRefresh
        overscanPercent = configuration.overscanPercent
        pinDigest = configuration.pinDigest
        parentalLimit = configuration.parentalLimit.flatMap { ParentalLimit(value: $0) }
        if audio == .automatic, let device = configuration.audioOutput { audio = .preferred(device: device) }
        soundDelay = configuration.soundDelay
        passesSoundThrough = configuration.passesSoundThrough
        if let word = configuration.isMetered { isMetered = { word } } else { isMetered = { MeteredLink.isAnnounced() } }
        tokenDigest = configuration.tokenDigest
        transfer.proxy = configuration.proxy
        guard let files else { return }
        if let name = configuration.authorityFile { useAuthorities(files.beside(name), folder: folder) }
        if let name = configuration.keyMapFile { useKeyMap(files.beside(name), name: name) }
    }

    /// What cannot be used is said and left out: a box without network, or without a remote, is worse than one with the usual ones.
    private mutating func useAuthorities(_ path: String, folder: String?) {
        guard let folder else {
            remarks.append("network.ca_file could not be applied: there is no folder for the combined certificates.")
            return
        }
        if let problem = OperatorAuthorities.write(adding: path, to: folder + "/authorities.pem") {
            remarks.append("network.ca_file: " + problem)
        } else {
            transfer.authorities = folder + "/authorities.pem"
        }
    }

    private mutating func useKeyMap(_ path: String, name: String) {
        guard let bytes = WholeFile.read(path) else {
            remarks.append("remote.keymap: \(path) could not be read: \(String(cString: strerror(errno))); put the file there.")
            return
        }
        do {
            let maps = try KeyMapFile.read(String(decoding: bytes, as: UTF8.self), name: name)
            for device in maps.keys.sorted() { _ = try KeyMap.changes(maps[device]!, device: device) }
            keyMaps = maps
        } catch {
            remarks.append("remote.keymap: \(error)")
        }
    }
}

extension Configuration {
    /// What holds for the whole process, set before its first thread.
    func prepareProcess() {
        guard let timeZone else { return }
        setenv("TZ", timeZone, 1)
        tzset()
    }
}
