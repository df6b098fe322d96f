import NIOCore
import NIOEmbedded
import Testing

@testable import ControlServer

/// How much of what a client sends becomes requests at once.
struct ReadGateTests {
    private let channel: EmbeddedChannel
    private let gate: ReadGate
    private let witness = Witness()

    init() throws {
        let limits = ControlLimits(partBytes: 4, discardedBytes: 8)
        let connection = PageConnection(
            id: 1, peer: PeerAddress(try SocketAddress(ipAddress: "10.0.0.7", port: 1)),
            register: ConnectionRegister(limits: limits))
        gate = ReadGate(limits: limits, connection: connection)
        channel = EmbeddedChannel(handlers: [gate, witness])
        _ = try channel.connect(to: SocketAddress(ipAddress: "10.0.0.7", port: 1))
    }

    @Test func nothingPassesBeforeItIsAskedForAndThenOnePart() throws {
        try channel.writeInbound(ByteBuffer(string: "abcdefghij"))
        #expect(witness.seen == [])
        channel.read()
        #expect(witness.seen == ["abcd"])
        channel.read()
        channel.read()
        #expect(witness.seen == ["abcd", "efgh", "ij"])
        // It was asked for more, and passes as it comes, once.
        channel.read()
        try channel.writeInbound(ByteBuffer(string: "k"))
        try channel.writeInbound(ByteBuffer(string: "l"))
        #expect(witness.seen == ["abcd", "efgh", "ij", "k"])
    }

    @Test func theEndComesOnceAfterAllThatWasSent() throws {
        try channel.writeInbound(ByteBuffer(string: "abcdef"))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        for _ in 0..<5 { channel.read() }
        #expect(witness.seen == ["abcd", "ef", "end"])
    }

    @Test func afterTheLastAnswerNothingPassesAndNotWithoutEnd() throws {
        try channel.writeInbound(ByteBuffer(string: "abc"))
        gate.drain()
        try channel.writeInbound(ByteBuffer(string: "defg"))
        channel.read()
        #expect(witness.seen == [] && channel.isActive)
        try channel.writeInbound(ByteBuffer(string: "h"))
        #expect(witness.seen == [] && !channel.isActive, "three, four and one are eight")
    }

    private final class Witness: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        var seen: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { seen.append(String(buffer: unwrapInboundIn(data))) }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if case ChannelEvent.inputClosed = event { seen.append("end") }
        }
    }
}
