import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const ANSWER_WITHIN_MS = 1_000;
/** Short at first, because a warm start takes a tenth of a second; longer later, because each refusal is a log line. */
const FIRST_PAUSE_MS = 15;
const LONGEST_PAUSE_MS = 250;

/** Sends `message` to a port of the loopback and returns the first bytes of the answer. */
function ask(port: number, message: Buffer, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const abort = (): void => {
      socket.destroy(new Error('the wait was aborted'));
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.setTimeout(ANSWER_WITHIN_MS, () =>
      socket.destroy(new Error('it accepts connections but does not answer')),
    );
    socket.once('error', reject);
    socket.once('close', () => {
      signal.removeEventListener('abort', abort);
      reject(new Error('it closed the connection without an answer'));
    });
    socket.once('data', (answer) => {
      resolve(answer);
      socket.destroy();
    });
    socket.write(message);
  });
}

/** A request that shows whether a server is ready. */
export interface Probe {
  /** The server's name, for messages. */
  who: string;
  port: number;
  message: Buffer;
  /** Null if the answer means ready, otherwise the reason. */
  refusal(answer: Buffer): string | null;
}

/** Repeats the request until the answer is good; rejects if `signal` aborts first. */
export async function untilReady(probe: Probe, signal: AbortSignal): Promise<void> {
  let last = 'no attempt was made';
  let pause = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      const refusal = probe.refusal(await ask(probe.port, probe.message, signal));
      if (refusal === null) return;
      last = refusal;
    } catch (error) {
      // The abort also fails an attempt, but tells nothing about the server.
      if (!signal.aborted) last = error instanceof Error ? error.message : String(error);
    }
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    pause = Math.min(LONGEST_PAUSE_MS, pause * 1.3);
  }
  throw new Error(
    `${probe.who} did not become ready on 127.0.0.1:${probe.port} (last: ${last}). ` +
      'Its log says why; if another program holds that port, choose another one.',
  );
}
