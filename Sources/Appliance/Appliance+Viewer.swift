import ChannelFeed
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import PlayerInterface

/// What the interface asks for beside playing: settings, the PIN, loudness, speed, standby, voice.
extension Appliance {
    /// Takes into use what was kept from before. Once, when the box is put together.
    func restoreViewer() {
        let viewer = parts.viewer
        memory.settings = ViewerSettings(entries: viewer.settings.entries)
        var policy = policy
        policy.hasPIN = viewer.pinDigest != nil
        policy.hasVoice = viewer.voice != nil
        policy.canReset = viewer.factoryReset != nil
        if policy.languages == ["en"] { policy.languages = parts.languages }
        self.policy = policy
        send(.settingsRestored(memory.settings))
        if viewer.settings.pinFailures > 0 { send(.pinFailuresRestored(viewer.settings.pinFailures)) }
        applySound(memory.settings)
        viewer.apply(memory.settings)
    }

    /// Carries out an effect that is neither a seek, nor play, nor a choice of sound and captions.
    func carryOutViewer(_ effect: InterfaceEffect) {
        let viewer = parts.viewer
        switch effect {
        case .setSpeed(let rate): setSpeed(rate)
        case .setVideoFit(let fit): parts.player.scheduler.setGravity(VideoGravity(fit))
        case .presentVideo(let isWanted): presentVideo(isWanted)
        case .showCaptionsForReplay(let isOn): showCaptionsForReplay(isOn)
        case .saveSettings(let settings): take(settings)
        case .checkPIN(let digits):
            let isRight = viewer.pinDigest.map { PINDigest.matches(digits, digest: $0) } ?? false
            parts.dump?.note("pin", isRight ? "right" : "wrong")
            if !isRight { parts.log.note("a wrong PIN was entered") }
            send(.pinChecked(isRight))
        case .savePINFailures(let count): viewer.settings.pinFailures = count
        case .unlock(let id): memory.unlocked.insert(id)
        case .readFacts: send(.factsChanged(facts))
        case .deleteStore(let id):
            viewer.deleteStore(id)
            send(.factsChanged(facts))
        case .factoryReset:
            parts.dump?.note("factory-reset")
            viewer.factoryReset?()
        case .speak(let words):
            parts.dump?.note("speak", words)
            viewer.voice?.speak(words, language: machine.state.appearance.language)
        case .standby: goToStandby()
        case .wake: wake()
        case .changeVolume(let steps): changeVolume(steps)
        default: break
        }
    }

    /// Leaves pictures out, or decodes them again from where the sound is.
    private func presentVideo(_ isWanted: Bool) {
        parts.dump?.note("present-video", isWanted ? "yes" : "no")
        parts.player.presentsVideo = isWanted
        awaitsPicture = isWanted && parts.player.currentItem?.videoTrack != nil
        tellPlayback()
    }

    // MARK: Settings

    private func take(_ settings: ViewerSettings) {
        let old = memory.settings
        memory.settings = settings
        parts.viewer.settings.save(settings.entries)
        applySound(settings)
        parts.viewer.apply(settings)
        applySelectionCriteria()
        parts.dump?.note("settings", settings.entries.map { "\($0.name)=\($0.value)" }.joined(separator: " "))
        if settings.language != old.language || settings.parentalAge != old.parentalAge { tellHome() }
    }

    /// The languages of texts: the viewer's choice before those that the box was set up with.
    var languages: [String] { (memory.settings.language.map { [$0] } ?? []) + parts.languages }

    /// The box's own facts with those of the feed.
    private var facts: BoxFacts {
        var facts = parts.viewer.facts()
        if let feed {
            facts.feed = [feed.id, feed.revision.map { "\($0)" }].compactMap { $0 }.joined(separator: " · ")
            facts.provider = feed.provider?.name?.best(for: languages)
            facts.support = feed.provider?.support
        }
        facts.screen = facts.screen ?? "\(parts.services.display.mode)"
        facts.sound = facts.sound ?? parts.services.sink.name
        facts.session = facts.session ?? machine.policy.session
        return facts
    }

    // MARK: Parental control

    /// Whether the PIN has to be asked for before a programme, which may then not be opened.
    func asksPIN(for programme: Programme) -> Bool {
        guard isLocked(programme) else { return false }
        let rating = rating(of: programme)
        let presentation = presentations.presentation(of: programme, source: nil)
        parts.log.note("\(programme.id) needs the PIN")
        send(.locked(HomeContent.Entry(id: programme.id, title: presentation.title ?? ""), rating: rating?.value))
        return true
    }

    /// Whether a programme is not to be seen without the PIN, and was not opened with it.
    func isLocked(_ programme: Programme) -> Bool {
        guard !memory.unlocked.contains(programme.id), !(programme.queue.map { memory.unlocked.contains($0.channel.id) } ?? false)
        else {
            return false
        }
        if case .url = programme.subject { return false }
        return presentations.isLocked(rating(of: programme))
    }

    private func rating(of programme: Programme) -> Rating? {
        switch programme.subject {
        case .item(let item): item.rating
        case .channel(let channel): channel.rating
        case .url: nil
        }
    }

    // MARK: Speed and loudness

    /// Plays, at the speed that the viewer chose where the item can be played so.
    func playAtSpeed() {
        guard memory.speed != .one, (try? parts.player.playImmediately(atRate: memory.speed)) != nil else {
            return parts.player.play()
        }
    }

    private func setSpeed(_ rate: Ratio) {
        memory.speed = rate
        choices.speed[selectionKey] = machine.chosenSpeed
        parts.dump?.note("speed", "\(rate)")
        if parts.player.state.rate > .zero { playAtSpeed() }
    }

    /// The speeds at which the item can be played.
    var speeds: [Ratio] {
        [Ratio(1, 2), Ratio(3, 4), .one, Ratio(5, 4), Ratio(3, 2), Ratio(7, 4), Ratio(2)].filter {
            parts.player.currentItem != nil && parts.player.refusal(ofRate: $0) == nil
        }
    }

    /// Whether the player scans by itself, both ways.
    var canPlayFast: Bool {
        parts.player.currentItem != nil
            && Player.scanRates.allSatisfy {
                parts.player.refusal(ofRate: $0) == nil && parts.player.refusal(ofRate: Ratio(-$0.numerator)) == nil
            }
    }

    /// Passes over key pictures at a rate; nil: stands still.
    func scan(at rate: Ratio?) {
        parts.dump?.note("scan", rate.map { "\($0)" } ?? "none")
        guard let rate else { return parts.player.pause() }
        do throws(PlaybackError) {
            try parts.player.playImmediately(atRate: rate)
        } catch {
            parts.log.note("scanning: \(error)")
        }
    }

    /// Goes to a place and tells where that was.
    func seek(_ id: SeekID, to time: MediaTime, _ tolerance: SeekTolerance) {
        parts.dump?.note("seek", "to=\(time) tolerance=\(tolerance)")
        let (before, after): (MediaTime?, MediaTime?) =
            tolerance == .zero ? (.zero, .zero) : (nil, tolerance == .notAfter ? .zero : nil)
        parts.player.seek(to: time, toleranceBefore: before, toleranceAfter: after) { [weak self] finished in
            guard let self else { return }
            self.send(.seekCompleted(id, landed: self.parts.player.currentTime, finished: finished))
        }
    }

    // MARK: Standby

    private func goToStandby() {
        parts.log.note("standby")
        memory.unlocked = []
        parts.viewer.voice?.stop()
        leave()
        parts.services.display.setPower(false)
        letGoOfSound(after: .zero)
        parts.viewer.standby(true)
    }

    private func wake() {
        parts.log.note("awake")
        parts.services.display.setPower(true)
        parts.viewer.standby(false)
        tellHome()
        if machine.policy.isKiosk, let start = startsByItself { open(id: start) }
    }

    /// What plays without anybody's choice: what the feed names, or its only channel in a kiosk.
    package var startsByItself: String? {
        guard let feed else { return nil }
        if let start = feed.start { return start.id }
        return machine.policy.isKiosk && feed.channels.count == 1 ? feed.channels[0].id : nil
    }
}

extension VideoGravity {
    init(_ fit: VideoFit) {
        self =
            switch fit {
            case .fit: .resizeAspect
            case .fill: .resizeAspectFill
            case .stretch: .resize
            }
    }
}

extension Appliance {
    /// Tells the interface what Home offers now, and when.
    func tellHome() {
        if feed != nil { send(.homeChanged(presentations.home())) }
        send(.guideChanged(presentations.guide(midnight: memory.midnight)))
    }

    /// The beginning of today is known: what the schedules say of the hours can be told.
    func tellGuide(secondsSinceMidnight: Int) {
        guard let now = parts.wallClock() else { return }
        // Clocks tick between the two answers: a difference of seconds is none.
        let midnight = FeedDate(milliseconds: (now.milliseconds - Int64(secondsSinceMidnight) * 1000 + 30_000) / 60_000 * 60_000)
        guard midnight != memory.midnight else { return }
        memory.midnight = midnight
        send(.guideChanged(presentations.guide(midnight: midnight)))
        streamIsKnownBetter()
    }

    /// Captions for a while, whatever was chosen; then as chosen again.
    func showCaptionsForReplay(_ isOn: Bool) {
        parts.dump?.note("captions-for-replay", isOn ? "on" : "off")
        guard let selection = parts.player.currentItem?.selection, let group = selection.group(.legible) else { return }
        if isOn {
            guard selection.selectedOption(.legible) == nil else { return }
            memory.replayed = selection.memory(of: .legible)
            memory.isReplaying = true
            let audio = selection.selectedOption(.audible)?.extendedLanguageTag ?? languages.first
            let option =
                group.options.first { !$0.isForced && $0.extendedLanguageTag == audio } ?? group.options.first { !$0.isForced }
            selection.select(option, in: group)
        } else if memory.isReplaying {
            memory.isReplaying = false
            if let before = memory.replayed {
                selection.select(like: before, in: .legible)
            } else {
                selection.selectMediaOptionAutomatically(in: group)
            }
            memory.replayed = nil
        }
    }
}
