import { describe, expect, it } from 'vitest';
import type { RuntimeConfig } from '../config/runtime.ts';
import { Secret } from '../core/redact/secret.ts';
import { findClientKey, hasAdminToken } from './auth.ts';

const config = {
  auth: {
    required: true,
    keys: [
      { name: 'ci', secret: new Secret('key-ci'), models: null },
      { name: 'empty', secret: new Secret(''), models: null },
      { name: 'dev', secret: new Secret('key-dev'), models: ['main'] },
    ],
    adminToken: new Secret('admin'),
  },
} as unknown as RuntimeConfig;

describe('client keys', () => {
  it.each([
    ['authorization', 'Bearer key-dev'],
    ['authorization', 'bearer  key-dev '],
    ['x-api-key', 'key-dev'],
    ['x-goog-api-key', 'key-dev'],
  ])('are taken from %s: %s', (name, value) => {
    expect(findClientKey(config, { [name]: value })?.name).toBe('dev');
  });

  it('are found beside a wrong one in another header', () => {
    expect(findClientKey(config, { authorization: 'Bearer wrong', 'x-api-key': 'key-ci' })?.name).toBe('ci');
  });

  it.each([
    [{}],
    [{ authorization: 'Bearer ' }],
    [{ authorization: 'Basic key-ci' }],
    [{ authorization: 'key-ci' }],
    [{ 'x-api-key': '' }],
    [{ 'x-api-key': 'key-ci ' }],
    [{ 'x-api-key': 'admin' }],
  ])('are not found in %j', (headers: Record<string, string>) => {
    expect(findClientKey(config, headers)).toBeNull();
  });

  it('are found again as they were found, and nothing but whole ones', () => {
    for (const round of [1, 2]) {
      expect(findClientKey(config, { 'x-api-key': 'key-dev' })?.name, `round ${round}`).toBe('dev');
      expect(findClientKey(config, { 'x-api-key': 'key-de' })).toBeNull();
      expect(findClientKey(config, { 'x-api-key': 'wrong' })).toBeNull();
    }
    const other = { auth: { ...config.auth, keys: [] } } as unknown as RuntimeConfig;
    expect(findClientKey(other, { 'x-api-key': 'key-dev' })).toBeNull();
  });

  it('are not the admin token, nor the other way round', () => {
    expect(hasAdminToken(config, { authorization: 'Bearer admin' })).toBe(true);
    expect(hasAdminToken(config, { authorization: 'Bearer key-ci' })).toBe(false);
    expect(hasAdminToken(config, { 'x-api-key': 'admin' })).toBe(false);
  });

  it('an empty admin token opens nothing', () => {
    const open = { auth: { ...config.auth, adminToken: new Secret('') } } as unknown as RuntimeConfig;
    expect(hasAdminToken(open, { authorization: 'Bearer ' })).toBe(false);
  });
});
