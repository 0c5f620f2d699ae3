/** The output of progress: standard error, or a test. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

const redrawMs = 100;
const lineMs = 5_000;
const barWidth = 24;
const clearLine = '\r\u001B[2K';

/** Shows the progress of a long run: a bar on a terminal, a line every few seconds elsewhere. */
export class Progress {
  private readonly start: number;
  private shownAt: number;
  private done = 0;

  constructor(
    private readonly screen: Screen,
    private total: number,
    private readonly now: () => number = Date.now,
    /** The unit of the count. */
    private readonly what = 'matches',
  ) {
    this.start = this.shownAt = now();
  }

  /** Sets the count done, and the total if it changed; redraws at intervals. */
  at(done: number, total = this.total): void {
    this.done = done;
    this.total = total;
    if (total === 0) return;
    const now = this.now();
    if (now - this.shownAt < (this.screen.isTTY ? redrawMs : lineMs)) return;
    this.shownAt = now;
    this.screen.write(
      this.screen.isTTY ? `${clearLine}${bar(done / this.total)} ${this.count()}` : `${this.count()}\n`,
    );
  }

  /** Prints a line above the bar. */
  say(line: string): void {
    this.screen.write(`${this.screen.isTTY ? clearLine : ''}${line}\n`);
  }

  /** Removes the bar. */
  clear(): void {
    if (this.screen.isTTY) this.screen.write(clearLine);
  }

  /** Removes the bar and prints the rate. */
  end(): void {
    const seconds = (this.now() - this.start) / 1000;
    this.say(
      `${this.done} ${this.what} in ${seconds.toFixed(1)} s (${this.perSecond().toFixed(0)} a second).`,
    );
  }

  private count(): string {
    if (this.done === 0) return `0 of ${this.total} ${this.what}`;
    const left = (this.total - this.done) / this.perSecond();
    return `${this.done} of ${this.total} ${this.what}, ${this.perSecond().toFixed(0)} a second, ${Math.ceil(left)} s left`;
  }

  private perSecond(): number {
    return (this.done * 1000) / Math.max(1, this.now() - this.start);
  }
}

function bar(part: number): string {
  const full = Math.round(Math.min(1, part) * barWidth);
  return `[${'#'.repeat(full)}${'-'.repeat(barWidth - full)}]`;
}
