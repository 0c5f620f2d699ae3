import { setTimeout as pause } from 'node:timers/promises';

/** Checks, told one a line. */
export class Checks {
  private passed = 0;
  failed = 0;

  /** Runs a check: it passes unless it throws. */
  async run(name: string, check: () => Promise<void>): Promise<void> {
    const since = performance.now();
    try {
      await check();
      this.passed++;
      console.log(`ok      ${name} (${Math.round((performance.now() - since) / 1_000)} s)`);
    } catch (error) {
      this.fail(name, error);
    }
  }

  fail(name: string, error: unknown): void {
    this.failed++;
    const why = error instanceof Error ? error.message : String(error);
    console.log(`FAILED  ${name}\n${why.replaceAll(/^/gm, '        ')}`);
  }

  /** The last line. */
  get line(): string {
    return `${this.passed} passed, ${this.failed} failed`;
  }
}

/** Waits until nothing is wrong any more. @throws Error with what is wrong after so many seconds */
export async function soon(wrong: () => Promise<readonly string[]>, seconds = 90): Promise<void> {
  for (let since = performance.now(); ; await pause(1_000)) {
    const now = await wrong();
    if (now.length === 0) return;
    if (performance.now() - since > seconds * 1_000) throw new Error(now.join('\n'));
  }
}

/**
 * What a test stops at its end, in this order, at a signal, or when it takes too long.
 *
 * @param limitMs the whole test ends within this time
 */
export function endWithin(limitMs: number): {
  readonly stops: (() => Promise<void>)[];
  readonly stopAll: () => Promise<void>;
} {
  const stops: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | null = null;
  const stopAll = (): Promise<void> =>
    (stopping ??= (async () => {
      for (const stop of stops.splice(0)) await stop().catch((error: unknown) => console.error(error));
    })());
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stopAll().finally(() => process.exit(130)));
  setTimeout(() => {
    console.error(`It takes longer than ${limitMs / 1_000} s.`);
    void stopAll().finally(() => process.exit(1));
  }, limitMs).unref();
  return { stops, stopAll };
}
