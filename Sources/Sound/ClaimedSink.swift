import LinuxSupport
import MediaModel

/// A device that is opened with the first sound and closed when nothing will be heard for a while, so that other programs can use
/// it meanwhile.
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
    private var isClosed = false
    /// Whether a device that is opened now starts in the middle of a sound, and fades in.
    private var rises = false
    /// The name of the device that was opened last.
    package private(set) var name: String
    /// The device's format. It may change after `release`.
    package var format: AudioFormat { passage?.format ?? sampleFormat }

    /// Makes a sink without opening anything.
    ///
    /// - Parameters:
    ///   - name: its name until a device is opened.
    ///   - findFormat: called for the format to open with, now and each time the device has been closed; nil: stereo at 48 kHz.
    ///   - onFailure: called when the device cannot be opened. Until `release`, playback continues without sound.
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
    package let deviceChanges = EventSource<Bool>()
    /// Passes on the events of the open device.
    private var listening: Subscription?

    package var room: Int { device?.room ?? format.sampleRate / 2 }

    package func enqueue(_ samples: ArraySlice<Float>) -> Int { samples.isEmpty ? 0 : claim()?.enqueue(samples) ?? 0 }

    package func play(at time: HostTime) { device?.play(at: time) }
    package func pause() { device?.pause() }
    package func flush() {
        rises = false
        device?.flush()
    }
    package func rise() {
        rises = true
        device?.rise()
    }
    package func timing() -> AudioTiming? { device?.timing() }

    package func release() {
        closeDevice()
        if !isClosed, let findFormat { sampleFormat = findFormat() }
    }

    private func closeDevice() {
        device?.close()
        device = nil
    }

    package func close() {
        isClosed = true
        release()
    }

    private func claim() -> (any AudioSink)? {
        guard device == nil, !isClosed else { return device }
        let opened: any AudioSink
        do throws(MediaError) {
            if let passage, let door { opened = try door.open(passage) } else { opened = try open(sampleFormat) }
        } catch {
            onFailure(error)
            opened = NullSink(clock: clock, format: format)
        }
        return take(opened)
    }

    private func take(_ opened: any AudioSink) -> any AudioSink {
        precondition(opened.format == format, "a device is opened in the format that was told of it")
        opened.volume = volume
        if rises { opened.rise() }
        listening = opened.deviceChanges.listen { [deviceChanges] in deviceChanges.send($0) }
        name = opened.name
        device = opened
        return opened
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
            _ = take(try door.open(passage))
        } catch {
            self.passage = nil
            throw error
        }
    }
}
