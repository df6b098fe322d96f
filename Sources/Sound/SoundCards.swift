import CALSA

/// The cards of this machine and their controls that report what is connected.
struct SoundCards {
    let library: any ALSALibrary

    /// Each card's number and identifier.
    func all() -> [(number: Int, id: String)] { library.cards().map { (Int($0), identity(of: $0)?.id ?? "") } }

    /// What viewers can choose. A card that cannot be opened yet, because it has just come, is left out.
    func outputs() -> [FoundOutput] {
        let cards = library.cards().compactMap { card in
            identity(of: card).map { identity in
                CardFacts(
                    number: Int(card), id: identity.id, name: library.name(of: card) ?? "", driver: identity.driver,
                    devices: library.playbackDevices(of: card), screens: screens(of: Int(card)))
            }
        }
        return FoundOutput.all(cards: cards, devices: library.softwareDevices())
    }

    private func identity(of card: Int32) -> (id: String, driver: String)? {
        withControl(card) { control in
            var info: OpaquePointer?
            guard snd_ctl_card_info_malloc(&info) >= 0, let info else { return nil }
            defer { snd_ctl_card_info_free(info) }
            guard snd_ctl_card_info(control, info) >= 0 else { return nil }
            return (String(cString: snd_ctl_card_info_get_id(info)), String(cString: snd_ctl_card_info_get_driver(info)))
        } ?? nil
    }

    private func withControl<Result>(_ card: Int32, _ body: (OpaquePointer) -> Result) -> Result? {
        guard let control = try? library.openControl(of: card, mode: Int(SND_CTL_READONLY)) else { return nil }
        defer { snd_ctl_close(control) }
        return body(control)
    }

    /// The screen at each digital output of a card, in the order of its devices.
    func screens(of card: Int) -> [ELD?] {
        withControl(Int32(card)) { control in
            var list: OpaquePointer?
            guard snd_ctl_elem_list_malloc(&list) >= 0, let list else { return [] }
            defer { snd_ctl_elem_list_free(list) }
            guard snd_ctl_elem_list(control, list) >= 0 else { return [] }
            guard snd_ctl_elem_list_alloc_space(list, snd_ctl_elem_list_get_count(list)) >= 0 else { return [] }
            defer { snd_ctl_elem_list_free_space(list) }
            guard snd_ctl_elem_list(control, list) >= 0 else { return [] }
            let found = (0..<snd_ctl_elem_list_get_used(list)).filter {
                String(cString: snd_ctl_elem_list_get_name(list, $0)) == "ELD"
            }
            return found.map { (snd_ctl_elem_list_get_device(list, $0), Self.screen(control, list, $0)) }
                .sorted { $0.0 < $1.0 }.map(\.1)
        } ?? []
    }

    private static func screen(_ control: OpaquePointer, _ list: OpaquePointer, _ index: UInt32) -> ELD? {
        var (id, info, value): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
        defer {
            id.map { snd_ctl_elem_id_free($0) }
            info.map { snd_ctl_elem_info_free($0) }
            value.map { snd_ctl_elem_value_free($0) }
        }
        guard snd_ctl_elem_id_malloc(&id) >= 0, snd_ctl_elem_info_malloc(&info) >= 0, snd_ctl_elem_value_malloc(&value) >= 0,
            let id, let info, let value
        else { return nil }
        snd_ctl_elem_list_get_id(list, index, id)
        snd_ctl_elem_info_set_id(info, id)
        guard snd_ctl_elem_info(control, info) >= 0, snd_ctl_elem_info_get_type(info) == SND_CTL_ELEM_TYPE_BYTES else {
            return nil
        }
        snd_ctl_elem_value_set_id(value, id)
        guard snd_ctl_elem_read(control, value) >= 0, let bytes = snd_ctl_elem_value_get_bytes(value) else { return nil }
        let count = Int(snd_ctl_elem_info_get_count(info))
        return ELD(Array(UnsafeRawBufferPointer(start: bytes, count: min(count, 512))))
    }
}
