/// Unmutes a card that the kernel left muted: no other program on the box sets a mixer, and many cards start with every switch
/// off.
///
/// Only output controls that have a switch are touched, and of these only the ones that are off: a control that is on keeps its
/// volume.
enum Unmuting {
    /// What was done to a mixer.
    struct Outcome: Equatable {
        /// The names of controls that were off and are on now.
        var unmuted: [String] = []
        /// The calls that the card refused.
        var failures: [ALSAError] = []
    }

    static func run(_ mixer: some CardMixer) -> Outcome {
        var outcome = Outcome()
        for control in mixer.controls() where control.isOn == false && isWayOut(control.name) {
            do throws(ALSAError) {
                // Set the volume first, so that the sound is never too loud or too soft.
                if let level = wantedLevel(control) { try mixer.set(level, of: control) }
                try mixer.switchOn(control)
                outcome.unmuted.append(control.name)
            } catch {
                outcome.failures.append(error)
            }
        }
        return outcome
    }

    /// The volume at which a control passes the samples unchanged; nil: it has no volume.
    private static func wantedLevel(_ control: MixerControl) -> MixerLevel? {
        guard control.level != nil else { return nil }
        return control.decibelRange?.contains(0) == true ? .unchanged : .top
    }

    /// Words in the names of output controls (sound/doc of the kernel: ControlNames).
    private static let waysOut: Set<String> = [
        "master", "pcm", "wave", "dac", "digital", "hdmi", "iec958", "spdif", "displayport", "playback",
        "speaker", "speakers", "headphone", "headphones", "headset", "lineout", "out", "output",
        "front", "rear", "surround", "side", "center", "centre", "lfe", "bass", "mono", "amplifier", "amp",
    ]
    /// Words in the names of input controls and of sounds made by the card, even in names such as "Front Mic" or "PCM Loopback".
    private static let waysIn: Set<String> = [
        "mic", "microphone", "capture", "input", "in", "linein", "loopback", "sidetone", "beep", "cd", "aux", "phone", "video",
        "tv", "tuner", "boost",
    ]

    /// Whether a control of this name is an output.
    static func isWayOut(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return words.contains { waysOut.contains($0) } && !words.contains { waysIn.contains($0) }
    }
}

// MARK: In words

extension Unmuting {
    /// What to log about a card's mixer when the card is opened: empty when nothing had to be done.
    static func remarks(card: Int32, library: any ALSALibrary) -> [String] {
        let name = CardMixers.name(of: card, library)
        do throws(ALSAError) {
            return words(run(try ALSAMixer(card: card, library: library)), card: name)
        } catch {
            return ["the mixer of \(name) could not be opened: \(error); if there is no sound, set it with alsamixer"]
        }
    }

    static func words(_ outcome: Outcome, card: String) -> [String] {
        var lines: [String] = []
        if !outcome.unmuted.isEmpty {
            lines.append("the mixer of \(card) was muted: \(outcome.unmuted.joined(separator: ", ")) switched on")
        }
        return lines
            + outcome.failures.map { "the mixer of \(card) stays muted: \($0); if there is no sound, set it with alsamixer" }
    }
}

/// The mixers of this machine's sound cards, for diagnosis.
package enum CardMixers {
    /// Each card's name, and a description of its output controls. Changes nothing. Any thread.
    package static func all() -> [(card: String, words: String)] { all(InstalledALSA()) }

    static func all(_ library: any ALSALibrary) -> [(card: String, words: String)] {
        library.cards().map { card in
            let name = Self.name(of: card, library)
            do throws(ALSAError) {
                return (name, describe(try ALSAMixer(card: card, library: library).controls()))
            } catch {
                return (name, "the mixer could not be opened: \(error); check the permissions of /dev/snd/controlC\(card)")
            }
        }
    }

    /// Describes the output controls of a mixer.
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

    /// Decibels with one digit after the point, from hundredths.
    private static func decibels(_ hundredths: Int) -> String {
        let tenths = (Double(hundredths) / 10).rounded()
        return "\(tenths / 10)"
    }

    static func name(of card: Int32, _ library: any ALSALibrary) -> String {
        library.name(of: card).map { "card \(card) (\($0))" } ?? "card \(card)"
    }
}
