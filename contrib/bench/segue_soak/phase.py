"""A phase under one condition: random commands alternate with undisturbed playback."""

import statistics
import time

from segue_bench import account

from .clients import RandomClients


class Phase:
    def __init__(self, name, daemon, connection, recorder, files, lengths):
        self.name, self.daemon, self.connection = name, daemon, connection
        self.recorder, self.files, self.lengths = recorder, files, lengths
        self.commands = 0
        self.failures = []
        self.errors = []      # `position` minus the recorded position, in seconds
        self.latencies = []   # of `status`, in seconds
        self.memory = 0.0     # the maximum of the daemon and its workers
        self.received = 0
        self.quiet = 0.0

    def status(self):
        begin = time.monotonic()
        status = self.connection.call("status")
        self.latencies.append(time.monotonic() - begin)
        return status

    def run(self, seconds, seed):
        begin = time.monotonic()
        self.underruns = -self.status()["output"]["underruns"]
        while (left := begin + seconds - time.monotonic()) > 1:
            self.send_commands(min(left * 0.6, 30), seed)
            left = begin + seconds - time.monotonic()
            self.listen(max(min(left, 30), 6))
            seed += 1
        self.minutes = (time.monotonic() - begin) / 60
        self.underruns += self.status()["output"]["underruns"]
        self.at_rest = self.daemon.rest(self.connection)

    def send_commands(self, seconds, seed):
        self.connection.call("play")
        with RandomClients(self.daemon.socket, self.files, seed=seed) as clients:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                time.sleep(0.2)
                self.status()
                self.memory = max(self.memory, account.memory(self.daemon.pid))
        self.commands += clients.commands
        self.failures += clients.failures

    def listen(self, seconds):
        """Plays without commands: every frame must be recorded, and `position` must match the recording."""
        call = self.connection.call
        call("volume", level=100)
        call("repeat", mode="all")
        call("play", index=0)
        end = time.monotonic() + seconds
        while self.status()["rate"] != 1:
            if time.monotonic() > end + 20:
                return self.failures.append("no playback within twenty seconds")
            time.sleep(0.05)
        time.sleep(2)
        # Earlier runs were cut off by commands.
        self.recorder.take()
        since = time.monotonic()
        while time.monotonic() < end:
            self.compare()
            self.memory = max(self.memory, account.memory(self.daemon.pid))
        runs = self.recorder.take()
        self.quiet += time.monotonic() - since
        self.received += len(runs)
        self.failures += self.recorder.broken(runs, since)

    def compare(self):
        status = self.status()
        time.sleep(0.4)
        number = self.lengths.get(status["track"] and status["track"]["uri"])
        received = number and status["rate"] == 1 and self.recorder.position(number, status["monotonic"])
        if received:
            moment, position = received
            self.errors.append(status["position"] - (position - (moment - status["monotonic"])))

    def row(self):
        ahead = [error * 1000 for error in self.errors]
        worst = sorted(self.latencies)
        return [self.name, f"{self.minutes:.1f}", self.commands, f"{self.quiet:.0f}", self.received, self.underruns,
                f"{statistics.median(ahead):+.1f}" if ahead else "–",
                f"{max(map(abs, ahead)):.1f}" if ahead else "–",
                f"{worst[len(worst) // 2] * 1000:.2f}", f"{worst[len(worst) * 99 // 100] * 1000:.2f}",
                f"{self.memory:.1f}", f"{self.at_rest['memory']:.2f}", self.at_rest["descriptors"],
                self.at_rest["threads"], self.at_rest["zombies"], len(self.failures)]

    headings = ["phase", "min", "commands", "listened, s", "tracks whole", "underruns", "position − output, median ms",
                "largest, ms", "status median, ms", "status p99, ms", "memory playing, MB", "at rest, MB",
                "descriptors", "threads", "zombies", "failures"]
