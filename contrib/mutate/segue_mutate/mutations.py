"""Mutations of files. Each takes the bytes of a file, a random generator and the bytes of another file, and returns the
mutated bytes."""

import struct

# Values at the limits of integer types, which often reveal missing checks of header fields.
extreme_values = [
    0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFFE,
    0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF]


def random_offset(data, generator):
    """Returns an offset that is more often near the start, where headers are, or near the end, where indices are."""
    near = min(len(data), generator.choice([32, 128, 1024]))
    return generator.choice(
        [generator.randrange(near), len(data) - 1 - generator.randrange(near), generator.randrange(len(data))])


def random_span(data, generator):
    start = random_offset(data, generator)
    return start, min(len(data), start + generator.choice([1, 4, 16, 64, 512, 4096]))


def flip_bits(data, generator, _):
    data = bytearray(data)
    for _ in range(generator.choice([1, 2, 8, 64])):
        data[random_offset(data, generator)] ^= 1 << generator.randrange(8)
    return bytes(data)


def overwrite_integers(data, generator, _):
    """Overwrites integers such as sizes, counts, rates and durations."""
    data = bytearray(data)
    for _ in range(generator.choice([1, 1, 2, 4])):
        width = generator.choice([1, 2, 4, 4, 8])
        is_extreme = generator.random() < 0.7
        value = (generator.choice(extreme_values) if is_extreme else generator.getrandbits(64)) % (1 << 8 * width)
        offset = random_offset(data, generator)
        data[offset:offset + width] = value.to_bytes(width, generator.choice(["big", "little"]))
    return bytes(data)


def remove_end(data, generator, _):
    return data[:random_offset(data, generator)]


def remove_start(data, generator, _):
    return data[random_offset(data, generator):]


def remove_span(data, generator, _):
    start, end = random_span(data, generator)
    return data[:start] + data[end:]


def fill_span(data, generator, _):
    start, end = random_span(data, generator)
    return data[:start] + generator.choice([b"\0", b"\xff"]) * (end - start) + data[end:]


def randomize_span(data, generator, _):
    start, end = random_span(data, generator)
    return data[:start] + generator.randbytes(end - start) + data[end:]


def repeat_span(data, generator, _):
    start, end = random_span(data, generator)
    return data[:end] + data[start:end] * generator.choice([1, 3, 100]) + data[end:]


def swap_spans(data, generator, _):
    """Exchanges two spans of equal length."""
    size = min(generator.choice([4, 16, 512, 4096]), len(data) // 2)
    first = generator.randrange(len(data) - 2 * size + 1)
    second = generator.randrange(first + size, len(data) - size + 1)
    middle = data[first + size:second]
    return data[:first] + data[second:second + size] + middle + data[first:first + size] + data[second + size:]


def splice(data, generator, other):
    """Joins the start of one file and the end of the other."""
    return data[:random_offset(data, generator)] + other[random_offset(other, generator):]


def prepend_id3v2(data, generator, _):
    """Prepends an ID3v2 tag, whose stated size may be wrong."""
    stated = generator.choice([0, 10, 4096, 200 << 20, (1 << 28) - 1])
    size = bytes((stated >> shift) & 0x7F for shift in (21, 14, 7, 0))
    frame = generator.choice([b"TIT2", b"APIC", b"TXXX", b"COMM"]) + struct.pack(">IH", min(stated, 0xFFFF_FFFF), 0)
    version = bytes([generator.choice([2, 3, 4]), 0, 0])
    return b"ID3" + version + size + frame + bytes(generator.choice([0, 4096])) + data


# A mutation that is listed several times is chosen more often.
mutations = [
    flip_bits, flip_bits, overwrite_integers, overwrite_integers, overwrite_integers, remove_end, remove_start,
    remove_span, fill_span, randomize_span, repeat_span, swap_spans, splice, prepend_id3v2]


def mutated(data, generator, other):
    """Returns the mutated bytes and the names of the mutations."""
    names = []
    for _ in range(generator.choice([1, 1, 2, 3])):
        if len(data) < 2:
            break
        mutation = generator.choice(mutations)
        data = mutation(data, generator, other)
        names.append(mutation.__name__.replace("_", "."))
    return data, names
