/** Below this it is the way there and back, and the second of the `Date` header. */
const LEAST_MS = 3000;

let aheadMs = 0;

/** Notes what the gateway's clock says: the clock of a phone may be minutes off, and moments are the gateway's. */
export function noteGatewayTime(date: string | null, now: number = Date.now()): void {
  const at = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(at)) return;
  aheadMs = Math.abs(at - now) < LEAST_MS ? 0 : at - now;
}

/** The time as the gateway has it, in epoch ms. */
export const gatewayNow = (now: number = Date.now()): number => now + aheadMs;
