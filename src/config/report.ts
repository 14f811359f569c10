import type { Finding, Path } from './problem.ts';
import type { ConfigWarning } from './warning.ts';

/** What checks have to say; they add to it and go on. */
export type Report = {
  readonly findings: Finding[];
  readonly warnings: ConfigWarning[];
  /** The variable or file that a value is, for people; null: it stands in the document itself. */
  readonly sourceOf: (path: Path) => string | null;
};

export const createReport = (sourceOf: Report['sourceOf'] = () => null): Report => ({
  findings: [],
  warnings: [],
  sourceOf,
});

export function refuse(report: Report, path: Path, message: string, hint: string | null = null): void {
  report.findings.push({ path, message, hint });
}
