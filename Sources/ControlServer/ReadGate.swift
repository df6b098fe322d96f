import NIOCore

/// Lets a client's bytes pass in small parts, each when one is asked for. A client that sends many requests at once has all of them in its own kernel's
/// buffer and this one's, and only those of one part in memory as requests.
final class ReadGate: ChannelInboundHandler, ChannelOutboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData

    /// The end of what the client sends, which comes after all bytes that are held.
    private enum End {
        case notSeen
        case seen
        case told
    }

    private let limits: ControlLimits
    private let connection: PageConnection
    private var held = ByteBuffer()
    private var isAsked = false
    private var isPassing = false
    private var end = End.notSeen
    /// Bytes that were dropped; nil before `drain`.
    private var dropped: Int?
    private var context: ChannelHandlerContext?

    init(limits: ControlLimits, connection: PageConnection) {
        self.limits = limits
        self.connection = connection
    }

    /// Drops everything from here on, and ends the connection after as many bytes as the limits allow: closing a socket with unread bytes would reset the
    /// connection, and the client might lose the last answer. The time of sending includes this.
    func drain() {
        dropped = held.readableBytes
        held.clear()
        context?.read()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        guard let dropped else {
            held.writeBuffer(&bytes)
            return
        }
        self.dropped = dropped + bytes.readableBytes
        if dropped + bytes.readableBytes >= limits.discardedBytes { context.close(promise: nil) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if dropped == nil { pass(context) } else { context.read() }
    }

    func read(context: ChannelHandlerContext) {
        isAsked = true
        pass(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        if case .notSeen = end { end = .seen }
        pass(context)
    }

    private func pass(_ context: ChannelHandlerContext) {
        guard !isPassing, dropped == nil else { return }
        isPassing = true
        defer { isPassing = false }
        while isAsked, dropped == nil {
            isAsked = false
            if let part = held.readSlice(length: min(held.readableBytes, limits.partBytes)), part.readableBytes > 0 {
                if held.readableBytes == 0 { held.clear() }
                connection.passesBytes()
                context.fireChannelRead(wrapInboundOut(part))
                context.fireChannelReadComplete()
                continue
            }
            switch end {
            case .notSeen:
                isAsked = true
                return context.read()
            case .seen:
                end = .told
                context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            case .told: return
            }
        }
    }
}
