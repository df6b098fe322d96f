import MediaModel

/// A card as far as its outputs depend on it. A value.
struct CardFacts {
    /// A device of a card for playback.
    struct Device: Equatable {
        var number: Int
        /// As its driver calls it: `HDMI 0`, `ALC887-VD Digital`, `USB Audio`.
        var name: String
    }

    var number: Int
    /// The card's identifier, which is the same after a restart.
    var id: String
    /// As its driver calls it.
    var name: String
    var driver: String
    var devices: [Device]
    /// The screens at its digital outputs, in the order of these; empty if the card does not report them.
    var screens: [ELD?]
}

/// A device of alsa-lib's configuration that belongs to no card.
struct SoftwareDevice: Equatable {
    var name: String
    /// What its maker says of it; the first line is its name.
    var description: String
}

/// An output that viewers can choose, and its card. A value.
struct FoundOutput: Equatable {
    var output: SoundPort
    /// Nil without one.
    var card: Int?

    /// The outputs in the order in which they are listed: those of the cards, then Bluetooth. An HDMI output that reports that no screen is connected is left
    /// out.
    static func all(cards: [CardFacts], devices: [SoftwareDevice]) -> [FoundOutput] {
        let plugs = cards.reduce(0) { $0 + $1.devices.count(where: $1.isHDMI) }
        var (found, firstPlug): ([FoundOutput], Int) = ([], 1)
        for card in cards {
            found += card.outputs(firstPlug: plugs > 1 ? firstPlug : nil)
            firstPlug += card.devices.count(where: card.isHDMI)
        }
        // BlueALSA lists connected devices there; other software devices are parts of the configuration and no places to listen at.
        found += devices.filter { $0.name.hasPrefix("bluealsa:") }.compactMap { device in
            let name = device.description.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
            return SoundPort(id: device.name, kind: .bluetooth, name: name).map { FoundOutput(output: $0) }
        }
        var uses: [String: Int] = [:]
        for index in found.indices {
            let output = found[index].output
            uses["\(output.kind) \(output.name)", default: 0] += 1
            found[index].output.number = uses["\(output.kind) \(output.name)"] ?? 1
        }
        return found
    }

    /// The output behind an open device.
    ///
    /// - Parameters:
    ///   - name: alsa-lib's name, with which it was opened.
    ///   - card: its card; nil when a plug-in, such as a sound server, is behind it.
    static func opened(_ name: String, card: Int?, among found: [FoundOutput]) -> SoundPort? {
        if let same = found.first(where: { $0.output.id == name || name.hasPrefix($0.output.id + ",AES") }) { return same.output }
        let ofCard = found.filter { $0.card != nil && $0.card == card }
        guard name.hasPrefix("hdmi:") else {
            return (ofCard.first { $0.output.kind != .hdmi && $0.output.kind != .digital } ?? ofCard.first)?.output
        }
        let device = "DEV=\(ALSAArguments(ofDevice: name).device ?? 0)"
        return ofCard.first { $0.output.kind == .hdmi && $0.output.id.hasSuffix(device) }?.output
    }
}

extension CardFacts {
    fileprivate func isHDMI(_ device: Device) -> Bool { "\(driver) \(device.name)".lowercased().contains("hdmi") }

    /// - Parameter firstPlug: the number of its first HDMI plug among those of all cards; nil if the machine has no other.
    fileprivate func outputs(firstPlug: Int?) -> [FoundOutput] {
        // alsa-lib takes the number, too. The kernel allows only letters and digits in an identifier.
        let isPlain = !id.isEmpty && id.allSatisfy { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
        let card = "CARD=\(isPlain ? id : String(number))"
        var (hdmi, digital) = (0, 0)
        return devices.compactMap { device in
            if isHDMI(device) {
                defer { hdmi += 1 }
                guard !screens.indices.contains(hdmi) || screens[hdmi] != nil else { return nil }
                let plug = firstPlug.map { "HDMI \($0 + hdmi)" } ?? "HDMI"
                return output("hdmi:\(card),DEV=\(hdmi)", .hdmi, plug)
            }
            let words = device.name.lowercased()
            if driver == "USB-Audio" { return output("plughw:\(card),DEV=\(device.number)", .usb, name) }
            if ["digital", "spdif", "s/pdif", "iec958"].contains(where: words.contains) {
                defer { digital += 1 }
                return output("iec958:\(card),DEV=\(digital)", .digital, "")
            }
            let isHeadphones = name.lowercased().contains("headphone")
            // The names of a computer's own cards say nothing to a viewer.
            let shown = isHeadphones || words.contains("analog") ? "" : name
            return output("plughw:\(card),DEV=\(device.number)", isHeadphones ? .headphones : .lineOut, shown)
        }
    }

    private func output(_ id: String, _ kind: SoundPort.Kind, _ name: String) -> FoundOutput? {
        SoundPort(id: id, kind: kind, name: name).map { FoundOutput(output: $0, card: number) }
    }
}
