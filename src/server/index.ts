export type { ServerPorts } from './context.ts';
export { engineSettings } from './engine-settings.ts';
export { createGatewayServer, type GatewayServer } from './gateway-server.ts';
export { isLoopback } from './loopback-rule.ts';
