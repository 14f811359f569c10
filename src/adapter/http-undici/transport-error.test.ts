import { errors } from 'undici';
import { describe, expect, it } from 'vitest';
import { describeTransportError, type ExchangeStage } from './transport-error.ts';

function coded(code: string, message = 'x', more: object = {}): Error {
  return Object.assign(new Error(message), { code }, more);
}

const CASES: readonly (readonly [Error, ExchangeStage, string])[] = [
  [coded('ENOTFOUND'), 'connecting', 'dns'],
  [coded('EAI_AGAIN'), 'connecting', 'dns'],
  [coded('ECONNREFUSED'), 'connecting', 'refused'],
  [coded('ENETUNREACH'), 'connecting', 'unreachable'],
  [coded('EHOSTUNREACH'), 'connecting', 'unreachable'],
  [coded('ETIMEDOUT'), 'connecting', 'unreachable'],
  [new errors.ConnectTimeoutError(), 'connecting', 'unreachable'],
  [coded('CERT_HAS_EXPIRED'), 'connecting', 'tls'],
  [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'connecting', 'tls'],
  [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'connecting', 'tls'],
  [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'connecting', 'tls'],
  [coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'connecting', 'tls'],
  [coded('EPROTO'), 'connecting', 'tls'],
  [coded('ECONNRESET'), 'connecting', 'reset'],
  [coded('ECONNRESET'), 'sent', 'reset'],
  [coded('EPIPE'), 'sent', 'reset'],
  [new errors.SocketError('other side closed'), 'sent', 'closed'],
  [new errors.SocketError('other side closed'), 'body', 'closed'],
  [new errors.SocketError('bad response'), 'sent', 'bad_http'],
  [new errors.SocketError('bad upgrade'), 'sent', 'bad_http'],
  [new errors.HTTPParserError('Invalid header token'), 'sent', 'bad_http'],
  [new errors.HTTPParserError('Response does not match (Invalid EOF state)'), 'body', 'closed'],
  [coded('HPE_INVALID_CHUNK_SIZE'), 'body', 'bad_http'],
  [new errors.ResponseContentLengthMismatchError(), 'body', 'closed'],
  [new errors.ResponseContentLengthMismatchError(), 'sent', 'bad_http'],
  [new errors.HeadersOverflowError(), 'sent', 'bad_http'],
  [new errors.InvalidArgumentError('invalid authorization header'), 'connecting', 'bad_http'],
  [coded('EMFILE'), 'connecting', 'local'],
  [coded('ENFILE'), 'connecting', 'local'],
  [coded('EADDRNOTAVAIL'), 'connecting', 'local'],
  [coded('ENOMEM'), 'connecting', 'local'],
  [coded('ENOBUFS'), 'sent', 'local'],
  [new errors.ClientDestroyedError(), 'connecting', 'local'],
  // A connection that had been made can't have failed to be made.
  [coded('ETIMEDOUT'), 'sent', 'reset'],
  [coded('EHOSTUNREACH'), 'body', 'reset'],
  [coded('ENOTFOUND'), 'body', 'reset'],
  [coded('ECONNREFUSED'), 'sent', 'reset'],
  [coded('ERR_SSL_BAD_RECORD_TYPE'), 'body', 'reset'],
  [coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'sent', 'tls'],
  // Nobody knows.
  [new Error('what'), 'connecting', 'unreachable'],
  [new Error('what'), 'body', 'closed'],
  // The innermost tells.
  [new Error('wrapped', { cause: coded('ECONNREFUSED') }), 'connecting', 'refused'],
  [new AggregateError([coded('EADDRNOTAVAIL'), coded('ECONNREFUSED')]), 'connecting', 'refused'],
  [coded('EADDRNOTAVAIL', 'all', { errors: [coded('EADDRNOTAVAIL'), coded('ECONNREFUSED')] }), 'connecting', 'refused'],
  [new AggregateError([coded('EMFILE'), coded('EMFILE')]), 'connecting', 'local'],
];

describe('describeTransportError', () => {
  it.each(CASES)('%s while %s: %s', (error, stage, expected) => {
    expect(describeTransportError(error, stage).error).toBe(expected);
  });

  it('tells in a few words, whatever was thrown', () => {
    expect(describeTransportError(coded('EPIPE', 'write'), 'sent').detail).toBe('EPIPE: write');
    expect(describeTransportError(coded('EPIPE', 'write EPIPE'), 'sent').detail).toBe('write EPIPE');
    expect(describeTransportError(new Error('y'.repeat(1000)), 'sent').detail).toHaveLength(300);
    expect(describeTransportError('a string', 'sent')).toEqual({ error: 'closed', detail: 'unknown error' });
    const loop: Error & { cause?: unknown } = new Error('loop');
    loop.cause = loop;
    expect(describeTransportError(loop, 'sent').error).toBe('closed');
  });
});
