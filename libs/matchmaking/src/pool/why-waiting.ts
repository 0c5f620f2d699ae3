import { limitAfter } from '../curve.js';
import type { CompiledRules } from './compiled-rules.js';
import type { Draft } from './draft.js';
import type { Judge } from './judge.js';
import type { Lane } from './lane.js';
import type { Kin, Kinship } from './kinship.js';
import type { Lanes } from './lanes.js';
import { unmeasured, type TicketTable } from './ticket-table.js';

/** Which rule keeps a ticket waiting. */
export type BindingRule =
  'players' | 'platforms' | 'regions' | 'parties' | 'avoided' | 'skill' | 'teams' | 'maps' | 'none';

export interface WhyWaiting {
  readonly rule: BindingRule;
  /** In words for its players. */
  readonly words: string;
  /** When that rule will give way, milliseconds from now; null when time alone does not help. */
  readonly widensInMs: number | null;
}

interface Source {
  readonly table: TicketTable;
  readonly kinship: Kinship;
  readonly lanes: Lanes;
  readonly draft: Draft;
  readonly judge: Judge;
}

/** A match that a ticket could be in, and when each rule allows it. */
interface Chance {
  readonly spread: number;
  readonly oldestMs: number;
  readonly gap: number;
  readonly bySpread: number;
  readonly byParties: number;
  readonly byMaps: number;
  readonly byGap: number;
  readonly due: number;
}

/** Says why a ticket of a settled pool is not in a match yet: the first rule that binds, and when it gives way. */
export function whyWaiting(source: Source, slot: number, rules: CompiledRules, now: number): WhyWaiting {
  const { table, lanes } = source;
  const own = lanes.placesOf(slot);
  const here = own.map(([lane]) => ({ lane, players: playersIn(lane, table) }));
  const most = Math.max(0, ...here.map(({ players }) => players));
  if (most < rules.seats) return tooFew(source, slot, rules, most, now);
  const chance = bestChance(source, own, slot, rules, now);
  if (!chance && mayWithoutAvoiding(source, own, slot, rules, now))
    return {
      rule: 'avoided',
      words: `Enough players are near, but avoid-lists keep some of them apart: without these they would fill ${rules.rules.teams} whole teams with you.`,
      widensInMs: null,
    };
  if (!chance) {
    return {
      rule: 'parties',
      words: `Enough players are near, but with their parties${rules.rules.roles ? ' and roles' : ''} they do not fill ${rules.rules.teams} whole teams with you yet.`,
      widensInMs: null,
    };
  }
  return binding(chance, rules, now);
}

function tooFew(
  { table, kinship }: Source,
  slot: number,
  compiled: CompiledRules,
  here: number,
  now: number,
): WhyWaiting {
  const { rules, seats, fallbacks } = compiled;
  const kin = kinship.at(table.kin[slot]!);
  const [{ group }] = kin.doors;
  const waitedMs = now - table.enqueuedAt[slot]!;
  const fallback = fallbacks.find(({ afterMs }) => afterMs > waitedMs);
  const later = fallback
    ? ` After ${inSeconds(fallback.afterMs - waitedMs)} more ${fallback.teamSize < rules.teamSize ? `teams of ${fallback.teamSize} will do` : `${fallback.minHumans} players will do, and bots fill up`}.`
    : '';
  if (group.players >= seats && table.choosy(slot)) {
    const next = nextRegion(table, slot, compiled, now);
    return {
      rule: 'regions',
      words: `Enough players wait, but ${here} of ${seats} in regions that are near enough to you.${next ? ` ${next.region} will be in ${inSeconds(next.inMs)}.` : ''}${later}`,
      widensInMs: next?.inMs ?? null,
    };
  }
  const widensInMs = fallback ? fallback.afterMs - waitedMs : null;
  const on = platformWords(kin);
  if (on !== '' && kinship.playersOfAnyPlatform(kin) >= seats) {
    const words = `Enough players wait (build ${kin.build}), but ${here} of ${seats} ${on}.${later}`;
    return { rule: 'platforms', words, widensInMs };
  }
  const missing = seats - Math.max(here, 1);
  const among = on === '' ? '' : `; ${on}`;
  const words = `${Math.max(here, 1)} of ${seats} players are here (build ${kin.build}${among}): ${missing} more must queue.${later}`;
  return { rule: 'players', words, widensInMs };
}

/** Which platforms a ticket meets, in words that follow a number of players; empty when it meets all. */
function platformWords({ facts: { only }, doors: [{ group }] }: Kin): string {
  if (only !== null) return `on ${only}, and you play without cross-play`;
  if (group.platforms === null) return '';
  const named = group.platforms.filter((platform) => platform !== '');
  return named.length === 0
    ? 'without a platform, like you'
    : `on platforms that you may meet (${named.join(', ')})`;
}

/** The first rule that does not allow the match yet; what comes after it is told when its turn has come. */
function binding(chance: Chance, { rules, seats }: CompiledRules, now: number): WhyWaiting {
  const { spread, gap, oldestMs, bySpread, byParties, byMaps, byGap } = chance;
  const left = (due: number): number | null => (due === Infinity ? null : due - now);
  const window = limitAfter(rules.skillWindow, oldestMs);
  const allowed = limitAfter(rules.teamGap, oldestMs);
  if (bySpread > now && spread > window) {
    const widensInMs = left(bySpread);
    const when = widensInMs === null ? 'it will not widen that far' : `it will in ${inSeconds(widensInMs)}`;
    const words = `Enough players wait, but the ${seats} nearest are up to ${needed(spread)} apart and the window is ${allowedSoFar(window)}; ${when}.`;
    return { rule: 'skill', words, widensInMs };
  }
  if (byParties > now) {
    const words = `Enough players are near, but their parties would face none of their size; from ${inSeconds(byParties - now)} on that is allowed.`;
    return { rule: 'parties', words, widensInMs: left(byParties) };
  }
  if (byMaps > now) {
    const widensInMs = left(byMaps);
    const when = widensInMs === null ? '' : `; from ${inSeconds(widensInMs)} on the most wishes decide`;
    const words = `Enough players are near, but there is no map that all of them wish for${when}.`;
    return { rule: 'maps', words, widensInMs };
  }
  if (byGap > now && gap > allowed) {
    const widensInMs = left(byGap);
    const when =
      widensInMs === null
        ? 'it will never be allowed'
        : `it is made in ${inSeconds(widensInMs)} at the latest`;
    const words = `A match is at hand and is held back for a more even one: its teams would differ by ${needed(gap)}, and ${allowedSoFar(allowed)} is allowed by now; ${when}.`;
    return { rule: 'teams', words, widensInMs };
  }
  const widensInMs = Math.max(0, bySpread - now, byGap - now);
  if (widensInMs === 0) return { rule: 'none', words: 'A match with you is being formed.', widensInMs };
  const words = `A match is at hand, and waits a moment for a better one, since most of its players have only just come; it is made in ${inSeconds(widensInMs)} at the latest.`;
  return { rule: 'teams', words, widensInMs };
}

/** Of all matches along its lanes that a ticket could be in, the one that is allowed first. */
function bestChance(
  source: Source,
  own: readonly (readonly [Lane, number])[],
  slot: number,
  rules: CompiledRules,
  now: number,
): Chance | null {
  const { draft, judge } = source;
  const { teams, teamSize } = rules.rules;
  let best: Chance | null = null;
  for (const [lane, place] of own)
    for (let from = Math.max(0, place - lane.reach + 1); from <= place; from++)
      for (const paired of [false, true]) {
        if (!draft.fill(lane, from, rules, paired) || !draft.list().includes(slot)) continue;
        const dues = judge.duesByTickets(draft, teams);
        const gap = draft.gap(rules, teamSize);
        const byGap = judge.dueByGap(draft, gap);
        const due = Math.max(dues.bySpread, dues.byParties, dues.byMaps, byGap);
        if (best && best.due <= due) continue;
        best = { ...dues, spread: draft.spread, oldestMs: Math.max(0, now - draft.oldest), gap, byGap, due };
      }
  return best;
}

/** Whether it is avoid-lists alone that keep a ticket from any match. */
function mayWithoutAvoiding(
  source: Source,
  own: readonly (readonly [Lane, number])[],
  slot: number,
  rules: CompiledRules,
  now: number,
): boolean {
  const { draft } = source;
  draft.heedsAvoided = false;
  try {
    return bestChance(source, own, slot, rules, now) !== null;
  } finally {
    draft.heedsAvoided = true;
  }
}

function playersIn(lane: Lane, table: TicketTable): number {
  let players = 0;
  for (let place = 0; place < lane.length; place++) players += table.size[lane.order[place]!]!;
  return players;
}

function nextRegion(
  table: TicketTable,
  slot: number,
  rules: CompiledRules,
  now: number,
): { region: string; inMs: number } | null {
  let next: { region: string; inMs: number } | null = null;
  for (const [r, region] of table.regions.entries()) {
    const latency = table.latencyOf(slot, r);
    if (latency === unmeasured) continue;
    const inMs = table.enqueuedAt[slot]! + rules.latencyAfter(latency) - now;
    if (inMs > 0 && inMs < (next?.inMs ?? Infinity)) next = { region, inMs };
  }
  return next;
}

function inSeconds(ms: number): string {
  return `${Math.max(0, Math.ceil(ms / 1000))} s`;
}

/** Below this, two numbers differ by how they were reckoned. */
const nothing = 1e-6;

/** What a match needs, and what is allowed of it: rounded apart, so that words never say that 10.0 is more than 10.0. */
function needed(amount: number): string {
  return (Math.ceil(amount * 10 - nothing) / 10).toFixed(1);
}

function allowedSoFar(limit: number): string {
  return (Math.floor(limit * 10 + nothing) / 10).toFixed(1);
}
