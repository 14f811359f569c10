export type { ServerPorts } from './context.ts';
export { createDashboard } from './dashboard/dashboard.ts';
export { engineSettings } from './engine-settings.ts';
export { createGatewayServer, type GatewayServer } from './gateway-server.ts';
export { isLoopback } from './loopback-rule.ts';
export type { ReadinessPort } from './readiness.ts';
