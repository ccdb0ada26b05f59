"""Files of other formats whose headers state other sizes than there is audio."""
import random
import struct

FACTORS = (0, 0.1, 0.5, 0.99, 1.01, 2, 10, 1000)


def with_number(data, at, layout, number):
    size = struct.calcsize(layout)
    return data[:at] + struct.pack(layout, min(max(0, number), (1 << 8 * size) - 1)) + data[at + size:]


def scaled(data, at, layout, what):
    """Yields `data` with the number at `at` multiplied and changed by one."""
    number = struct.unpack_from(layout, data, at)[0]
    for factor in FACTORS:
        yield "%s-times-%g" % (what, factor), with_number(data, at, layout, int(number * factor))
    for change in (-1, 1):
        yield "%s%+d" % (what, change), with_number(data, at, layout, number + change)
    yield what + "-of-ones", with_number(data, at, layout, 1 << 64)


def flac(data):
    at = data.index(b"fLaC") + 8
    word = struct.unpack_from(">Q", data, at + 10)[0]
    total = word & 0xFFFFFFFFF
    for factor in FACTORS:
        yield "total-times-%g" % factor, data[:at + 10] + struct.pack(
            ">Q", word & ~0xFFFFFFFFF | min(int(total * factor), 0xFFFFFFFFF)) + data[at + 18:]
    for change in (-1, 1, -4096, 4096):
        yield "total%+d" % change, data[:at + 10] + struct.pack(">Q", word + change) + data[at + 18:]
    unknown = data[:at + 10] + struct.pack(">Q", word & ~0xFFFFFFFFF) + data[at + 18:]
    for share in (0.3, 0.9):
        yield "total-unknown-cut-%g" % share, unknown[:int(len(data) * share)]
    yield "total-unknown-joined", unknown + unknown
    yield "total-unknown-id3v1", unknown + b"TAG" + bytes(125)
    yield "total-unknown-junk", unknown + bytes(range(250)) * 20
    yield "sizes-unknown", data[:at + 4] + bytes(6) + data[at + 10:]
    info = data[at - 4:at + 34]
    wrong = bytearray(info)
    wrong[0] &= 0x7F
    wrong[14 + 7] ^= 0x55
    yield "second-streaminfo", data[:at + 34] + bytes(wrong) + data[at + 34:]
    yield "id3v2-before", b"ID3\x03\0\0\0\0\x08\0" + bytes(1024) + data
    yield "id3v2-after", data + b"ID3\x04\0\0\0\0\x08\0" + bytes(1024)
    yield "joined", data + data
    middle = len(data) // 2
    yield "middle-lost", data[:middle] + data[middle + 20_000:]
    yield "middle-zero", data[:middle] + bytes(5000) + data[middle + 5000:]


def riff(data):
    form, chunk = 4, data.index(b"data") + 4
    yield from scaled(data, form, "<I", "form")
    yield from scaled(data, chunk, "<I", "data")
    zeros = bytes(100_000)
    yield "zeros-before", data[:chunk - 4] + zeros + data[chunk - 4:]
    yield "zeros-after", data + zeros
    yield "padding-chunk", data[:chunk - 4] + b"JUNK" + struct.pack("<I", len(zeros)) + zeros + data[chunk - 4:]
    if b"fact" in data[:chunk]:
        yield from scaled(data, data.index(b"fact") + 8, "<I", "fact")
    yield "list-after", data + b"LIST" + struct.pack("<I", 30) + b"INFOINAM" + struct.pack("<I", 18) + b"Named".ljust(18, b"\0")


def rf64(data):
    ds64 = data.index(b"ds64")
    yield from scaled(data, ds64 + 16, "<Q", "data")
    yield from scaled(data, ds64 + 24, "<Q", "frames")
    yield "bw64", b"BW64" + data[4:]
    yield "without-ds64", data[:ds64] + b"JUNK" + data[ds64 + 4:]


def movie(data):
    at = data.find(b"mdhd")
    if at >= 0 and data[at + 4] == 0:
        yield from scaled(data, at + 20, ">I", "mdhd")


def aiff(data):
    yield from scaled(data, 4, ">I", "form")
    yield "zeros-before", data[:data.index(b"SSND")] + bytes(100_000) + data[data.index(b"SSND"):]
    yield from scaled(data, data.index(b"COMM") + 10, ">I", "frames")
    yield from scaled(data, data.index(b"SSND") + 4, ">I", "data")


def matroska(data):
    at = data.find(b"\x44\x89\x88")
    if at < 0:
        return
    duration = struct.unpack_from(">d", data, at + 3)[0]
    for factor in FACTORS:
        yield "duration-times-%g" % factor, data[:at + 3] + struct.pack(">d", duration * factor) + data[at + 11:]
    yield "duration-missing", data[:at] + b"\xEC\x89" + data[at + 2:at + 2] + bytes(9) + data[at + 11:]
    yield "duration-not-a-number", data[:at + 3] + struct.pack(">d", float("nan")) + data[at + 11:]


def adts(data):
    yield "id3v2-before", b"ID3\x03\0\0\0\0\x08\0" + bytes(1024) + data
    yield "twice", data + data
    yield "junk-between", data[:len(data) // 2] + bytes(range(250)) * 20 + data[len(data) // 2:]


def plain(data):
    yield "twice", data + data
    yield "junk-between", data[:len(data) // 2] + bytes(range(250)) * 20 + data[len(data) // 2:]
    yield "id3v1", data + b"TAG" + bytes(125)


def contents(name, data):
    """Yields names and contents of files made of the file `data`, by the format that `name` ends with."""
    kind = name.rpartition(".")[2]
    if kind == "flac":
        yield from flac(data)
    elif kind == "wav" and data[:4] == b"RIFF":
        yield from riff(data)
    elif kind == "wav":
        yield from rf64(data)
    elif kind == "aiff":
        yield from aiff(data)
    elif kind == "au":
        yield from scaled(data, 8, ">I", "data")
    elif kind == "caf":
        yield from scaled(data, data.index(b"data") + 4, ">Q", "data")
        if b"pakt" in data:
            yield from scaled(data, data.index(b"pakt") + 20, ">Q", "valid")
    elif kind == "w64":
        yield from scaled(data, 16, "<Q", "riff")
        yield from scaled(data, data.index(b"data\xf3\xac") + 16, "<Q", "data")
    elif kind == "m4a":
        yield from movie(data)
    elif kind in ("mka", "webm"):
        yield from matroska(data)
    elif kind in ("aac", "loas"):
        yield from adts(data)
    elif kind in ("ac3", "eac3", "dts", "thd", "mp1", "mp2"):
        yield from plain(data)
    elif kind == "wv":
        yield from scaled(data, 12, "<I", "total")
    elif kind == "tta":
        yield from scaled(data, 14, "<I", "total")
    elif kind == "dsf":
        yield from scaled(data, 64, "<Q", "count")
    elif kind == "dff":
        yield from scaled(data, data.index(b"DSD ", 16) + 4, ">Q", "data")
        yield "cut", data[:len(data) // 2]
    elif kind == "wma":
        at = data.index(bytes.fromhex("a1dcab8c47a9cf118ee400c00c205365"))
        yield from scaled(data, at + 40, "<Q", "size")
        yield from scaled(data, at + 64, "<Q", "duration")


def cuts(data, generator=None):
    """Yields names and contents of truncated copies."""
    generator = generator or random.Random(len(data))
    for share in (0.1, 0.5, 0.9):
        yield "cut-%g" % share, data[:int(len(data) * share) + generator.randrange(7)]
    yield "cut-by-1", data[:-1]
