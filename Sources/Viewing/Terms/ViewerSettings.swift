import MediaModel
import MediaTime

/// How a picture with another aspect than the screen's is fitted.
package enum VideoFit: String, Sendable, Hashable, CaseIterable {
    /// The whole picture, with bars.
    case fit
    /// The whole screen, with cropped edges.
    case fill
    /// The whole screen, distorted.
    case stretch
}

/// A viewer's settings, as one value: stored, and applied at once. The operator's policy takes precedence.
package struct ViewerSettings: Sendable, Hashable {
    /// How long elements that hide automatically stay.
    package enum Patience: String, Sendable, Hashable, CaseIterable {
        /// The normal time.
        case normal
        /// Three times as long.
        case long
        /// They hide only after `Timing.standsAtMost`, for the screen's sake, and nothing is accepted automatically.
        case endless
    }

    /// Language of the interface (BCP 47); nil for the configured one.
    package var language: String?
    /// Languages of audio, best first; empty for the interface's.
    package var audioLanguages: [String] = []
    /// Languages of captions, best first; empty for the interface's.
    package var subtitleLanguages: [String] = []
    /// Whether audio description is preferred.
    package var prefersAudioDescription = false
    /// Whether captions for the deaf and hard of hearing are shown and preferred.
    package var prefersSDH = false
    /// Whether captions are shown briefly after a seek back.
    package var showsCaptionsOnReplay = false
    /// Whether captions are shown while the sound is muted.
    package var showsCaptionsWhenMuted = false
    /// The caption style.
    package var captionStyle = CaptionStyle()
    /// Reduce loud sounds.
    package var reducesLoudSounds = false
    /// Enhance dialogue.
    package var enhancesDialogue = false
    /// How much later than the pictures the sound is heard, in milliseconds, by the name of the output; without a value the configured delay.
    package var soundDelays: [String: Int] = [:]
    /// How much later than the pictures captions are shown, in milliseconds, of single channels, series or items, by id.
    package var captionDelays: [String: Int] = [:]
    /// The picture size; `videoFits` takes precedence for single channels or items.
    package var videoFit = VideoFit.fit
    /// The picture size of single channels, by id.
    package var videoFits: [String: VideoFit] = [:]
    /// The overscan of the interface, 0…5 percent; nil for the configured one.
    package var overscanPercent: Int?
    /// Type 1.25 times as large.
    package var hasLargerText = false
    /// Black backgrounds, white lines.
    package var hasHighContrast = false
    /// Nothing slides, shakes or grows.
    package var reducesMotion = false
    /// The focused element is spoken, if the box has a voice.
    package var speaksFocus = false
    /// Moving focus, choosing and a key without an effect have a quiet sound.
    package var playsNavigationSounds = false
    /// How long elements that hide automatically stay.
    package var patience = Patience.normal
    /// Minutes without a key after which the screen saver is shown on a still screen; 0 for never.
    package var screenSaverMinutes = Self.screenSaverChoices[2]
    /// The choices for it; zero is never.
    package static let screenSaverChoices = [1, 2, 5, 10, 0]
    /// The age from which programmes need the PIN; nil for the operator's.
    package var parentalAge: Int?

    /// The defaults.
    package init() {}

    /// The picture size of an item.
    package func fit(of id: String?) -> VideoFit { id.flatMap { videoFits[$0] } ?? videoFit }

    /// The delay of the captions of an item, in milliseconds.
    package func captionDelay(of id: String?) -> Int { id.flatMap { captionDelays[$0] } ?? 0 }

    /// Names and texts for a store, sorted by name, without defaults.
    package var entries: [(name: String, value: String)] {
        var all: [(name: String, value: String)] = []
        func add(_ name: String, _ value: String?) { if let value { all.append((name, value)) } }
        func add(_ name: String, flag: Bool) { if flag { all.append((name, "true")) } }
        let style = captionStyle
        add("audio.description", flag: prefersAudioDescription)
        add("audio.enhance-dialogue", flag: enhancesDialogue)
        add("audio.languages", audioLanguages.isEmpty ? nil : audioLanguages.joined(separator: ","))
        add("audio.reduce-loud-sounds", flag: reducesLoudSounds)
        add("captions.background", style.background?.rawValue)
        add("captions.background-opacity", style.backgroundOpacityPercent.map(String.init))
        add("captions.colour", style.colour?.rawValue)
        add("captions.edge", style.edge?.rawValue)
        add("captions.font", style.font == .automatic ? nil : style.font.rawValue)
        add("captions.languages", subtitleLanguages.isEmpty ? nil : subtitleLanguages.joined(separator: ","))
        add("captions.on-replay", flag: showsCaptionsOnReplay)
        add("captions.opacity", style.opacityPercent.map(String.init))
        add("captions.sdh", flag: prefersSDH)
        add("captions.size", style.sizePercent == 100 ? nil : String(style.sizePercent))
        add("captions.when-muted", flag: showsCaptionsWhenMuted)
        add("captions.window", style.window?.rawValue)
        add("captions.window-opacity", style.windowOpacityPercent.map(String.init))
        add("interface.high-contrast", flag: hasHighContrast)
        add("interface.language", language)
        add("interface.larger-text", flag: hasLargerText)
        add("interface.overscan", overscanPercent.map(String.init))
        add("interface.patience", patience == .normal ? nil : patience.rawValue)
        add("interface.reduced-motion", flag: reducesMotion)
        add("interface.sounds", flag: playsNavigationSounds)
        add("interface.speech", flag: speaksFocus)
        add("interface.screen-saver", screenSaverMinutes == Self.screenSaverChoices[2] ? nil : String(screenSaverMinutes))
        add("parental.age", parentalAge.map(String.init))
        add("video.fit", videoFit == .fit ? nil : videoFit.rawValue)
        for (id, fit) in videoFits.sorted(by: { $0.key < $1.key }) { add("video.fit." + id, fit.rawValue) }
        for (output, delay) in soundDelays.sorted(by: { $0.key < $1.key }) { add("audio.delay." + output, "\(delay)") }
        for (id, delay) in captionDelays.sorted(by: { $0.key < $1.key }) { add("captions.delay." + id, "\(delay)") }
        return all
    }

    /// What stays when a guest leaves: what was set for the television of the room.
    ///
    /// - Parameter keepsParentalAge: whether the age was set with the operator's PIN.
    package func ofRoom(keepsParentalAge: Bool) -> ViewerSettings {
        var room = ViewerSettings()
        (room.overscanPercent, room.soundDelays) = (overscanPercent, soundDelays)
        if keepsParentalAge { room.parentalAge = parentalAge }
        return room
    }

    /// Parses stored settings. Unknown names and invalid values are ignored.
    package init(entries: [(name: String, value: String)]) {
        for (name, value) in entries { take(name, value) }
    }

    /// Whether a stored setting means anything to this version, other than the default.
    package static func knows(_ name: String, _ value: String) -> Bool {
        ViewerSettings(entries: [(name, value)]).entries.contains { $0.name == name }
    }

    private mutating func take(_ name: String, _ value: String) {
        func list() -> [String] { value.split(separator: ",").map(String.init) }
        func percent(_ range: ClosedRange<Int>) -> Int? { Int(value).flatMap { range.contains($0) ? $0 : nil } }
        let isTrue = value == "true"
        switch name {
        case "audio.description": prefersAudioDescription = isTrue
        case "audio.enhance-dialogue": enhancesDialogue = isTrue
        case "audio.languages": audioLanguages = list()
        case "audio.reduce-loud-sounds": reducesLoudSounds = isTrue
        case "captions.background": captionStyle.background = CaptionStyle.Colour(rawValue: value)
        case "captions.background-opacity": captionStyle.backgroundOpacityPercent = percent(0...100)
        case "captions.colour": captionStyle.colour = CaptionStyle.Colour(rawValue: value)
        case "captions.edge": captionStyle.edge = CaptionStyle.Edge(rawValue: value)
        case "captions.font": captionStyle.font = CaptionStyle.Font(rawValue: value) ?? .automatic
        case "captions.languages": subtitleLanguages = list()
        case "captions.on-replay": showsCaptionsOnReplay = isTrue
        case "captions.opacity": captionStyle.opacityPercent = percent(25...100)
        case "captions.sdh": prefersSDH = isTrue
        case "captions.size": captionStyle.sizePercent = percent(50...200) ?? 100
        case "captions.when-muted": showsCaptionsWhenMuted = isTrue
        case "captions.window": captionStyle.window = CaptionStyle.Colour(rawValue: value)
        case "captions.window-opacity": captionStyle.windowOpacityPercent = percent(0...100)
        case "interface.high-contrast": hasHighContrast = isTrue
        case "interface.language": language = value
        case "interface.larger-text": hasLargerText = isTrue
        case "interface.overscan": overscanPercent = percent(0...5)
        case "interface.patience": patience = Patience(rawValue: value) ?? .normal
        case "interface.reduced-motion": reducesMotion = isTrue
        case "interface.sounds": playsNavigationSounds = isTrue
        case "interface.speech": speaksFocus = isTrue
        case "interface.screen-saver":
            if let minutes = Int(value), Self.screenSaverChoices.contains(minutes) { screenSaverMinutes = minutes }
        case "parental.age": parentalAge = percent(0...21)
        case "video.fit": videoFit = VideoFit(rawValue: value) ?? .fit
        default: takeOfOne(name, value)
        }
    }

    /// A setting of one channel, item or output, whose name ends with it.
    private mutating func takeOfOne(_ name: String, _ value: String) {
        func id(after prefix: String) -> String? { name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil }
        func delay(_ part: DelayedPart) -> Int? { Int(value).flatMap { (-part.most...part.most).contains($0) ? $0 : nil } }
        if let id = id(after: "video.fit."), let fit = VideoFit(rawValue: value) {
            videoFits[id] = fit
        } else if let output = id(after: "audio.delay."), let delay = delay(.sound) {
            soundDelays[output] = delay
        } else if let id = id(after: "captions.delay."), let delay = delay(.subtitles) {
            captionDelays[id] = delay
        }
    }
}
