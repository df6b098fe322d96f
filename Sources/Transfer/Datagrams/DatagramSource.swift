import MediaModel
import URLReferences

/// Where datagrams come from: a socket of the kernel (`DatagramSocket`).
package protocol DatagramSource: AnyObject, Sendable {
    /// Begins to receive, and joins the group if there is one. Called once.
    ///
    /// - Throws: `MediaError` if the address cannot be received on this machine.
    func open(_ receiver: DatagramReceiver) throws(MediaError)
    /// Ends; leaves the group. Any thread, any number of times, also before `open`.
    func close()
}

/// What a source tells: one call at a time, on a thread of the source.
package struct DatagramReceiver: Sendable {
    /// A datagram, which is valid during the call.
    package let take: @Sendable (_ datagram: UnsafeRawBufferPointer, _ sender: DatagramSender) -> Void
    /// Nothing came for a second. Then again, as long as nothing comes.
    package let rest: @Sendable () -> Void
    /// Nothing more will come.
    package let fail: @Sendable (MediaError) -> Void
}

/// From where a datagram was sent.
package struct DatagramSender: Sendable, Hashable, CustomStringConvertible {
    package let address: NumericAddress
    package let port: UInt16

    package init(address: NumericAddress, port: UInt16) { (self.address, self.port) = (address, port) }

    package var description: String { address.isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)" }
}
