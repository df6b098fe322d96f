import Testing
@testable import Composition
