"""The generator of contrib/protocol: declaration in, Swift and OpenRPC out."""
