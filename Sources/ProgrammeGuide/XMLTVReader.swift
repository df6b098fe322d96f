import ChannelFeed
import TextDecoding
import Unpacking
import XMLEvents

/// Parses XMLTV with Expat, event by event. Files may be compressed (`UnpackedFile`), and in any encoding (`DecodedText`). Any thread.
///
/// Lenient: characters are repaired (`XMLRepair`). Where the text is not well formed all the same, that costs the programme it is in: reading
/// goes on at the next one. Invalid parts are skipped and reported.
package enum XMLTVReader {
    /// Larger files are refused.
    package static let mostBytes = 64 << 20
    private static let mostProgrammes = 200_000
    /// The most remarks about one file.
    static let mostRemarks = 10
    /// A file with more faults is read up to there.
    private static let mostFaults = 10_000

    /// Parses a file.
    ///
    /// - Parameter interval: programmes outside it are skipped.
    /// - Throws: `GuideError` when it contains nothing to show.
    package static func read(_ bytes: [UInt8], within interval: Range<FeedDate>, name: String) throws(GuideError) -> GuideListings
    {
        guard bytes.count <= mostBytes else {
            throw GuideError(
                "Reading the guide \(name) failed: it has \(bytes.count >> 20) MiB, more than \(mostBytes >> 20); split it.")
        }
        let unpacked: UnpackedFile
        do {
            unpacked = try UnpackedFile(bytes, most: mostBytes)
        } catch {
            throw GuideError(
                "Reading the guide \(name) failed: it has more than \(mostBytes >> 20) MiB when it is unpacked; split it.")
        }
        let desk = XMLTVDesk(interval: interval, most: mostProgrammes)
        let text = DecodedText.utf8(unpacked.bytes, declared: DeclaredEncoding.ofXML(unpacked.bytes))
        var fault = try parse(text, desk, name: name)
        // That the file is incomplete says more than where its text breaks off.
        if let packing = unpacked.fault { fault = "line \(lines(in: text[...]) + 1): \(packing)" }
        return try desk.listings(fault: fault, name: name)
    }

    /// - Returns: why the text ends early.
    private static func parse(_ text: [UInt8], _ desk: XMLTVDesk, name: String) throws(GuideError) -> String? {
        func open() throws(GuideError) -> XMLEventParser {
            guard let parser = XMLEventParser(desk) else {
                throw GuideError("Reading the guide \(name) failed: out of memory; it is retried later.")
            }
            return parser
        }
        var (parser, repair, faults, start, line) = (try open(), XMLRepair(), 0, 0, 1)
        while true {
            let next = nextElement(in: text, after: start)
            let piece = text[start..<(next ?? text.endIndex)]
            defer { line += lines(in: piece) }
            guard let fault = Self.fault(in: piece, isLast: next == nil, parser, &repair) else {
                guard let next else { return nil }
                start = next
                continue
            }
            faults += 1
            let place = "line \(line): \(fault.reason)"
            guard let next, faults < mostFaults else { return place }
            // The parser is of no use after a fault: another one begins with the next programme.
            desk.lose("\(place); what stands there is left out")
            parser = try open()
            repair = XMLRepair()
            _ = Self.fault(in: Array("<tv>".utf8)[...], isLast: false, parser, &repair)
            start = next
        }
    }

    private static func fault(
        in piece: ArraySlice<UInt8>, isLast: Bool, _ parser: XMLEventParser, _ repair: inout XMLRepair
    ) -> XMLFault? {
        do throws(XMLFault) {
            try parser.parse(piece: repair.repaired(piece), isLast: isLast)
            return nil
        } catch {
            return error
        }
    }

    /// Where the next programme or channel begins.
    private static func nextElement(in text: [UInt8], after start: Int) -> Int? {
        let (programme, channel) = (Array("<programme".utf8), Array("<channel".utf8))
        var index = start + 1
        while index < text.count {
            if text[index] == 0x3C, text[index...].starts(with: programme) || text[index...].starts(with: channel) {
                return index
            }
            index += 1
        }
        return nil
    }

    private static func lines(in text: ArraySlice<UInt8>) -> Int { text.count { $0 == 0x0A } }
}
