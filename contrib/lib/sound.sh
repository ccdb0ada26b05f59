# shellcheck shell=bash
# A sound server to play through: the person's own if it answers, else a private one that nobody hears.
# Sourced, never run; wants say.sh and packages.sh.

# What the server that clients would reach says of itself; fails where there is none, or one that hangs.
server_info() { LC_ALL=C timeout 3 pactl info 2>/dev/null; }

# Sees to it that a server answers; exports PULSE_SERVER for a private one, and leaves its pid in `silent_server`.
# The argument is a folder of ours for its socket and log.
require_sound() {
  local place=$1 info
  require "pactl pulseaudio-utils"
  if info=$(server_info); then
    if [[ $info == *"Default Sink: auto_null"* ]]; then
      note "The sound server knows no sound card, only a dummy output: nothing will be audible."
    fi
    return
  fi
  if [[ -n ${PULSE_SERVER:-} ]]; then
    note "PULSE_SERVER is set to $PULSE_SERVER, and nothing answers there."
  fi
  start_silent_server "$place"
}

# A PulseAudio with one sink that leads nowhere. It ends by itself a minute after its last client has gone.
start_silent_server() {
  local place=$1
  export PULSE_SERVER=unix:$place/pulse
  if ! server_info >/dev/null; then
    require "pulseaudio pulseaudio"
    rm -f "$place/pulse"
    env -u DISPLAY PULSE_RUNTIME_PATH="$place" PULSE_STATE_PATH="$place" setsid pulseaudio -n --daemonize=no \
      --use-pid-file=no --exit-idle-time=60 --log-target="newfile:$place/pulseaudio.log" \
      --load="module-null-sink sink_name=silence" \
      --load="module-native-protocol-unix socket=$place/pulse auth-anonymous=1" </dev/null >/dev/null 2>&1 &
    silent_server=$!
    local tries
    for ((tries = 0; tries < 100; tries++)); do
      server_info >/dev/null && break
      kill -0 "$silent_server" 2>/dev/null || fail "a private PulseAudio would not start" "See $place/pulseaudio.log"
      sleep 0.1
    done
    server_info >/dev/null || fail "a private PulseAudio does not answer" "See $place/pulseaudio.log"
  fi
  step "No sound server answers: playing into a private one. Nothing will be audible."
  note "To hear it, start PipeWire or PulseAudio in your session, end segued, and run this again."
}
