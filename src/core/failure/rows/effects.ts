/** What many rows have in common. */

export const NO_TRACE = { scope: 'none', hold: null, weight: 0 } as const;
export const NO_TRACE_COLUMNS = { scope: 'none', hold: 'none', circuit: '–' } as const;
/** An outage of a route: a server's word for how long, else the circuit counts it. */
export const ROUTE_FAULT = { scope: 'route', hold: 'told_only', weight: 1 } as const;
export const ROUTE_FAULT_COLUMNS = { scope: 'route', hold: 'told; else circuit', circuit: '1' } as const;
