import type { CompiledRules } from './compiled-rules.js';
import type { Draft } from './draft.js';
import type { TicketTable } from './lanes/ticket-table.js';

/** The logistic curve nearest to the normal one; their chances differ by less than 0.0095 (Bowling et al. 2009). */
const logisticSlope = 1.702;

/** Computes when a draft is allowed, and how fair it is. */
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
      bySpread: this.earliest(
        draft,
        (rules) => rules.spreadAfter(spread),
        (rules) => rules.lastSpreadMs,
      ),
      byParties: draft.isPaired(teams)
        ? 0
        : this.earliest(
            draft,
            (rules) => rules.unpairedAfterMs,
            (rules) => rules.unpairedAfterMs,
          ),
      byMaps: draft.agreed
        ? 0
        : this.earliest(
            draft,
            (rules) => rules.anyMapAfterMs,
            (rules) => rules.anyMapAfterMs,
          ),
    };
  }

  /** When the rules allow a gap between its teams. */
  dueByGap(draft: Draft, gap: number): number {
    return gap === Infinity
      ? Infinity
      : this.earliest(
          draft,
          (rules) => rules.gapAfter(gap),
          (rules) => rules.lastGapMs,
        );
  }

  /**
   * When a match should be formed under a rule that allows it once one of its tickets has waited long enough: when the mean
   * wait of its tickets is that long. New tickets may well find a better match a little later, and so may others if these
   * stay; with equal waits, matches come out fairer (docs/matching.md). A ticket that has reached the rule's last step is
   * not held back.
   *
   * @param last the wait after which the rule relaxes no further
   */
  private earliest(
    draft: Draft,
    ask: (rules: CompiledRules) => number,
    last: (rules: CompiledRules) => number,
  ): number {
    const { table } = this;
    let allowed = Infinity;
    let lastStep = Infinity;
    let oldest = Infinity;
    let oldestOfVersion = Infinity;
    let sum = 0;
    let version = -1;
    let after = 0;
    let lastStepMs = 0;
    for (let i = 0; i < draft.count; i++) {
      const slot = draft.slots[i]!;
      const since = table.enqueuedAt[slot]!;
      sum += since;
      if (table.rules[slot] !== version) {
        version = table.rules[slot]!;
        const rules = this.rulesOf(version);
        after = ask(rules);
        lastStepMs = last(rules);
        oldestOfVersion = Infinity;
      }
      if (since >= oldestOfVersion) continue;
      oldestOfVersion = since;
      if (since < oldest) oldest = since;
      if (since + after < allowed) allowed = since + after;
      if (since + lastStepMs < lastStep) lastStep = since + lastStepMs;
    }
    if (allowed === Infinity) return Infinity;
    return Math.max(allowed, Math.min(allowed + sum / draft.count - oldest, lastStep));
  }

  /**
   * Distance of the better team's win probability from one half, 0 to ½: performances are normal, as in the rating models.
   */
  unfairness(draft: Pick<Draft, 'seats' | 'variance'>, gap: number): number {
    const noise = Math.sqrt(draft.seats * this.beta * this.beta + draft.variance);
    return 1 / (1 + Math.exp((-logisticSlope * gap) / noise)) - 0.5;
  }

  /** The flaw of a match, 0 to ¾: unequal chances, and players far apart. */
  flaw(draft: Draft, gap: number): number {
    const { spread } = draft;
    return this.unfairness(draft, gap) + (0.25 * spread) / (spread + this.beta);
  }

  /**
   * The value of a match in this tick: nearly equal for all, so that as many as possible are formed; more for longer waits,
   * less for flaws.
   */
  worth(draft: Draft, rules: CompiledRules, gap: number, now: number): number {
    const waited = (now - draft.oldest) / Math.max(1, rules.lastStepMs);
    return 1 + 0.5 * Math.min(1, waited) - this.flaw(draft, gap);
  }
}
