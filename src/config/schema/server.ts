import { z } from 'zod';
import { choice, decimal, duration, flag, integer, list, secret, section, size, sizeOrShare, text } from './scalar.ts';

export const server = section(
  {
    host: text({ description: 'Address to listen on.', default: '127.0.0.1' }).optional(),
    port: integer({ description: 'Port; 0 takes a free one.', default: 4180 }, { min: 0, max: 65_535 }).optional(),
    hosts: list(text({ description: 'A host name.' }), {
      description: 'Host names accepted besides localhost, 127.0.0.1 and [::1] while no keys are required.',
      default: [],
    }).optional(),
    cors: list(text({ description: 'An origin.' }), {
      description: 'Origins that may call from a browser.',
      default: [],
    }).optional(),
    trustedProxies: list(text({ description: 'An address or a network (10.0.0.0/8).' }), {
      description: 'Proxies whose X-Forwarded-* headers are believed.',
      default: [],
    }).optional(),
    tls: section(
      {
        cert: text({ description: 'Certificate chain: a path, or PEM text.' }, { max: 1_000_000 }).optional(),
        key: secret({ description: 'Private key: a path, or PEM text.' }).optional(),
      },
      { description: 'Serve HTTPS.' },
    ).optional(),
    bodyLimit: size({ description: 'Largest request body, decoded; 413 above it.', default: '32MiB' }).optional(),
    websocket: flag({
      description: 'Responses over WebSocket; off: the upgrade is answered with 426.',
      default: true,
    }).optional(),
    maxRetryAfter: duration({ description: 'Longest delay that clients are told.', default: '60s' }).optional(),
    clientStall: duration({ description: 'How long a client may drain nothing.', default: '60s' }).optional(),
    maxInFlight: integer(
      { description: 'Most requests under way; 503 above it.', default: 10_000 },
      { min: 1, max: 1_000_000 },
    ).optional(),
    maxBuffered: sizeOrShare({
      description: 'Most bytes held over all requests: a size or a share of memory.',
      default: '25%',
    }).optional(),
    headersTimeout: duration({ description: 'For reading the head of a request.', default: '15s' }).optional(),
    requestTimeout: duration({ description: 'For reading the body of a request.', default: '60s' }).optional(),
    keepAliveTimeout: duration({ description: 'How long an idle connection stays open.', default: '75s' }).optional(),
    maxHeaderSize: size({ description: 'Largest head of a request.', default: '32KiB' }).optional(),
    maxConnections: integer(
      { description: 'Most connections.', default: 20_000 },
      { min: 1, max: 1_000_000 },
    ).optional(),
    drain: duration(
      { description: 'How long requests may go on after a stop.', default: '30s' },
      { zero: true },
    ).optional(),
    workers: z
      .union([
        choice(['auto'], { description: 'One per core.' }),
        integer({ description: 'Processes.' }, { min: 1, max: 1024 }),
      ])
      .meta({ description: 'Processes on this machine; `auto`: one per core.', default: 1 })
      .optional(),
  },
  { description: 'The listener and its limits.' },
);

export const network = section(
  {
    proxy: text({ description: 'Proxy for requests to providers.', default: '' }, { empty: true }).optional(),
    noProxy: text({ description: 'Hosts that are reached without it.', default: '' }, { empty: true }).optional(),
    ca: list(text({ description: 'Path of a certificate.' }), {
      description: 'More certificate authorities.',
      default: [],
    }).optional(),
  },
  { description: 'The way to providers.' },
);

const clientKey = section({
  name: text({ description: 'Name of the key, as shown in records.' }, { max: 128 }),
  key: secret({ description: 'The key.', examples: ['${UNDERSTUDY_KEY}'] }),
  models: list(text({ description: 'A name or pattern of models or of `provider/model`.' }), {
    description: 'What it may use; everything when absent.',
  }).optional(),
  rpm: integer({ description: 'Requests per minute.' }, { min: 1, max: 1_000_000_000 }).optional(),
  tpm: integer({ description: 'Tokens per minute.' }, { min: 1, max: 1_000_000_000_000 }).optional(),
  budget: section(
    {
      usd: decimal({ description: 'Dollars.' }, { min: 0, max: 1_000_000_000 }).optional(),
      per: choice(['hour', 'day', 'week', 'month', 'total'], { description: 'Period.' }).optional(),
    },
    { description: 'Most money per period.' },
  ).optional(),
});

export const auth = section(
  {
    required: choice(['auto', true, false], {
      description: 'Are keys needed? `auto`: unless the host is a loopback address.',
      default: 'auto',
    }).optional(),
    keys: list(clientKey, { description: 'Keys of clients.', default: [] }).optional(),
    adminToken: secret({
      description: 'Token of the management API; without one it answers on loopback only.',
      default: '',
    }).optional(),
  },
  { description: 'Who may use the gateway.' },
);
