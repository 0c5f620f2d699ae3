/** Counts what was promised and kept, and prints a line for each. */
export class Findings {
  passed = 0;
  failed = 0;

  constructor(private readonly say: (text: string) => void) {}

  /** @param broken what breaks the promise; empty if it is kept */
  add(promise: string, broken: readonly string[]): void {
    if (broken.length === 0) this.passed++;
    else this.failed++;
    const why = broken.length > 0 ? `: ${broken.slice(0, 5).join('; ')} (${broken.length} in all)` : '';
    this.say(`${broken.length === 0 ? 'kept  ' : 'BROKEN'}  ${promise}${why}`);
  }

  /** A check that throws is broken; the others still run. */
  async check(promise: string, look: () => Promise<readonly string[]>): Promise<void> {
    this.add(promise, await look().catch((error: unknown) => [sentence(error)]));
  }
}

export const sentence = (error: unknown): string => (error instanceof Error ? error.message : String(error));
