/**
 * A 64-bit FNV-1a-like hash in two 32-bit lanes, as 16 hex digits. For telling texts apart, not for keeping secrets.
 * Parts are separated, so that ("a", "bc") and ("ab", "c") differ.
 */
export function hash64(parts: Iterable<Uint8Array | string>): string {
  let high = 0x811c9dc5;
  let low = 0xc9dc5118;
  for (const part of parts) {
    const bytes = typeof part === 'string' ? new TextEncoder().encode(part) : part;
    for (let i = 0; i < bytes.length; i++) {
      const c = bytes[i] as number;
      high = Math.imul(high ^ c, 0x01000193);
      low = Math.imul(low ^ c ^ (high >>> 13), 0x85ebca6b);
    }
    high = Math.imul(high ^ 0x1ff, 0x01000193);
    low = Math.imul(low ^ 0x1ff, 0x85ebca6b);
  }
  return hex(high) + hex(low ^ (low >>> 15));
}

const hex = (lane: number): string => (lane >>> 0).toString(16).padStart(8, '0');
