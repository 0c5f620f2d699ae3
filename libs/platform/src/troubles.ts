import type { Log } from './logging.js';

/** The same trouble is logged so often at most, in milliseconds. */
const everyMs = 10_000;

interface Trouble {
  count: number;
  /** How many since the last line. */
  unsaid: number;
  saidAt: number;
}

/**
 * Logs what goes wrong again and again, such as a connection that cannot be made: the first at once, then a line every ten
 * seconds with how many there were. All are counted.
 */
export class Troubles {
  private readonly known = new Map<string, Trouble>();

  constructor(
    private readonly log: Pick<Log, 'warn'>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @param what the part that is in trouble, such as `Redis (queue)` */
  tell(what: string, error: unknown): void {
    const trouble = this.known.get(what) ?? { count: 0, unsaid: 0, saidAt: -Infinity };
    this.known.set(what, trouble);
    trouble.count++;
    trouble.unsaid++;
    const now = this.now();
    if (now - trouble.saidAt < everyMs) return;
    this.log.warn({ err: error, what, times: trouble.unsaid, inAll: trouble.count }, `trouble with ${what}`);
    trouble.saidAt = now;
    trouble.unsaid = 0;
  }

  /** A listener for the errors of one part. */
  of(what: string): (error: unknown) => void {
    return (error) => this.tell(what, error);
  }

  /** How often each part was in trouble since the start. */
  counts(): ReadonlyMap<string, number> {
    return new Map([...this.known].map(([what, { count }]) => [what, count]));
  }
}
