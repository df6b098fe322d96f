import CDRM
import LinuxSupport
import MediaModel

extension KMSLoop {
    /// A read-back of the screen in progress.
    struct ReadBack {
        var buffer: PixelBuffer
        var fence: FileDescriptor?
        var requests: [@Sendable (ScreenPicture?) -> Void]
        var deadline: HostTime
        var hasFlipped = false
        var isWritten = false
    }

    /// Starts to serve pending reads of the screen.
    ///
    /// - Returns: whether one was started.
    func beginReading() -> Bool {
        guard !reads.isEmpty else { return false }
        if let lastPicture, lastPicture.serial == serial {
            answerReads(lastPicture)
            return true
        }
        let mode = screen.mode.mode
        guard screen.canReadBack else {
            composeForReaders(mode)
            return true
        }
        var frame =
            shown
            ?? Frame(
                scene: VisibleScene(Scene(wantedTime: clock.now), width: mode.width, height: mode.height, on: screen.device),
                target: clock.now)
        frame.isRepeat = true
        commit(frame)
        return true
    }

    /// When the card cannot read back, the CPU composes the current screen again.
    private func composeForReaders(_ mode: DisplayMode) {
        let requests = reads
        reads = []
        let scene = shown?.scene.scene ?? Scene(wantedTime: clock.now)
        let (time, serial) = (shownTime, serial)
        composeThread.perform { [compositor] in
            let pixels = try? compositor.compose(scene, width: mode.width, height: mode.height)
            let picture = pixels.map {
                ScreenPicture(pixels: $0, frameTime: scene.video?.frame.time, time: time, serial: serial)
            }
            for request in requests { request(picture) }
        }
    }

    /// Memory for a read-back by the next commit, if a read is pending.
    func makeReadBuffer() -> PixelBuffer? {
        guard !reads.isEmpty, screen.canReadBack else { return nil }
        let mode = screen.mode.mode
        return try? allocators.readBack.makeBuffer(format: .xrgb8888, width: mode.width, height: mode.height)
    }

    /// The kernel accepted a commit that reads back the screen.
    func startReadBack(_ buffer: PixelBuffer, _ fence: FileDescriptor?) {
        readBack = ReadBack(buffer: buffer, fence: fence, requests: reads, deadline: clock.now + .seconds(1))
        reads = []
        guard let fence else { return abandonReadBack() }
        do {
            try poller.watch(fence.number, tag: Tag.fence)
        } catch {
            abandonReadBack()
        }
    }

    /// The screen has been read back.
    func fenceSignalled() {
        if let fence = readBack?.fence { poller.unwatch(fence.number) }
        readBack?.fence = nil
        readBack?.isWritten = true
        finishReadBack()
    }

    /// Delivers the picture once the time of its first flip is known.
    func finishReadBack() {
        guard let done = readBack, done.isWritten, done.hasFlipped else { return }
        readBack = nil
        link.note { $0.readBacks += 1 }
        let picture = ScreenPicture(
            pixels: done.buffer, frameTime: shown?.scene.scene.video?.frame.time, time: shownTime, serial: serial)
        lastPicture = picture
        for request in done.requests { request(picture) }
    }

    /// Abandons the read-back.
    func abandonReadBack() {
        guard let left = readBack else { return }
        if let fence = left.fence { poller.unwatch(fence.number) }
        readBack = nil
        for request in left.requests { request(nil) }
    }

    /// Answers the reads that have not started.
    func answerReads(_ picture: ScreenPicture?) {
        let requests = reads
        reads = []
        for request in requests { request(picture) }
    }
}
