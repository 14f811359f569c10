import { Secret } from '../core/redact/secret.ts';

/** Freezes plain data all the way down; maps keep their type's promise of being read only. */
export function freeze<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value) || value instanceof Secret) return value;
  if (value instanceof Map) {
    for (const member of value.values()) freeze(member);
    return value;
  }
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
}
