import Appliance
import BoxAssembly
import BoxModel
import CommandSupport
import Display
import Glibc
import LinuxSupport
import Remote

/// The pictures of a tour: at each look of a key script the screen is captured and the interface's state is compared with the expected one.
@MainActor
final class TourAlbum {
    private struct Page {
        var file: String
        var look: KeyScript.Look
        /// The actual states of the interface.
        var names: [String]
        var isAsWanted: Bool { names.contains(look.state) }
    }

    private let folder: String
    private unowned let box: Box
    private var pages: [Page] = []
    private var sheet = ContactSheet()
    private var waiting = 0
    private var failure: CommandFault?

    /// - Throws: `CommandFault` if its folder cannot be made.
    init(_ script: KeyScript, folder: String, box: Box) throws(CommandFault) {
        try TextFile.makeFolder(folder)
        self.folder = folder
        self.box = box
        for look in script.looks {
            box.loop.clock.schedule(at: HostTime(nanoseconds: look.time.nanoseconds), rank: .display) { [weak self] in
                self?.take(look)
            }
        }
    }

    private func take(_ look: KeyScript.Look) {
        let number = pages.count + 1
        let page = Page(
            file: "\(number < 10 ? "0" : "")\(number)-\(look.state).png", look: look, names: box.appliance.stateNames)
        pages.append(page)
        if !page.isAsWanted {
            Console.error("tour: at \(look.time) s: expected \(look.state), found \(page.names.joined(separator: ", "))")
        }
        waiting += 1
        box.display.readScreen { [weak self] picture in
            guard let self else { return }
            self.waiting -= 1
            // A screen that is off has no picture.
            guard let picture else { return }
            self.sheet.add(picture.pixels)
            do throws(CommandFault) {
                try picture.save(to: "\(self.folder)/\(page.file)")
            } catch {
                self.failure = self.failure ?? error
            }
        }
    }

    /// Waits for pending pictures and writes the page and the sheet.
    ///
    /// - Throws: `CommandFault` if a state was not reached.
    func finish() throws {
        box.loop.run(until: { waiting == 0 })
        if let failure { throw failure }
        if let pixels = try sheet.picture() { try TextFile.write(try pixels.png(), to: "\(folder)/sheet.png") }
        try TextFile.write(Array(page.utf8), to: "\(folder)/index.html")
        let missed = pages.filter { !$0.isAsWanted }
        guard missed.isEmpty else {
            throw CommandFault(
                "The tour missed \(missed.count) of \(pages.count) states, the first at \(missed[0].look.time) s: \(missed[0].look.state)."
            )
        }
        Console.print("\(pages.count) states: \(folder)/index.html")
    }

    private var page: String {
        var text = """
            <!doctype html>
            <meta charset="utf-8">
            <title>Tour</title>
            <style>body{font:16px sans-serif;background:#111;color:#eee;margin:2em}figure{display:inline-block;margin:.5em;width:32%;\
            vertical-align:top}img{width:100%;display:block}</style>
            <h1>Tour</h1>

            """
        for page in pages {
            text +=
                "<figure><img src=\"\(page.file)\" alt=\"\"><figcaption><b>\(page.look.state)</b> \(page.look.time) s: \(page.look.words)</figcaption></figure>\n"
        }
        return text
    }
}
