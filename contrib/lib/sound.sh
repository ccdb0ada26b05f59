# shellcheck shell=bash
# Finds a sound server, or starts a private, silent one. This file is sourced, after say.sh and packages.sh.

# Prints the properties of the default server; fails if there is none or if it does not respond.
server_info() { LC_ALL=C timeout 3 pactl info 2>/dev/null; }

# Ensures that a server responds. For a private server, exports PULSE_SERVER and sets `silent_server` to its pid. The argument
# is a folder for its socket and log.
require_sound() {
  local place=$1 info
  require "pactl pulseaudio-utils"
  if info=$(server_info); then
    if [[ $info == *"Default Sink: auto_null"* ]]; then
      note "$(t "The sound server has no sound card, only a dummy output: nothing will be audible.")"
    fi
    return
  fi
  if [[ -n ${PULSE_SERVER:-} ]]; then
    note "$(t "PULSE_SERVER is set to %s, but no server responds there." "$PULSE_SERVER")"
  fi
  start_silent_server "$place"
}

# Starts a PulseAudio with a null sink. It exits one minute after its last client has disconnected.
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
      kill -0 "$silent_server" 2>/dev/null || fail "$(t "a private PulseAudio did not start")" "$(t "See %s" "$place/pulseaudio.log")"
      sleep 0.1
    done
    server_info >/dev/null || fail "$(t "a private PulseAudio does not respond")" "$(t "See %s" "$place/pulseaudio.log")"
  fi
  step "$(t "No sound server responds: starting a silent private one. Nothing will be audible.")"
  note "$(t "To hear music, start PipeWire or PulseAudio in your session, stop segued, and run this again.")"
}
