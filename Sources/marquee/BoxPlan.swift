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
    /// The configuration from which a box is made.
    struct Plan {
        var time = MainLoop.Time.real
        var display = DisplayChoice.auto
        var audio = AudioChoice.automatic
        var languages = ["en"]
        var dump: (@MainActor (DumpLine) -> Void)?
        var echoesLog = false
        /// Kiosk mode: Back only closes layers, and a viewer cannot leave the feed.
        var isKiosk = false
        /// The file in which positions are stored; nil to keep them in memory only.
        var stateFolder: String?
        /// The configured display mode, of the card or of a headless screen that replaces it.
        var preferredMode: DisplayMode?
        /// A simulated network that is worse than the machine's.
        var network: NetworkProfile?
        /// What simulates it, as text.
        var networkMaker = "shaped inside the program"
        /// SHA-256 of the configured PIN.
        var pinDigest: String?
        /// The highest rating that needs no PIN.
        var parentalLimit: ParentalLimit?
        /// How much the interface is shrunk on each side, in percent.
        var overscanPercent = 0
        /// The box's name, for About.
        var name: String?
        /// The wall clock at the start of simulated time; nil if simulated time has no date.
        var simulatedStart: FeedDate?
        /// The operator's network settings.
        var transfer = TransferOptions()
        /// Whether the network is metered.
        var isMetered: @MainActor @Sendable () -> Bool = { false }
        /// How much later than the picture the sound is.
        var soundDelay = Duration.zero
        /// Whether a muted card is unmuted when it is opened. This is for boxes, where no other program sets the mixer.
        var unmutesCards = false
        /// Whether encoded sound may be passed through.
        var passesSoundThrough = false
        /// Whether the screen's refresh rate follows the current item's.
        var matchesRefresh = false
        /// Additional key mappings by the name of the device.
        var keyMaps: [String: [String: String]] = [:]
        /// SHA-256 of the token with which other machines reach the page.
        var tokenDigest: String?
        /// Whether a service can reset the box.
        var canReset = false
        /// Settings that could not be applied, one sentence each.
        var remarks: [String] = []
    }
}

/// Applies the operator's file to a plan. Only here do keys become settings of parts.
extension Box.Plan {
    /// Applies the values of a file. Options on the command line take precedence.
    ///
    /// - Parameters:
    ///   - configuration: the file.
    ///   - files: the files of provisioning; nil if there are none.
    ///   - options: the command line.
    ///   - serial: the machine's serial number, which may be part of the box's name.
    ///   - folder: where files for this run are created; nil for nowhere.
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

    /// Unusable files are reported and skipped: a box with default settings is better than one without network or remote.
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
    /// Settings of the whole process, applied before its first thread.
    func prepareProcess() {
        guard let timeZone else { return }
        setenv("TZ", timeZone, 1)
        tzset()
    }
}
