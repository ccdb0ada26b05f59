"""Plays a station whose connection is lost again and again."""

import subprocess
import sys
import time

from segue_bench import monitor, web

# The station plays a tone, so that every silence in the recording is a gap.
period = 3          # seconds after which the server disconnects
outage = 75         # seconds for which the server answers nothing, once; more than all buffers hold
minimum_memory_time = 60


def make_station(folder):
    words = ["ffmpeg", "-nostdin", "-y", "-loglevel", "error", "-f", "lavfi", "-i", "sine=frequency=441:duration=60",
             "-ac", "2", "-ar", "44100", "-c:a", "libmp3lame", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0"]
    subprocess.run([*words, folder / "station.mp3"], check=True)


def soak(daemon, pulse, folder, seconds):
    """Returns the failures."""
    make_station(folder)
    connection = daemon.connect()
    with web.WebServer(folder) as server:
        connection.call("queue.clear")
        connection.call("queue.add", uris=[server.url(f"station?{period}")])
        connection.call("play")
        until(lambda: connection.call("status")["rate"] == 1, 20, "the station does not play")
        time.sleep(2)
        first, latencies, memory = None, [], 0
        with monitor.Silence(pulse.environment) as silence:
            begin = time.monotonic()
            while (passed := time.monotonic() - begin) < seconds:
                time.sleep(1)
                asked = time.monotonic()
                status = connection.call("status")
                latencies.append((time.monotonic() - asked) * 1000)
                memory = max(memory, daemon.memory)
                if first is None and passed > minimum_memory_time:
                    first = daemon.memory
                if status["state"] != "playing":
                    return [f"the state is {status['state']} after {passed:.0f} s: {status['track']}"]
            gaps = silence.milliseconds
        disconnections = server.station_requests - 1
        last = daemon.memory
        # Each connection brings more than it lasts, so that Segue is ahead and connects at the pace of playback.
        expected = seconds / (period + web.station_burst / web.station_rate)
        print(f"Station: {seconds / 60:.0f} min, {disconnections} disconnections, {gaps:.0f} ms of silence; status median "
              f"{sorted(latencies)[len(latencies) // 2]:.2f} ms, largest {max(latencies):.2f} ms; memory at most {memory:.1f} MB")
        server.pause()
        time.sleep(outage)
        stream = connection.call("status").get("stream") or {}
        server.resume()
        begin = time.monotonic()
        with monitor.Monitor(pulse.environment) as heard:
            returned = heard.first_sound(begin, timeout=60)
        print(f"Outage of {outage} s: the state was {stream.get('state')}, and the sound returned "
              + (f"after {returned - begin:.1f} s" if returned else "never"))
    rest = daemon.rest(connection)
    return [failure for failure, holds in (
        (f"station: {gaps:.0f} ms of silence", gaps < 50 * disconnections),
        (f"station: only {disconnections} disconnections", disconnections >= expected * 0.9),
        (f"station: memory grew from {first or last:.1f} to {last:.1f} MB", last - (first or last) < 2),
        (f"station: the state is {stream.get('state')} without a server", stream.get("state") in ("connecting", "buffering")),
        ("station: the sound does not return after an outage", returned is not None),
        (f"station: {rest['zombies']} zombies", rest["zombies"] == 0),
        ("station: the daemon exited", daemon.is_alive)) if not holds]


def until(condition, seconds, failure):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            sys.exit(failure)
        time.sleep(0.05)
