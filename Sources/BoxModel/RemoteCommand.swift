import MediaModel
import MediaTime
import URLReferences

/// Commands to the box from outside, independent of the transport, named after MPRemoteCommandCenter.
package enum RemoteCommand: Sendable, Hashable {
    case play
    case pause
    /// Switches between the two.
    case togglePlayPause
    /// Leave the player.
    case stop
    /// Seek to a position in content time.
    case changePlaybackPosition(MediaTime)
    /// Seek forward (or, negative, back) by this much content time.
    case skip(MediaTime)
    /// Play from the start.
    case restart
    /// Play an item or channel of the feed by its id.
    case open(id: String)
    /// Press and release a key.
    case key(RemoteKey)
    /// An announcement begins: playback makes room for it.
    case beginAnnouncement
    /// It has ended; whether playback may resume automatically.
    case endAnnouncement(shouldResume: Bool)
    /// Leave standby. Nothing happens to a box that is awake.
    case wake
    /// Stop, and switch the screen off. Nothing happens to a box that is in standby.
    case standby
    /// Set the volume of the box in percent; outside the operator's limits the nearest of them. It unmutes.
    case setVolume(percent: Int)
    case setMuted(Bool)
    /// Send sound to an output, by its id; nil: to the one that the machine takes by itself.
    case selectOutput(id: String?)
    /// Hear an option of `NowPlaying.selections`.
    case selectAudio(id: String)
    /// Show an option of `NowPlaying.selections`.
    case selectSubtitles(id: String)
    /// Show captions, those in the viewer's language if there are any, or none.
    case setCaptions(Bool)
    /// Play at this speed; 1 is normal.
    case changePlaybackRate(Ratio)
    /// Seek to the newest part of a live stream.
    case goLive
    /// Show a message over everything for a number of seconds.
    case showMessage(String, seconds: Int)
    /// Ask for the feed now.
    case refreshFeed
    /// End the player and start it again; it goes on with what it plays.
    case restartPlayer
    /// Start the machine again.
    case reboot
    /// See an option of `NowPlaying.selections`.
    case selectAngle(id: String)
    /// Seek in a live stream to what was sent at this time of day, in seconds since local midnight; the last such time.
    case goToTimeOfDay(Int)
    /// A guest has left: go to standby, and forget what viewers have left and set. What the operator has set stays.
    case checkOut
    /// Greet the guest with this name now, and whenever the box wakes or starts, until `checkOut`; nil: no guest is greeted any more.
    case setWelcome(name: String?)
    /// Show a text instead of everything else, also in standby and after a restart, until `endEmergency`. Nothing is heard, and no key does anything.
    case showEmergency(String)
    case endEmergency
    /// Ask for the operator's update now, and install it without waiting for its hours.
    case updateNow
    /// Make a support bundle, and post it to an address.
    case sendSupportBundle(to: String)

    /// What holds of it wherever it comes from: the one table of commands.
    package var rule: CommandRule {
        switch self {
        case .play: .init("play", .item, [.asksForState, .yieldsToEmergency])
        case .pause: .init("pause", .item, .asksForState)
        case .togglePlayPause: .init("togglePlayPause", .item, .yieldsToEmergency)
        case .stop: .init("stop", .screen)
        case .changePlaybackPosition(let time):
            .init("changePlaybackPosition", .item, .yieldsToEmergency, time.dumpValue)
        case .skip(let length): .init("skip", .item, .yieldsToEmergency, length.dumpValue)
        case .restart: .init("restart", .item, .yieldsToEmergency)
        case .open(let id): .init("open", .screen, .yieldsToEmergency, .identifier(id))
        case .key(let key): .init("key", .screen, .yieldsToEmergency, .word(key.rawValue))
        case .beginAnnouncement: .init("beginAnnouncement", .box)
        case .endAnnouncement(let shouldResume): .init("endAnnouncement", .box, [], shouldResume.dumpValue)
        case .wake: .init("wake", .screen, .asksForState)
        case .standby: .init("standby", .screen, .asksForState)
        case .setVolume(let percent): .init("setVolume", .box, .asksForState, .number(percent))
        case .setMuted(let isMuted): .init("setMuted", .box, .asksForState, isMuted.dumpValue)
        case .selectOutput(let id): .init("selectOutput", .box, .asksForState, id.map { .identifier($0) } ?? .word("automatic"))
        case .selectAudio(let id): .init("selectAudio", .item, .choice, .identifier(id))
        case .selectSubtitles(let id): .init("selectSubtitles", .item, .choice, .identifier(id))
        case .selectAngle(let id): .init("selectAngle", .item, .choice, .identifier(id))
        case .setCaptions(let isOn): .init("setCaptions", .item, .choice, isOn.dumpValue)
        case .changePlaybackRate(let rate): .init("changePlaybackRate", .item, .choice, .word("\(rate)"))
        case .goLive: .init("goLive", .item, [.yieldsToStandby, .yieldsToEmergency])
        case .goToTimeOfDay(let seconds):
            .init("goToTimeOfDay", .item, [.yieldsToStandby, .yieldsToEmergency], .number(seconds))
        case .showMessage(let text, let seconds):
            .init(
                "showMessage", .screen, [.yieldsToStandby, .yieldsToEmergency],
                .record([DumpField("text", .text(text)), DumpField("seconds", .number(seconds))]))
        case .refreshFeed: .init("refreshFeed", .box)
        case .restartPlayer: .init("restartPlayer", .box)
        case .reboot: .init("reboot", .box)
        case .checkOut: .init("checkOut", .screen, .asksForState)
        case .setWelcome(let name): .init("setWelcome", .box, .asksForState, name.map { .text($0) } ?? .word("none"))
        case .showEmergency(let text): .init("showEmergency", .box, .asksForState, .text(text))
        case .endEmergency: .init("endEmergency", .box, .asksForState)
        case .updateNow: .init("updateNow", .box)
        case .sendSupportBundle(let address):
            .init("sendSupportBundle", .box, [], .text(Redaction.withoutSecrets(address)))
        }
    }
}

/// What holds of a command wherever it comes from. A value.
package struct CommandRule: Sendable {
    /// What it is about, and so who carries it out.
    package enum Subject: Sendable {
        /// What plays. It is refused if nothing does, or while a PIN is asked for.
        case item
        /// What is on the screen.
        case screen
        /// The sound, the guests, the messages and the life of the box: nothing that the interface knows of.
        case box
    }

    package struct Traits: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// It asks for a state, so that a box that has it already (`CommandRefusal.noChange`) has done what was asked.
        package static let asksForState = Traits(rawValue: 1)
        /// It is refused in standby. Any other command about what plays ends standby, as a key does.
        package static let yieldsToStandby = Traits(rawValue: 2)
        /// It is refused while an emergency message is on the screen.
        package static let yieldsToEmergency = Traits(rawValue: 4)
        /// It chooses how something is played.
        fileprivate static let choice: Traits = [.asksForState, .yieldsToStandby, .yieldsToEmergency]
    }

    /// Its name in the API and in dumps.
    package let name: String
    package let subject: Subject
    package let traits: Traits
    /// The form in which dumps have it.
    package let dumpValue: DumpValue

    fileprivate init(_ name: String, _ subject: Subject, _ traits: Traits = [], _ argument: DumpValue? = nil) {
        self.name = name
        self.subject = subject
        self.traits = traits
        dumpValue = argument.map { .tagged(name, $0) } ?? .word(name)
    }
}
