import CDRM
import MediaModel

/// A settable property of an object of the card, looked up once by its name.
struct DRMControl: Sendable {
    let object: UInt32
    let property: UInt32

    /// - Returns: nil if the driver does not have the property, or does not let it be set.
    init?(_ properties: DRMProperties, _ name: String) {
        guard let property = properties[name], !property.isImmutable else { return nil }
        object = properties.object
        self.property = property.id
    }
}

/// What the CRTC and its planes are set to for a picture, and what the kernel has of that: each picture sends only what is different.
///
/// The tables have the order of the properties' names below. Nothing is looked up by name or hashed while pictures are shown.
struct ScreenControls {
    /// The properties of a plane that a picture on it sets.
    private enum PlaneControl: Int, CaseIterable {
        case frame, crtc, sourceX, sourceY, sourceWidth, sourceHeight, x, y, width, height, alpha, z, blendMode, rotation, matrix,
            range

        /// The kernel's name for it (drm_plane.c, drm_blend.c, drm_color_mgmt.c).
        var name: String {
            switch self {
            case .frame: "FB_ID"
            case .crtc: "CRTC_ID"
            case .sourceX: "SRC_X"
            case .sourceY: "SRC_Y"
            case .sourceWidth: "SRC_W"
            case .sourceHeight: "SRC_H"
            case .x: "CRTC_X"
            case .y: "CRTC_Y"
            case .width: "CRTC_W"
            case .height: "CRTC_H"
            case .alpha: "alpha"
            case .z: "zpos"
            case .blendMode: "pixel blend mode"
            case .rotation: "rotation"
            case .matrix: "COLOR_ENCODING"
            case .range: "COLOR_RANGE"
            }
        }
    }
    /// A control, and the committed value; nil: not known, so that any value is sent.
    private struct Setting {
        let control: DRMControl?
        var inForce: UInt64?

        init(_ control: DRMControl?) { self.control = control }
    }
    private struct Plane {
        var settings: [Setting]
        let settableZ: ClosedRange<UInt64>?
        /// The values of enumerations; nil where the driver does not have them.
        let premultiplied: UInt64?
        let rotations: [DisplayRotation: UInt64]
        let matrices: [(matrix: ColourDescription.Matrix, value: UInt64)]
        let fullRange, limitedRange: UInt64?

        init(_ plane: KMSPlane) {
            let properties = plane.properties
            settings = PlaneControl.allCases.map { Setting(DRMControl(properties, $0.name)) }
            settableZ = plane.settableZ
            premultiplied = properties.value(of: "Pre-multiplied", in: "pixel blend mode")
            rotations = properties.rotations
            matrices = [ColourDescription.Matrix.bt601, .bt709, .bt2020].compactMap { matrix in
                properties.value(of: matrix.propertyName, in: "COLOR_ENCODING").map { (matrix, $0) }
            }
            fullRange = properties.value(of: "YCbCr full range", in: "COLOR_RANGE")
            limitedRange = properties.value(of: "YCbCr limited range", in: "COLOR_RANGE")
        }
    }

    /// A change under construction, and what the kernel will have after it.
    struct Change: ~Copyable {
        var request = AtomicRequest()
        fileprivate var background: UInt64?
        fileprivate var planes: [(plane: Int, control: Int, value: UInt64)] = []
        fileprivate var used: [Int] = []
    }

    private let crtc: UInt64
    private let active: DRMControl?
    private var background: Setting
    private var planes: [Plane]
    /// The planes that show something.
    private var used: [Int] = []

    init(_ output: KMSOutput) {
        crtc = UInt64(output.crtc.object)
        active = DRMControl(output.crtc, "ACTIVE")
        background = Setting(DRMControl(output.crtc, "BACKGROUND_COLOR"))
        planes = output.planes.map(Plane.init)
    }

    /// Makes one change with everything that pictures change.
    ///
    /// - Parameter framebuffer: gives the number of a picture's framebuffer.
    func change(
        to pictures: [PlanePicture], background colour: OpaqueColour,
        framebuffer: (PlanePicture) throws(DisplayError) -> UInt32
    ) throws(DisplayError) -> Change {
        var change = Change()
        // The CRTC is always included, because the event belongs to it.
        change.request.set(active, 1)
        let (red, green, blue) = (UInt64(colour.red) * 257, UInt64(colour.green) * 257, UInt64(colour.blue) * 257)
        let value = 0xFFFF << 48 | red << 32 | green << 16 | blue
        if background.inForce != value {
            change.request.set(background.control, value)
            change.background = value
        }
        change.planes.reserveCapacity(PlaneControl.allCases.count)
        for picture in pictures { add(picture, UInt64(try framebuffer(picture)), to: &change) }
        for plane in used where !pictures.contains(where: { $0.plane == plane }) {
            send(.frame, 0, of: plane, in: &change)
            send(.crtc, 0, of: plane, in: &change)
        }
        change.used = pictures.map(\.plane)
        return change
    }

    private func add(_ picture: PlanePicture, _ framebuffer: UInt64, to change: inout Change) {
        let (index, plane) = (picture.plane, planes[picture.plane])
        // Always named, because the same picture may be committed again.
        send(.frame, framebuffer, of: index, in: &change)
        set(.crtc, crtc, of: index, in: &change)
        set(.sourceX, UInt64(picture.source.x) << 16, of: index, in: &change)
        set(.sourceY, UInt64(picture.source.y) << 16, of: index, in: &change)
        set(.sourceWidth, UInt64(picture.source.width) << 16, of: index, in: &change)
        set(.sourceHeight, UInt64(picture.source.height) << 16, of: index, in: &change)
        set(.x, UInt64(bitPattern: Int64(picture.destination.x)), of: index, in: &change)
        set(.y, UInt64(bitPattern: Int64(picture.destination.y)), of: index, in: &change)
        set(.width, UInt64(picture.destination.width), of: index, in: &change)
        set(.height, UInt64(picture.destination.height), of: index, in: &change)
        set(.alpha, UInt64(picture.alpha) * 257, of: index, in: &change)
        if let range = plane.settableZ {
            set(.z, min(range.lowerBound + UInt64(index), range.upperBound), of: index, in: &change)
        }
        if let premultiplied = plane.premultiplied { set(.blendMode, premultiplied, of: index, in: &change) }
        if let rotation = plane.rotations[picture.rotation] { set(.rotation, rotation, of: index, in: &change) }
        guard let colour = picture.colour else { return }
        if let matrix = plane.matrices.first(where: { $0.matrix == colour.matrix }) {
            set(.matrix, matrix.value, of: index, in: &change)
        }
        if let range = colour.isFullRange ? plane.fullRange : plane.limitedRange { set(.range, range, of: index, in: &change) }
    }

    /// Adds a value unless it is already committed.
    private func set(_ control: PlaneControl, _ value: UInt64, of plane: Int, in change: inout Change) {
        if planes[plane].settings[control.rawValue].inForce != value { send(control, value, of: plane, in: &change) }
    }

    private func send(_ control: PlaneControl, _ value: UInt64, of plane: Int, in change: inout Change) {
        change.request.set(planes[plane].settings[control.rawValue].control, value)
        change.planes.append((plane, control.rawValue, value))
    }

    /// The kernel has accepted a change.
    mutating func took(_ change: borrowing Change) {
        if let value = change.background { background.inForce = value }
        for entry in change.planes { planes[entry.plane].settings[entry.control].inForce = entry.value }
        used = change.used
    }
}
