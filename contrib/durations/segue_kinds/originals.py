"""Original files: one of every format and encoder that is installed, with a signal whose bit rate varies."""
import os
import shutil
import struct
import subprocess

# A chirp with noise that swells, so that a variable bit rate varies.
SIGNAL = ("aevalsrc=exprs='0.3*sin(2*PI*(220*t+40*t*t))+0.25*(random(0)-0.5)*pow(sin(PI*t/%(length)s),4)"
          "|0.3*sin(2*PI*330*t)+0.1*(random(1)-0.5)':s=%(rate)d:d=%(length)s")
TAGS = ("-metadata", "title=A title", "-metadata", "artist=An artist", "-metadata", "album=An album",
        "-metadata", "track=7", "-metadata", "date=1999")
COMMENTS = ("title=A title", "artist=An artist", "album=An album", "tracknumber=7", "date=1999")


def encoders():
    """Yields names of originals and the arguments of FFmpeg that encode them: those of the input and of the output."""
    vorbis, opus, flac, mp3 = (("-c:a", "lib" + name) for name in ("vorbis", "opus", "flac", "mp3lame"))
    flac = ("-c:a", "flac")
    pages = ("-page_duration", "200000")
    yield "vorbis.ogg", 44100, 2, (*vorbis, *pages)
    yield "vorbis-mono.ogg", 22050, 1, (*vorbis, "-page_duration", "90000")
    yield "opus.opus", 48000, 2, (*opus, *pages)
    yield "opus-long-frames.opus", 48000, 1, (*opus, *pages, "-frame_duration", "60")
    yield "opus-short-frames.opus", 48000, 2, (*opus, *pages, "-frame_duration", "2.5")
    yield "flac.oga", 44100, 2, (*flac, *pages)
    yield "flac-mono.oga", 96000, 1, (*flac, *pages, "-sample_fmt", "s32")
    yield "speex.spx", 16000, 1, ("-c:a", "libspeex", *pages)
    yield "flac.flac", 44100, 2, flac
    yield "flac-fast.flac", 48000, 1, (*flac, "-compression_level", "0")
    yield "cbr.mp3", 44100, 2, (*mp3, "-b:a", "128k")
    yield "cbr-mono.mp3", 48000, 1, (*mp3, "-b:a", "64k")
    yield "vbr.mp3", 44100, 2, (*mp3, "-q:a", "4")
    yield "abr.mp3", 44100, 2, (*mp3, "-abr", "1", "-b:a", "150k")
    yield "untagged.mp3", 44100, 2, (*mp3, "-b:a", "96k", "-write_xing", "0")
    yield "untagged-vbr.mp3", 44100, 2, (*mp3, "-q:a", "5", "-write_xing", "0")
    yield "version2.mp3", 22050, 2, (*mp3, "-b:a", "64k")
    yield "version25.mp3", 8000, 1, (*mp3, "-b:a", "16k")
    yield "layer2.mp2", 48000, 2, ("-c:a", "mp2", "-b:a", "192k")
    yield "layer2-version2.mp2", 24000, 1, ("-c:a", "mp2", "-b:a", "64k")
    yield "layer3.wav", 44100, 2, (*mp3, "-q:a", "4", "-write_xing", "0")
    yield "layer2.wav", 44100, 2, ("-c:a", "mp2")
    yield "pcm.wav", 44100, 2, ()
    yield "pcm24.wav", 96000, 1, ("-c:a", "pcm_s24le")
    yield "float.wav", 48000, 2, ("-c:a", "pcm_f32le")
    yield "adpcm.wav", 22050, 2, ("-c:a", "adpcm_ima_wav")
    yield "adpcm-ms.wav", 44100, 2, ("-c:a", "adpcm_ms")
    yield "adpcm-yamaha.wav", 44100, 2, ("-c:a", "adpcm_yamaha")
    yield "gsm.wav", 8000, 1, ("-c:a", "libgsm_ms")
    yield "pcm.aiff", 44100, 2, ()
    yield "pcm.au", 44100, 2, ()
    yield "pcm.caf", 44100, 2, ()
    yield "alac.caf", 44100, 2, ("-c:a", "alac")
    yield "opus.caf", 48000, 2, opus
    yield "ima.caf", 44100, 2, ("-c:a", "adpcm_ima_qt")
    yield "aac.m4a", 44100, 2, ()
    yield "alac.m4a", 44100, 2, ("-c:a", "alac")
    # The first samples are in the index, and the rest in fragments.
    yield "hybrid.m4a", 44100, 2, ("-movflags", "frag_keyframe", "-frag_duration", "1000000")
    yield "fragments.m4a", 44100, 2, ("-movflags", "frag_keyframe+empty_moov", "-frag_duration", "1000000")
    yield "pcm.w64", 44100, 2, ()
    yield "pcm.rf64.wav", 44100, 2, ("-rf64", "always")
    yield "vorbis.mka", 44100, 2, vorbis
    yield "flac.mka", 44100, 2, flac
    yield "opus.webm", 48000, 2, opus
    yield "live.webm", 48000, 2, (*opus, "-live", "1", "-f", "webm")
    yield "mp3.mka", 44100, 2, mp3
    yield "adts.aac", 44100, 2, ()
    yield "latm.loas", 44100, 2, ("-c:a", "aac", "-f", "latm")
    yield "ac3.ac3", 48000, 2, ()
    yield "eac3.eac3", 48000, 2, ()
    yield "dts.dts", 48000, 2, ("-strict", "-2")
    yield "wavpack.wv", 44100, 2, ()
    yield "tta.tta", 44100, 2, ()
    yield "wma.wma", 44100, 2, ()
    yield "truehd.thd", 48000, 2, ("-strict", "-2", "-f", "truehd")


# Encoders of their own projects write other tables than FFmpeg.
TOOLS = {
    "lame-vbr.mp3": ("lame", "--quiet", "-V4", "--tt", "A title", "--ta", "An artist", "-", "%"),
    "lame-cbr.mp3": ("lame", "--quiet", "-b", "128", "--tt", "A title", "--ta", "An artist", "-", "%"),
    "lame-free.mp3": ("lame", "--quiet", "-t", "--freeformat", "-b", "160", "-", "%"),
    "oggenc.ogg": ("oggenc", "-Q", "-t", "A title", "-o", "%", "-"),
    "opusenc.opus": ("opusenc", "--quiet", "--title", "A title", "-", "%"),
    "reference.flac": ("flac", "--silent", "--tag=TITLE=A title", "-o", "%", "-"),
    "reference.oga": ("flac", "--silent", "--ogg", "-o", "%", "-"),
    "speexenc.spx": ("speexenc", "--quiet", "-", "%"),
    "wavpack-hybrid.wv": ("wavpack", "-q", "-b256", "-", "-o", "%"),
    "musepack.mpc": ("mpcenc", "--silent", "--overwrite", "-", "%"),
}


def silent_layer1(seconds):
    """Returns MPEG-1 layer I frames of silence at 48 kHz and 64 kbit/s: no band of them has bits."""
    frame = struct.pack(">I", 0xFFFF24C0) + bytes(60)
    return frame * int(seconds * 48000 / 384)


def dsf(seconds, channels=2):
    """Returns a DSF file of silence at 2.8224 MHz."""
    count = int(seconds * 2822400) // 8 * 8
    blocks = -(-count // 8 // 4096)
    data = bytes([0x69]) * (blocks * 4096 * channels)
    layout = b"fmt " + struct.pack("<QIIIIIIQII", 52, 1, 0, channels, channels, 2822400, 1, count, 4096, 0)
    body = b"data" + struct.pack("<Q", 12 + len(data)) + data
    return b"DSD " + struct.pack("<QQQ", 28, 28 + len(layout) + len(body), 0) + layout + body


def dsdiff(seconds, channels=2):
    """Returns a DSDIFF file of silence at 2.8224 MHz."""
    def chunk(name, body):
        return name + struct.pack(">Q", len(body)) + body + bytes(len(body) % 2)
    data = bytes([0x69]) * (int(seconds * 2822400) // 8 * channels)
    properties = b"SND " + chunk(b"FS  ", struct.pack(">I", 2822400)) + chunk(
        b"CHNL", struct.pack(">H", channels) + b"SLFTSRGT"[:4 * channels]) + chunk(b"CMPR", b"DSD \x0enot compressed")
    return chunk(b"FRM8", b"DSD " + chunk(b"FVER", struct.pack(">I", 0x01050000)) + chunk(b"PROP", properties)
                 + chunk(b"DSD ", data))


def run(command):
    return subprocess.run(
        command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def ffmpeg(*arguments):
    return run(("ffmpeg", "-nostdin", "-y", "-v", "error", *arguments))


def signal(rate, length):
    return "-f", "lavfi", "-i", SIGNAL % {"rate": rate, "length": length}


def make(folder, length):
    """Encodes the originals into `folder`. Returns their paths."""
    paths = []

    def attempt(name, produce):
        path = os.path.join(folder, name)
        try:
            produce(path)
        except (subprocess.CalledProcessError, FileNotFoundError):
            print("not encoded: " + name)
            return
        paths.append(path)

    for name, rate, channels, options in encoders():
        attempt(name, lambda path, r=rate, c=channels, o=options: ffmpeg(
            *signal(r, length), "-ac", str(c), *TAGS, *o, path))
    sound = os.path.join(folder, "sound.wav")
    ffmpeg(*signal(44100, length), sound)
    for name, command in TOOLS.items():
        if not shutil.which(command[0]):
            continue

        def encode(path, command=command):
            run([{"%": path, "-": sound}.get(word, word) for word in command])
        attempt(name, encode)
    attempt("theora.ogv", lambda path: ffmpeg(
        *signal(44100, length), "-f", "lavfi", "-i", "testsrc=s=64x48:d=%s" % length, "-map", "0:a", "-map", "1:v",
        "-c:a", "libvorbis", "-c:v", "libtheora", path))
    attempt("two.ogg", lambda path: ffmpeg(
        *signal(48000, length), *signal(48000, length / 2), "-map", "0:a", "-map", "1:a", "-c:a", "libopus", path))
    write(os.path.join(folder, "layer1.mp1"), silent_layer1(length))
    write(os.path.join(folder, "silence.dsf"), dsf(length))
    write(os.path.join(folder, "silence.dff"), dsdiff(length))
    return paths + [os.path.join(folder, name) for name in ("layer1.mp1", "silence.dsf", "silence.dff")]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)
