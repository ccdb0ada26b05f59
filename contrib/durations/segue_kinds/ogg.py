"""Ogg files (RFC 3533) whose granules, flags and pages do not fit their packets."""
import dataclasses
import struct

NO_GRANULE = (1 << 64) - 1


def checksum_table():
    table = []
    for value in range(256):
        rest = value << 24
        for _ in range(8):
            rest = (rest << 1 ^ (0x04C11DB7 if rest >> 31 else 0)) & 0xFFFFFFFF
        table.append(rest)
    return table


TABLE = checksum_table()


def checksum(data):
    rest = 0
    for byte in data:
        rest = (rest << 8 ^ TABLE[rest >> 24 ^ byte]) & 0xFFFFFFFF
    return rest


@dataclasses.dataclass
class Page:
    flags: int
    granule: int
    serial: int
    number: int
    laces: bytes
    body: bytes

    def __bytes__(self):
        def head(sum_):
            return struct.pack("<4sBBQIIIB", b"OggS", 0, self.flags, self.granule, self.serial, self.number, sum_,
                               len(self.laces)) + self.laces
        return head(checksum(head(0) + self.body)) + self.body

    @property
    def ends_packet(self):
        return any(lace < 255 for lace in self.laces)


def pages(data):
    result, at = [], 0
    while data[at:at + 4] == b"OggS" and at + 27 <= len(data):
        _, _, flags, granule, serial, number, _, count = struct.unpack_from("<4sBBQIIIB", data, at)
        laces = data[at + 27:at + 27 + count]
        start = at + 27 + count
        result.append(Page(flags, granule, serial, number, laces, data[start:start + sum(laces)]))
        at = start + sum(laces)
    return result


def join(parts):
    return b"".join(map(bytes, parts))


def variants(data):
    """Yields names and contents of files made of the Ogg file `data`."""
    whole = pages(data)
    audio = next((index for index, page in enumerate(whole) if 0 < page.granule < NO_GRANULE), len(whole))
    head, tail = whole[:audio], whole[audio:]
    if len(tail) < 4:
        return

    def changed(change, flags=None):
        """Returns the file with the granules that `change` returns for (index, page)."""
        return join(head + [
            dataclasses.replace(page, granule=change(index, page) & NO_GRANULE if page.granule != NO_GRANULE
                                else NO_GRANULE, flags=page.flags if flags is None else flags(index, page))
            for index, page in enumerate(tail)])

    def scaled(factor):
        return changed(lambda _, page: int(page.granule * factor))

    last, middle = len(tail) - 1, len(tail) // 2
    yield "granule-missing-but-last", changed(lambda i, p: p.granule if i == last else -1)
    yield "granule-only-first", changed(lambda i, p: p.granule if i == 0 else -1)
    yield "granule-only-every-4th", changed(lambda i, p: p.granule if i % 4 == 0 else -1)
    yield "granule-only-middle", changed(lambda i, p: p.granule if i == middle else -1)
    yield "granule-missing-at-last", changed(lambda i, p: -1 if i == last else p.granule)
    yield "granule-missing", changed(lambda i, p: -1)
    for factor in (0.125, 0.5, 0.9, 0.99, 1.01, 2, 10):
        yield "granule-times-%g" % factor, scaled(factor)
    yield "granule-zero", changed(lambda i, p: 0)
    yield "granule-constant", changed(lambda i, p: tail[0].granule)
    yield "granule-descending", changed(lambda i, p: tail[last - i].granule)
    yield "granule-late", changed(lambda i, p: p.granule + 1_000_000)
    yield "granule-early", changed(lambda i, p: max(0, p.granule - tail[middle].granule))
    yield "granule-last-huge", changed(lambda i, p: p.granule * 10 if i == last else p.granule)
    yield "granule-last-small", changed(lambda i, p: p.granule // 2 if i == last else p.granule)
    yield "granule-last-zero", changed(lambda i, p: 0 if i == last else p.granule)
    yield "granule-last-repeated", changed(lambda i, p: tail[-2].granule if i == last else p.granule)
    yield "granule-jump", changed(lambda i, p: p.granule + (500_000 if i >= middle else 0))
    yield "granule-restart", changed(lambda i, p: p.granule - (tail[middle].granule if i > middle else 0))
    yield "granule-one-wrong", changed(lambda i, p: p.granule // 3 if i == middle else p.granule)
    yield "end-unmarked", changed(lambda i, p: p.granule, lambda i, p: p.flags & ~4)
    yield "end-marked-early", changed(lambda i, p: p.granule, lambda i, p: p.flags | (4 if i == middle else 0))
    yield "end-marked-everywhere", changed(lambda i, p: p.granule, lambda i, p: p.flags | 4)
    yield "hole-one", join(head + tail[:middle] + tail[middle + 1:])
    yield "hole-two", join(head + tail[:middle - 1] + tail[middle:-2] + tail[-1:])
    yield "hole-half", join(head + tail[:len(tail) // 4] + tail[3 * len(tail) // 4:])
    yield "hole-most", join(head + tail[:2] + tail[-2:])
    yield "hole-first", join(head + tail[1:])
    yield "hole-zeros", join(head + tail[:middle]) + bytes(len(bytes(tail[middle]))) + join(tail[middle + 1:])
    yield "hole-junk", join(head + tail[:middle]) + bytes(range(256)) * 40 + join(tail[middle + 1:])
    broken = bytearray(bytes(tail[middle]))
    broken[-1] ^= 0xFF
    yield "checksum-wrong", join(head + tail[:middle]) + bytes(broken) + join(tail[middle + 1:])
    yield "page-repeated", join(head + tail[:middle] + [tail[middle]] + tail[middle:])
    yield "pages-swapped", join(head + tail[:middle] + [tail[middle + 1], tail[middle]] + tail[middle + 2:])
    yield "last-missing", join(head + tail[:-1])
    yield "last-cut", join(whole)[:-len(bytes(tail[-1])) // 2]
    yield "numbers-zero", join(dataclasses.replace(page, number=0) for page in whole)
    yield "twice-same-serial", data + data
    other = join(dataclasses.replace(page, serial=page.serial + 1) for page in whole)
    yield "twice", data + other
    yield "thrice-first-serial-again", data + other + data
    yield "second-link-cut", data + other[:len(other) // 2]
    yield "second-link-without-end", data + join(pages(other)[:-1])


def chains(files):
    """Yields names and contents of chains of different files, given (name, contents)."""
    for (name, data), (next_, more) in zip(files, files[1:] + files[:1]):
        yield "%s+%s" % (name, next_), data + more
    yield "all", b"".join(data for _, data in files)
