/// The codes of linux/input-event-codes.h for SDL's scancodes, which are those of the USB HID tables: both name the place of a key, not what is printed on it.
enum SDLKeys {
    /// The code of a key of the keyboard; nil for keys that no keyboard of a box has.
    static func code(ofScancode scancode: UInt32) -> UInt16? {
        (4...29).contains(scancode) ? letters[Int(scancode) - 4] : others[scancode]
    }

    /// The code of a button of the mouse, counted as SDL does: left, middle, right.
    static func code(ofButton button: UInt8) -> UInt16? {
        switch button {
        case 1: 0x110  // BTN_LEFT
        case 2: 0x112  // BTN_MIDDLE
        case 3: 0x111  // BTN_RIGHT
        default: nil
        }
    }

    /// F11.
    static let fullScreen: UInt32 = 68
    /// Enter, which fills the screen with Alt.
    static let enter: UInt32 = 40
    /// Q, which closes the window with Control.
    static let quit: UInt32 = 20

    /// A to Z, scancodes 4 to 29.
    private static let letters: [UInt16] = [
        30, 48, 46, 32, 18, 33, 34, 35, 23, 36, 37, 38, 50, 49, 24, 25, 16, 19, 31, 20, 22, 47, 17, 45, 21, 44,
    ]

    private static let others: [UInt32: UInt16] = [
        // 1 to 9, 0
        30: 2, 31: 3, 32: 4, 33: 5, 34: 6, 35: 7, 36: 8, 37: 9, 38: 10, 39: 11,
        // RETURN ESCAPE BACKSPACE TAB SPACE
        40: 28, 41: 1, 42: 14, 43: 15, 44: 57,
        // F1 to F10, F12
        58: 59, 59: 60, 60: 61, 61: 62, 62: 63, 63: 64, 64: 65, 65: 66, 66: 67, 67: 68, 69: 88,
        // PAUSE INSERT HOME PAGEUP DELETE END PAGEDOWN
        72: 119, 73: 110, 74: 102, 75: 104, 76: 111, 77: 107, 78: 109,
        // RIGHT LEFT DOWN UP
        79: 106, 80: 105, 81: 108, 82: 103,
        // KP_ENTER, APPLICATION (KEY_COMPOSE), POWER
        88: 96, 101: 127, 102: 116,
        // MENU SELECT STOP MUTE VOLUMEUP VOLUMEDOWN
        118: 139, 119: 353, 120: 128, 127: 113, 128: 115, 129: 114,
        // AUDIONEXT AUDIOPREV AUDIOSTOP AUDIOPLAY AUDIOMUTE
        258: 163, 259: 165, 260: 166, 261: 164, 262: 113,
        // AC_HOME AC_BACK AC_FORWARD SLEEP AUDIOREWIND AUDIOFASTFORWARD
        269: 172, 270: 158, 271: 159, 282: 142, 285: 168, 286: 208,
    ]
}
