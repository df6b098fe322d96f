import LinuxSupport
import MediaModel

/// A device that is opened with the first sound and closed when nothing will be heard for a while, so that other programs can use
/// it meanwhile.
///
/// When it cannot be opened, a silent substitute drives the clock, and the device is tried again, first after one second, then up to
/// every 30 s. A device that was found is held, and takes over with the next flush: the player then enqueues again what it has.
@MainActor
package final class ClaimedSink: AudioSink {
    private let clock: any HostClock
    private let open: @MainActor (AudioFormat) throws(MediaError) -> any AudioSink
    private let door: (any PassthroughDoor)?
    private var passage: SoundPassage?
    private var sampleFormat: AudioFormat
    private let findFormat: (@MainActor () -> AudioFormat)?
    private let onFailure: @MainActor (MediaError) -> Void
    private var device: (any AudioSink)?
    /// The search for a device, while `device` is the silent substitute.
    private var search: Search?
    /// Whether the owner has been told that there is no device.
    private var isAbsenceTold = false
    private var isClosed = false
    /// Whether a device that is opened now starts in the middle of a sound, and fades in.
    private var rises = false
    /// The name of the device that was opened last.
    package private(set) var name: String
    /// The device's format. It may change after `release`.
    package var format: AudioFormat { passage?.format ?? sampleFormat }

    private enum Search {
        case waiting(ScheduledEvent)
        case found(any AudioSink)
    }
    private static let firstRetry = Duration.seconds(1)
    private static let lastRetry = Duration.seconds(30)
    /// After a failure the device is not opened for a sound of the interface before this instant.
    private var staysClosedUntil = HostTime.zero

    /// Makes a sink without opening anything.
    ///
    /// - Parameters:
    ///   - name: its name until a device is opened.
    ///   - findFormat: called for the format to open with, now and each time the device has been closed; nil: stereo at 48 kHz.
    ///   - onFailure: called with the reason when no device can be opened, but not again until one was.
    ///   - door: the output for encoded sound, if there is one.
    ///   - open: opens the device for samples of a format.
    package init(
        name: String, findFormat: (@MainActor () -> AudioFormat)? = nil, clock: any HostClock,
        door: (any PassthroughDoor)? = nil, onFailure: @escaping @MainActor (MediaError) -> Void,
        open: @escaping @MainActor (AudioFormat) throws(MediaError) -> any AudioSink
    ) {
        self.name = name
        self.findFormat = findFormat
        sampleFormat = findFormat?() ?? AudioFormat(sampleRate: 48_000, channels: 2)
        self.door = door
        self.clock = clock
        self.onFailure = onFailure
        self.open = open
    }

    package var isClaimed: Bool { device != nil }

    package var volume: Float = 1 { didSet { device?.volume = volume } }
    package let deviceChanges = EventSource<AudioDeviceChange>()
    /// Passes on the events of the open device.
    private var listening: Subscription?

    package var room: Int { device?.room ?? format.sampleRate / 2 }

    package func enqueue(_ samples: ArraySlice<Float>) -> Int { samples.isEmpty ? 0 : claim()?.enqueue(samples) ?? 0 }

    package func play(at time: HostTime) { device?.play(at: time) }
    package func pause() { device?.pause() }
    package func flush() {
        rises = false
        if case .found(let found) = search {
            device?.close()
            search = nil
            take(found)
        }
        device?.flush()
    }
    package func rise() {
        rises = true
        device?.rise()
    }
    package func timing() -> AudioTiming? { device?.timing() }

    /// Opens the device if it is closed. If that fails, the sound is dropped without an error: a programme reports the device when it needs it.
    package func mix(_ sound: NavigationSound, asked: HostTime) {
        guard passage == nil, !isClosed else { return }
        if device == nil {
            guard clock.now >= staysClosedUntil else { return }
            do throws(MediaError) {
                take(try openDevice())
            } catch {
                staysClosedUntil = clock.now + Self.lastRetry
            }
        }
        device?.mix(sound, asked: asked)
    }

    package var occupiesCard: Bool { device?.occupiesCard ?? false }

    package func release() {
        closeDevice()
        if !isClosed, let findFormat { sampleFormat = findFormat() }
    }

    private func closeDevice() {
        switch search {
        case .waiting(let event): event.cancel()
        case .found(let found): found.close()
        case nil: break
        }
        search = nil
        listening = nil
        device?.close()
        device = nil
    }

    package func close() {
        isClosed = true
        release()
    }

    private func claim() -> (any AudioSink)? {
        guard device == nil, !isClosed else { return device }
        do throws(MediaError) {
            take(try openDevice())
        } catch {
            take(NullSink(clock: clock, format: format))
            name = "none"
            retry(after: Self.firstRetry)
            guard !isAbsenceTold else { return device }
            isAbsenceTold = true
            onFailure(error)
            deviceChanges.send(.absent)
        }
        return device
    }

    private func openDevice() throws(MediaError) -> any AudioSink {
        let opened = if let passage, let door { try door.open(passage) } else { try open(sampleFormat) }
        isAbsenceTold = false
        return opened
    }

    private func retry(after pause: Duration) {
        let event = clock.schedule(after: pause, rank: .sound) { [weak self] in
            guard let self else { return }
            guard let found = try? openDevice() else { return retry(after: min(pause * 2, Self.lastRetry)) }
            search = .found(found)
            deviceChanges.send(.found)
        }
        search = .waiting(event)
    }

    private func take(_ opened: any AudioSink) {
        precondition(opened.format == format, "a device is opened in the format that was told of it")
        opened.volume = volume
        if rises { opened.rise() }
        listening = opened.deviceChanges.listen { [deviceChanges] in deviceChanges.send($0) }
        name = opened.name
        device = opened
    }
}

/// An output for encoded sound.
@MainActor
package protocol PassthroughDoor: AnyObject {
    /// How sound of a codec can be sent; nil: not at all.
    func passage(codec: String, sampleRate: Int) -> SoundPassage?
    func open(_ passage: SoundPassage) throws(MediaError) -> any AudioSink
}

extension ClaimedSink: PassingSink {
    package func passage(codec: String, sampleRate: Int) -> SoundPassage? { door?.passage(codec: codec, sampleRate: sampleRate) }

    package func pass(_ passage: SoundPassage?) throws(MediaError) {
        // A card can be opened only once: close the first before opening the second.
        closeDevice()
        self.passage = passage
        guard let passage, let door, !isClosed else { return }
        do throws(MediaError) {
            take(try door.open(passage))
        } catch {
            self.passage = nil
            throw error
        }
    }
}
