import type { Finding, Path } from './problem.ts';
import type { ConfigWarning } from './warning.ts';

/** What checks have to say; they add to it and go on. */
export type Report = { readonly findings: Finding[]; readonly warnings: ConfigWarning[] };

export const createReport = (): Report => ({ findings: [], warnings: [] });

export function refuse(report: Report, path: Path, message: string, hint: string | null = null): void {
  report.findings.push({ path, message, hint });
}
