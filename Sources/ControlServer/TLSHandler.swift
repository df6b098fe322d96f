import NIOCore
import TransportSecurity

/// The bytes of one connection as the network has them. The first byte of the client decides whether they are under TLS: a TLS record begins with 22, a
/// request with a letter. TLS itself is libssl's, which the system keeps mended.
final class TLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private enum Layer {
        case undecided
        case clear
        case secure(TLSSession)
    }

    /// Without it TLS is not understood.
    private let identity: ServerIdentity?
    private let mayBeginTLS: () -> Bool
    private var layer = Layer.undecided
    private static let firstByteOfTLS: UInt8 = 22
    /// The most bytes of one record (RFC 8446, 5.1).
    private static let longestRecord = 16_384

    /// - Parameter mayBeginTLS: asked once, when the client begins TLS; if not, the connection ends.
    init(identity: ServerIdentity?, mayBeginTLS: @escaping () -> Bool) {
        self.identity = identity
        self.mayBeginTLS = mayBeginTLS
    }

    /// Whether what was read came under TLS.
    var isSecure: Bool { if case .secure = layer { true } else { false } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        if case .undecided = layer { decide(bytes, context) }
        switch layer {
        case .undecided: context.close(promise: nil)
        case .clear: context.fireChannelRead(data)
        case .secure(let session): decrypt(bytes, session, context)
        }
    }

    /// Leaves it undecided if the client may not begin TLS.
    private func decide(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        guard let identity, bytes.readableBytesView.first == Self.firstByteOfTLS else {
            layer = .clear
            return
        }
        guard mayBeginTLS(), let session = try? TLSSession(identity) else { return }
        layer = .secure(session)
    }

    private func decrypt(_ bytes: ByteBuffer, _ session: TLSSession, _ context: ChannelHandlerContext) {
        session.receive(Array(bytes.readableBytesView))
        while context.channel.isActive {
            let reading = Result { try session.read(atMost: Self.longestRecord) }
            // Also if it failed: the client is told why.
            send(session, context)
            switch reading {
            case .success(.bytes(let bytes)): context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: bytes)))
            case .success(.needsMore): return
            case .success(.ended): return context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            case .failure: return context.close(promise: nil)
            }
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .secure(let session) = layer, case .byteBuffer(let bytes) = unwrapOutboundIn(data) else {
            return context.write(data, promise: promise)
        }
        do {
            try session.write(Array(bytes.readableBytesView))
        } catch {
            promise?.fail(error)
            return context.close(promise: nil)
        }
        let encrypted = ByteBuffer(bytes: session.takeOutgoing())
        context.write(wrapOutboundOut(.byteBuffer(encrypted)), promise: promise)
    }

    /// The client is told that nothing follows. It may still send.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if case .secure(let session) = layer, mode == .output {
            session.end()
            send(session, context)
        }
        context.close(mode: mode, promise: promise)
    }

    /// Sends what the session has for the network.
    private func send(_ session: TLSSession, _ context: ChannelHandlerContext) {
        let bytes = session.takeOutgoing()
        if !bytes.isEmpty { context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil) }
    }
}
