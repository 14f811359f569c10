import { type Report, refuse } from './report.ts';
import type { OtlpSettings } from './runtime.ts';
import type { ConfigInput } from './schema/index.ts';

const TRACES_PATH = '/v1/traces';

/** The address as exporters take it: with the path of traces, which may stand there already. Null: nothing is sent. */
export function buildOtlp(
  address: string,
  { ratio = 1, names = 'current' }: NonNullable<NonNullable<ConfigInput['telemetry']>['traces']>,
  report: Report,
): OtlpSettings | null {
  if (address === '') return null;
  const path = ['telemetry', 'otlp'];
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.hostname === '' || !/^https?:$/.test(url.protocol)) {
    refuse(report, path, 'is no address of a receiver', 'write it as http://127.0.0.1:4318');
    return null;
  }
  if (url.username !== '' || url.password !== '') {
    refuse(report, path, 'holds a user or a password', 'send them as a header: OTEL_EXPORTER_OTLP_HEADERS has it');
    return null;
  }
  url.hash = '';
  const base = url.pathname.replace(/\/+$/, '');
  url.pathname = base.endsWith(TRACES_PATH) ? base : `${base}${TRACES_PATH}`;
  return { url: url.href, ratio, names };
}
