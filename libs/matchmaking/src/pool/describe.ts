import type { MatchProposal } from '../matchmaker.js';
import type { CompiledRules } from './compiled-rules.js';
import type { Draft } from './draft.js';
import type { Judge } from './judge.js';
import { unmeasured, type TicketTable } from './ticket-table.js';

/** Where a match is described from. */
export interface Source {
  readonly table: TicketTable;
  readonly draft: Draft;
  readonly judge: Judge;
  readonly rulesOf: (index: number) => CompiledRules;
}

/** Makes a proposal of the draft. */
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
  const players = draft.seats;
  const figures = { spread, gap, unfairness, waitedMs };
  return {
    tickets,
    teamSize,
    bots,
    regions: regionsOf(slots, source, now),
    map,
    figures,
    // Ten thousand in a tick, of which only those are read that are carried out.
    get why() {
      const late =
        teamSize < rules.rules.teamSize ? ` in teams of ${teamSize}, since one has waited long` : '';
      return [
        `${players} players within ${spread.toFixed(1)} rating points were put together${late}; who waited longest waited ${(waitedMs / 1000).toFixed(1)} s.`,
        ...(bots > 0
          ? [`${bots} ${bots === 1 ? 'bot fills' : 'bots fill'} the empty places, since one has waited long.`]
          : []),
        ...(map === null
          ? []
          : [`The map is ${map}; ${wished} of ${players} players wished for it or for any.`]),
      ];
    },
  };
}

/** Regions that are open to all of them, least total latency first. */
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

/** The map that most of the players wish for; the first in the queue's list of those alike. */
function mapOf(
  slots: readonly number[],
  table: TicketTable,
  { rules: { maps } }: CompiledRules,
): { map: string | null; wished: number } {
  let best: { map: string | null; wished: number } = { map: null, wished: -1 };
  for (const [i, map] of (maps?.names ?? []).entries()) {
    let wished = 0;
    for (const slot of slots)
      if (((table.wishesOf(slot)?.maps ?? -1) & (1 << i)) !== 0) wished += table.size[slot]!;
    if (wished > best.wished) best = { map, wished };
  }
  return best;
}
