import Captions
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import Screens

/// Viewers' choices of audio, captions and angle: applied to the current item, and stored for its series. Main loop only.
@MainActor
final class MediaChoices {
    /// An item that gets the stored choices when its options become known.
    private struct Restoring {
        weak var item: PlayerItem?
        var following: Subscription
    }

    /// The choices by series; items without one share a key.
    let remembered: RememberedChoices
    private let player: Player
    private let drawing: any InterfaceDrawing
    private let dump: EventDump?
    private let passing = PassingCaptions()
    private var restoring: [Restoring] = []

    init(_ parts: ApplianceParts) {
        remembered = RememberedChoices(parts.viewer.choices)
        player = parts.player
        drawing = parts.drawing
        dump = parts.dump
    }

    private var selection: MediaSelection? { player.currentItem?.selection }

    /// Passes the visible captions to the drawing.
    func show(_ cues: [CaptionCue]) {
        for cue in cues { dump?.note(.caption(.init(cue))) }
        if cues.isEmpty { dump?.note(.caption(nil)) }
        drawing.showCaptions(cues, language: selection?.selectedOption(.legible)?.extendedLanguageTag)
    }

    /// Gives a new item the viewer's preferences, its caption files, and the stored choices for its series.
    func prepare(
        _ item: PlayerItem, for programme: Programme, key: String,
        criteria: [MediaCharacteristic: MediaSelectionCriteria]
    ) {
        item.selection.criteria = criteria
        if case .item(let feedItem) = programme.subject {
            for file in feedItem.subtitles {
                item.selection.addCaptionFile(
                    url: file.url, languageTag: file.language, isSDH: file.kind == .sdh || file.kind == .captions,
                    isForced: file.kind == .forced, charset: file.charset)
            }
        }
        let following = item.selection.changes.listen { [weak self, weak item] change in
            guard let self, let item, case .groups = change else { return }
            for (characteristic, memory) in [
                (MediaCharacteristic.audible, self.remembered.audible[key]), (.legible, self.remembered.legible[key]),
            ] {
                if let memory { item.selection.select(like: memory, in: characteristic) }
            }
            if let name = self.remembered.angle[key], let angles = item.selection.group(.visual),
                let angle = angles.options.first(where: { $0.displayName == name })
            {
                item.selection.select(angle, in: angles)
            }
            if item === self.player.currentItem {
                self.passing.settle(on: item, language: criteria[.legible]?.preferredLanguages.first)
            }
        }
        restoring.removeAll { $0.item == nil }
        restoring.append(Restoring(item: item, following: following))
    }

    /// The settings have changed. Options that were not chosen explicitly follow them at once.
    func apply(_ criteria: [MediaCharacteristic: MediaSelectionCriteria]) { selection?.criteria = criteria }

    /// Whether the viewer has turned the sound of the current item off.
    var isSoundOff: Bool {
        let sounds = soundTracks
        return !sounds.isEmpty && sounds.allSatisfy { !$0.isEnabled }
    }

    private var soundTracks: [PlayerItemTrack] { player.currentItem?.tracks.filter { $0.assetTrack.type == .audio } ?? [] }

    /// Turns the sound of the current item off. It is not stored: the next item is heard.
    func turnSoundOff() {
        guard !isSoundOff else { return }
        dump?.note(.selectAudible(nil))
        for track in soundTracks { track.isEnabled = false }
    }

    /// Selects another audio option, and turns the sound on.
    func selectAudio(id: String, key: String) {
        guard let selection, let group = selection.group(.audible), let option = group.options.first(where: { $0.id == id })
        else { return }
        dump?.note(.selectAudible(.init(option)))
        for track in soundTracks { track.isEnabled = true }
        selection.select(option, in: group)
        remembered.audible[key] = selection.memory(of: .audible)
    }

    /// Shows another angle of the current item.
    func selectAngle(id: String, key: String) {
        guard let selection, let group = selection.group(.visual), let option = group.options.first(where: { $0.id == id })
        else { return }
        selection.select(option, in: group)
        remembered.angle[key] = option.displayName
    }

    /// Selects other captions, or none.
    func selectSubtitles(_ choice: SubtitleChoice, key: String) {
        guard let selection, let group = selection.group(.legible) else { return }
        passing.viewerChooses()
        switch choice {
        case .off: selection.select(nil, in: group)
        case .automatic: selection.selectMediaOptionAutomatically(in: group)
        case .option(let id): selection.select(group.options.first { $0.id == id }, in: group)
        }
        dump?.note(.selectLegible(selection.selectedOption(.legible).map { .init($0) }))
        remembered.legible[key] = selection.memory(of: .legible)
    }

    /// Another programme starts automatically after this one and gets the same choices.
    func carry(from old: String, to new: String, speed: Ratio) {
        if let memory = remembered.audible[old] { remembered.audible[new] = memory }
        if let memory = remembered.legible[old] { remembered.legible[new] = memory }
        if let angle = remembered.angle[old] { remembered.angle[new] = angle }
        remembered.speed[new] = speed
    }

    /// Shows captions during a replay, and then restores the choice.
    ///
    /// - Parameter language: the captions' language if the audio has none.
    func showCaptionsForReplay(_ isOn: Bool, language: String?) {
        dump?.note(.captionsForReplay(isOn))
        passing.set(.replay, isOn, on: player.currentItem, language: language)
    }

    /// Shows captions while the sound is muted, if the viewer has set that, and then restores the choice.
    ///
    /// - Parameter language: see `showCaptionsForReplay`.
    func showCaptionsWhenMuted(_ isOn: Bool, language: String?) {
        passing.set(.mute, isOn, on: player.currentItem, language: language)
    }

    /// The options of the current item, for the interface.
    var offered: MediaOptions {
        guard let selection else { return MediaOptions() }
        let audible = selection.group(.audible)?.options ?? []
        let legible = selection.group(.legible)?.options ?? []
        // Only a stream can switch between pictures; a second one of a file is not an angle.
        let isStream = player.currentItem?.description?.kind == "hls"
        let visual = isStream ? selection.group(.visual)?.options ?? [] : []
        let choice: SubtitleChoice =
            switch selection.choice(.legible) {
            case .automatic: .automatic
            case .off: .off
            case .option(let id): .option(id)
            }
        return MediaOptions(
            audio: audible.map(\.interfaceOption), selectedAudio: isSoundOff ? nil : selection.selectedOption(.audible)?.id,
            subtitles: legible.filter { !$0.isForced }.map(\.interfaceOption), subtitleChoice: choice,
            shownSubtitles: selection.selectedOption(.legible)?.id, angles: visual.map(\.interfaceOption),
            selectedAngle: visual.isEmpty ? nil : selection.selectedOption(.visual)?.id)
    }
}

extension MediaSelectionOption {
    /// The option as the interface shows it.
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
