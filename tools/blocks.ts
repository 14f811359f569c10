/** Parts of a page that are printed from data: the lines between `<!-- KIND:NAME -->` and `<!-- /KIND -->`. */
export type Block = { readonly name: string; readonly text: string };

/** Text between the markers of a block, without them; null if the page has no such block. */
export function readBlock(page: string, name: string): string | null {
  const place = findBlock(page, name);
  return place && page.slice(place.start, place.end).replace(/\n$/, '');
}

/** The page with the block's text put between its markers. Throws if it has none. */
export function writeBlock(page: string, { name, text }: Block): string {
  const place = findBlock(page, name);
  if (place === null) throw new Error(`the page has no block <!-- ${name} -->`);
  return `${page.slice(0, place.start)}${text}\n${page.slice(place.end)}`;
}

function findBlock(page: string, name: string): { start: number; end: number } | null {
  const marker = `<!-- ${name} -->\n`;
  const found = page.indexOf(marker);
  const start = found + marker.length;
  const end = page.indexOf(`<!-- /${name.split(':')[0]} -->`, start);
  return found < 0 || end < 0 ? null : { start, end };
}
