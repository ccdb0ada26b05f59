// The controls of the lock screen and of headphones, if the person wants them. Browsers give them only to a page that plays
// something itself, so this plays silence: it may interrupt other apps, and a headset that is unplugged pauses the machine.
import {address} from "./cover.js";
import {artist, title} from "./format.js";
import {attempt} from "./actions.js";
import {keepConnected} from "./rpc.js";
import {may, observe, position, state} from "./state.js";

/** Whether the person wants the controls. */
export function isWanted() { return localStorage.getItem("media") === "on"; }

export function want(isOn) {
  localStorage.setItem("media", isOn ? "on" : "off");
  if (isOn) start(); else stop();
}

/** Whether this browser has such controls. */
export const isAvailable = "mediaSession" in navigator;

/** @type {HTMLAudioElement | null} */
let silence = null;
let stopObserving = () => {};

/** Returns ten seconds of silence as a file of WAV: one channel, 8 bit, 8,000 samples a second. */
function silentFile() {
  const bytes = new Uint8Array(44 + 80_000).fill(128, 44);
  const view = new DataView(bytes.buffer);
  const text = (offset, value) => [...value].forEach((letter, index) => view.setUint8(offset + index, letter.charCodeAt(0)));
  text(0, "RIFF"); view.setUint32(4, bytes.length - 8, true); text(8, "WAVEfmt ");
  view.setUint32(16, 16, true); view.setUint16(20, 1, true); view.setUint16(22, 1, true);
  view.setUint32(24, 8_000, true); view.setUint32(28, 8_000, true); view.setUint16(32, 1, true); view.setUint16(34, 8, true);
  text(36, "data"); view.setUint32(40, 80_000, true);
  return new Blob([bytes], {type: "audio/wav"});
}

/** Begins to follow the machine. A browser plays nothing before the person has tapped somewhere, so that it may begin later. */
export function start() {
  if (!isAvailable || silence || !may("control")) return;
  silence = new Audio(URL.createObjectURL(silentFile()));
  silence.loop = true;
  keepConnected(true);
  const session = navigator.mediaSession;
  session.setActionHandler("play", () => attempt("play"));
  session.setActionHandler("pause", () => attempt("pause"));
  session.setActionHandler("previoustrack", () => attempt("prev"));
  session.setActionHandler("nexttrack", () => attempt("next"));
  session.setActionHandler("seekto", details => attempt("seek", {position: details.seekTime}));
  stopObserving = observe(draw);
  addEventListener("pointerup", draw);
  draw();
}

function stop() {
  stopObserving();
  removeEventListener("pointerup", draw);
  silence?.pause();
  if (silence) URL.revokeObjectURL(silence.src);
  silence = null;
  keepConnected(false);
  navigator.mediaSession.metadata = null;
  navigator.mediaSession.playbackState = "none";
}

function draw() {
  const {status} = state;
  const session = navigator.mediaSession;
  const track = status?.track;
  if (!silence) return;
  if (status?.state === "playing") silence.play().catch(() => {}); else silence.pause();
  session.playbackState = status?.state === "playing" ? "playing" : track ? "paused" : "none";
  const art = address(track?.metadata.art);
  session.metadata = track ? new MediaMetadata({
    title: status.metadata?.title ?? title(track), artist: status.metadata?.artist ?? artist(track), album: status.metadata?.album ?? "",
    artwork: art ? [{src: art}] : [],
  }) : null;
  const [now, duration] = [position(), status?.duration];
  if (now !== null && duration) session.setPositionState({duration, position: Math.min(now, duration), playbackRate: status.speed || 1});
  else session.setPositionState();
}
