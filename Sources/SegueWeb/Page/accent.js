// The colour of the page, which is taken from the cover of what is played.

/** Gives the page the colour of a picture. @param {HTMLImageElement} picture */
export function paintAfter(picture) { paint(colour(picture)); }

/**
 * Gives the page a colour: [hue in degrees, saturation in percent]; null for its own. Yellow is much lighter than blue of the
 * same lightness, so that the lightness depends on the hue: every colour can be read, and be read on, in both themes.
 * @param {[number, number] | null} found
 */
export function paint(found) {
  const {style} = document.documentElement;
  const names = ["--hue", "--saturation", "--light", "--dark"];
  if (!found) return names.forEach(name => style.removeProperty(name));
  const [hue, saturation] = [found[0], Math.min(found[1], 80)];
  let light = 45;
  while (light > 10 && luminance(hue, saturation, light) > 0.135) light -= 1;
  let dark = 62;
  while (dark < 95 && luminance(hue, saturation, dark) < 0.29) dark += 1;
  const values = [String(hue), `${saturation}%`, `${light}%`, `${dark}%`];
  names.forEach((name, index) => style.setProperty(name, values[index]));
}

/** Returns the relative luminance of a colour, as WCAG defines it. */
function luminance(hue, saturation, lightness) {
  const [s, l] = [saturation / 100, lightness / 100];
  const channel = offset => {
    const k = (offset + hue / 30) % 12;
    const value = l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4);
}

/**
 * Returns the colour of a picture that is strong and frequent, as [hue, saturation]; null for a grey picture.
 * @param {HTMLImageElement} picture
 * @returns {[number, number] | null}
 */
function colour(picture) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 24;
  const context = canvas.getContext("2d", {willReadFrequently: true});
  if (!context) return null;
  context.drawImage(picture, 0, 0, 24, 24);
  const {data} = context.getImageData(0, 0, 24, 24);
  const weights = new Float32Array(36);
  const saturations = new Float32Array(36);
  for (let index = 0; index < data.length; index += 4) {
    const [red, green, blue] = [data[index] / 255, data[index + 1] / 255, data[index + 2] / 255];
    const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
    const range = most - least;
    if (range < 0.12 || most < 0.15) continue;
    const hue = most === red ? ((green - blue) / range + 6) % 6 : most === green ? (blue - red) / range + 2 : (red - green) / range + 4;
    const bin = Math.floor(hue * 6) % 36;
    weights[bin] += range * most;
    saturations[bin] = Math.max(saturations[bin], range / most);
  }
  const best = weights.indexOf(Math.max(...weights));
  return weights[best] > 4 ? [best * 10 + 5, Math.round(saturations[best] * 100)] : null;
}
