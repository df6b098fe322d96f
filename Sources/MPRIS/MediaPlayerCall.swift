import BoxModel
import MediaTime
import MessageBus

/// A method of `org.mpris.MediaPlayer2` or `org.mpris.MediaPlayer2.Player` that was called.
enum MediaPlayerCall: Equatable {
    case command(RemoteCommand)
    /// Nothing is done, as the specification wants it, and the caller is told nothing else.
    case ignored
    /// With a sentence for the caller.
    case refused(String)

    /// No programme is longer, and it is far below the limit of an Int64.
    private static let longest: Int64 = 1_000_000_000_000_000

    /// - Parameters:
    ///   - parameters: of the types of `MediaPlayerService.interfaces`.
    ///   - trackID: that of the current programme.
    init(_ method: String, _ parameters: [BusValue], trackID: String) {
        switch method {
        case "Play": self = .command(.play)
        case "Pause": self = .command(.pause)
        case "PlayPause": self = .command(.togglePlayPause)
        case "Stop": self = .command(.stop)
        case "Next": self = .command(.key(.next))
        case "Previous": self = .command(.key(.prev))
        case "Seek":
            self = Self.time(parameters, at: 0).map { .command(.skip($0)) } ?? .refused("No programme is that long.")
        case "SetPosition":
            // A caller that has not yet seen the next programme must not move it.
            guard parameters.first == .path(trackID), trackID != PlayerProperties.noTrack else { self = .ignored; return }
            self = Self.time(parameters, at: 1).flatMap { $0 < .zero ? nil : .command(.changePlaybackPosition($0)) } ?? .ignored
        case "OpenUri": self = .refused("The box plays only what its feed has.")
        // The box has no window, and does not end.
        case "Raise", "Quit": self = .ignored
        default: self = .refused("There is no such method.")
        }
    }

    private static func time(_ parameters: [BusValue], at index: Int) -> MediaTime? {
        guard parameters.indices.contains(index), case .int64(let microseconds) = parameters[index] else { return nil }
        return microseconds.magnitude < longest.magnitude ? MediaTime(microseconds, 1_000_000) : nil
    }
}
