"""A private PulseAudio with a null sink."""

import subprocess
import time

from .sandbox import end

sink = "bench"
rate = 44100


class Pulse:
    def __init__(self, sandbox):
        self.environment = sandbox.environment("pulse")
        self.socket = sandbox.pulse_socket

    def __enter__(self):
        self.process = subprocess.Popen(
            ["pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--log-target=null"]
            + [f"--load=module-null-sink sink_name={sink} rate={rate}"]
            + [f"--load=module-native-protocol-unix socket={self.socket} auth-anonymous=1"],
            env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while subprocess.run(["pactl", "info"], env=self.environment, capture_output=True).returncode:
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError("the private PulseAudio does not respond")
            time.sleep(0.05)
        return self

    def __exit__(self, *_):
        end(self.process)

    @property
    def is_played_to(self):
        """Whether a stream is playing."""
        inputs = subprocess.run(["pactl", "list", "sink-inputs"], env=self.environment, capture_output=True, text=True)
        return "Corked: no" in inputs.stdout

    @property
    def pid(self):
        return self.process.pid
