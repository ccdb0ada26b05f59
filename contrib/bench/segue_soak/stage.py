"""A while under one condition: random commands, then a stretch that is only listened to."""

import statistics
import time

from segue_bench import account

from .company import Company


class Stage:
    def __init__(self, name, daemon, connection, ear, files, lengths):
        self.name, self.daemon, self.connection = name, daemon, connection
        self.ear, self.files, self.lengths = ear, files, lengths
        self.commands = 0
        self.failures = []
        self.errors = []      # how far `position` is ahead of the ear, in seconds
        self.latencies = []   # of `status`, in seconds
        self.memory = 0.0     # the daemon's and its workers', at most
        self.heard = 0
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
            self.company(min(left * 0.6, 30), seed)
            left = begin + seconds - time.monotonic()
            self.listen(max(min(left, 30), 6))
            seed += 1
        self.minutes = (time.monotonic() - begin) / 60
        self.underruns += self.status()["output"]["underruns"]
        self.at_rest = self.daemon.rest(self.connection)

    def company(self, seconds, seed):
        self.connection.call("play")
        with Company(self.daemon.socket, self.files, seed=seed) as company:
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                time.sleep(0.2)
                self.status()
                self.memory = max(self.memory, account.memory(self.daemon.pid))
        self.commands += company.commands
        self.failures += company.failures

    def listen(self, seconds):
        """Nobody commands: every frame is heard, and `position` is where the ear is."""
        call = self.connection.call
        call("volume", level=100)
        call("repeat", mode="all")
        call("play", index=0)
        end = time.monotonic() + seconds
        while self.status()["rate"] != 1:
            if time.monotonic() > end + 20:
                return self.failures.append("nothing is heard within twenty seconds")
            time.sleep(0.05)
        time.sleep(2)
        # What began before was cut off by a command, as it should be.
        self.ear.take()
        since = time.monotonic()
        while time.monotonic() < end:
            self.compare()
            self.memory = max(self.memory, account.memory(self.daemon.pid))
        runs = self.ear.take()
        self.quiet += time.monotonic() - since
        self.heard += len(runs)
        self.failures += self.ear.broken(runs, since)

    def compare(self):
        status = self.status()
        time.sleep(0.4)
        number = self.lengths.get(status["track"] and status["track"]["uri"])
        heard = number and status["rate"] == 1 and self.ear.position(number, status["monotonic"])
        if heard:
            moment, position = heard
            self.errors.append(status["position"] - (position - (moment - status["monotonic"])))

    def row(self):
        ahead = [error * 1000 for error in self.errors]
        worst = sorted(self.latencies)
        return [self.name, f"{self.minutes:.1f}", self.commands, f"{self.quiet:.0f}", self.heard, self.underruns,
                f"{statistics.median(ahead):+.1f}" if ahead else "–",
                f"{max(map(abs, ahead)):.1f}" if ahead else "–",
                f"{worst[len(worst) // 2] * 1000:.2f}", f"{worst[len(worst) * 99 // 100] * 1000:.2f}",
                f"{self.memory:.1f}", f"{self.at_rest['memory']:.2f}", self.at_rest["descriptors"],
                self.at_rest["threads"], self.at_rest["zombies"], len(self.failures)]

    headings = ["stage", "min", "commands", "listened, s", "tracks whole", "underruns", "position − ear, median ms",
                "largest, ms", "status median, ms", "status p99, ms", "memory playing, MB", "at rest, MB",
                "descriptors", "threads", "zombies", "failures"]
