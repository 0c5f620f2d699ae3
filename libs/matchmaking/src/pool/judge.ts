import type { CompiledRules } from './compiled-rules.js';
import type { Draft } from './draft.js';
import type { TicketTable } from './ticket-table.js';

/** The logistic curve nearest to the normal one; their chances differ by less than 0.0095 (Bowling et al. 2009). */
const logisticSlope = 1.702;

/** Says when a match in the making is allowed, and how fair it is. */
export class Judge {
  constructor(
    private readonly table: TicketTable,
    private readonly rulesOf: (index: number) => CompiledRules,
    /** The game's own noise, one player's, in units of mu. */
    private readonly beta: number,
  ) {}

  /** When the rules allow its tickets, milliseconds since the epoch, teams aside; Infinity: never. */
  dueByTickets(draft: Draft, teams: number): number {
    const { bySpread, byParties, byMaps } = this.duesByTickets(draft, teams);
    return Math.max(bySpread, byParties, byMaps);
  }

  /** When each of the rules about tickets allows them. */
  duesByTickets(draft: Draft, teams: number): { bySpread: number; byParties: number; byMaps: number } {
    const { spread } = draft;
    return {
      bySpread: this.earliest(draft, (rules) => rules.spreadAfter(spread)),
      byParties: draft.isPaired(teams) ? 0 : this.earliest(draft, (rules) => rules.unpairedAfterMs),
      byMaps: draft.agreed ? 0 : this.earliest(draft, (rules) => rules.anyMapAfterMs),
    };
  }

  /** When the rules allow a gap between its teams. */
  dueByGap(draft: Draft, gap: number): number {
    return gap === Infinity ? Infinity : this.earliest(draft, (rules) => rules.gapAfter(gap));
  }

  /** The first moment at which one of its tickets has waited as long as its own rules ask for. */
  private earliest(draft: Draft, ask: (rules: CompiledRules) => number): number {
    const { table } = this;
    let first = Infinity;
    let oldest = Infinity;
    let version = -1;
    let after = 0;
    for (let i = 0; i < draft.count; i++) {
      const slot = draft.slots[i]!;
      const since = table.enqueuedAt[slot]!;
      if (table.rules[slot] !== version) {
        version = table.rules[slot]!;
        after = ask(this.rulesOf(version));
        oldest = Infinity;
      }
      if (since >= oldest) continue;
      oldest = since;
      first = Math.min(first, since + after);
    }
    return first;
  }

  /** How far the better team's chance to win is from one half, 0 to ½: performances are normal, as in the rating models. */
  unfairness(draft: Draft, gap: number): number {
    const noise = Math.sqrt(draft.seats * this.beta * this.beta + draft.variance);
    return 1 / (1 + Math.exp((-logisticSlope * gap) / noise)) - 0.5;
  }

  /** What is wrong with a match, 0 to ¾: unequal chances, and players far apart. */
  flaw(draft: Draft, gap: number): number {
    const { spread } = draft;
    return this.unfairness(draft, gap) + (0.25 * spread) / (spread + this.beta);
  }

  /**
   * What a match is worth to this tick: nearly the same for each, so that as many are made as can be; more for those who have
   * waited, less for its flaws.
   */
  worth(draft: Draft, rules: CompiledRules, gap: number, now: number): number {
    const waited = (now - draft.oldest) / Math.max(1, rules.lastStepMs);
    return 1 + 0.5 * Math.min(1, waited) - this.flaw(draft, gap);
  }
}
