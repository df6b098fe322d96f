import LinuxSupport
import MediaModel
import MediaTime

/// What a player does when an item has been played to its end; AVFoundation's `AVPlayer.ActionAtItemEnd`.
package enum ActionAtItemEnd: String, Sendable, Hashable, CaseIterable {
    /// The next item of the queue is played; a player without a queue, or at its end, pauses.
    case advance
    /// It pauses: the rate is zero.
    case pause
    /// The rate stays: who seeks goes on playing.
    case none
}

/// The next item is opened while the current one plays, decoded a few seconds before its end, and given to sink and scheduler behind it: no sample and no frame is
/// between them. Where that cannot be done (a live end, interstitials, sound behind pictures, a slow source) it is opened when its turn has come.
extension Player {
    /// So long before the end of an item the next one is opened.
    private static let opensAhead = MediaTime.seconds(20)
    /// So long before the end it is read and decoded.
    private static let readsAhead = MediaTime.seconds(4)
    /// With less sound than this in the sink the end of the item is no longer held open for the next.
    private static let lastMoment = MediaTime.milliseconds(150)

    /// Says what follows the current item; nil: nothing.
    func setNext(_ item: PlayerItem?) {
        guard succession?.item !== item else { return actionAtItemEndChanged() }
        endArrangement()
        if let succession {
            succession.close()
            succession.source?.close()
            succession.item.asset.close()
        }
        succession = item.map { Succession(item: $0, services: services) }
        actionAtItemEndChanged()
    }

    /// Ends what was prepared, before an item becomes the current one: that item keeps what was opened for it.
    func endSuccession(for item: PlayerItem?) {
        guard let ended = succession else { return }
        succession = nil
        ended.close()
        if let source = ended.source, item === ended.item {
            ended.item.asset.putBack(source)
        } else {
            ended.source?.close()
            ended.item.asset.close()
        }
    }

    func actionAtItemEndChanged() {
        machine.keepsRateAtEnd = actionAtItemEnd == .none || (actionAtItemEnd == .advance && succession != nil)
        if actionAtItemEnd != .advance { endArrangement() }
    }

    /// Something that was not foreseen happens between arrangement and joint: the rest of the item is read anew.
    func endArrangement() {
        guard succession?.isArranged == true, run != nil else { return }
        let place = currentTime
        if machine.isRunning { stopClock() }
        startRun(PendingSeek(target: place, earliest: place, isExact: true, boundary: session?.clientBoundary))
    }

    /// Called as play goes on.
    func continueSuccession() {
        guard let next = succession, actionAtItemEnd == .advance, suspended == nil, machine.isRunning, let current = run,
            current.manner == .play, let item = activeItem, let end = item.endTime
        else { return }
        let left = end - media.time(at: clock.now)
        switch next.stage {
        case .waiting: if left <= Self.opensAhead { open(next) }
        case .open: if left <= Self.readsAhead, canJoin(item, next) { read(next) }
        case .reading: arrange(next, current, item)
        case .opening, .arranged: break
        }
    }

    /// Whether the sound of what follows may still come in time: silence would part them.
    var awaitsSuccession: Bool {
        guard let succession, actionAtItemEnd == .advance, activeItem?.endTime != nil else { return false }
        return succession.stage == .reading && audio.queuedDuration > Self.lastMoment
    }

    // MARK: Opening

    private func open(_ next: Succession) {
        next.stage = .opening
        next.item.asset.load { [weak self, weak next] result in
            guard let self, let next, self.succession === next, next.stage == .opening else { return }
            switch result {
            case .failure(let error): self.skip(next.item, error)
            case .success(let description):
                guard let source = next.item.asset.takeSource() else {
                    return self.skip(
                        next.item,
                        MediaError(
                            .internal, "\(next.item.asset.url) is already being played; create a new asset to play it twice."))
                }
                source.loggingSource?.onLogEntry = { [weak next] in next?.entries.append($0) }
                next.source = source
                next.description = description
                next.item.description = description
                self.prepareTracks(of: next.item)
                next.item.findsOutStretching = { [weak sound = self.sound] in sound?.canStretch ?? false }
                next.item.status = .readyToPlay
                next.stage = .open
                self.continueSuccession()
            }
        }
    }

    /// An item that cannot be opened is none: its error is in its log, and told.
    func skip(_ item: PlayerItem, _ error: MediaError) {
        item.status = .failed(error)
        let isCurrent = item === activeItem
        if !isCurrent {
            var log = PlaybackLog(sessionID: item.log?.sessionID ?? "not-played")
            log.note(error, url: item.asset.url, date: services.wallClock(), isFatal: true)
            log.close()
            item.log = log
            if let event = log.errorEvents.last { onEvent?(.newErrorLogEntry(event)) }
        }
        if succession?.item === item { setNext(nil) }
        leaveQueue(item)
        onEvent?(.itemSkipped(item, error))
    }

    // MARK: Decoding ahead

    /// Whether the two can be joined without a stop.
    private func canJoin(_ item: PlayerItem, _ next: Succession) -> Bool {
        guard let description = next.description, !item.isLive, session?.interstitials?.hasEvents != true,
            next.source?.interstitialSource?.interstitialEvents.isEmpty != false,
            next.source?.liveSource?.liveStatus?.isLive != true, description.duration.time != nil,
            !refresh.wouldChange(for: next.item)
        else { return false }
        return (item.videoTrack == nil) == (next.item.videoTrack == nil)
            && (item.audioTrack == nil) == (next.item.audioTrack == nil)
            && !sound.isOtherPassage(for: next.item, at: machine.rate)
    }

    private func read(_ next: Succession) {
        guard let description = next.description, session?.soundChange == nil, session?.descriptionChange == nil else { return }
        let (codecs, allocator) = (services.codecs, services.display.videoAllocator)
        next.startReading(
            at: next.item.startTime ?? description.preferredStart,
            pictures: captionLoader.tapping(
                .video(codecs: codecs, allocator: allocator, cache: next.cache), next.closedCaptions),
            sound: sound.kind, description: sound.descriptionKind, longestFrame: Self.longestFrame, bell: bell)
    }

    /// Gives what was decoded to sink and scheduler, once all the sound of the current item is in the sink.
    private func arrange(_ next: Succession, _ current: Run, _ item: PlayerItem) {
        let sensed = next.sensed
        guard session?.soundChange == nil, session?.descriptionChange == nil, current.waiting == nil, sensed.hasEnoughSound,
            let start = begin(of: next)
        else { return }
        let trim = boundary == item.forwardPlaybackEndTime ? boundary : nil
        guard boundary == nil || trim != nil else { return }
        guard current.audio != nil else {
            // The last picture says where it ends.
            guard trim != nil || sensed.isRead, !current.isVideoDone else { return }
            return join(next, end: trim, from: start)
        }
        guard audio.isAllEnqueued, let soundEnd = audio.enqueuedUntil, current.video == nil || !current.isVideoDone else {
            return
        }
        guard trim == nil else { return join(next, end: trim, from: start) }
        guard current.video != nil else { return join(next, end: soundEnd, from: start) }
        guard let pictureEnd = sensed.pictureEnd else { return }
        let frame = item.videoTrack?.frameRate.map(\.period) ?? .milliseconds(40)
        // Within a picture's length the sound decides: not a sample is cut, nor is silence put in.
        join(next, end: (soundEnd - pictureEnd).magnitude <= frame ? soundEnd : max(soundEnd, pictureEnd), from: start)
    }

    /// Where the next item begins: with the picture that holds its start, else with the first sound or picture there is.
    private func begin(of next: Succession) -> MediaTime? {
        var places: [MediaTime] = []
        if next.video != nil {
            guard case .media(let frame) = next.sensed.picture else { return nil }
            if frame.time <= next.target { return frame.time }
            places.append(frame.time)
        }
        if next.audio != nil {
            guard case .media(let sound) = next.sensed.sound else { return nil }
            places.append(max(sound.time, next.target))
        }
        return places.min()
    }

    private func join(_ next: Succession, end: MediaTime?, from start: MediaTime) {
        next.stage = .arranged
        next.start = start
        next.end = end
        let limit = next.item.forwardPlaybackEndTime
        if let queue = next.video {
            next.generation = scheduler.follow(with: queue, from: start, behind: end, boundary: limit)
        }
        if let queue = next.audio, let end { join(queue, next, end: end, limit: limit) }
        armSuccessionTimer()
    }

    private func join(_ queue: BoundedQueue<Decoded<AudioBuffer>>, _ next: Succession, end: MediaTime, limit: MediaTime?) {
        audio.follow(
            with: queue, from: next.start, behind: end, limit: limit, describedBy: next.mixer(sound.format))
    }

    /// Without pictures the clock alone says when the joint has come.
    func armSuccessionTimer() {
        guard let next = succession, next.isArranged, next.video == nil, let end = next.end else { return }
        next.timer?.cancel()
        next.timer = media.instant(of: end).map { instant in
            clock.schedule(at: instant, rank: .media) { [weak self, weak next] in
                guard let self, let next, self.succession === next, next.isArranged, self.media.rate > .zero else { return }
                self.becomeSuccessor(behind: end)
            }
        }
    }

    // MARK: The joint

    /// The clock has come to the end of the current item, and the next is on the screen and heard.
    func becomeSuccessor(behind end: MediaTime) {
        guard let next = succession, next.isArranged, let old = activeItem, let source = next.source,
            let description = next.description
        else { return }
        observers.advance(to: end)
        tell(.didPlayToEnd)
        // Whoever heard of the end may have done something else with the player.
        guard succession === next, next.isArranged, activeItem === old else { return }
        succession = nil
        endJoined()
        pictures.replace(with: next.videoDecoder, cache: next.cache)
        if let decoder = next.audioDecoder { sound.replaceDecoder(with: decoder) }
        session = ItemSession(next.item)
        session?.open(source)
        run = Run(
            manner: .play, buffer: next.buffer, video: next.video, audio: next.audio, generation: next.generation,
            target: next.start, landing: next.start, isVideoDone: next.video == nil, joint: (end, next.start))
        run?.soundTrack = next.item.audioTrack?.id
        run?.description = next.described
        next.handOver()
        setBoundaryState()
        media = media.shifted(by: next.start - end, limit: clockLimit)
        scheduler.becomeFollower(media)
        if next.audio == nil { audio.restart(at: nil, queue: nil) } else { audio.becomeFollower() }
        applyBoundary()
        armBoundaryTimer()
        if let buffer = next.buffer { readAhead(buffer) }
        take(over: next, source, description)
    }

    /// Ends the session of the item to whose end play has come, but not what was given to sink and scheduler behind it.
    private func endJoined() {
        guard let session else { return }
        captionLoader.end()
        session.end()
        session.item.asset.close()
        endSoundChange()
        rebuilds.begin()
        run?.cancel()
        leaveDescription()
    }

    private func take(over next: Succession, _ source: any MediaSource, _ description: SourceDescription) {
        let item = next.item
        beginLog(of: item)
        listen(to: source)
        for entry in next.entries { source.loggingSource?.onLogEntry?(entry) }
        followInterstitials(of: source)
        followMetadata(of: source, item)
        if let run { sense(run) }
        leaveQueue(item)
        tell(.currentItem(item))
        guard activeItem === item else { return }
        beginSelection(item, source, closedCaptions: next.closedCaptions)
        beginLogPeriod(at: next.start)
        observers.jump(to: next.start)
        state = PlayerState(
            itemStatus: .readyToPlay, timeControlStatus: machine.status, rate: machine.rate,
            isReadyForDisplay: next.video != nil)
    }

    /// The item is over, and nothing was arranged.
    func itemEnded() {
        let item = activeItem
        tell(.didPlayToEnd)
        guard actionAtItemEnd == .advance, activeItem === item, machine.phase == .ended else { return }
        if queue.next != nil { advanceToNextItem() }
    }
}

extension InterstitialPlayback {
    /// Whether anything interrupts the presentation at all.
    var hasEvents: Bool { !source.interstitialEvents.isEmpty }
}
