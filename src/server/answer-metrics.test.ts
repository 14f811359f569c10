import { describe, expect, it } from 'vitest';
import type { RuntimeConfig } from '../config/runtime.ts';
import { Secret } from '../core/redact/secret.ts';
import { refuseVisitor } from './answer-metrics.ts';

const configOf = (token: string | null, admin: string | null) =>
  ({
    server: { hosts: [], cors: [] },
    auth: { required: false, keys: [], adminToken: admin === null ? null : new Secret(admin) },
    telemetry: { prometheus: { enabled: true, token: token === null ? null : new Secret(token) } },
  }) as unknown as RuntimeConfig;

const visit = (peer: string | undefined, authorization: string | null, config: RuntimeConfig) =>
  refuseVisitor(
    { peer, method: 'GET', headers: { host: 'localhost', ...(authorization === null ? {} : { authorization }) } },
    config,
  )?.error.code ?? null;

describe('who may see metrics', () => {
  it.each([
    ['this machine', '127.0.0.1', null, null, null, null],
    ['this machine, by IPv6', '::1', null, 'm', 'a', null],
    ['another machine', '192.0.2.7', null, null, null, 'forbidden'],
    ['nobody knows who', undefined, null, null, null, 'forbidden'],
    ['another machine with no token', '192.0.2.7', null, 'm', null, 'invalid_api_key'],
    ['another machine, admin only', '192.0.2.7', null, null, 'a', 'invalid_api_key'],
    ['another machine with the token', '192.0.2.7', 'Bearer m', 'm', 'a', null],
    ['another machine with the admin token', '192.0.2.7', 'Bearer a', 'm', 'a', null],
    ['another machine with another token', '192.0.2.7', 'Bearer x', 'm', 'a', 'invalid_api_key'],
    ['another machine with an empty token', '192.0.2.7', 'Bearer ', '', '', 'invalid_api_key'],
  ])('%s', (_name, peer, authorization, token, admin, code) => {
    expect(visit(peer, authorization, configOf(token, admin))).toBe(code);
  });
});
