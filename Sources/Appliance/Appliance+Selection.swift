import Captions
import MediaModel
import Playback
import PlayerInterface

/// What the viewer chooses of sound and captions, and what is told of it.
extension Appliance {
    /// Carries out an effect of choosing.
    func carryOutSelection(_ effect: InterfaceEffect) {
        if case .setCaptionStyle(let style) = effect { return parts.drawing.setCaptionStyle(style) }
        guard let selection = parts.player.currentItem?.selection else { return }
        switch effect {
        case .selectAudio(let id):
            guard let group = selection.group(.audible), let option = group.options.first(where: { $0.id == id }) else { return }
            parts.dump?.note("select", "audible \(EventDump.words(option))")
            selection.select(option, in: group)
            remember(.audible, selection)
        case .selectSubtitles(let choice):
            guard let group = selection.group(.legible) else { return }
            switch choice {
            case .off: selection.select(nil, in: group)
            case .automatic: selection.selectMediaOptionAutomatically(in: group)
            case .option(let id): selection.select(group.options.first { $0.id == id }, in: group)
            }
            parts.dump?.note("select", "legible \(selection.selectedOption(.legible).map(EventDump.words) ?? "none")")
            remember(.legible, selection)
        default: break
        }
    }

    /// Gives a new item the viewer's languages, the caption files beside it, and what was chosen for its series before.
    func prepareSelection(of item: PlayerItem, for programme: Programme) {
        item.selection.criteria = selectionCriteria
        if case .item(let feedItem) = programme.subject {
            for file in feedItem.subtitles {
                item.selection.addCaptionFile(
                    url: file.url, languageTag: file.language, isSDH: file.kind == .sdh || file.kind == .captions,
                    isForced: file.kind == .forced)
            }
        }
        let key = selectionKey(of: programme)
        item.selection.onGroupsChange = { [weak self, weak item] in
            guard let self, let item else { return }
            for (characteristic, memory) in [
                (MediaCharacteristic.audible, self.choices.audible[key]), (.legible, self.choices.legible[key]),
            ] {
                if let memory { item.selection.select(like: memory, in: characteristic) }
            }
        }
    }

    /// What the viewer prefers, by the settings; where they say nothing, the languages that the box was set up with.
    private var selectionCriteria: [MediaCharacteristic: MediaSelectionCriteria] {
        let settings = memory.settings
        let spoken = settings.audioLanguages.isEmpty ? languages : settings.audioLanguages
        let written = settings.subtitleLanguages.isEmpty ? languages : settings.subtitleLanguages
        return [
            .audible: MediaSelectionCriteria(
                preferredLanguages: spoken,
                preferredMediaCharacteristics: settings.prefersAudioDescription ? [OptionCharacteristic.describesVideo] : []),
            .legible: MediaSelectionCriteria(
                preferredLanguages: written,
                preferredMediaCharacteristics: settings.prefersSDH
                    ? [OptionCharacteristic.transcribesSpokenDialog, OptionCharacteristic.describesMusicAndSound] : []),
        ]
    }

    /// The settings have changed: what was not chosen follows them at once.
    func applySelectionCriteria() { parts.player.currentItem?.selection.criteria = selectionCriteria }

    /// A choice sticks for the series; what belongs to none has its own.
    var selectionKey: String {
        programme.map { selectionKey(of: $0) } ?? ""
    }

    func selectionKey(of programme: Programme) -> String {
        feed?.episode(programme.id)?.series.id ?? programme.id
    }

    /// Another programme begins by itself after this one: what was chosen goes along.
    func carrySelection(from key: String) {
        if let memory = choices.audible[key] { choices.audible[selectionKey] = memory }
        if let memory = choices.legible[key] { choices.legible[selectionKey] = memory }
        choices.speed[selectionKey] = machine.chosenSpeed
    }

    /// What can be chosen of the item that plays, for the interface.
    var mediaOptions: MediaOptions {
        guard let selection = parts.player.currentItem?.selection else { return MediaOptions() }
        let audible = selection.group(.audible)?.options ?? []
        let legible = selection.group(.legible)?.options ?? []
        let choice: SubtitleChoice =
            switch selection.choice(.legible) {
            case .automatic: .automatic
            case .off: .off
            case .option(let id): .option(id)
            }
        return MediaOptions(
            audio: audible.map(\.interfaceOption), selectedAudio: selection.selectedOption(.audible)?.id,
            subtitles: legible.filter { !$0.isForced }.map(\.interfaceOption), subtitleChoice: choice,
            shownSubtitles: selection.selectedOption(.legible)?.id)
    }

    /// Tells the drawing which captions are on the screen.
    func followCaptions() {
        parts.player.captions.onChange = { [weak self] cues in
            guard let self else { return }
            let language = self.parts.player.currentItem?.selection.selectedOption(.legible)?.extendedLanguageTag
            for cue in cues { self.parts.dump?.note("caption", EventDump.words(cue)) }
            if cues.isEmpty { self.parts.dump?.note("caption", "none") }
            self.parts.drawing.showCaptions(cues, language: language)
        }
    }

    private func remember(_ characteristic: MediaCharacteristic, _ selection: MediaSelection) {
        let memory = selection.memory(of: characteristic)
        switch characteristic {
        case .audible: choices.audible[selectionKey] = memory
        case .legible: choices.legible[selectionKey] = memory
        case .visual: break
        }
    }
}

extension MediaSelectionOption {
    /// The option as the interface offers it.
    var interfaceOption: MediaOption {
        var badges: [MediaOption.Badge] = []
        if isSDH, !isClosedCaptions { badges.append(.sdh) }
        if isClosedCaptions { badges.append(.closedCaptions) }
        if isAudioDescription { badges.append(.audioDescription) }
        if isForced { badges.append(.forced) }
        if hasMediaCharacteristic(OptionCharacteristic.easyToRead) { badges.append(.easyToRead) }
        if hasMediaCharacteristic(OptionCharacteristic.enhancesSpeech) { badges.append(.enhancedDialogue) }
        if hasMediaCharacteristic(OptionCharacteristic.commentary) { badges.append(.commentary) }
        if let channels, channels > 2 { badges.append(.surround) }
        return MediaOption(id: id, languageTag: extendedLanguageTag, name: displayName, badges: badges, channels: channels)
    }
}

extension EventDump {
    /// An option in words.
    static func words(_ option: MediaSelectionOption) -> String {
        "\(option.id) \(option.extendedLanguageTag ?? "und") \(option.displayName ?? "-")"
    }

    /// A cue in words.
    static func words(_ cue: CaptionCue) -> String {
        let text =
            cue.image.map { "[picture \($0.width)x\($0.height)]" }
            ?? cue.plainText.split(separator: "\n").joined(separator: " / ")
        return "asset=\(cue.start)..\(cue.end) \(text)"
    }
}
