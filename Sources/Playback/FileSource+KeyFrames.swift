import MediaModel
import MediaSources
import MediaTime

extension FileReader {
    /// Delivers the key pictures of one track that a scan passes. Each is found by a seek, so that media between them is not read if the container
    /// has an index.
    func readKeyFrames(_ reading: KeyFrameReading, track: TrackID, into buffer: SampleBuffer) {
        guard let demuxer, !buffer.isCancelled else { return }
        do throws(MediaError) {
            demuxer.select([track])
            switch reading.direction {
            case .forward: try readForward(reading, demuxer, into: buffer)
            case .backward: try readBackward(reading, demuxer, into: buffer)
            }
        } catch {
            buffer.fail(error)
        }
    }

    private func readForward(_ reading: KeyFrameReading, _ demuxer: any Demuxing, into buffer: SampleBuffer) throws(MediaError) {
        var position = reading.start
        var last: MediaTime?
        while !buffer.isCancelled {
            try demuxer.seek(to: position + start)
            // A seek that lands on the previously delivered picture reads on to the next.
            guard let sample = try nextKeyFrame(demuxer, after: last) else { return buffer.finish() }
            guard buffer.append(sample) else { return }
            last = sample.presentationTime
            position = sample.presentationTime + reading.step
        }
    }

    private func readBackward(_ reading: KeyFrameReading, _ demuxer: any Demuxing, into buffer: SampleBuffer) throws(MediaError) {
        var position = reading.start
        var step = reading.step
        var last: MediaTime?
        while !buffer.isCancelled {
            try demuxer.seek(to: max(position, .zero) + start)
            let sample = try nextKeyFrame(demuxer, after: nil)
            if let sample, last.map({ sample.presentationTime < $0 }) ?? true {
                guard buffer.append(sample) else { return }
                last = sample.presentationTime
                position = sample.presentationTime - reading.step
                step = reading.step
            } else {
                // Without an index a seek may land too late; then it is repeated further back, in growing steps.
                guard position > .zero else { return buffer.finish() }
                position -= step
                step = step * 2
            }
            if last.map({ $0 <= .zero }) ?? false { return buffer.finish() }
        }
    }

    private func nextKeyFrame(_ demuxer: any Demuxing, after last: MediaTime?) throws(MediaError) -> EncodedSample? {
        while var sample = try demuxer.nextSample() {
            sample.presentationTime -= start
            sample.decodeTime -= start
            if sample.isSync, last.map({ sample.presentationTime > $0 }) ?? true { return sample }
        }
        return nil
    }
}
