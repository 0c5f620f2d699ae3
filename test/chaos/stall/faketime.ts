import { existsSync } from 'node:fs';
import { services } from './plan.js';

const places = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib64/faketime/libfaketime.so.1',
  '/usr/local/lib/faketime/libfaketime.so.1',
];

/** The path of libfaketime, or null; Debian has it in the package `libfaketime`. */
export function faketime(): string | null {
  return places.find((path) => existsSync(path)) ?? null;
}

/** Settings that start the first replica of each service with a wrong clock. */
export function wrongClocks(library: string, seconds: number): Record<string, string> {
  const variables = {
    LD_PRELOAD: library,
    FAKETIME: `${seconds > 0 ? '+' : ''}${seconds}s`,
    // Time-outs use the monotonic clock, which is never set.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  return {
    MUSTER_REPLICA_ENV: JSON.stringify(
      Object.fromEntries(services.map((service) => [`${service}-1`, variables])),
    ),
  };
}
