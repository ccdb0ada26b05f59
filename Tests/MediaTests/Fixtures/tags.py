#!/usr/bin/env python3
"""Creates the folder Tags: one file for each way of tagging, and expected.json with the tags that mutagen reads from each.

Needs mutagen and ffmpeg, flac, oggenc, wavpack, mpcenc, lame. The audio is that of the files of make.py.
"""
import base64
import json
import os
import shutil
import struct
import subprocess

import mutagen
from mutagen import aiff, apev2, asf, dsf, flac, id3, mp3, mp4, musepack, ogg, oggopus, oggvorbis, trueaudio, wave, wavpack
from mutagen.id3 import Encoding

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "Tags")
ARTISTS = ["Аквариум", "הדג נחש"]
GENRES = ["Jazz", "Музыка 音楽"]
IDS = {name: "%08x-0000-4000-8000-%012x" % (index + 1, index + 1)
       for index, name in enumerate(["track", "release", "group", "artist1", "artist2", "albumartist"])}
TITLE = "Полёт — 飛行 🛫 e\u0301"
ALBUM = "Альбом №1"
LYRICS = "Строка раз\nСтрока два"
FIELDS = ["title", "artists", "album", "albumArtist", "composer", "genre", "date", "track", "trackTotal", "disc",
          "discTotal", "originalDate", "compilation", "titleSort", "artistSort", "albumSort", "albumArtistSort",
          "trackID", "releaseID", "releaseGroupID", "artistIDs", "albumArtistIDs", "trackGain", "trackPeak",
          "albumGain", "albumPeak", "cover", "lyrics"]


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def ffmpeg(target, *options, source="eight.wav"):
    target = os.path.join(OUT, target)
    run("ffmpeg", "-y", "-bitexact", "-i", os.path.join(HERE, source), "-map_metadata", "-1", "-fflags", "+bitexact",
        "-flags:a", "+bitexact", *options, target)
    return target


def png(name):
    return open(os.path.join(OUT, name), "rb").read()


# The tags that are written. They are the same in all formats, with the names of each format.

VORBIS = {"title": [TITLE], "artist": ARTISTS, "album": [ALBUM], "albumartist": ["Все"], "composer": ["Кто-то"],
          "genre": GENRES, "date": ["1999-03-01"], "originaldate": ["1988-05-06"], "tracknumber": ["3"],
          "tracktotal": ["12"], "discnumber": ["1"], "disctotal": ["2"], "compilation": ["1"],
          "titlesort": ["Polet"], "artistsort": ["Akvarium"], "albumsort": ["Albom"], "albumartistsort": ["Vse"],
          "musicbrainz_trackid": [IDS["track"]], "musicbrainz_albumid": [IDS["release"]],
          "musicbrainz_releasegroupid": [IDS["group"]], "musicbrainz_artistid": [IDS["artist1"], IDS["artist2"]],
          "musicbrainz_albumartistid": [IDS["albumartist"]], "replaygain_track_gain": ["-7.25 dB"],
          "replaygain_track_peak": ["0.987654"], "replaygain_album_gain": ["+1.50 dB"],
          "replaygain_album_peak": ["1.012"], "lyrics": [LYRICS]}

APE = {"Title": [TITLE], "Artist": ARTISTS, "Album": [ALBUM], "Album Artist": ["Все"], "Composer": ["Кто-то"],
       "Genre": GENRES, "Year": ["1999-03-01"], "Original Date": ["1988-05-06"], "Track": ["3/12"], "Disc": ["1/2"],
       "Compilation": ["1"], "TITLESORT": ["Polet"], "ARTISTSORT": ["Akvarium"], "ALBUMSORT": ["Albom"],
       "ALBUMARTISTSORT": ["Vse"], "MUSICBRAINZ_TRACKID": [IDS["track"]], "MUSICBRAINZ_ALBUMID": [IDS["release"]],
       "MUSICBRAINZ_RELEASEGROUPID": [IDS["group"]], "MUSICBRAINZ_ARTISTID": [IDS["artist1"], IDS["artist2"]],
       "MUSICBRAINZ_ALBUMARTISTID": [IDS["albumartist"]], "REPLAYGAIN_TRACK_GAIN": ["-7.25 dB"],
       "REPLAYGAIN_TRACK_PEAK": ["0.987654"], "REPLAYGAIN_ALBUM_GAIN": ["+1.50 dB"],
       "REPLAYGAIN_ALBUM_PEAK": ["1.012"], "Lyrics": [LYRICS]}

ASF = {"Title": [TITLE], "Author": ARTISTS, "WM/AlbumTitle": [ALBUM], "WM/AlbumArtist": ["Все"],
       "WM/Composer": ["Кто-то"], "WM/Genre": GENRES, "WM/Year": ["1999-03-01"],
       "WM/OriginalReleaseTime": ["1988-05-06"], "WM/TrackNumber": ["3/12"], "WM/PartOfSet": ["1/2"],
       "WM/IsCompilation": ["1"], "WM/TitleSortOrder": ["Polet"], "WM/ArtistSortOrder": ["Akvarium"],
       "WM/AlbumSortOrder": ["Albom"], "WM/AlbumArtistSortOrder": ["Vse"], "MusicBrainz/Track Id": [IDS["track"]],
       "MusicBrainz/Album Id": [IDS["release"]], "MusicBrainz/Release Group Id": [IDS["group"]],
       "MusicBrainz/Artist Id": [IDS["artist1"], IDS["artist2"]],
       "MusicBrainz/Album Artist Id": [IDS["albumartist"]], "REPLAYGAIN_TRACK_GAIN": ["-7.25 dB"],
       "REPLAYGAIN_TRACK_PEAK": ["0.987654"], "REPLAYGAIN_ALBUM_GAIN": ["+1.50 dB"],
       "REPLAYGAIN_ALBUM_PEAK": ["1.012"], "WM/Lyrics": [LYRICS]}

FREEFORM = {"MusicBrainz Track Id": [IDS["track"]], "MusicBrainz Album Id": [IDS["release"]],
            "MusicBrainz Release Group Id": [IDS["group"]], "MusicBrainz Artist Id": [IDS["artist1"], IDS["artist2"]],
            "MusicBrainz Album Artist Id": [IDS["albumartist"]], "replaygain_track_gain": ["-7.25 dB"],
            "replaygain_track_peak": ["0.987654"], "replaygain_album_gain": ["+1.50 dB"],
            "replaygain_album_peak": ["1.012"], "originaldate": ["1988-05-06"]}


def id3_frames(genre=GENRES):
    text = lambda kind, *values: kind(encoding=Encoding.UTF8, text=list(values))
    user = lambda name, *values: id3.TXXX(encoding=Encoding.UTF8, desc=name, text=list(values))
    return [
        text(id3.TIT2, TITLE), text(id3.TPE1, *ARTISTS), text(id3.TALB, ALBUM), text(id3.TPE2, "Все"),
        text(id3.TCOM, "Кто-то"), text(id3.TCON, *genre), text(id3.TDRC, "1999-03-01"), text(id3.TDOR, "1988-05-06"),
        text(id3.TRCK, "3/12"), text(id3.TPOS, "1/2"), text(id3.TCMP, "1"), text(id3.TSOT, "Polet"),
        text(id3.TSOP, "Akvarium"), text(id3.TSOA, "Albom"), text(id3.TSO2, "Vse"),
        id3.UFID(owner="http://musicbrainz.org", data=IDS["track"].encode()),
        user("MusicBrainz Album Id", IDS["release"]), user("MusicBrainz Release Group Id", IDS["group"]),
        user("MusicBrainz Artist Id", IDS["artist1"], IDS["artist2"]),
        user("MusicBrainz Album Artist Id", IDS["albumartist"]), user("REPLAYGAIN_TRACK_GAIN", "-7.25 dB"),
        user("REPLAYGAIN_TRACK_PEAK", "0.987654"), user("REPLAYGAIN_ALBUM_GAIN", "+1.50 dB"),
        user("REPLAYGAIN_ALBUM_PEAK", "1.012"),
        id3.USLT(encoding=Encoding.UTF8, lang="rus", desc="", text=LYRICS),
        id3.APIC(encoding=Encoding.UTF8, mime="image/png", type=4, desc="back", data=png("back.png")),
        id3.APIC(encoding=Encoding.UTF8, mime="image/png", type=3, desc="front", data=png("front.png")),
    ]


def picture(name, kind):
    result = flac.Picture()
    result.type, result.mime, result.data, result.width, result.height, result.depth = kind, "image/png", png(name), 8, 8, 24
    return result


# The tags that mutagen reads, with the names that Segue uses.

def number(text, index):
    parts = str(text).split("/")
    return int(parts[index]) if len(parts) > index and parts[index].strip() not in ("", "0") else None


def decibels(text):
    return float(str(text).replace("dB", "").strip())


def facts(get, cover, lyrics=None):
    """Returns the facts of a file. `get` returns the list of values of a name as in VORBIS."""
    one = lambda name: (get(name) or [None])[0]
    gain = lambda name: decibels(one(name)) if one(name) else None
    return {
        "title": one("title"), "artists": get("artist"), "album": one("album"), "albumArtist": one("albumartist"),
        "composer": one("composer"), "genre": get("genre"), "date": one("date"),
        "track": number(one("tracknumber") or "", 0),
        "trackTotal": number(one("tracknumber") or "", 1) or number(one("tracktotal") or "", 0),
        "disc": number(one("discnumber") or "", 0),
        "discTotal": number(one("discnumber") or "", 1) or number(one("disctotal") or "", 0),
        "originalDate": one("originaldate"), "compilation": one("compilation") in ("1", "True", True),
        "titleSort": one("titlesort"), "artistSort": one("artistsort"), "albumSort": one("albumsort"),
        "albumArtistSort": one("albumartistsort"), "trackID": one("musicbrainz_trackid"),
        "releaseID": one("musicbrainz_albumid"), "releaseGroupID": one("musicbrainz_releasegroupid"),
        "artistIDs": get("musicbrainz_artistid"), "albumArtistIDs": get("musicbrainz_albumartistid"),
        "trackGain": gain("replaygain_track_gain"), "trackPeak": gain("replaygain_track_peak"),
        "albumGain": gain("replaygain_album_gain"), "albumPeak": gain("replaygain_album_peak"),
        "cover": len(cover) if cover else None, "lyrics": lyrics or one("lyrics"),
    }


def front(pictures):
    return next((p.data for p in pictures if p.type == 3), pictures[0].data if pictures else None)


def read_id3(path):
    tags = mutagen.File(path).tags if not path.endswith(".v1.mp3") else id3.ID3(path)
    names = {"title": "TIT2", "artist": "TPE1", "album": "TALB", "albumartist": "TPE2", "composer": "TCOM",
             "date": "TDRC", "originaldate": "TDOR", "tracknumber": "TRCK", "discnumber": "TPOS", "compilation": "TCMP",
             "titlesort": "TSOT", "artistsort": "TSOP", "albumsort": "TSOA", "albumartistsort": "TSO2",
             "musicbrainz_albumid": "TXXX:MusicBrainz Album Id", "musicbrainz_artistid": "TXXX:MusicBrainz Artist Id",
             "musicbrainz_releasegroupid": "TXXX:MusicBrainz Release Group Id",
             "musicbrainz_albumartistid": "TXXX:MusicBrainz Album Artist Id"}

    def get(name):
        if name == "genre":
            return tags["TCON"].genres if "TCON" in tags else []
        if name == "musicbrainz_trackid":
            owner = "UFID:http://musicbrainz.org"
            return [tags[owner].data.decode()] if owner in tags else []
        key = names.get(name, "TXXX:" + name.upper())
        return [str(value) for value in tags[key].text] if key in tags else []

    lyrics = tags.getall("USLT")
    return facts(get, front(tags.getall("APIC")), lyrics[0].text if lyrics else None)


def read_vorbis(path):
    file = mutagen.File(path)
    pictures = file.pictures if isinstance(file, flac.FLAC) else [
        flac.Picture(base64.b64decode(data)) for data in file.get("metadata_block_picture", [])]
    return facts(lambda name: list(file.tags.get(name, [])), front(pictures))


def read_ape(path):
    tags = mutagen.File(path).tags
    names = {"albumartist": "Album Artist", "date": "Year", "originaldate": "Original Date", "tracknumber": "Track",
             "discnumber": "Disc"}
    cover = tags["Cover Art (Front)"].value if "Cover Art (Front)" in tags else None
    return facts(lambda name: list(tags.get(names.get(name, name), [])), cover and cover.split(b"\0", 1)[1])


def read_asf(path):
    tags = mutagen.File(path).tags
    keys = dict(zip([k for k in VORBIS if k not in ("tracktotal", "disctotal")], ASF))
    picture = tags["WM/Picture"][0].value if "WM/Picture" in tags else None
    if picture:
        # A type, a size, two zero-terminated texts in UTF-16, and the data.
        size = struct.unpack("<I", picture[1:5])[0]
        picture = picture[-size:]
    return facts(lambda name: [str(value) for value in tags.get(keys.get(name, "?"), [])], picture)


def read_mp4(path):
    tags = mp4.MP4(path).tags
    names = {"title": "©nam", "artist": "©ART", "album": "©alb", "albumartist": "aART", "composer": "©wrt",
             "genre": "©gen", "date": "©day", "titlesort": "sonm", "artistsort": "soar", "albumsort": "soal",
             "albumartistsort": "soaa", "lyrics": "©lyr", "compilation": "cpil", "musicbrainz_trackid": "MusicBrainz Track Id",
             "musicbrainz_albumid": "MusicBrainz Album Id", "musicbrainz_artistid": "MusicBrainz Artist Id",
             "musicbrainz_releasegroupid": "MusicBrainz Release Group Id",
             "musicbrainz_albumartistid": "MusicBrainz Album Artist Id"}

    def get(name):
        if name in ("tracknumber", "discnumber"):
            pair = (tags.get("trkn" if name == "tracknumber" else "disk") or [None])[0]
            return ["%d/%d" % pair] if pair else []
        key = names.get(name, name)
        if key == "cpil":
            return [tags.get("cpil", False)]
        free = tags.get("----:com.apple.iTunes:" + key)
        return [bytes(value).decode() for value in free] if free else list(tags.get(key, []))

    return facts(get, bytes(tags["covr"][0]) if "covr" in tags else None)


def write_id3(path, **options):
    file = mutagen.File(path)
    if file.tags is None:
        file.add_tags()
    for frame in id3_frames():
        file.tags.add(frame)
    file.save(**options)
    return path


def write_vorbis(path):
    file = mutagen.File(path)
    file.delete()
    file.update(VORBIS)
    pictures = [picture("back.png", 4), picture("front.png", 3)]
    if isinstance(file, flac.FLAC):
        for each in pictures:
            file.add_picture(each)
    else:
        file["metadata_block_picture"] = [base64.b64encode(each.write()).decode() for each in pictures]
    file.save()
    return path


def write_ape(path):
    tags = apev2.APEv2()
    for name, values in APE.items():
        tags[name] = values
    tags["Cover Art (Back)"] = apev2.APEValue(b"back.png\0" + png("back.png"), apev2.BINARY)
    tags["Cover Art (Front)"] = apev2.APEValue(b"front.png\0" + png("front.png"), apev2.BINARY)
    tags.save(path)
    return path


def write_asf(path):
    file = asf.ASF(path)
    for name, values in ASF.items():
        file[name] = values
    body = png("front.png")
    text = "image/png".encode("utf-16-le") + b"\0\0" + b"\0\0"
    file["WM/Picture"] = [asf.ASFByteArrayAttribute(struct.pack("<BI", 3, len(body)) + text + body)]
    file.save()
    return path


def write_mp4(path):
    file = mp4.MP4(path)
    values = {"©nam": [TITLE], "©ART": ARTISTS, "©alb": [ALBUM], "aART": ["Все"], "©wrt": ["Кто-то"], "©gen": GENRES,
              "©day": ["1999-03-01"], "trkn": [(3, 12)], "disk": [(1, 2)], "cpil": True, "sonm": ["Polet"],
              "soar": ["Akvarium"], "soal": ["Albom"], "soaa": ["Vse"], "©lyr": [LYRICS],
              "covr": [mp4.MP4Cover(png("front.png"), mp4.MP4Cover.FORMAT_PNG)]}
    for name, value in values.items():
        file[name] = value
    for name, texts in FREEFORM.items():
        file["----:com.apple.iTunes:" + name] = [mp4.MP4FreeForm(text.encode()) for text in texts]
    file.save()
    return path


# ID3 tags that mutagen does not write.

def synchsafe(size):
    return bytes((size >> shift) & 0x7F for shift in (21, 14, 7, 0))


def prepend(path, tag):
    data = open(path, "rb").read()
    open(path, "wb").write(tag + data)
    return path


def id3v22(frames):
    body = b"".join(kind + struct.pack(">I", len(data))[1:] + data for kind, data in frames)
    return b"ID3\x02\0\0" + synchsafe(len(body)) + body


def id3v23(frames, unsynchronised=False):
    body = b"".join(kind + struct.pack(">IH", len(data), 0) + data for kind, data in frames)
    if unsynchronised:
        body = body.replace(b"\xff\x00", b"\xff\x00\x00").replace(b"\xff\xfe", b"\xff\x00\xfe").replace(b"\xff\xe0", b"\xff\x00\xe0")
    return b"ID3\x03\0" + (b"\x80" if unsynchronised else b"\0") + synchsafe(len(body)) + body


def utf16(text):
    return b"\x01" + text.encode("utf-16")


def id3v1(title, artist, album, genre, charset):
    field = lambda text, size: text.encode(charset)[:size].ljust(size, b"\0")
    return b"TAG" + field(title, 30) + field(artist, 30) + field(album, 30) + b"1999" + bytes(28) + b"\0\x03" + bytes([genre])


def chapters(path):
    with open(path, "w") as file:
        file.write(";FFMETADATA1\n")
        for index, name in enumerate(["Вступление", "Midle =; part", "Конец"]):
            file.write("[CHAPTER]\nTIMEBASE=1/1000\nSTART=%d\nEND=%d\ntitle=%s\n"
                       % (index * 1000, index * 1000 + 1000, name.replace("=", "\\=").replace(";", "\\;")))
    return path


def set_header_gain(path, gain):
    """Sets the output gain of an Opus stream, in units of 1/256 dB."""
    with open(path, "r+b") as file:
        page = ogg.OggPage(file)
        packet = bytearray(page.packets[0])
        packet[16:18] = struct.pack("<h", gain)
        page.packets = [bytes(packet)]
        file.seek(0)
        file.write(page.write())


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(OUT)
    for name, colour in (("front.png", "teal"), ("back.png", "red")):
        run("ffmpeg", "-y", "-f", "lavfi", "-i", "color=c=%s:s=%s:d=0.04" % (colour, "8x8" if name == "front.png" else "9x9"),
            "-frames:v", "1", "-bitexact", os.path.join(OUT, name))
    expected = {}

    def record(path, reader):
        expected[os.path.basename(path)] = reader(path)

    lame = ["-c:a", "libmp3lame", "-b:a", "64k", "-id3v2_version", "0"]
    record(write_id3(ffmpeg("v24.mp3", *lame), v2_version=4), read_id3)
    record(write_id3(ffmpeg("v23.mp3", *lame), v2_version=3, v23_sep=None), read_id3)
    record(write_id3(ffmpeg("id3.wav")), read_id3)
    record(write_id3(ffmpeg("id3.aiff", "-c:a", "pcm_s16be")), read_id3)
    record(write_id3(ffmpeg("id3.tta", "-c:a", "tta")), read_id3)
    shutil.copy(os.path.join(HERE, "one-bit.dsf"), os.path.join(OUT, "id3.dsf"))
    record(write_id3(os.path.join(OUT, "id3.dsf")), read_id3)
    record(write_vorbis(ffmpeg("vorbis.flac")), read_vorbis)
    record(write_vorbis(ffmpeg("vorbis.ogg", "-c:a", "libvorbis", source="slow.wav")), read_vorbis)
    record(write_vorbis(ffmpeg("vorbis.opus", "-c:a", "libopus")), read_vorbis)
    record(write_ape(ffmpeg("ape.wv", "-c:a", "wavpack")), read_ape)
    shutil.copy(os.path.join(HERE, "long.mpc"), os.path.join(OUT, "ape.mpc"))
    record(write_ape(os.path.join(OUT, "ape.mpc")), read_ape)
    record(write_asf(ffmpeg("asf.wma", "-c:a", "wmav2")), read_asf)
    record(write_mp4(ffmpeg("mp4.m4a", "-c:a", "aac")), read_mp4)
    record(write_mp4(ffmpeg("mp4.alac.m4a", "-c:a", "alac", "-sample_fmt", "s16p")), read_mp4)

    # Old versions of ID3.
    record(prepend(ffmpeg("v22.mp3", *lame), id3v22([
        (b"TT2", utf16(TITLE)), (b"TP1", utf16("Кино")), (b"TAL", utf16(ALBUM)), (b"TP2", utf16("Все")),
        (b"TCM", utf16("Кто-то")), (b"TRK", b"\x003/12"), (b"TPA", b"\x001/2"), (b"TCP", b"\x001"),
        (b"TYE", b"\x001999"), (b"TCO", b"\x00(17)"),
        (b"PIC", b"\0PNG\x03\0" + png("front.png"))])), read_id3)
    record(prepend(ffmpeg("unsynchronised.mp3", *lame), id3v23([
        (b"TIT2", utf16(TITLE)), (b"TPE1", utf16("ÿþàÿ")), (b"TCON", b"\x00(17)(31)"), (b"TYER", b"\x001999"),
        (b"TDAT", b"\x000103"), (b"APIC", b"\0image/png\0\x03\0" + png("front.png"))], unsynchronised=True)), read_id3)
    record(prepend(ffmpeg("numbered.mp3", *lame), id3v23([
        (b"TIT2", b"\x00x"), (b"TCON", b"\x0017"), (b"TRCK", b"\x0003/12"), (b"TPOS", b"\x0001")])), read_id3)
    record(prepend(ffmpeg("refined.mp3", *lame), id3v23([
        (b"TIT2", b"\x00x"), (b"TCON", b"\x00(RX)(4)Eurodisco")])), read_id3)

    # Texts in charsets that no tag names. mutagen reads them as Latin-1.
    for name, charset, texts in [
            ("cp1251", "cp1251", ["Группа крови", "Кино", "Группа крови"]),
            ("shift-jis", "shift-jis", ["丸ノ内サディスティック", "椎名林檎", "無罪モラトリアム"]),
            ("gbk", "gbk", ["月亮代表我的心", "邓丽君", "岛国之情歌第四集"]),
            ("koi8", "koi8-r", ["Поезд в огне", "Аквариум", "Равноденствие"]),
            ("latin1", "latin-1", ["Ágætis byrjun", "Sigur Rós", "Motörhead live"]),
            ("utf8", "utf-8", ["Полёт", "Кино", "Björk"])]:
        prepend(ffmpeg(name + ".mp3", *lame), id3v23([
            (kind, b"\0" + text.encode(charset)) for kind, text in zip((b"TIT2", b"TPE1", b"TALB"), texts)]))
    with open(ffmpeg("cp1251.v1.mp3", *lame, "-write_xing", "1"), "ab") as file:
        file.write(id3v1("Группа крови", "Кино", "Группа крови", 17, "cp1251"))
    for name, codec in (("broken.flac", "flac"), ("broken.m4a", "aac"), ("broken.wv", "wavpack")):
        path = ffmpeg(name, "-c:a", codec, "-metadata", "title=" + "?" * 12, "-metadata", "artist=" + "!" * 4)
        data = open(path, "rb").read()
        data = data.replace(b"?" * 12, "Группа крови".encode("cp1251")).replace(b"!" * 4, "Кино".encode("cp1251"))
        open(path, "wb").write(data)
    data = open(ffmpeg("info.wav", "-metadata", "title=Group of blood", "-metadata", "artist=Kino", "-metadata", "date=1988",
                       "-metadata", "album=Album", "-metadata", "genre=Rock", "-metadata", "track=3"), "rb").read()
    open(os.path.join(OUT, "info.wav"), "wb").write(data)

    # A container and its stream, both with a title.
    ffmpeg("titled.mka", "-c:a", "flac", "-metadata", "title=Title", "-metadata:s:a:0", "title=Stereo")

    # Other forms of gain.
    record(write_vorbis(ffmpeg("r128.opus", "-c:a", "libopus")), read_vorbis)
    file = oggopus.OggOpus(os.path.join(OUT, "r128.opus"))
    file["r128_track_gain"], file["r128_album_gain"] = ["-512"], ["256"]
    file.save()
    expected["r128.opus"].update(trackGain=3.0, albumGain=6.0)
    set_header_gain(os.path.join(OUT, "r128.opus"), -1536)
    file = mp3.MP3(ffmpeg("rva2.mp3", *lame))
    file.add_tags()
    file.tags.add(id3.RVA2(desc="track", channel=1, gain=-3.5, peak=0.75))
    file.tags.add(id3.RVA2(desc="album", channel=1, gain=2.25, peak=0.5))
    file.tags.add(id3.TIT2(encoding=Encoding.UTF8, text=["x"]))
    file.save()
    ape = apev2.APEv2()
    ape["REPLAYGAIN_TRACK_GAIN"], ape["Title"] = "-1.25 dB", "not this one"
    path = write_id3(ffmpeg("both.mp3", *lame))
    frames = id3.ID3(path)
    frames.delall("TXXX:REPLAYGAIN_TRACK_GAIN")
    frames.save(path)
    ape.save(path)
    record(path, read_id3)
    expected["both.mp3"]["trackGain"] = -1.25

    # Chapters, and lyrics with times.
    file = mp3.MP3(ffmpeg("chapters.mp3", *lame, source="long.flac"))
    file.add_tags()
    for index, name in enumerate(["Вступление", "Midle =; part", "Конец"]):
        title = id3.TIT2(encoding=Encoding.UTF16, text=[name])
        file.tags.add(id3.CHAP(element_id="c%d" % index, start_time=index * 1000, end_time=index * 1000 + 1000,
                               sub_frames=[title]))
    file.tags.add(id3.SYLT(encoding=Encoding.UTF16, lang="rus", format=2, type=1, desc="",
                           text=[("Строка раз", 500), ("Строка два", 61230)]))
    file.save()
    file = oggvorbis.OggVorbis(ffmpeg("chapters.ogg", "-c:a", "libvorbis", source="long.flac"))
    for index, name in enumerate(["Вступление", "Midle =; part", "Конец"]):
        file["CHAPTER%03d" % index], file["CHAPTER%03dNAME" % index] = "00:00:%02d.000" % index, name
    file.save()
    meta = chapters(os.path.join(OUT, "chapters.txt"))
    for name, codec in (("chapters.m4a", "aac"), ("chapters.mka", "libvorbis")):
        attach = ["-attach", os.path.join(OUT, "front.png"), "-metadata:s:t", "mimetype=image/png"] if "mka" in name else []
        path = os.path.join(OUT, name)
        run("ffmpeg", "-y", "-bitexact", "-i", os.path.join(HERE, "long.flac"), "-i", meta, "-map", "0:a", "-map_metadata", "1",
            "-fflags", "+bitexact", "-flags:a", "+bitexact", "-c:a", codec, "-b:a", "32k", *attach, path)
    os.remove(meta)

    # Tags that exceed the limits, with characters that must not reach a terminal.
    file = flac.FLAC(ffmpeg("much.flac"))
    file.delete()
    file["title"] = ["t\x1b[31m\x07\u0085\u202e" + "\"" * 5000]
    for name in ("album", "albumartist", "composer", "date", "titlesort", "artistsort", "albumsort", "albumartistsort"):
        file[name] = ["\\" * 5000]
    file["artist"], file["genre"] = ["\"" * 30] * 100, ["\\" * 30] * 100
    file["lyrics"] = ["\"" * 200_000]
    for index in range(900):
        file["CHAPTER%03d" % index] = "%02d:%02d:00.000" % (index // 60, index % 60)
        file["CHAPTER%03dNAME" % index] = "\"" * 300
    file.save()

    with open(os.path.join(OUT, "expected.json"), "w") as out:
        json.dump(expected, out, ensure_ascii=False, indent=1, sort_keys=True)
        out.write("\n")


if __name__ == "__main__":
    main()
