import Appliance
import ChannelFeed
import CivilTime
import CommandSupport
import Configuration
import Display
import EngineAssembly
import Glibc
import LinuxSupport
import MediaModel
import NetworkConditions
import Playback
import Remote
import Transfer
import TransportSecurity
import WirelessNetworks

/// The configuration from which a box is made.
package struct BoxPlan {
    package var clock = Clock.real
    /// How often the player is woken during undisturbed playback; nil: as is usual for the clock.
    package var wakes: WakePolicy?
    package var picture: Picture
    package var sound: Sound
    package var network = Network()
    package var viewer: Viewer
    package var doors = Doors()
    /// The folder in which positions are stored; nil to keep them in memory only.
    package var stateFolder: String?
    /// The folder of saved programmes; nil if none are stored.
    package var savedFolder: String?
    /// The folder of artwork; nil if none is kept.
    package var artworkFolder: String?
    /// Receives each line of the dump; nil if none is written.
    package var dump: (@MainActor (DumpLine) -> Void)?
    package var echoesLog = false
    /// Whether the log is kept in the state folder.
    package var keepsLog = false
    /// Settings that could not be applied, one sentence each.
    package var remarks: [String] = []

    package init(display: DisplayChoice = .auto, audio: AudioChoice = .automatic, languages: [String] = ["en"]) {
        picture = Picture(display: display)
        sound = Sound(output: audio)
        viewer = Viewer(languages: languages)
    }
}

extension BoxPlan {
    package enum Clock {
        case real
        /// Simulated time that starts at a date; nil if it has no date.
        case simulated(start: FeedDate? = nil)

        package var policy: TimePolicy {
            switch self {
            case .real: .real
            case .simulated: .simulated
            }
        }
    }

    package struct Picture {
        package var display: DisplayChoice
        /// The session of a desktop in which a window is taken where no display is named; nil: none is taken.
        package var session: DesktopSession?
        /// The configured display mode, of the card or of a headless screen that replaces it.
        package var preferredMode: DisplayMode?
        /// How far pictures are turned for a screen that hangs turned.
        package var rotation = DisplayRotation.none
        /// Whether the screen's refresh rate follows the current item's.
        package var matchesRefresh = false
        /// Whether hardware decoders are tried before those in software.
        package var decodesInHardware = true
        /// Whether a high dynamic range is signalled to a screen that can show it.
        package var showsHighRange = true
        /// How much the interface is shrunk on each side, in percent.
        package var overscanPercent = 0
    }

    package struct Sound {
        package var output: AudioChoice
        /// How much later than the picture the sound is.
        package var delay = Duration.zero
        /// Whether a muted card is unmuted when it is opened. This is for boxes, where no other program sets the mixer.
        package var unmutesCards = false
        /// Whether encoded sound may be passed through.
        package var passesThrough = false
        /// The volumes that the operator allows.
        package var volume = VolumeLimits()
    }

    package struct Network {
        /// A simulated network that is worse than the machine's.
        package var profile: NetworkProfile?
        /// What simulates it, as text.
        package var maker = "shaped inside the program"
        /// The operator's network settings.
        package var transfer = TransferOptions()
        /// Who has the wireless networks; nil if viewers choose none.
        package var wireless: WirelessSurroundings.Owner?
        /// The name of the wireless network in the operator's settings.
        package var configuredWireless: String?
        /// Whether the network is metered.
        package var isMetered: @MainActor @Sendable () -> Bool = { false }
    }

    package struct Viewer {
        package var languages: [String]
        /// Kiosk mode: Back only closes layers, and a viewer cannot leave the feed.
        package var isKiosk = false
        /// SHA-256 of the configured PIN.
        package var pinDigest: String?
        /// The highest rating that needs no PIN.
        package var parentalLimit: ParentalLimit?
        /// The id of what plays at the start; nil for the feed's.
        package var start: String?
        /// When the screen is on; nil: as the feed says.
        package var hours: OpeningHours?
        /// The box's name, for About.
        package var boxName: String?
        /// Whether a service can reset the box.
        package var canReset = false
        /// Settings with which a box begins that stores none, by the names under which they are stored.
        package var settings: [(name: String, value: String)] = []
    }

    package struct Doors {
        /// Additional key mappings by the name of the device.
        package var keyMaps: [String: [String: String]] = [:]
        /// The tokens with which other machines reach the page.
        package var tokens: [AccessToken] = []
        /// Where the certificate comes from with which other machines reach the page; nil without TLS.
        package var identity: IdentitySource?
        /// The certificate that is used; nil without TLS.
        package var certificate: CertificateFacts?
    }
}

/// Applies the operator's file to a plan. Only here do keys become settings of parts.
extension BoxPlan {
    /// Applies the values of a file. Options on the command line take precedence.
    ///
    /// - Parameters:
    ///   - configuration: the file.
    ///   - files: the files of provisioning; nil if there are none.
    ///   - options: the command line.
    ///   - serial: the machine's serial number, which may be part of the box's name.
    ///   - folder: where files for this run are created; nil for nowhere.
    package mutating func apply(
        _ configuration: Configuration, files: ProvisioningFiles?, options: PlayerOptions, serial: String?, folder: String?
    ) {
        viewer.isKiosk = configuration.isKiosk
        viewer.boxName = configuration.name(serial: serial)
        if options.languages == PlayerOptions.defaultLanguages, let language = configuration.language {
            viewer.languages = [language]
        }
        picture.preferredMode = configuration.displayMode.flatMap { DisplayMode(text: $0) }
        if let mode = configuration.displayMode, picture.preferredMode == nil {
            remarks.append("display.mode: \(mode) is not a mode such as 1920x1080@50; the screen's own is used.")
        }
        picture.rotation = configuration.rotation
        picture.matchesRefresh = configuration.matchesRefresh
        picture.decodesInHardware = configuration.decodesInHardware
        picture.showsHighRange = configuration.showsHighRange
        picture.overscanPercent = configuration.overscanPercent
        viewer.pinDigest = configuration.pinDigest
        viewer.start = configuration.start
        applyHours(configuration)
        viewer.parentalLimit = configuration.parentalLimit.flatMap { ParentalLimit(value: $0) }
        if sound.output == .automatic, let device = configuration.audioOutput { sound.output = .preferred(device: device) }
        sound.delay = configuration.soundDelay
        sound.passesThrough = configuration.passesSoundThrough
        applyVolume(configuration)
        if let word = configuration.isMetered {
            network.isMetered = { word }
        } else {
            network.isMetered = { MeteredLink.isAnnounced() }
        }
        doors.tokens = configuration.tokens
        if !configuration.tokens.isEmpty, !configuration.allowsPlainPage {
            doors.identity = IdentitySource(name: configuration.name(serial: serial))
        }
        network.configuredWireless = configuration.wirelessName
        network.transfer.proxy = configuration.proxy
        network.transfer.plainHTTPHosts = Set(configuration.plainHTTPHosts.map { $0.lowercased() })
        guard let files else { return }
        if let name = configuration.authorityFile { useAuthorities(files.beside(name), folder: folder) }
        if let name = configuration.keyMapFile { useKeyMap(files.beside(name), name: name) }
        doors.identity?.files = configuration.pageCertificate.map { (files.beside($0.certificate), files.beside($0.key)) }
    }

    /// A screen that would never be on is not what anybody wants.
    private mutating func applyHours(_ configuration: Configuration) {
        do throws(CivilFault) {
            viewer.hours = try configuration.openingHours()
        } catch {
            remarks.append("box.hours: \(error.message); they are not used. \(error.remedy)")
        }
    }

    /// Limits that contradict each other are reported: the most counts, because too loud is what harms.
    private mutating func applyVolume(_ configuration: Configuration) {
        let (start, least, most) = (configuration.startVolume, configuration.leastVolume, configuration.mostVolume)
        sound.volume = VolumeLimits(start: start, least: least, most: most)
        let range = sound.volume.range
        if let least, least != range.lowerBound {
            remarks.append(
                "sound.min_volume: \(least) is above sound.max_volume, so that the volume is always \(range.upperBound).")
        }
        if let start, start != sound.volume.start {
            remarks.append(
                "sound.start_volume: \(start) is not between sound.min_volume and sound.max_volume; \(sound.volume.start) is used."
            )
        }
    }

    /// Unusable files are reported and skipped: a box with default settings is better than one without network or remote.
    private mutating func useAuthorities(_ path: String, folder: String?) {
        guard let folder else {
            remarks.append("network.ca_file could not be applied: there is no folder for the combined certificates.")
            return
        }
        // One block that libcrypto cannot read makes libcurl refuse all authorities, those of the system too.
        let pem = WholeFile.read(path) ?? []
        let blocks =
            String(decoding: pem, as: UTF8.self).split(separator: "-----BEGIN CERTIFICATE-----", omittingEmptySubsequences: false)
            .count - 1
        if !pem.isEmpty, (try? CertificateFacts.list(pem))?.count != blocks {
            remarks.append("network.ca_file: \(path) has a certificate that cannot be read; it is not used until this is fixed.")
        } else if let problem = OperatorAuthorities.write(adding: path, to: folder + "/authorities.pem") {
            remarks.append("network.ca_file: " + problem)
        } else {
            network.transfer.authorities = folder + "/authorities.pem"
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
            doors.keyMaps = maps
        } catch {
            remarks.append("remote.keymap: \(error)")
        }
    }
}

extension Configuration {
    /// Settings of the whole process, applied before its first thread.
    package func prepareProcess() {
        guard let timeZone else { return }
        setenv("TZ", timeZone, 1)
        tzset()
    }
}
