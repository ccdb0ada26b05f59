"""MPEG audio files whose tags state other numbers than there are frames."""
import random
import struct

KILOBITS = {3: (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
            2: (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160)}


def frame_size(word):
    """Returns the size of a frame of layer III; None if the word is not the header of one."""
    version, rate = word >> 19 & 3, word >> 10 & 3
    if word >> 21 != 0x7FF or version == 1 or word >> 17 & 3 != 1 or rate == 3 or not 0 < word >> 12 & 15 < 15:
        return None
    hertz = (44100, 48000, 32000)[rate] >> (0 if version == 3 else 1 if version == 2 else 2)
    kilobits = KILOBITS[3 if version == 3 else 2][word >> 12 & 15]
    return (144 if version == 3 else 72) * kilobits * 1000 // hertz + (word >> 9 & 1)


def frames(data):
    """Returns the start of the first frame, and the positions of all frames after it."""
    at = 0
    while data[at:at + 3] == b"ID3":
        at += 10 + sum((byte & 0x7F) << 7 * (3 - index) for index, byte in enumerate(data[at + 6:at + 10]))
    positions = []
    while at + 4 <= len(data):
        size = frame_size(struct.unpack_from(">I", data, at)[0])
        if not size:
            break
        positions.append(at)
        at += size
    return positions + [at]


def ape_tag():
    item = struct.pack("<II", 5, 0) + b"Title\0" + b"Named"
    def block(flags):
        return b"APETAGEX" + struct.pack("<IIII", 2000, len(item) + 32, 1, flags) + bytes(8)
    return block(0xA0000000) + item + block(0x80000000)


def variants(data):
    """Yields names and contents of files made of the layer III file `data`."""
    generator = random.Random(len(data))
    positions = frames(data)
    if len(positions) < 20:
        return
    end = positions[-1]
    mark = next((at for at in (data.find(b"Xing"), data.find(b"Info")) if 0 <= at < positions[1]), None)
    if mark is not None:
        flags, count, size = struct.unpack_from(">III", data, mark + 4)
        if flags & 3 == 3:
            def tagged(new_count=count, new_size=size, new_flags=flags):
                return data[:mark + 4] + struct.pack(">III", new_flags, new_count & 0xFFFFFFFF,
                                                     new_size & 0xFFFFFFFF) + data[mark + 16:]
            for factor in (0, 0.1, 0.5, 0.9, 0.99, 1.01, 1.1, 1.5, 2, 3, 10, 1000):
                yield "count-times-%g" % factor, tagged(int(count * factor))
                yield "count-and-size-times-%g" % factor, tagged(int(count * factor), int(size * factor))
            for change in (-100, -2, -1, 1, 2, 100):
                yield "count%+d" % change, tagged(count + change)
                yield "size%+d" % change, tagged(count, size + change)
            yield "size-zero", tagged(count, 0)
            yield "size-huge", tagged(count, 0x7FFFFFFF)
            yield "no-flags", tagged(new_flags=0)
            body = bytearray(data)
            body[mark:mark + 4] = b"Info" if data[mark:mark + 4] == b"Xing" else b"Xing"
            yield "other-name", bytes(body)
            body = bytearray(data)
            body[mark + 141:mark + 144] = b"\xFF\xFF\xFF"
            yield "delay-and-padding-huge", bytes(body)
            body[mark + 120:mark + 156] = bytes(36)
            yield "without-extension", bytes(body)
            for factor in (0.5, 2):
                body[mark + 8:mark + 12] = struct.pack(">I", int(count * factor))
                yield "without-extension-count-times-%g" % factor, bytes(body)
        # VBRI is 32 bytes after the header.
        vbri = bytearray(data)
        start = positions[0]
        vbri[start + 4:positions[1]] = bytes(positions[1] - start - 4)
        for factor in (0.5, 1, 2):
            vbri[start + 36:start + 62] = struct.pack(
                ">4sHHHIIHHHH", b"VBRI", 1, 0, 75, size, int(count * factor), 0, 1, 2, 1)
            yield "vbri-times-%g" % factor, bytes(vbri)
        yield "tag-frame-cut-off", data[positions[1]:]
    middle = positions[len(positions) // 2]
    noise = bytes(generator.randrange(256) for _ in range(60_000))
    # Bytes that cannot be the beginning of a frame.
    dull = bytes(generator.randrange(0xF0) for _ in range(400_000))
    for size in (1, 500, 5_000, 60_000):
        yield "junk-after-%d" % size, data[:end] + noise[:size]
        yield "dull-after-%d" % size, data[:end] + dull[:size]
        yield "zeros-after-%d" % size, data[:end] + bytes(size)
        yield "junk-between-%d" % size, data[:middle] + noise[:size] + data[middle:]
        yield "junk-before-%d" % size, noise[:size] + data
    yield "dull-after-400000", data[:end] + dull
    yield "dull-between-400000", data[:middle] + dull + data[middle:]
    yield "junk-in-a-frame", data[:middle + 8] + noise[:200] + data[middle + 8:]
    yield "byte-lost", data[:middle] + data[middle + 1:]
    yield "frame-lost", data[:middle] + data[positions[len(positions) // 2 + 1]:]
    yield "middle-lost", data[:positions[len(positions) // 3]] + data[positions[2 * len(positions) // 3]:]
    yield "part-lost-within-frames", data[:positions[len(positions) // 3] + 77] + data[
        positions[2 * len(positions) // 3] + 55:]
    yield "beginning-lost", data[middle:]
    yield "beginning-lost-within-a-frame", data[middle + 33:]
    lyrics = b"LYRICSBEGININD0000200" + b"LYR00005Words" + b"000039LYRICS200"
    tag = b"TAG" + b"A title".ljust(125, b"\0")
    yield "ape", data[:end] + ape_tag()
    yield "ape-id3v1", data[:end] + ape_tag() + tag
    yield "lyrics-id3v1", data[:end] + lyrics + tag
    yield "id3v1-twice", data[:end] + tag + tag
    yield "id3v2-after", data[:end] + b"ID3\x04\0\0\0\0\x08\0" + bytes(1024)
    yield "twice", data + data
    yield "twice-with-id3v1", data + tag + data + tag
    yield "frames-twice", data[:end] + data[positions[1]:end]
    free = bytearray(data)
    for at in positions[:-1]:
        free[at + 2] &= 0x0F
    yield "free-format", bytes(free)


def joined(files):
    """Yields names and contents of different files that were joined, given (name, contents)."""
    for (name, data), (next_, more) in zip(files, files[1:] + files[:1]):
        yield "%s+%s" % (name, next_), data + more
