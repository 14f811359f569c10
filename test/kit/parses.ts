/** Whether `JSON.parse` takes it: the judge of every JSON reader here. */
export function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
