"""A file system of a few files that delays every read. It uses the kernel interface of FUSE (linux/fuse.h)."""

import contextlib
import ctypes
import errno
import heapq
import os
import select
import stat
import struct
import threading
import time

LOOKUP, FORGET, GETATTR, OPEN, READ, STATFS, RELEASE, FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, INTERRUPT, DESTROY, \
    BATCH_FORGET = 1, 2, 3, 14, 15, 17, 18, 25, 26, 27, 28, 29, 36, 38, 42
root = 1
request_header = struct.Struct("<IIQQIIII")
libc = ctypes.CDLL(None, use_errno=True)


@contextlib.contextmanager
def mounted(folder, files, delay):
    """Mounts `files` in `folder` and yields their paths."""
    device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    options = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()},allow_other".encode()
    if libc.mount(b"segue-soak", bytes(folder), b"fuse", 6, options):  # MS_NOSUID | MS_NODEV
        code = ctypes.get_errno()
        os.close(device)
        raise OSError(code, os.strerror(code), str(folder))
    disk = Disk(device, files, delay)
    threading.Thread(target=disk.serve, daemon=True).start()
    try:
        yield [folder / file.name for file in files]
    finally:
        libc.umount2(bytes(folder), 2)  # MNT_DETACH: a worker may still read


class Disk:
    def __init__(self, device, files, delay):
        self.device, self.delay = device, delay
        self.contents = [file.read_bytes() for file in files]
        self.nodes = {os.fsencode(file.name): root + 1 + index for index, file in enumerate(files)}
        # Delayed responses as (time, number, bytes).
        self.late = []
        self.count = 0

    def serve(self):
        """Answers until the last reader is gone after the unmount, and closes the device."""
        try:
            self.serve_requests()
        finally:
            os.close(self.device)

    def serve_requests(self):
        while True:
            pause = max(0, self.late[0][0] - time.monotonic()) if self.late else None
            try:
                ready, _, _ = select.select([self.device], [], [], pause)
                while self.late and self.late[0][0] <= time.monotonic():
                    self.write(heapq.heappop(self.late)[2])
                if ready:
                    self.answer(os.read(self.device, 1 << 18))
            except OSError as error:
                if error.errno == errno.ENODEV:  # unmounted
                    return
                if error.errno not in (errno.ENOENT, errno.EINTR, errno.EAGAIN):
                    raise

    def write(self, answer):
        with contextlib.suppress(FileNotFoundError):  # the request was cancelled
            os.write(self.device, answer)

    def reply(self, unique, body=b"", error=0, delay=0):
        answer = struct.pack("<IiQ", 16 + len(body), -error, unique) + body
        if delay:
            self.count += 1
            heapq.heappush(self.late, (time.monotonic() + delay, self.count, answer))
        else:
            self.write(answer)

    def answer(self, request):
        _, operation, unique, node, *_ = request_header.unpack_from(request)
        body = request[request_header.size:]
        if operation == INIT:
            # Version 7.31, with a readahead and a maximum write of 128 KiB.
            self.reply(unique, struct.pack("<IIIIHHIIHHI28x", 7, 31, 1 << 17, 1, 16, 12, 1 << 17, 1, 32, 0, 0))
        elif operation == LOOKUP:
            found = self.nodes.get(body.rstrip(b"\0"))
            if found:
                self.reply(unique, struct.pack("<QQQQII", found, 0, 3600, 3600, 0, 0) + self.attributes(found))
            else:
                self.reply(unique, error=errno.ENOENT)
        elif operation == GETATTR:
            self.reply(unique, struct.pack("<QII", 3600, 0, 0) + self.attributes(node))
        elif operation in (OPEN, OPENDIR):
            self.reply(unique, struct.pack("<QII", 0, 0, 0))
        elif operation == READ:
            _, offset, size = struct.unpack_from("<QQI", body)
            self.reply(unique, self.contents[node - root - 1][offset:offset + size], delay=self.delay)
        elif operation in (RELEASE, RELEASEDIR, FLUSH, READDIR):
            self.reply(unique)
        elif operation == STATFS:
            self.reply(unique, bytes(80))
        elif operation not in (FORGET, BATCH_FORGET, INTERRUPT):
            self.reply(unique, error=errno.ENOSYS)

    def attributes(self, node):
        is_root = node == root
        size = 0 if is_root else len(self.contents[node - root - 1])
        mode = stat.S_IFDIR | 0o755 if is_root else stat.S_IFREG | 0o444
        return struct.pack("<QQQQQQIIIIIIIIII", node, size, (size + 511) // 512, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0,
                           4096, 0)
