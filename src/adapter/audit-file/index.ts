export { createAuditFile } from './audit-file.ts';
