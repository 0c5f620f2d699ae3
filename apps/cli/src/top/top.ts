import type { Connection } from '@muster/command-line/operator/connection';
import { inkFor } from '@muster/command-line/terminal/ink';
import { visible } from '@muster/command-line/terminal/visible';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { readSnapshot, snapshotText } from './snapshot.js';

const refreshMs = 2_000;
const enter = '\u001B[?1049h\u001B[?25l';
const leave = '\u001B[?25h\u001B[?1049l';
const home = '\u001B[H';
const clearLine = '\u001B[K';
const clearBelow = '\u001B[J';
/** q, Escape and Ctrl-C. */
const quitKeys = ['q', '\u001B', '\u0003'];

/** Shows how the system is doing in the other screen of the terminal, until a key ends it. */
export async function top(connection: Connection, { stdin, stdout, env }: NodeJS.Process): Promise<void> {
  const ink = inkFor(stdout, env);
  let lines: readonly string[] = [];
  const draw = (): void => {
    const { rows = 24, columns = 80 } = stdout;
    const shown = [...lines.slice(0, rows - 1), ink.dim('q quits')].map(
      (line) => visible(cut(line, columns)) + clearLine,
    );
    stdout.write(home + shown.join('\r\n') + clearBelow);
  };
  const quit = new AbortController();
  const ended = new Promise<void>((resolve) => quit.signal.addEventListener('abort', () => resolve()));
  const onKey = (key: Buffer): void => (quitKeys.includes(key.toString()) ? quit.abort() : undefined);
  const onEnd = (): void => quit.abort();
  stdin.setRawMode(true).on('data', onKey);
  process.on('SIGTERM', onEnd);
  stdout.on('resize', draw);
  stdout.write(enter);
  try {
    while (!quit.signal.aborted) {
      const read = readSnapshot(connection).then(
        (now) => (lines = snapshotText(now, ink)),
        // An outage is shown; the view goes on when it is over.
        (error: unknown) =>
          (lines = [error instanceof Error ? error.message : String(error), '', ...lines.slice(2)]),
      );
      await Promise.race([read, ended]);
      draw();
      await Promise.race([
        sleep(refreshMs, undefined, { signal: quit.signal }).catch(() => undefined),
        ended,
      ]);
    }
  } finally {
    stdout.write(leave);
    stdout.off('resize', draw);
    process.off('SIGTERM', onEnd);
    stdin.off('data', onKey).setRawMode(false).pause();
  }
}

/** A line, or the part of it that fits, without styles. */
function cut(line: string, columns: number): string {
  const plain = stripVTControlCharacters(line);
  return plain.length <= columns ? line : plain.slice(0, columns);
}
