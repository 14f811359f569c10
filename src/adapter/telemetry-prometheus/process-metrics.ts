import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';

/** How often the delay of the event loop is looked at, ms. */
const RESOLUTION_MS = 10;

let registry: Promise<Registry> | null = null;

/**
 * The page of this process: memory, event loop, garbage collection, handles. One for all gateways in it, since its
 * observers are the process's and are never taken off. It measures from the first call on.
 */
export async function renderProcessMetrics(): Promise<string> {
  registry ??= observeProcess();
  return (await registry).metrics();
}

async function observeProcess(): Promise<Registry> {
  const { collectDefaultMetrics, Registry } = await import('prom-client');
  const register = new Registry();
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: RESOLUTION_MS });
  // Without a first look at the loop the page would tell of a delay of three hundred years.
  await sleep(3 * RESOLUTION_MS);
  return register;
}

/** What prom-client tells of a process, by name; some of it on Linux only. */
export const PROCESS_METRICS: Readonly<Record<string, string>> = {
  process_cpu_user_seconds_total: 'CPU time in user mode',
  process_cpu_system_seconds_total: 'CPU time in the kernel',
  process_cpu_seconds_total: 'the sum of both',
  process_start_time_seconds: 'when the process started, as Unix time',
  process_resident_memory_bytes: 'resident memory (RSS)',
  process_virtual_memory_bytes: 'virtual memory (Linux)',
  process_heap_bytes: 'data segment (Linux)',
  process_open_fds: 'open file descriptors (Linux)',
  process_max_fds: 'limit of file descriptors (Linux)',
  nodejs_eventloop_lag_seconds: 'delay of the event loop now',
  nodejs_eventloop_lag_min_seconds: 'least delay since the last scrape',
  nodejs_eventloop_lag_max_seconds: 'greatest delay since the last scrape',
  nodejs_eventloop_lag_mean_seconds: 'mean delay since the last scrape',
  nodejs_eventloop_lag_stddev_seconds: 'standard deviation since the last scrape',
  nodejs_eventloop_lag_p50_seconds: 'median delay since the last scrape',
  nodejs_eventloop_lag_p90_seconds: '90th percentile since the last scrape',
  nodejs_eventloop_lag_p99_seconds: '99th percentile since the last scrape',
  nodejs_active_resources: 'things that keep the event loop alive, by `type`',
  nodejs_active_resources_total: 'their sum',
  nodejs_active_handles: 'handles, sockets among them, by `type`',
  nodejs_active_handles_total: 'their sum',
  nodejs_active_requests: 'operations of the operating system under way, by `type`',
  nodejs_active_requests_total: 'their sum',
  nodejs_heap_size_total_bytes: 'size of the JavaScript heap',
  nodejs_heap_size_used_bytes: 'used part of it',
  nodejs_external_memory_bytes: 'memory of buffers and the like, outside the heap',
  nodejs_heap_space_size_total_bytes: 'size of each part of the heap, by `space`',
  nodejs_heap_space_size_used_bytes: 'used part of each',
  nodejs_heap_space_size_available_bytes: 'free part of each',
  nodejs_version_info: 'version of Node, as labels',
  nodejs_gc_duration_seconds: 'garbage collections, a histogram by `kind`',
};
