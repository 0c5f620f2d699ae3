import { message, seededRandom, seedOf, type Message } from '@muster/domain';
import type { MatchFigures, MatchProposal } from '../matchmaker.js';
import type { CompiledRules } from './compiled-rules.js';
import type { Draft } from './draft.js';
import type { Judge } from './judge.js';
import { anyMap, unmeasured, type TicketTable } from './ticket-table.js';

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
  const regions = regionsOf(slots, source, now);
  const size = { teamSize, bots, players: draft.seats, fullTeamSize: rules.rules.teamSize };
  return new DescribedMatch(tickets, size, regions, map, wished, figures);
}

/** A proposal that computes its explanation on access: of ten thousand in a tick, few are read. */
class DescribedMatch implements MatchProposal {
  readonly teamSize: number;
  readonly bots: number;

  constructor(
    readonly tickets: readonly string[],
    private readonly size: { teamSize: number; bots: number; players: number; fullTeamSize: number },
    readonly regions: readonly string[],
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

/** Regions open to all of them, least total latency first. */
function regionsOf(slots: readonly number[], { table, rulesOf }: Source, now: number): string[] {
  if (table.regions.length === 0) return [];
  const choosy = slots.filter((slot) => table.choosy(slot));
  if (choosy.length === 0) return [];
  const open: { region: string; total: number }[] = [];
  for (let r = 0; r < table.regions.length; r++) {
    let total = 0;
    for (const slot of choosy) {
      const latency = table.latencyOf(slot, r);
      const after = latency === unmeasured ? Infinity : rulesOf(table.rules[slot]!).latencyAfter(latency);
      total += table.enqueuedAt[slot]! + after <= now ? latency : Infinity;
    }
    if (total < Infinity) open.push({ region: table.regions[r]!, total });
  }
  return open.sort((a, b) => a.total - b.total || (a.region < b.region ? -1 : 1)).map(({ region }) => region);
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
