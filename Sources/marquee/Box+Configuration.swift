import Appliance
import ChannelFeed
import Configuration
import Display
import Glibc
import LinuxSupport
import MediaModel
import Remote
import Transfer

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
