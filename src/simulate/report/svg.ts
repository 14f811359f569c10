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
