import { describe, expect, it } from 'vitest';
import { nginxConfig } from './nginx-config.ts';
import { FEATURES, understudyConfig } from './understudy-config.ts';
import { WORKLOADS } from './workloads.ts';

const PORTS = { port: 1111, faultPort: 2222 };

describe('the configuration of the gateway', () => {
  const [workload] = WORKLOADS;
  const failing = WORKLOADS.find(({ fault }) => fault !== null);
  if (workload === undefined || failing === undefined) throw new Error('no workload');

  it('has everything on, and each feature off when asked', () => {
    const on = understudyConfig(workload, PORTS, []);
    for (const feature of FEATURES) expect(understudyConfig(workload, PORTS, [feature])).not.toBe(on);
    expect(on).toMatch(/kind: sqlite[\s\S]*level: info[\s\S]*enabled: true/);
    expect(understudyConfig(workload, PORTS, FEATURES)).toMatch(
      /kind: memory[\s\S]*level: silent[\s\S]*enabled: false/,
    );
  });

  it('sends to the failing provider first, where one fails', () => {
    expect(understudyConfig(workload, PORTS, [])).not.toContain('2222');
    expect(understudyConfig(failing, PORTS, [])).toMatch(/first: .*:2222\/.*\n.*second: .*:1111\//);
  });
});

it('nginx has a second server only if the first one fails', () => {
  expect(nginxConfig(1, 5, 5)).toContain('down');
  expect(nginxConfig(1, 6, 5)).toMatch(/127\.0\.0\.1:6 max_fails=0;\n.*127\.0\.0\.1:5 max_fails=0 backup/);
});
