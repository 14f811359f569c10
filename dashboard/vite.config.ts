import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Built by `tools/build.ts` into `dist/dashboard`; `npx vite dashboard` serves it beside a gateway on its usual port. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2023',
    // A page that may run no inline script can not preload by one.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  server: {
    proxy: { '/api': 'http://127.0.0.1:4180', '/v1': 'http://127.0.0.1:4180', '/v1beta': 'http://127.0.0.1:4180' },
  },
  logLevel: 'warn',
});
