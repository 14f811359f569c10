import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the pages are built to: beside this file in `dist/`, else in the `dist/` of the checkout. */
export function findDashboard(): string {
  const folder = dirname(fileURLToPath(import.meta.url));
  return basename(folder) === 'app' ? join(folder, '..', '..', 'dist', 'dashboard') : join(folder, 'dashboard');
}
