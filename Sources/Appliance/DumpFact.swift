import BoxModel
import Captions
import LinuxSupport
import MediaModel
import MediaTime
import Playback
import Viewing

/// One fact of a dump: something that happened while the box ran. docs/dump.md documents every kind and its fields.
package enum DumpFact: Hashable, Sendable {
    // Items.
    case open(id: String)
    case skipped(id: String)
    case next(id: String, isAutomatic: Bool)
    case state(Status)
    case frame(Frame)
    case audio(asset: MediaTime)
    case end
    case soundReleased
    case place(SavedPlace?)
    case accessLog(Access)
    case errorLog(domain: String, status: Int?, isFatal: Bool)
    // Playback.
    case seek(to: MediaTime, tolerance: SeekTolerance)
    case seekCompleted(landed: MediaTime, finished: Bool)
    case boundary(asset: MediaTime)
    case scan(Ratio?)
    case speed(Ratio)
    // Interstitials and metadata.
    case willPresent(id: String)
    case didPresent(id: String, how: InterstitialOutcome)
    case interstitial(id: String, number: Int, count: Int, elapsed: MediaTime)
    case interstitials([Scheduled])
    case metadata([Metadatum])
    // Selections.
    case caption(Caption?)
    case selectAudible(Option?)
    case selectLegible(Option?)
    case captionsForReplay(Bool)
    case settings([Setting])
    case pin(isRight: Bool)
    case presentVideo(Bool)
    case task(BoxTask)
    // Requests to the box.
    case key(RemoteKey, KeyPhase, device: String)
    case command(RemoteCommand, origin: String)
    case answer(CommandResult)
    case interruptionBegan(HoldReason)
    case interruptionEnded(HoldReason, mayResume: Bool)
    // Other output.
    case interface(InterfacePart, DumpValue)
    case navigationSound(NavigationSound)
    /// The id of the output in use.
    case route(String?)
    case speak(String)
    case capture(file: String, asset: MediaTime?, shown: HostTime)

    /// The player's state.
    package struct Status: Hashable, Sendable {
        package enum Item: Hashable, Sendable {
            case unknown, readyToPlay
            case failed(ErrorCode)
        }

        /// nil without an item.
        package var item: Item?
        package var timeControl: TimeControlStatus
        package var rate: Ratio
        package var isAtEnd: Bool
        package var isReadyForDisplay: Bool
        package var stallCount: Int
        package var seekableRevision: Int
    }

    /// A frame that was seen for the first time.
    package struct Frame: Hashable, Sendable {
        package var asset: MediaTime
        package var scheduled: HostTime
        package var flip: HostTime
        /// How much later its sound is heard, in whole milliseconds; nil while paused.
        package var sync: Int64?
        package var hash: UInt64?
    }

    /// An entry of the access log.
    package struct Access: Hashable, Sendable {
        package var type: String?
        package var offset: MediaTime?
        package var watched: MediaTime?
        package var stalls: Int
        package var dropped: Int
    }

    /// A known interstitial ahead.
    package struct Scheduled: Hashable, Sendable {
        package var id: String
        package var time: MediaTime
    }

    /// An item of timed metadata; data has no text.
    package struct Metadatum: Hashable, Sendable {
        package var identifier: String
        package var text: String?
    }

    /// A caption that is on the screen.
    package struct Caption: Hashable, Sendable {
        package enum Content: Hashable, Sendable {
            case text(String)
            case picture(width: Int, height: Int)
        }

        package var start: MediaTime
        package var end: MediaTime
        package var content: Content
    }

    /// A selected audio track or captions.
    package struct Option: Hashable, Sendable {
        package var id: String
        package var language: String?
        package var name: String?
    }

    /// A setting that differs from its default.
    package struct Setting: Hashable, Sendable {
        package var name: String
        package var value: String
    }

    /// The word on the line that names the kind.
    package enum Kind: String, Sendable, CaseIterable {
        case open, skipped, next, state, frame, audio, end
        case soundReleased = "sound-released"
        case place
        case accessLog = "access-log"
        case errorLog = "error-log"
        case seek
        case seekCompleted = "seek-completed"
        case boundary, scan, speed
        case willPresent = "will-present"
        case didPresent = "did-present"
        case interstitial, interstitials, metadata, caption, select
        case captionsForReplay = "captions-for-replay"
        case settings, pin
        case presentVideo = "present-video"
        /// On the line is the name of the task.
        case task
        case key, command, answer, interruption, interface
        case navigationSound = "navigation-sound"
        case route
        case speak, capture
    }

    /// The word that names it on its line.
    func word(_ kind: Kind) -> String { if case .task(let task) = self { task.rawValue } else { kind.rawValue } }
}

// MARK: From the types of the box

extension DumpFact {
    /// The fact for an event of the player; nil if dumps do not contain it.
    init?(_ event: PlayerEvent) {
        switch event {
        case .state(let state): self = .state(Status(state))
        case .frame(let record): self = .frame(Frame(record))
        case .audioRun(let time): self = .audio(asset: time)
        case .seekCompleted(let landed, let finished): self = .seekCompleted(landed: landed, finished: finished)
        case .reachedBoundary(let time): self = .boundary(asset: time)
        case .didPlayToEnd: self = .end
        case .newAccessLogEntry(let entry): self = .accessLog(Access(entry))
        case .newErrorLogEntry(let entry):
            self = .errorLog(domain: entry.errorDomain, status: entry.errorStatusCode, isFatal: entry.isFatal)
        case .interstitial(.presenting(let status)):
            self = .interstitial(
                id: status.interstitial.id, number: status.asset + 1, count: status.assetCount, elapsed: status.elapsed)
        case .interstitial(.schedule(let interstitials)):
            self = .interstitials(interstitials.map { Scheduled(id: $0.id, time: $0.time) })
        case .metadata(.presented(let items)):
            // A dump leaves the box.
            self = .metadata(items.filteredForSharing().map { Metadatum(identifier: "\($0.identifier)", text: $0.stringValue) })
        default: return nil
        }
    }

    /// The fact for an effect of the interface; nil if dumps do not contain it, or contain its result instead.
    init?(_ effect: InterfaceEffect) {
        switch effect {
        case .playNext(let id, let isAutomatic): self = .next(id: id, isAutomatic: isAutomatic)
        case .tell(.interstitial(let interstitial, .began)): self = .willPresent(id: interstitial.id)
        case .tell(.interstitial(let interstitial, .ended(let outcome))): self = .didPresent(id: interstitial.id, how: outcome)
        case .savePlace(_, let place): self = .place(place)
        case .setSpeed(let speed): self = .speed(speed)
        case .presentVideo(let isWanted): self = .presentVideo(isWanted)
        case .carryOut(let task): self = .task(task)
        case .navigationSound(let sound, _): self = .navigationSound(sound)
        case .speak(let words): self = .speak(words)
        default: return nil
        }
    }
}

extension DumpFact.Status {
    init(_ state: PlayerState) {
        item =
            switch state.itemStatus {
            case nil: nil
            case .unknown: .unknown
            case .readyToPlay: .readyToPlay
            case .failed(let error): .failed(error.code)
            }
        timeControl = state.timeControlStatus
        rate = state.rate
        isAtEnd = state.isAtEnd
        isReadyForDisplay = state.isReadyForDisplay
        stallCount = state.stallCount
        seekableRevision = state.seekableRevision
    }
}

extension DumpFact.Frame {
    init(_ record: FrameRecord) {
        asset = record.time
        scheduled = record.scheduled
        flip = record.flip
        sync = record.soundDelay?.milliseconds
        hash = record.contentHash
    }
}

extension DumpFact.Access {
    init(_ entry: AccessLogEvent) {
        type = entry.playbackType
        offset = entry.playbackStartOffset
        watched = entry.durationWatched.map { .nanoseconds(Int64($0 / .nanoseconds(1))) }
        stalls = entry.numberOfStalls ?? 0
        dropped = entry.numberOfDroppedVideoFrames ?? 0
    }
}

extension DumpFact.Caption {
    init(_ cue: CaptionCue) {
        start = cue.start
        end = cue.end
        content = cue.image.map { .picture(width: $0.width, height: $0.height) } ?? .text(cue.plainText)
    }
}

extension DumpFact.Option {
    init(_ option: MediaSelectionOption) {
        id = option.id
        language = option.extendedLanguageTag
        name = option.displayName
    }
}
