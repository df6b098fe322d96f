import CDRM
import LinuxSupport
import MediaModel

extension KMSLoop {
    /// The screen is being read back into memory.
    struct ReadBack {
        var buffer: PixelBuffer
        var fence: FileDescriptor?
        var requests: [@Sendable (ScreenPicture?) -> Void]
        var deadline: HostTime
        var hasFlipped = false
        var isWritten = false
    }

    /// Begins to serve those who want to see the screen, if there are any.
    ///
    /// - Returns: whether something was begun.
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

    /// Where the card cannot read back, the CPU composes what is on the screen once more.
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

    /// Memory for the commit that is about to be made, when somebody wants to see the screen.
    func makeReadBuffer() -> PixelBuffer? {
        guard !reads.isEmpty, screen.canReadBack else { return nil }
        let mode = screen.mode.mode
        return try? allocators.readBack.makeBuffer(format: .xrgb8888, width: mode.width, height: mode.height)
    }

    /// The kernel has taken a commit that reads the screen.
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

    /// The screen is in memory.
    func fenceSignalled() {
        if let fence = readBack?.fence { poller.unwatch(fence.number) }
        readBack?.fence = nil
        readBack?.isWritten = true
        finishReadBack()
    }

    /// Hands the picture out once it is known when it was first seen.
    func finishReadBack() {
        guard let done = readBack, done.isWritten, done.hasFlipped else { return }
        readBack = nil
        link.note { $0.readBacks += 1 }
        let picture = ScreenPicture(
            pixels: done.buffer, frameTime: shown?.scene.scene.video?.frame.time, time: shownTime, serial: serial)
        lastPicture = picture
        for request in done.requests { request(picture) }
    }

    /// Gives up reading.
    func abandonReadBack() {
        guard let left = readBack else { return }
        if let fence = left.fence { poller.unwatch(fence.number) }
        readBack = nil
        for request in left.requests { request(nil) }
    }

    /// Answers those whose reading has not begun.
    func answerReads(_ picture: ScreenPicture?) {
        let requests = reads
        reads = []
        for request in requests { request(picture) }
    }
}
