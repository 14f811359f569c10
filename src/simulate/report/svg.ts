const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as it may stand in XML; characters that XML does not have are left out. */
export const escapeXml = (text: string): string =>
  text.replace(/[^\t\n\u0020-\ud7ff\ue000-\ufffd]/g, '').replace(/[&<>"']/g, (char) => ESCAPES[char] ?? '');

export const textNode = (x: number, y: number, text: string, attributes = ''): string =>
  `<text x="${round(x)}" y="${round(y)}"${attributes === '' ? '' : ` ${attributes}`}>${escapeXml(text)}</text>`;

/** Tenths of a pixel are enough. */
export const round = (value: number): number => Math.round(value * 10) / 10;

export const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** Told apart by most people with a weakness for colours, on light and on dark. */
const LIGHT = ['#3b6fb6', '#d98b1f', '#3f9d76', '#8d63b0', '#b0578a', '#6b7f1e', '#2f93a8', '#8a6a4f'];
const DARK = ['#7aa7e6', '#f0b45a', '#6fcfa5', '#bd9ae0', '#e08bbd', '#a9bf55', '#6cc6da', '#c0a285'];

/** So many layers have a colour of their own. */
export const MOST_COLOURS = LIGHT.length;

/** Failures are hatched too, so that nobody needs to see red. */
export const HATCH =
  '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="bad" width="6" height="6"/><rect class="stripe" width="2" height="6"/></pattern></defs>';

/** Texts have their size for a narrow window; in a wide one the whole grows, and they need not. */
export function styleOf(series: number): string {
  const colours = (palette: readonly string[]): string =>
    palette
      .slice(0, series)
      .map((colour, i) => `.s${i}{fill:${colour}}`)
      .join('');
  const sizes =
    'text{font-size:14px}.head{font-size:16px;font-weight:600}@media (min-width:600px){text{font-size:11px}.head{font-size:13px}}';
  const light =
    '.ground{fill:#fff}text{fill:#333}.dim{fill:#5f5f5f}.line{stroke:#d8d8d8;stroke-width:1}.edge{stroke:#fff;stroke-width:.75}.bad,.out{fill:#c62f2f}.stripe{fill:#e58a8a}.soft{fill:#d9a92f}.failed{fill:url(#hatch)}';
  const dark =
    '.ground{fill:#16181d}text{fill:#e4e4e4}.dim{fill:#a8a8a8}.line{stroke:#3a3d45}.edge{stroke:#16181d}.bad,.out{fill:#ff6b6b}.stripe{fill:#8f2f33}.soft{fill:#e5c25c}';
  return `<style>${sizes}${light}${colours(LIGHT)}@media (prefers-color-scheme:dark){${dark}${colours(DARK)}}</style>`;
}

/** A moment or a span for people: 0:07, 12:00, 1:02:30, or 500 ms. */
export function writeMoment(ms: number): string {
  if (ms > 0 && ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  const two = (n: number): string => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const rest = two(seconds % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** A span in words: 500 ms, 2 s, 5 m, 1 h. */
export function writeSpan(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
  return ms % 3_600_000 === 0 ? `${ms / 3_600_000} h` : `${Math.round(ms / 60_000)} m`;
}
