/** Slots of a region's servers. */
export interface RegionSlots {
  readonly region: string;
  /** With a session, on ready and draining servers. */
  readonly used: number;
  /** Without one, on ready servers. */
  readonly free: number;
  /** Without one, on draining servers, which take no match. */
  readonly draining: number;
}

/** Some servers in the order of their ids. */
export interface SlotPage {
  /** The number of servers read; fewer than the limit at the end. */
  readonly read: number;
  /** The last id. */
  readonly last: string;
  readonly regions: readonly RegionSlots[];
}

/** Servers in a page. */
const pageSize = 1_000;
/** Pages read at once. */
const pagesAtOnce = 8;

/**
 * Sums the slots of all servers a few pages at a time, so that a call costs the same with any number of servers. With up
 * to 8,000 servers each call reads all of them; with more, sums are as old as the calls that a whole walk takes.
 */
export class SlotWalk {
  private after = '';
  private sums = new Map<string, RegionSlots>();
  private whole: readonly RegionSlots[] | null = null;

  /** @param page reads the servers after an id */
  constructor(private readonly page: (after: string, limit: number) => Promise<SlotPage>) {}

  /** The sums of the last whole walk, by region; null until the first has ended. */
  async next(): Promise<readonly RegionSlots[] | null> {
    for (let i = 0; i < pagesAtOnce; i++) {
      const { read, last, regions } = await this.page(this.after, pageSize);
      for (const each of regions) this.sums.set(each.region, plus(this.sums.get(each.region), each));
      this.after = last;
      if (read === pageSize) continue;
      this.whole = [...this.sums.values()];
      this.after = '';
      this.sums = new Map();
      break;
    }
    return this.whole;
  }
}

function plus(sum: RegionSlots | undefined, { region, used, free, draining }: RegionSlots): RegionSlots {
  return {
    region,
    used: (sum?.used ?? 0) + used,
    free: (sum?.free ?? 0) + free,
    draining: (sum?.draining ?? 0) + draining,
  };
}
