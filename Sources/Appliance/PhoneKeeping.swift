import BoxModel
import Cryptography
import LinuxSupport
import Shell
import StatusModel
import Synchronization
import Viewing
import WireFormats

/// Phones as keyboards and remotes of the box: shows the code with which they are paired, and takes what they type. Main loop only.
@MainActor
package final class PhoneKeeping: PhoneDoor {
    private static let name = "phones"
    /// How long a secret is worth something: less than a page stands without a key.
    private static let secretTime = Duration.seconds(180)
    private static let secretLength = 16

    package let changes = EventSource<Void>()
    /// Whom the page admits.
    package let paired: PairedPhones
    /// The address of the page for phones, for a secret or for another text; nil where no phone reaches it, or none in private.
    package var page: @MainActor (_ isSecret: Bool) -> String? = { _ in nil }
    /// Whether a screen of the box has covered the page.
    var isCovered: @MainActor () -> Bool = { false }

    private let parts: ApplianceParts
    private let driver: InterfaceDriver
    private var pairing: PhonePairing
    private var text = PhoneText()
    private var expiry: ScheduledEvent?

    init(_ parts: ApplianceParts, driver: InterfaceDriver) {
        (self.parts, self.driver) = (parts, driver)
        let stored = (parts.viewer.choices.choice(Self.name) ?? "").split(separator: " ").map(String.init)
        pairing = PhonePairing(digests: stored)
        paired = PairedPhones(pairing.digests)
    }

    /// How many phones are paired.
    var count: Int { pairing.digests.count }

    package var asked: AskedText? { text.asked }

    /// That of the page for what is asked for.
    private var address: String? { asked.flatMap { page($0.text == nil) } }

    /// What is on the screen may have changed: the page asks for a text or does not, or a screen of the box has covered it.
    func follow() {
        let question = isCovered() ? nil : driver.machine.asked
        if text.follow(question) { changes.send(()) }
        if question == nil {
            handle(.closed)
        } else if !pairing.isOpen, address != nil {
            handle(.opened(fresh: Self.draw()))
        }
    }

    package func type(_ typed: String, field: UInt64, serial: UInt64, isPrivate: Bool) -> TypingRefusal? {
        follow()
        if let refusal = text.refusal(field: field, serial: serial) { return refusal }
        guard isPrivate || text.asked?.text != nil else { return .inClear }
        guard driver.ask(.typed(typed)) == .success else { return .invalid }
        if text.took(serial: serial) { changes.send(()) }
        return nil
    }

    package func pair(_ secret: String) -> String? {
        follow()
        let token = Self.draw()
        return handle(.offered(secret: secret, token: token, fresh: Self.draw())) ? token : nil
    }

    /// Takes their right from all phones.
    func forget() { handle(.forgotten) }

    /// - Returns: whether a phone is paired by it.
    @discardableResult
    private func handle(_ event: PhonePairing.Event) -> Bool {
        var isPaired = false
        for effect in pairing.handle(event) {
            switch effect {
            case .show(let secret):
                let address = address
                driver.send(.phoneCode(secret.flatMap { secret in address.map { "\($0)#\(secret)" } }))
            case .arm:
                expiry?.cancel()
                expiry = parts.clock.schedule(after: Self.secretTime) { [weak self] in self?.handle(.expired(fresh: Self.draw()))
                }
            case .disarm: expiry?.cancel()
            case .keep(let digests):
                paired.set(digests)
                parts.viewer.choices.setChoice(digests.isEmpty ? nil : digests.joined(separator: " "), Self.name)
                parts.log.note(digests.isEmpty ? "all phones are forgotten" : "a phone was paired, the number \(digests.count)")
            case .paired: isPaired = true
            }
        }
        return isPaired
    }

    /// 128 random bits in hexadecimal: `SystemRandomNumberGenerator` is getrandom(2).
    private static func draw() -> String { (0..<secretLength).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal }
}

/// The phones that are paired, for those who ask from other threads. Any thread.
package final class PairedPhones: Sendable {
    private let digests: Mutex<[String]>

    init(_ digests: [String]) { self.digests = Mutex(digests) }

    func set(_ new: [String]) { digests.withLock { $0 = new } }

    /// Whether a token is that of a paired phone. The time taken depends neither on the token nor on which one it is.
    package func admits(_ token: String) -> Bool {
        let digest = SHA256.hexadecimal(of: token)
        // All are compared, without an early end.
        return digests.withLock { $0 }.count { ConstantTime.areEqual(digest, $0) } > 0
    }
}
