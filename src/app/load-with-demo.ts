import type { LoadResult } from '../config/load.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { Configuration } from './configuration.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';

export type DemoLoader = {
  /** Reads a configuration; the first one that uses the demo's provider has that started. */
  readonly load: (text: string) => Promise<LoadResult>;
  close(): Promise<void> | undefined;
};

export function createDemoLoader(configuration: Pick<Configuration, 'load'>): DemoLoader {
  const demo: { server: DemoServer | null } = { server: null };
  return {
    async load(text) {
      const result = configuration.load(text, demo.server?.origin ?? null);
      if (!result.ok || demo.server !== null || !usesDemo(result.config)) return result;
      demo.server = await startDemoServer();
      return configuration.load(text, demo.server.origin);
    },
    close: () => demo.server?.close(),
  };
}

const usesDemo = (config: RuntimeConfig): boolean =>
  [...config.providers.values()].some((provider) => provider.preset === 'demo');
