import NIOCore
import NIOHTTP1

/// Answers the requests of one connection, one after the other. On the thread of its loop; only what asks the box leaves it.
final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let connection: PageConnection
    private let services: PageServices
    private let tls: TLSHandler
    private let gate: ReadGate
    private var assembly: RequestAssembly
    private var context: ChannelHandlerContext?
    /// From a whole request until the kernel has its answer.
    private var isBusy = false
    /// What came meanwhile: the handler before this one lets nothing more pass.
    private var next: RequestAssembly.Step?
    /// Nothing is taken after a refusal.
    private var isRefused = false
    private var isInputClosed = false
    /// The events that are sent.
    private var subscription: EventSubscription?

    init(connection: PageConnection, services: PageServices, tls: TLSHandler, gate: ReadGate) {
        self.connection = connection
        self.services = services
        self.tls = tls
        self.gate = gate
        assembly = RequestAssembly(limits: services.limits)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelActive(context: ChannelHandlerContext) { context.read() }

    func channelReadComplete(context: ChannelHandlerContext) { context.read() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        take(assembly.take(unwrapInboundIn(data)))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Bytes that follow those which are no request are errors too.
        guard !isRefused, error is HTTPParserError else { return }
        take(.refused(assembly.refusal(of: error)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return }
        isInputClosed = true
        if !isBusy { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let subscription { services.leave(subscription) }
    }

    // MARK: One request

    private func take(_ step: RequestAssembly.Step) {
        if case .incomplete = step { return }
        connection.hasRequest()
        if case .refused = step { isRefused = true }
        guard !isBusy else {
            next = step
            return
        }
        isBusy = true
        begin(step)
    }

    private func begin(_ step: RequestAssembly.Step) {
        switch step {
        case .incomplete: return
        case .request(let request, let isLast):
            let visitor = services.handler.visitor(of: request, isLocal: connection.peer.isLocal, isSecure: tls.isSecure)
            if visitor == .stranger {
                awaitTurn { $0.answer(request, visitor, isLast: isLast) }
            } else {
                connection.isKnown()
                answer(request, visitor, isLast: isLast)
            }
        case .refused(let response):
            if connection.peer.isLocal { refuse(response) } else { awaitTurn { $0.refuse(response) } }
        }
    }

    /// Waits until a request of a stranger may be answered, unless the connection ends before.
    private func awaitTurn(_ answer: @escaping (RequestHandler) -> Void) {
        guard let context else { return }
        switch connection.turn() {
        case .now: answer(self)
        case .later:
            let pause = TimeAmount.nanoseconds(services.limits.queuePause.wholeNanoseconds)
            context.eventLoop.assumeIsolated().scheduleTask(in: pause) { self.awaitTurn(answer) }
        case .never: context.close(promise: nil)
        }
    }

    private func answer(_ request: HTTPRequest, _ visitor: VisitorGuard.Visitor, isLast: Bool) {
        guard let context else { return }
        connection.isAnswering()
        let isHead = request.method == .HEAD
        switch services.handler.verdict(on: request, of: visitor, isSecure: tls.isSecure) {
        case .answered(let response): send(response, isLast: isLast, hasBody: !isHead)
        case .work(let work):
            let (this, loop) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.eventLoop)
            services.begin {
                let answer = await work()
                loop.execute { this.value.finish(answer, isLast: isLast, isHead: isHead) }
            }
        }
    }

    private func finish(_ answer: RouteAnswer, isLast: Bool, isHead: Bool) {
        switch answer {
        case .response(let response): send(response, isLast: isLast, hasBody: !isHead)
        case .events(let subscription): stream(subscription, isHead: isHead)
        }
    }

    // MARK: The answer

    private func send(_ response: HTTPResponse, isLast: Bool, hasBody: Bool) {
        write(response, isLast: isLast, hasBody: hasBody) { $0.hasSent(isLast: isLast) }
    }

    /// Answers what is no request that can be understood. The client may still send some of it, but nothing is taken.
    private func refuse(_ response: HTTPResponse) {
        isRefused = true
        write(response, isLast: true, hasBody: true) { this in
            this.context?.close(mode: .output, promise: nil)
            this.gate.drain()
        }
    }

    private func write(
        _ response: HTTPResponse, isLast: Bool, hasBody: Bool, _ then: @escaping (RequestHandler) -> Void
    ) {
        guard let context else { return }
        connection.isSending()
        var head = HTTPResponseHead(version: .http1_1, status: response.status, headers: response.headers)
        if response.status != .noContent { head.headers.add(name: "Content-Length", value: "\(response.body.count)") }
        if isLast { head.headers.add(name: "Connection", value: "close") }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if hasBody, !response.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: response.body)))), promise: nil)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete { result in
            switch result {
            case .success: then(self)
            case .failure: self.context?.close(promise: nil)
            }
        }
    }

    private func hasSent(isLast: Bool) {
        guard let context, !isLast else {
            context?.close(promise: nil)
            return
        }
        guard let step = next else {
            isBusy = false
            connection.awaitsRequest()
            if isInputClosed { context.close(promise: nil) }
            return
        }
        next = nil
        // One connection that asks without a pause leaves room for the others.
        context.eventLoop.assumeIsolated().execute { self.begin(step) }
    }

    // MARK: Events

    private func stream(_ subscription: EventSubscription, isHead: Bool) {
        guard let context, context.channel.isActive else { return services.leave(subscription) }
        self.subscription = subscription
        connection.isSending()
        let opening = isHead ? "" : subscription.opening
        context.write(wrapOutboundOut(.head(.eventStream)), promise: nil)
        let (this, loop, services) = (NIOLoopBound(self, eventLoop: context.eventLoop), context.eventLoop, services)
        services.begin {
            // An error is the end of the connection: the client has gone, or it was ended.
            try? await loop.flatSubmit { this.value.write(opening, on: loop) }.get()
            var cursor = subscription.cursor
            while !isHead, let batch = await services.events.next(subscription.id, after: cursor) {
                cursor = batch.cursor
                let text = batch.text(of: subscription.kinds)
                if text.isEmpty { continue }
                guard (try? await loop.flatSubmit { this.value.write(text, on: loop) }.get()) != nil else { break }
            }
            loop.execute { this.value.context?.close(promise: nil) }
        }
    }

    /// Sends events. A client that takes nothing is ended by the limit of sending, like that of any answer.
    private func write(_ events: String, on loop: any EventLoop) -> EventLoopFuture<Void> {
        guard let context else { return loop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
        connection.isSending()
        let bytes = ByteBuffer(string: events)
        let sent = context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))))
        sent.assumeIsolated().whenSuccess { self.connection.isAnswering() }
        return sent
    }
}

extension HTTPResponseHead {
    /// The head of an answer of events, whose body ends with the connection.
    fileprivate static var eventStream: HTTPResponseHead {
        var headers: HTTPHeaders = ["Content-Type": "text/event-stream", "Connection": "close"]
        headers.add(contentsOf: HTTPResponse.common)
        return HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
    }
}
