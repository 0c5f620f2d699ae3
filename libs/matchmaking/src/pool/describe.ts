import {
  message,
  openRegions,
  seededRandom,
  seedOf,
  type Message,
  type RegionOpenings,
} from '@muster/domain';
import type { MatchFigures, MatchProposal } from '../matchmaker.js';
import type { CompiledRules } from './compiled-rules.js';
import type { Draft } from './draft.js';
import type { Judge } from './judge.js';
import { regionOpenings } from '../region-openings.js';
import { anyMap, unmeasured, type TicketTable } from './lanes/ticket-table.js';

/** The data from which a match is described. */
export interface Source {
  readonly table: TicketTable;
  readonly draft: Draft;
  readonly judge: Judge;
  readonly rulesOf: (index: number) => CompiledRules;
}

/** Creates a proposal from the draft. */
export function describeMatch(
  source: Source,
  rules: CompiledRules,
  { gap, teamSize, bots, now }: { gap: number; teamSize: number; bots: number; now: number },
): MatchProposal {
  const { table, draft, judge } = source;
  const slots: number[] = [];
  const tickets: string[] = [];
  for (let i = 0; i < draft.count; i++) {
    const slot = draft.slots[i]!;
    slots.push(slot);
    tickets.push(table.ids[slot]!);
  }
  const waitedMs = Math.max(0, now - draft.oldest);
  const { spread } = draft;
  const unfairness = judge.unfairness(draft, gap);
  const { map, wished } = mapOf(slots, table, rules);
  const figures = { spread, gap, unfairness, waitedMs };
  const openings = openingsOf(slots, source);
  const { regions } = openRegions({ regions: [], openings }, now);
  const size = { teamSize, bots, players: draft.seats, fullTeamSize: rules.rules.teamSize };
  return new DescribedMatch(tickets, size, regions, openings, map, wished, figures);
}

/** A proposal that computes its explanation on access: of ten thousand in a tick, few are read. */
class DescribedMatch implements MatchProposal {
  readonly teamSize: number;
  readonly bots: number;

  constructor(
    readonly tickets: readonly string[],
    private readonly size: { teamSize: number; bots: number; players: number; fullTeamSize: number },
    readonly regions: readonly string[],
    readonly openings: RegionOpenings,
    readonly map: string | null,
    private readonly wished: number,
    readonly figures: MatchFigures,
  ) {
    this.teamSize = size.teamSize;
    this.bots = size.bots;
  }

  get why(): Message[] {
    const { figures, map, wished } = this;
    const { teamSize, bots, players, fullTeamSize } = this.size;
    return [
      message('match.put-together', {
        players,
        spread: tenths(figures.spread),
        teamSize: teamSize < fullTeamSize ? teamSize : null,
        waitedSeconds: tenths(figures.waitedMs / 1000),
      }),
      ...(bots > 0 ? [message('match.bots-fill', { bots })] : []),
      ...(map === null ? [] : [message('match.map', { map, wished, players })]),
    ];
  }
}

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** From when each region is open to all of them. */
function openingsOf(slots: readonly number[], { table, rulesOf }: Source): RegionOpenings {
  const choosy = slots.filter((slot) => table.choosy(slot));
  const numbers = [...table.regions.keys()].filter((r) =>
    choosy.some((slot) => table.latencyOf(slot, r) !== unmeasured),
  );
  const reaches = choosy.map((slot) => ({
    enqueuedAt: table.enqueuedAt[slot]!,
    latencyTo: (region: string) => table.latencyMsOf(slot, table.regions.indexOf(region)),
    latencyAfter: rulesOf(table.rules[slot]!).latencyAfter,
  }));
  return regionOpenings(
    reaches,
    numbers.map((r) => table.regions[r]!),
  );
}

/** The map that most of the players wish for; one of equals is drawn, the same one for the same tickets. */
function mapOf(
  slots: readonly number[],
  table: TicketTable,
  { rules: { maps } }: CompiledRules,
): { map: string | null; wished: number } {
  let equals: string[] = [];
  let most = -1;
  for (const map of maps?.names ?? []) {
    const bit = table.maskOf([map]);
    let wished = 0;
    for (const slot of slots)
      if (((table.wishesOf(slot)?.maps ?? anyMap) & bit) !== 0n) wished += table.size[slot]!;
    if (wished > most) equals = [];
    if (wished >= most) equals.push(map);
    most = Math.max(most, wished);
  }
  if (equals.length < 2) return { map: equals[0] ?? null, wished: most };
  const first = slots.map((slot) => table.ids[slot]!).reduce((a, b) => (a < b ? a : b));
  const drawn = Math.floor(seededRandom(seedOf(first))() * equals.length);
  return { map: equals[drawn]!, wished: most };
}
