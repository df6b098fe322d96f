import MediaModel

/// Channels: by number, up and down, and the one before.
extension InterfaceMachine {
    var playingID: String? { opening?.id ?? item?.channel ?? item?.id }

    var hasChannels: Bool { !browsing.lineup.isEmpty }

    mutating func zap(by step: Int) -> CommandResult {
        tuner.channel(step, in: browsing).map { zap(to: $0) } ?? .failed(.notSupported)
    }

    mutating func zapBack() -> CommandResult {
        tuner.previousChannel(in: browsing).map { zap(to: $0) } ?? .failed(.notSupported)
    }

    mutating func zap(to channel: HomeContent.Entry) -> CommandResult {
        closeLayers()
        tuner.tuned(to: channel.id, at: now)
        if opening == nil, item != nil, playingID == channel.id {
            returnToPlayer()
            return .success
        }
        return open(channel)
    }

    mutating func typeDigit(_ digit: String) -> CommandResult {
        guard hasChannels else { return .failed(.notSupported) }
        tuner.type(digit, at: now)
        return .success
    }

    mutating func commitDigits() {
        let number = tuner.numberIsComplete(in: browsing)
        guard let channel = number.channel else {
            showToast(strings.text(.noSuchChannel, number.typed))
            return
        }
        _ = zap(to: channel)
    }
}
