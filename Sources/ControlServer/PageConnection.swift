/// What the handlers of one connection share. On the thread of its loop.
final class PageConnection {
    let peer: PeerAddress
    let id: ConnectionRegister.ID
    private let register: ConnectionRegister
    /// Whether bytes have passed that were no whole request so far.
    private var hasBegun = false
    private var isWaiting = true

    init(id: ConnectionRegister.ID, peer: PeerAddress, register: ConnectionRegister) {
        self.id = id
        self.peer = peer
        self.register = register
    }

    /// Bytes of a request go to the parser.
    func passesBytes() {
        hasBegun = true
        if isWaiting { register.set(.reading, of: id) }
    }

    /// A request is whole. Another one is not waited for before its answer is sent.
    func hasRequest() {
        hasBegun = false
        isWaiting = false
    }

    /// The next request is waited for.
    func awaitsRequest() {
        isWaiting = true
        register.set(hasBegun ? .reading : .idle, of: id)
    }

    func isAnswering() { register.set(.answering, of: id) }

    func isSending() { register.set(.sending, of: id) }

    /// It has sent the operator's token, or is of this machine.
    func isKnown() { register.recognize(id, peer: peer) }

    /// Whether the request of a stranger may be answered now.
    func turn() -> ConnectionRegister.Turn { register.turn(of: id, peer: peer) }

    /// Whether it may begin TLS now.
    func mayBeginTLS() -> Bool { register.mayBeginTLS(peer) }
}
