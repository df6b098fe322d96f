import CALSA
import Glibc

/// Makes a card heard that the kernel left muted: on a box nobody else sets a mixer, and many cards begin with every switch off.
///
/// Only controls that are a way out and have a switch are touched, and of these only the ones that are off: what is on keeps its loudness.
enum Unmuting {
    /// What became of a mixer.
    struct Outcome: Equatable {
        /// Controls that were off and are on now, by their names.
        var unmuted: [String] = []
        /// What the card refused.
        var failures: [ALSAError] = []
    }

    static func run(_ mixer: some CardMixer) -> Outcome {
        var outcome = Outcome()
        for control in mixer.controls() where control.isOn == false && isWayOut(control.name) {
            do throws(ALSAError) {
                // First the loudness: nothing is heard too soft or too loud meanwhile.
                if let level = wantedLevel(control) { try mixer.set(level, of: control) }
                try mixer.switchOn(control)
                outcome.unmuted.append(control.name)
            } catch {
                outcome.failures.append(error)
            }
        }
        return outcome
    }

    /// How loud a control has to be to let the samples through as they are; nil: it has no loudness.
    private static func wantedLevel(_ control: MixerControl) -> MixerLevel? {
        guard control.level != nil else { return nil }
        return control.decibelRange?.contains(0) == true ? .unchanged : .top
    }

    /// Words in the names of controls through which sound leaves a card (sound/doc of the kernel: ControlNames).
    private static let waysOut: Set<String> = [
        "master", "pcm", "wave", "dac", "digital", "hdmi", "iec958", "spdif", "displayport", "playback",
        "speaker", "speakers", "headphone", "headphones", "headset", "lineout", "out", "output",
        "front", "rear", "surround", "side", "center", "centre", "lfe", "bass", "mono", "amplifier", "amp",
    ]
    /// Words of what comes in or is made by the card, even where it is called "Front Mic" or "PCM Loopback".
    private static let waysIn: Set<String> = [
        "mic", "microphone", "capture", "input", "in", "linein", "loopback", "sidetone", "beep", "cd", "aux", "phone", "video",
        "tv", "tuner", "boost",
    ]

    /// Whether sound leaves the card through a control of this name.
    static func isWayOut(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return words.contains { waysOut.contains($0) } && !words.contains { waysIn.contains($0) }
    }
}

// MARK: In words

extension Unmuting {
    /// What is told of a card's mixer when the card was opened: nothing where nothing had to be done.
    static func remarks(card: Int32) -> [String] {
        let name = CardMixers.name(of: card)
        do throws(ALSAError) {
            return words(run(try ALSAMixer(card: card)), card: name)
        } catch {
            return ["the mixer of \(name) could not be opened: \(error); where nothing is heard set it with alsamixer"]
        }
    }

    static func words(_ outcome: Outcome, card: String) -> [String] {
        var lines: [String] = []
        if !outcome.unmuted.isEmpty {
            lines.append("the mixer of \(card) was muted: \(outcome.unmuted.joined(separator: ", ")) switched on")
        }
        return lines
            + outcome.failures.map { "the mixer of \(card) stays muted: \($0); where nothing is heard set it with alsamixer" }
    }
}

/// The mixers of this machine's sound cards, for whoever asks how they stand.
package enum CardMixers {
    /// Each card's name, and in words how the ways out of its mixer are set. Changes nothing. Any thread.
    package static func all() -> [(card: String, words: String)] {
        var cards: [Int32] = []
        var card: Int32 = -1
        while snd_card_next(&card) >= 0, card >= 0 { cards.append(card) }
        return cards.map { card in
            do throws(ALSAError) {
                return (name(of: card), describe(try ALSAMixer(card: card).controls()))
            } catch {
                return (name(of: card), "the mixer could not be opened: \(error); look at the rights of /dev/snd/controlC\(card)")
            }
        }
    }

    /// The ways out among a mixer's controls, in words.
    static func describe(_ controls: [MixerControl]) -> String {
        let ways = controls.filter { $0.isOn != nil && Unmuting.isWayOut($0.name) }
        guard !ways.isEmpty else { return "no mixer that could mute it" }
        return ways.map { control in
            let loudness =
                control.decibels.map { " at \(decibels($0)) dB" } ?? control.level.map {
                    " at \($0) of \(control.levels.upperBound)"
                } ?? ""
            return "\(control.name) \(control.isOn == true ? "on" : "muted")\(loudness)"
        }.joined(separator: ", ")
    }

    /// Hundredths of a decibel with one digit after the point.
    private static func decibels(_ hundredths: Int) -> String {
        let tenths = (Double(hundredths) / 10).rounded()
        return "\(tenths / 10)"
    }

    static func name(of card: Int32) -> String {
        var text: UnsafeMutablePointer<CChar>?
        guard snd_card_get_name(card, &text) >= 0, let text else { return "card \(card)" }
        defer { free(text) }
        return "card \(card) (\(String(cString: text)))"
    }
}
