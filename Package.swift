// swift-tools-version: 6.0
import PackageDescription

/// The settings that turn warnings into errors in our own checks with the compiler that they are written for. In other
/// builds, a warning stays a warning, because a newer compiler or library may deprecate what this version uses.
#if compiler(>=6.3)
  let warningsAsErrors: [SwiftSetting] =
    Context.environment["SEGUE_WARNINGS_AS_ERRORS"] == nil ? [] : [.unsafeFlags(["-warnings-as-errors"])]
#else
  let warningsAsErrors: [SwiftSetting] = []
#endif

/// The test modules and the files of tests that are not compiled, for example "CLITests" and
/// "DaemonTests/BarTests.swift". `contrib/test` sets this variable for every build of tests: some of them run only a
/// part.
let leftOut = Context.environment["SEGUE_TESTS_LEFT_OUT"]?.split(separator: " ") ?? []
/// Whether this is a build of the programs alone.
let isForUsers = Context.environment["SEGUE_TESTS_LEFT_OUT"] == nil

/// The settings of every module: the Swift 6 language mode, explicit existentials, and explicit imports.
let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    // Inlines functions of other modules: for every column of a row, the index calls functions in SegueSQLite that
    // consist of a few instructions.
    .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
  ] + warningsAsErrors

/// Lets the C library check the sizes of buffers in C and C++, which needs an optimizing compiler. The flags of a
/// command line would also reach the importer of Swift, for which these functions are ambiguous.
let hardening = [CSetting.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]
let hardeningOfCXX = [CXXSetting.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]

func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

func program(
  _ name: String, _ dependencies: [Target.Dependency], linkerSettings: [LinkerSetting] = []
) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: strict, linkerSettings: linkerSettings)
}

/// The linker settings of a program that is started very often. Without shared libraries and at a fixed address, there
/// is nothing to find and to relocate, which halves the time of its start. It cannot load libraries or look up names of
/// users. It is linked by LLD, because gold warns about such functions even if they are never called.
///
/// LLD places the functions that run at the start and during the usual work next to each other, so that fewer pages of
/// the program are read and mapped. `contrib/order-functions` makes the list of them. Names that do not exist are
/// ignored.
///
/// The program of the tests contains the modules of these programs and needs shared libraries, so the programs are
/// linked with them in a build of tests.
let staticLinking: [LinkerSetting] =
  isForUsers
  ? [
    .unsafeFlags(
      [
        "-static-executable", "-use-ld=lld",
        "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/Sources/functions.order",
        "-Xlinker", "--no-warn-symbol-ordering",
      ], .when(configuration: .release))
  ] : []

/// Tests of optimized programs are not optimized themselves, which would take minutes.
func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, exclude: exclude,
    swiftSettings: strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))])
}

let package = Package(
  name: "segue",
  products: [
    .executable(name: "segued", targets: ["segued"]),
    .executable(name: "segue", targets: ["segue"]),
    .executable(name: "segue-ui", targets: ["segue-ui"]),
    .executable(name: "segue-worker", targets: ["segue-worker"]),
    .executable(name: "segue-fetch", targets: ["segue-fetch"]),
    .executable(name: "segue-web", targets: ["segue-web"]),
    .library(name: "AudioPathWatch", type: .dynamic, targets: ["AudioPathWatch"]),
    .library(name: "FaultInjection", type: .dynamic, targets: ["FaultInjection"]),
  ],
  targets: [
    // C libraries: each has a module map and the macros that Swift cannot import, and nothing else.
    .systemLibrary(name: "CFFmpeg"),
    .systemLibrary(name: "CPulse"),
    .systemLibrary(name: "CSystemd"),
    .systemLibrary(name: "CSQLite"),
    .systemLibrary(name: "CJansson"),
    .systemLibrary(name: "CExpat"),
    .systemLibrary(name: "CSeccomp"),
    .systemLibrary(name: "CICU"),
    .systemLibrary(name: "CUTF8Proc"),
    .systemLibrary(name: "CUchardet"),
    .systemLibrary(name: "CEBUR128"),
    .systemLibrary(name: "CZlib"),
    .systemLibrary(name: "CCurl"),
    .systemLibrary(name: "CCurses"),
    .systemLibrary(name: "CMicroHTTPD"),
    .systemLibrary(name: "CGnuTLS"),
    .systemLibrary(name: "CCrypt"),
    .systemLibrary(name: "CQREncode"),
    .target(name: "CSegue", cSettings: hardening),
    // Replaces functions of libavutil.
    .target(name: "CDictionary", cSettings: hardening),
    // TagLib is written in C++; this target makes it available as C.
    .target(name: "CTagLib", cxxSettings: hardeningOfCXX, linkerSettings: [.linkedLibrary("tag")]),
    // SoundTouch, too.
    .target(name: "CSoundTouch", cxxSettings: hardeningOfCXX, linkerSettings: [.linkedLibrary("SoundTouch")]),
    // KISS FFT is a header in C++. Without optimization, its transform would be a hundred times slower.
    .target(name: "CKissFFT", cxxSettings: hardeningOfCXX + [.unsafeFlags(["-O2"], .when(configuration: .debug))]),

    // Base modules.
    module("SegueSystem", ["CSegue"]),
    module("SegueWire", ["SegueSystem", "CJansson"], exclude: ["protocol.json"]),
    module("SegueLoop", ["SegueSystem", "CSystemd"]),
    module("SegueUnicode", ["CUTF8Proc"]),
    module("SegueRing", ["SegueSystem"]),
    module("SegueOutput", ["SegueSystem", "SegueWire", "SegueRing"]),
    module("SegueWorkerProtocol", ["SegueSystem", "SegueWire", "SegueRing", "CSegue"]),
    module("SegueCatalogProviders", ["SegueSystem", "SegueWire", "SegueWorkerProtocol"]),

    // Wrappers.
    module(
      "SegueFFmpeg",
      ["SegueSystem", "SegueWire", "SegueWorkerProtocol", "CFFmpeg", "CDictionary", "CEBUR128", "CSoundTouch"]),
    module(
      "SegueTags",
      [
        "SegueSystem", "SegueWire", "SegueWorkerProtocol", "SegueUnicode", "SegueFFmpeg", "CTagLib", "CICU",
        "CUchardet", "CZlib",
      ]),
    module(
      "SegueWorker", ["SegueSystem", "SegueWire", "SegueWorkerProtocol", "SegueRing", "SegueFFmpeg", "SegueTags"]),
    module("SegueSandbox", ["SegueSystem", "SegueWorkerProtocol", "CSegue", "CSeccomp"]),
    module("SeguePulse", ["SegueSystem", "SegueWire", "SegueRing", "SegueOutput", "CPulse"]),
    module("SegueSQLite", ["SegueSystem", "SegueWire", "CSQLite"]),

    // Library modules.
    module("SegueFiles", ["SegueSystem", "SegueWire", "SegueWorkerProtocol", "CExpat"]),
    module("SegueState", ["SegueSystem", "SegueWire", "SegueSQLite", "SegueCatalogProviders"]),
    module(
      "SegueLibrary", ["SegueSystem", "SegueWire", "SegueWorkerProtocol", "SegueUnicode", "SegueSQLite", "SegueFiles"]),
    module(
      "SegueScan", ["SegueSystem", "SegueWire", "SegueWorkerProtocol", "SegueSQLite", "SegueFiles", "SegueLibrary"]),

    // The fetch process.
    module(
      "SegueFetch", ["SegueCatalogProviders", "SegueSystem", "SegueWire", "SegueWorkerProtocol", "SegueFiles", "CCurl"]),

    // Application modules.
    module(
      "SegueCatalogService",
      ["SegueSystem", "SegueWire", "SegueLoop", "SegueWorkerProtocol", "SegueSQLite", "SegueCatalogProviders"]),
    module(
      "SeguePlayer",
      [
        "SegueCatalogProviders", "SegueCatalogService", "SegueSystem", "SegueWire", "SegueLoop", "SegueRing",
        "SegueOutput", "SegueWorkerProtocol",
        "SegueSQLite", "SegueFiles", "SegueState", "SegueLibrary", "SegueScan",
      ]),
    module(
      "SegueServer",
      [
        "SegueSystem", "SegueWire", "SegueLoop", "SegueWorkerProtocol", "SegueSQLite", "SegueFiles", "SegueLibrary",
        "SegueCatalogProviders",
        "SegueCatalogService", "SeguePlayer",
      ]),
    module("SegueDesktop", ["SegueSystem", "SegueWire", "SegueLoop", "SeguePlayer"]),
    module("SegueRPC", ["SegueSystem", "SegueWire"]),
    module("SegueRPCLoop", ["SegueRPC", "SegueSystem", "SegueWire", "SegueLoop"]),
    module("SegueClientKit", ["SegueRPC", "SegueSystem", "SegueWire", "SegueUnicode"]),
    // The gateway for browsers.
    module("SegueHTTP", ["SegueSystem", "SegueLoop", "CMicroHTTPD"]),
    module("SegueAccounts", ["SegueSystem", "SegueWire", "SegueSQLite", "CCrypt", "CGnuTLS"]),
    module(
      "SegueWeb",
      [
        "SegueHTTP", "SegueAccounts", "SegueRPC", "SegueRPCLoop", "SegueLoop", "SegueSystem", "SegueWire",
        "SegueWorkerProtocol",
        "CZlib",
      ], exclude: ["Page"]),
    module(
      "SegueWebCommands",
      [
        "SegueWeb", "SegueAccounts", "SegueClientKit", "SegueRPC", "SegueUnicode", "SegueSQLite", "SegueSystem",
        "SegueWire", "CQREncode",
      ]),
    module(
      "SegueTUI", ["SegueClientKit", "SegueRPC", "SegueSystem", "SegueWire", "SegueUnicode", "CCurses", "CKissFFT"]),
    module("SegueCLI", ["SegueClientKit", "SegueRPC", "SegueSystem", "SegueWire", "SegueUnicode"]),

    // Executables.
    program(
      "segued",
      [
        "SegueSystem", "SegueWire", "SegueLoop", "SegueState", "SeguePulse", "SeguePlayer", "SegueServer",
        "SegueDesktop", "SegueClientKit",
      ]),
    program("segue", ["SegueCLI", "SegueSystem"], linkerSettings: staticLinking),
    program("segue-ui", ["SegueTUI", "SegueSystem"], linkerSettings: staticLinking),
    program("segue-worker", ["SegueSystem", "SegueWorkerProtocol", "SegueWorker", "SegueSandbox"]),
    program(
      "segue-web",
      [
        "SegueWeb", "SegueWebCommands", "SegueAccounts", "SegueHTTP", "SegueSandbox", "SegueLoop", "SegueSystem",
        "SegueWire",
      ]),
    program("segue-fetch", ["SegueSystem", "SegueWorkerProtocol", "SegueFetch", "SegueSandbox"]),

    // Tests, and the programs and libraries that they use.
    .target(
      name: "SegueTestKit",
      dependencies: [
        "SegueRPC", "SegueSystem", "SegueWire", "SegueRing", "SegueOutput", "SegueWorkerProtocol", "CSegue",
        "CSystemd", "CZlib", "CAttempts",
      ],
      path: "Tests/SegueTestKit",
      exclude: ["CatalogSamples"],
      swiftSettings: strict),
    // Tests preload these libraries into a daemon.
    .target(name: "AudioPathWatch", path: "Tests/AudioPathWatch"),
    .target(name: "FaultInjection", path: "Tests/FaultInjection"),
    .target(name: "CAttempts", path: "Tests/CAttempts"),
    .executableTarget(
      name: "sandbox-probe", dependencies: ["SegueWorkerProtocol", "SegueSandbox", "CAttempts"],
      path: "Tests/SandboxProbe",
      swiftSettings: strict),
    .executableTarget(
      name: "malicious-worker",
      dependencies: ["SegueSystem", "SegueWire", "SegueRing", "SegueWorkerProtocol", "SegueSandbox", "CSegue"],
      path: "Tests/MaliciousWorker", swiftSettings: strict),
    // `contrib/durations` runs this program.
    .executableTarget(
      name: "durations",
      dependencies: ["SegueSystem", "SegueWire", "SegueWorkerProtocol", "SegueRing", "SegueTestKit"],
      path: "Tests/Durations", swiftSettings: strict),
    tests("BaseTests", ["SegueSystem", "SegueWire", "SegueLoop", "SegueRing", "SegueWorkerProtocol", "SegueTestKit"]),
    tests("ServerTests", ["SegueServer", "SeguePlayer", "SegueLoop", "SegueSystem", "SegueWire", "SegueTestKit"]),
    tests(
      "MediaTests",
      [
        "segue-worker", "segue-fetch", "SegueSystem", "SegueWire", "SegueWorkerProtocol", "SegueFFmpeg", "SegueRing",
        "SegueTestKit",
      ],
      exclude: ["Fixtures"]),
    tests(
      "SandboxTests",
      [
        "segue-worker", "segue-fetch", "sandbox-probe", "SegueSandbox", "SegueSystem", "SegueWire",
        "SegueWorkerProtocol",
        "SegueRing", "SegueTestKit", "CSeccomp",
      ]),
    tests(
      "FetchTests",
      ["segue-fetch", "SegueFetch", "SegueSystem", "SegueWire", "SegueWorkerProtocol", "SegueTestKit", "CCurl"]),
    tests(
      "PulseTests", ["SegueSystem", "SegueWire", "SegueOutput", "SeguePulse", "SegueRing", "SegueTestKit", "CPulse"]),
    tests(
      "LibraryTests",
      [
        "segue-worker", "malicious-worker", "sandbox-probe", "SegueCatalogProviders", "SegueSQLite", "SegueFiles",
        "SegueState",
        "SegueLibrary",
        "SegueScan", "SegueSystem", "SegueWire", "SegueWorkerProtocol",
        "SegueTestKit",
      ]),
    tests(
      "PlayerTests",
      [
        "segue-worker", "SeguePlayer", "SegueOutput", "SegueCatalogService", "SegueFiles", "SegueState",
        "SegueWorkerProtocol",
        "SegueLoop", "SegueRing", "SegueSystem", "SegueWire", "SegueTestKit",
      ]),
    tests(
      "CatalogProviderTests",
      ["SegueCatalogProviders", "SegueWorkerProtocol", "SegueSystem", "SegueWire", "SegueTestKit"]),
    tests(
      "CatalogServiceTests",
      [
        "SegueCatalogService", "SegueCatalogProviders", "SegueWorkerProtocol", "SegueLoop", "SegueSQLite",
        "SegueSystem", "SegueWire",
        "SegueTestKit",
      ]),
    tests(
      "WebTests",
      [
        "segue-web", "segue-worker", "SegueWeb", "SegueWebCommands", "SegueAccounts", "SegueClientKit", "SegueSQLite",
        "SegueSystem", "SegueWire", "SegueTestKit",
      ], exclude: ["Browser"]),
    tests("RPCTests", ["SegueRPC", "SegueSystem", "SegueWire", "SegueTestKit"]),
    tests("ClientKitTests", ["SegueClientKit", "SegueRPC", "SegueSystem", "SegueWire", "SegueTestKit"]),
    tests("CLITests", ["SegueCLI", "SegueUnicode", "SegueSystem", "SegueWire", "SegueTestKit"]),
    tests(
      "TUITests",
      ["segue-ui", "SegueTUI", "SegueClientKit", "SegueRPC", "SegueState", "SegueSystem", "SegueWire", "SegueTestKit"],
      exclude: ["Golden"]),
    tests(
      "ManualTests",
      ["segue-ui", "segue-fetch", "SegueTUI", "SegueState", "SegueSystem", "SegueWire", "SegueTestKit"]),
    tests(
      "ProtocolTests",
      [
        "segue-worker", "segue-fetch", "SegueServer", "SeguePlayer", "SegueOutput", "SegueState", "SegueSQLite",
        "SegueRPC", "SegueRPCLoop", "SegueLoop", "SegueSystem", "SegueWire", "SegueTestKit",
      ]),
    tests(
      "DaemonTests",
      [
        "segue-fetch", "segue-web", "malicious-worker", "sandbox-probe", "SegueSQLite", "SegueState", "SegueLibrary",
        "SegueSystem", "SegueWire", "SegueTestKit",
      ]),
  ],
  cxxLanguageStandard: .cxx17
)

package.targets.removeAll { $0.type == .test && leftOut.contains($0.name[...]) }
for target in package.targets where target.type == .test {
  let folder = target.name + "/"
  target.exclude += leftOut.filter { $0.hasPrefix(folder) }.map { String($0.dropFirst(folder.count)) }
}

// `contrib/fuzz` sets this variable and builds this program without a `main`, which libFuzzer provides.
if Context.environment["SEGUE_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "SegueServer", "SegueState", "SegueFiles", "SegueFetch", "SegueCatalogProviders", "SegueRing",
        "SegueWorkerProtocol", "SegueWeb", "SegueAccounts", "SegueSystem", "SegueWire",
      ],
      path: "Tests/Fuzz", exclude: ["Seeds"], swiftSettings: strict))
}

// `contrib/bench/segue_bench/million.py` sets this variable and builds this program.
if Context.environment["SEGUE_BENCH"] != nil {
  package.targets.append(
    .executableTarget(
      name: "LibraryBench",
      dependencies: [
        "SegueSQLite", "SegueFiles", "SegueLibrary", "SegueScan", "SegueWorkerProtocol", "SegueSystem", "SegueWire",
      ],
      path: "contrib/bench/LibraryBench", swiftSettings: strict))
}
