"""Ways to break a file. Each takes its bytes, a source of chance, and another file's bytes; and gives new bytes."""

import struct

# What headers lie with: nothing, ends of number ranges, and their neighbours.
lies = [0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFFE,
        0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF]


def place(data, chance):
    """An offset: mostly near the beginning, where headers are, or near the end, where indices are."""
    near = min(len(data), chance.choice([32, 128, 1024]))
    return chance.choice([chance.randrange(near), len(data) - 1 - chance.randrange(near), chance.randrange(len(data))])


def span(data, chance):
    start = place(data, chance)
    return start, min(len(data), start + chance.choice([1, 4, 16, 64, 512, 4096]))


def flip(data, chance, _):
    data = bytearray(data)
    for _ in range(chance.choice([1, 2, 8, 64])):
        data[place(data, chance)] ^= 1 << chance.randrange(8)
    return bytes(data)


def lie(data, chance, _):
    """Overwrites numbers: sizes, counts, rates, durations."""
    data = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 4])):
        width = chance.choice([1, 2, 4, 4, 8])
        number = (chance.choice(lies) if chance.random() < 0.7 else chance.getrandbits(64)) % (1 << 8 * width)
        at = place(data, chance)
        data[at:at + width] = number.to_bytes(width, chance.choice(["big", "little"]))
    return bytes(data)


def truncate(data, chance, _):
    return data[:place(data, chance)]


def behead(data, chance, _):
    return data[place(data, chance):]


def cut(data, chance, _):
    start, end = span(data, chance)
    return data[:start] + data[end:]


def blank(data, chance, _):
    start, end = span(data, chance)
    return data[:start] + chance.choice([b"\0", b"\xff"]) * (end - start) + data[end:]


def scramble(data, chance, _):
    start, end = span(data, chance)
    return data[:start] + chance.randbytes(end - start) + data[end:]


def repeat(data, chance, _):
    start, end = span(data, chance)
    return data[:end] + data[start:end] * chance.choice([1, 3, 100]) + data[end:]


def swap(data, chance, _):
    """Exchanges two pieces of one length."""
    size = min(chance.choice([4, 16, 512, 4096]), len(data) // 2)
    first = chance.randrange(len(data) - 2 * size + 1)
    second = chance.randrange(first + size, len(data) - size + 1)
    middle = data[first + size:second]
    return data[:first] + data[second:second + size] + middle + data[first:first + size] + data[second + size:]


def splice(data, chance, other):
    """One file's header, another's body."""
    return data[:place(data, chance)] + other[place(other, chance):]


def tag(data, chance, _):
    """Puts an ID3v2 tag in front: as long as it says, or not."""
    stated = chance.choice([0, 10, 4096, 200 << 20, (1 << 28) - 1])
    size = bytes((stated >> shift) & 0x7F for shift in (21, 14, 7, 0))
    frame = chance.choice([b"TIT2", b"APIC", b"TXXX", b"COMM"]) + struct.pack(">IH", min(stated, 0xFFFF_FFFF), 0)
    return b"ID3" + bytes([chance.choice([2, 3, 4]), 0, 0]) + size + frame + bytes(chance.choice([0, 4096])) + data


ways = [flip, flip, lie, lie, lie, truncate, behead, cut, blank, scramble, repeat, swap, splice, tag]


def broken(data, chance, other):
    """The bytes and the names of what was done to them."""
    done = []
    for _ in range(chance.choice([1, 1, 2, 3])):
        if len(data) < 2:
            break
        way = chance.choice(ways)
        data = way(data, chance, other)
        done.append(way.__name__)
    return data, done
