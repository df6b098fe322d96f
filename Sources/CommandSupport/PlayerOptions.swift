import ArgumentParser
import Display
import EngineAssembly
import LinuxSupport

/// The options that `run` and `play` share.
package struct PlayerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where pictures go.", valueName: "auto|window[:WxH]|kms[:CARD]|headless[:WxH@HZ]"))
    package var display = "auto"

    @Option(help: ArgumentHelp("Where sound goes.", valueName: "auto|alsa[:DEV]|wav:FILE|null"))
    package var audio = "auto"

    @Option(help: ArgumentHelp("Serve the local page on this port of 127.0.0.1; 0 takes any free one.", valueName: "N"))
    package var port: Int?

    @Option(help: ArgumentHelp("Languages for texts, sound and captions, best first.", valueName: "TAG,…"))
    package var languages = defaultLanguages

    package static let defaultLanguages = "en"

    package init() {}

    /// The requested display.
    package func displayChoice() throws -> DisplayChoice {
        guard let choice = DisplayChoice(display) else {
            throw CommandFault(
                "--display \(display) is not understood; give auto, window, kms, kms:CARD, headless or headless:1280x720@50.",
                code: 2)
        }
        return choice
    }

    /// The requested audio output.
    package func audioChoice() throws -> AudioChoice {
        guard let choice = AudioChoice(audio) else {
            throw CommandFault("--audio \(audio) is not understood; give auto, alsa, alsa:DEVICE, wav:FILE or null.", code: 2)
        }
        return choice
    }

    package func checkedPort() throws -> UInt16? {
        guard let port else { return nil }
        guard let number = UInt16(exactly: port) else {
            throw CommandFault("--port \(port) is not a port; give 0 to 65535.", code: 2)
        }
        return number
    }

    package var languageList: [String] { languages.split(separator: ",").map(String.init) }
}
