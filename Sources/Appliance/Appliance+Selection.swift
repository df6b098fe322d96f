import MediaModel
import PlayerInterface

/// What the viewer chooses of sound and captions.
extension Appliance {
    /// Carries out an effect of choosing.
    func carryOutSelection(_ effect: InterfaceEffect) {
        switch effect {
        case .selectAudio(let id):
            parts.dump?.note("select-audio", id)
        case .selectSubtitles(let choice):
            parts.dump?.note("select-subtitles", "\(choice)")
        case .setCaptionStyle:
            parts.dump?.note("caption-style")
        default: break
        }
    }
}
