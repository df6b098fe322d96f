import CDRM
import Glibc
import LinuxSupport
import MediaModel

extension KMSLoop {
    /// Commits a frame to the kernel.
    func commit(_ frame: Frame) {
        var frame = frame
        token += 1
        let readInto = makeReadBuffer()
        let verdict: KMSScreen.Verdict
        let fence: FileDescriptor?
        do {
            (verdict, fence) = try screen.commit(
                frame.pictures, background: frame.scene.scene.background, token: token, readInto: readInto)
        } catch {
            (verdict, fence) = (.refused(error.code), nil)
        }
        let now = clock.now
        switch verdict {
        case .accepted:
            if !frame.isRepeat { link.note { $0.counters.commits += 1 } }
            if let readInto { startReadBack(readInto, fence) }
            let planes = frame.pictures.count
            link.note { $0.attachedPlanes = planes }
            phase = .flipping(frame, deadline: now + flipTimeout)
        case .busy:
            let giveUp = frame.giveUp ?? now + flipTimeout
            frame.giveUp = giveUp
            if now >= giveUp { escape() } else { phase = .holding(frame, until: now + interval / 4) }
        case .refused where frame.isRepeat || readInto != nil:
            // A failed read-back must not cost the screen.
            answerReads(nil)
            phase = frame.isRepeat ? .idle : .holding(frame, until: now)
        case .refused:
            if descend(from: frame.scene) { retry(frame) } else { escape() }
        }
    }

    /// Reads the kernel's events: flips that have happened.
    func readEvents() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(screen.device.number, &buffer, buffer.count)
        guard count > 0 else { return }
        buffer.withUnsafeBytes { bytes in
            var offset = 0
            while offset + MemoryLayout<drm_event>.size <= count {
                let head = bytes.loadUnaligned(fromByteOffset: offset, as: drm_event.self)
                guard head.length >= UInt32(MemoryLayout<drm_event>.size) else { break }
                if head.type == UInt32(DRM_EVENT_FLIP_COMPLETE), offset + MemoryLayout<drm_event_vblank>.size <= count {
                    let event = bytes.loadUnaligned(fromByteOffset: offset, as: drm_event_vblank.self)
                    let nanoseconds = Int64(event.tv_sec) * 1_000_000_000 + Int64(event.tv_usec) * 1000
                    flipped(token: event.user_data, at: clock.instant(ofMonotonic: nanoseconds), sequence: event.sequence)
                }
                offset += Int(head.length)
            }
        }
    }

    private func flipped(token: UInt64, at time: HostTime, sequence: UInt32) {
        // The event of an abandoned commit carries an old token.
        guard token == self.token, case .flipping(let frame, _) = phase else { return }
        if lostFlips > 0 {
            lostFlips -= 1
            return
        }
        let last = lastFlip?.sequence ?? UInt64(sequence)
        // The event holds the lower 32 bits of a counter.
        let number = UInt64(Int64(last) + Int64(Int32(bitPattern: sequence &- UInt32(truncatingIfNeeded: last))))
        lastFlip = (time, number)
        shown = frame
        phase = .idle
        if !frame.isRepeat {
            serial += 1
            shownTime = time
            lastPicture = nil
            link.note { $0.counters.flips += 1 }
            source?.didPresent(
                Flip(
                    time: time, sequence: number, wantedTime: frame.scene.scene.wantedTime,
                    frameTime: frame.scene.scene.video?.frame.time))
            // A card without real blanks reports flips at once: do not ask for the next scene before its time.
            if wantsOpportunity, time < frame.target - interval / 2 { phase = .waiting(until: frame.target) }
        }
        readBack?.hasFlipped = true
        finishReadBack()
    }

    /// A flip did not come, or the kernel refuses everything: drops all pending work and sets the mode again.
    func escape() {
        link.note { $0.counters.timeouts += 1 }
        abandonReadBack()
        guard screen.output.isConnected else { return lose() }
        do {
            try screen.reset(wanted: asked ?? options.mode)
        } catch {
            return lose()
        }
        screenIsNew()
    }

    /// Off: disables the output. On: restores it, as after a lost screen.
    func setPower(_ isOn: Bool) {
        guard isOff == isOn else { return }
        isOff = !isOn
        if isOn { return comeBack() }
        abandonReadBack()
        answerReads(nil)
        token += 1
        screen.switchOff()
        shown = nil
        lastPicture = nil
        lastFlip = nil
        phase = .lost(retry: clock.now)
    }

    /// A cable may have been plugged or unplugged: checks the connectors.
    func connectorsChanged() {
        if isOff { return }
        if case .lost = phase { return comeBack() }
        if !screen.output.isConnected { lose() }
    }

    /// The screen was lost. Disables the planes so that their memory can be freed.
    func lose() {
        abandonReadBack()
        answerReads(nil)
        token += 1
        _ = try? screen.commit([], background: .black, token: token, readInto: nil)
        shown = nil
        lastPicture = nil
        lastFlip = nil
        // Hot-plug events may be lost too (a receiver that was switched through), so look again from time to time.
        phase = .lost(retry: clock.now + .seconds(2))
        source?.displayDidChange(nil)
    }

    /// Tries to show pictures again after the screen was lost.
    func comeBack() {
        do {
            try screen.reset(wanted: asked ?? options.mode)
        } catch {
            phase = .lost(retry: clock.now + .seconds(2))
            return
        }
        screenIsNew()
        source?.displayDidChange(screen.mode.mode)
    }

    func screenIsNew() {
        verdicts = [:]
        shown = nil
        lastPicture = nil
        lastFlip = nil
        token += 1
        let mode = screen.mode.mode
        let rates = screen.refreshRates
        link.note {
            $0.mode = mode
            $0.refreshRates = rates
        }
        wantsOpportunity = true
        phase = .idle
    }
}
