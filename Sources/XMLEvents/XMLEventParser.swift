import CExpat
import TextDecoding

/// What receives the content of an XML text, in its order, on the thread that parses.
package protocol XMLEventReceiver: AnyObject {
    /// An element begins. Names are as written, with their prefixes.
    func began(_ name: String, _ attributes: [String: String])
    /// Text inside the current element; a long text comes in pieces.
    func came(_ text: String)
    /// The current element ends.
    func ended(_ name: String)
}

/// Why an XML text is not well formed.
package struct XMLFault: Error, Equatable, Sendable, CustomStringConvertible {
    /// The line at which parsing stopped, from 1.
    package let line: Int
    /// Expat's reason, e.g. `mismatched tag`.
    package let reason: String

    package var description: String { "line \(line): \(reason)" }
}

/// Parses XML with Expat, event by event, so that a large file costs no memory.
///
/// Its pieces are UTF-8; a whole text may be in any encoding that `DecodedText` knows. External entities are not loaded, and Expat itself stops at
/// entities that expand to more than a hundred times their text. One owner, one thread at a time.
package final class XMLEventParser {
    // Expat keeps the address of the receiver, which `receiver` keeps alive.
    private let parser: XML_Parser
    private let receiver: ReceiverBox

    /// Nil when there is no memory left.
    package init?(_ receiver: any XMLEventReceiver) {
        guard let parser = XML_ParserCreate("UTF-8") else { return nil }
        self.parser = parser
        self.receiver = ReceiverBox(receiver)
        XML_SetUserData(parser, Unmanaged.passUnretained(self.receiver).toOpaque())
        XML_SetElementHandler(parser, elementBegan, elementEnded)
        XML_SetCharacterDataHandler(parser, charactersCame)
    }

    deinit { XML_ParserFree(parser) }

    /// The line of the event that is being reported, from 1.
    package var line: Int { Int(clamping: marquee_xml_current_line(parser)) }

    /// Parses the next piece of the text, UTF-8, of at most 1 GiB.
    package func parse(_ piece: UnsafeRawBufferPointer, isLast: Bool) throws(XMLFault) {
        let text = piece.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard XML_Parse(parser, text, Int32(piece.count), isLast ? 1 : 0) == XML_STATUS_ERROR else { return }
        let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "it is not XML"
        throw XMLFault(line: line, reason: reason)
    }

    /// Parses a whole text in any encoding, with its characters repaired.
    package func parse(_ bytes: [UInt8]) throws(XMLFault) {
        var repair = XMLRepair()
        let text = DecodedText.utf8(bytes, declared: DeclaredEncoding.ofXML(bytes))
        // Nothing may stand before the declaration, but publishers' templates write line breaks there: they count as lines.
        try parse(repaired: repair.repaired(text[...]))
    }

    /// Parses the next piece of the text, UTF-8.
    package func parse(piece: [UInt8], isLast: Bool) throws(XMLFault) { try parse(repaired: piece, isLast: isLast) }

    private func parse(repaired bytes: [UInt8], isLast: Bool = true) throws(XMLFault) {
        var fault: XMLFault?
        bytes.withUnsafeBytes { buffer in
            // Expat counts in Int32.
            var offset = 0
            repeat {
                let count = min(buffer.count - offset, 1 << 20)
                let piece = UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + count])
                offset += count
                do throws(XMLFault) { try parse(piece, isLast: isLast && offset == buffer.count) } catch { fault = error }
            } while fault == nil && offset < buffer.count
        }
        if let fault { throw fault }
    }
}

/// Gives Expat one address for a receiver of any class.
private final class ReceiverBox {
    let receiver: any XMLEventReceiver

    init(_ receiver: any XMLEventReceiver) { self.receiver = receiver }
}

private func receiver(_ data: UnsafeMutableRawPointer?) -> (any XMLEventReceiver)? {
    data.map { Unmanaged<ReceiverBox>.fromOpaque($0).takeUnretainedValue().receiver }
}

private func elementBegan(
    _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?
) {
    guard let name, let receiver = receiver(data) else { return }
    var values: [String: String] = [:]
    var index = 0
    while let attributes, let key = attributes[index], let value = attributes[index + 1] {
        values[String(cString: key)] = String(cString: value)
        index += 2
    }
    receiver.began(String(cString: name), values)
}

private func elementEnded(_ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<XML_Char>?) {
    guard let name else { return }
    receiver(data)?.ended(String(cString: name))
}

private func charactersCame(_ data: UnsafeMutableRawPointer?, _ words: UnsafePointer<XML_Char>?, _ count: Int32) {
    guard let words, count > 0 else { return }
    let bytes = UnsafeRawBufferPointer(start: words, count: Int(count))
    receiver(data)?.came(String(decoding: bytes, as: UTF8.self))
}
