import type { ManagedProcess } from '@muster/embedded';

/** A part of the demo as a separate process: this program with another first argument. */
export function partProcess(name: string, part: 'server' | 'players', options: object): ManagedProcess {
  const [, program = ''] = process.argv;
  return {
    name,
    command: process.execPath,
    args: ['--enable-source-maps', program, part],
    env: { DEMO_OPTIONS: JSON.stringify(options) },
    stopSignal: 'SIGTERM',
    ready: () => Promise.resolve(),
  };
}
