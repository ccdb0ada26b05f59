/// Returns the bytes of `parts`, one after another.
public func joined(_ parts: any Sequence<UInt8>...) -> [UInt8] { parts.flatMap { Array($0) } }
