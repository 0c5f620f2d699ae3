import { message, type Message, type PlatformsMet } from '@muster/domain';
import { limitAfter } from '../curve.js';
import type { CompiledRules } from './compiled-rules.js';
import type { Draft } from './draft.js';
import type { Judge } from './judge.js';
import type { Lane } from './lanes/lane.js';
import type { TicketClass, TicketClasses } from './lanes/ticket-classes.js';
import type { Lanes } from './lanes/lanes.js';
import type { TicketTable } from './lanes/ticket-table.js';

/** The rule that keeps a ticket waiting. */
export type BindingRule =
  'players' | 'platforms' | 'regions' | 'parties' | 'avoided' | 'skill' | 'teams' | 'maps' | 'none';

export interface WhyWaiting {
  readonly rule: BindingRule;
  /** For its players. */
  readonly messages: readonly Message[];
  /** When that rule relaxes, milliseconds from now; null when time alone does not help. */
  readonly widensInMs: number | null;
}

interface Source {
  readonly table: TicketTable;
  readonly classes: TicketClasses;
  readonly lanes: Lanes;
  readonly draft: Draft;
  readonly judge: Judge;
}

/** A match that a ticket could be in, and when each rule allows it. */
interface PossibleMatch {
  readonly spread: number;
  readonly oldestMs: number;
  readonly gap: number;
  readonly bySpread: number;
  readonly byParties: number;
  readonly byMaps: number;
  readonly byGap: number;
  readonly due: number;
}

/** Explains why a ticket of a settled pool is in no match yet: the first binding rule, and when it relaxes. */
export function whyWaiting(source: Source, slot: number, rules: CompiledRules, now: number): WhyWaiting {
  const { table, lanes } = source;
  const never = noRegion(table, slot, rules);
  if (never) return never;
  const own = lanes.placesOf(slot);
  const here = own.map(([lane]) => ({ lane, players: playersIn(lane, table) }));
  const most = Math.max(0, ...here.map(({ players }) => players));
  if (most < rules.seats) return tooFew(source, slot, rules, most, now);
  const chance = bestPossibleMatch(source, own, slot, rules, now);
  const { teams, roles } = rules.rules;
  if (!chance && mayWithoutAvoiding(source, own, slot, rules, now))
    return { rule: 'avoided', messages: [message('waiting.avoided', { teams })], widensInMs: null };
  if (!chance) {
    const parties = message('waiting.parties-do-not-fit', { teams, roles: roles !== undefined });
    return { rule: 'parties', messages: [parties], widensInMs: null };
  }
  return binding(chance, rules, now);
}

/** The explanation of a ticket that no region will ever suit; null when one does. */
function noRegion(
  table: TicketTable,
  slot: number,
  { rules, latencyAfter }: CompiledRules,
): WhyWaiting | null {
  const region = table.nearestRegion(slot);
  const limit = rules.latencyLimitMs.at(-1)?.limit ?? Infinity;
  if (region === null) return null;
  const latency = table.latencyOf(slot, table.regions.indexOf(region));
  if (latencyAfter(latency) < Infinity) return null;
  const party = table.size[slot]! > 1;
  const messages = [message('waiting.no-region', { region, latency, limit, party })];
  return { rule: 'regions', messages, widensInMs: null };
}

/** @param most players of the fullest lane of the ticket, less than a match has */
function tooFew(
  { table, classes }: Source,
  slot: number,
  compiled: CompiledRules,
  most: number,
  now: number,
): WhyWaiting {
  const { seats } = compiled;
  const ticketClass = classes.at(table.ticketClass[slot]!);
  const [{ group }] = ticketClass.entries;
  const { build } = ticketClass;
  const { later, widensInMs } = nextFallback(compiled, now - table.enqueuedAt[slot]!);
  if (group.players >= seats) {
    const next = nextRegion(table, slot, compiled, now);
    const opens = next
      ? [message('waiting.region-opens', { region: next.region, seconds: inSeconds(next.inMs) })]
      : [];
    return {
      rule: 'regions',
      messages: [message('waiting.regions', { here: most, seats }), ...opens, ...later],
      widensInMs: next?.inMs ?? null,
    };
  }
  // Whether or not they share a region; a ticket of low behaviour may be in a lane with others already.
  const here = Math.max(most, group.players);
  const met = platformsMet(ticketClass);
  if (met.meets !== 'all' && classes.playersOfAnyPlatform(ticketClass) >= seats) {
    const platforms = message('waiting.platforms', { here, seats, build, ...met });
    return { rule: 'platforms', messages: [platforms, ...later], widensInMs };
  }
  const players = message('waiting.players', { here, seats, missing: seats - here, build, ...met });
  return { rule: 'players', messages: [players, ...later], widensInMs };
}

/** What the rules do with fewer players, and when; empty when they do nothing. */
function nextFallback(
  { rules, fallbacks }: CompiledRules,
  waitedMs: number,
): { later: Message[]; widensInMs: number | null } {
  const fallback = fallbacks.find(({ afterMs }) => afterMs > waitedMs);
  if (!fallback) return { later: [], widensInMs: null };
  const { teamSize, minHumans, afterMs } = fallback;
  const widensInMs = afterMs - waitedMs;
  const seconds = inSeconds(widensInMs);
  const later =
    teamSize < rules.teamSize
      ? message('waiting.smaller-teams-later', { seconds, teamSize })
      : message('waiting.bots-later', { seconds, players: minHumans });
  return { later: [later], widensInMs };
}

/** The platforms that a ticket meets. */
function platformsMet({ facts: { only }, entries: [{ group }] }: TicketClass): {
  meets: PlatformsMet;
  platforms: string[];
} {
  if (only !== null) return { meets: 'own', platforms: [only] };
  if (group.platforms === null) return { meets: 'all', platforms: [] };
  const platforms = group.platforms.filter((platform) => platform !== '');
  return { meets: platforms.length === 0 ? 'unnamed' : 'some', platforms };
}

/** The first rule that does not allow the match yet; later ones are reported in turn. */
function binding(chance: PossibleMatch, { rules, seats }: CompiledRules, now: number): WhyWaiting {
  const { spread, gap, oldestMs, bySpread, byParties, byMaps, byGap } = chance;
  const left = (due: number): number | null => (due === Infinity ? null : due - now);
  const window = limitAfter(rules.skillWindow, oldestMs);
  const allowed = limitAfter(rules.teamGap, oldestMs);
  if (bySpread > now && spread > window) {
    const widensInMs = left(bySpread);
    const skill = message('waiting.skill-window', {
      seats,
      spread: needed(spread),
      window: allowedSoFar(window),
      seconds: secondsOf(widensInMs),
    });
    return { rule: 'skill', messages: [skill], widensInMs };
  }
  if (byParties > now) {
    const sizes = message('waiting.party-sizes', { seconds: inSeconds(byParties - now) });
    return { rule: 'parties', messages: [sizes], widensInMs: left(byParties) };
  }
  if (byMaps > now) {
    const widensInMs = left(byMaps);
    const maps = message('waiting.maps', { seconds: secondsOf(widensInMs) });
    return { rule: 'maps', messages: [maps], widensInMs };
  }
  if (byGap > now && gap > allowed) {
    const widensInMs = left(byGap);
    const uneven = message('waiting.teams-uneven', {
      gap: needed(gap),
      allowed: allowedSoFar(allowed),
      seconds: secondsOf(widensInMs),
    });
    return { rule: 'teams', messages: [uneven], widensInMs };
  }
  const widensInMs = Math.max(0, bySpread - now, byGap - now);
  if (widensInMs === 0) return { rule: 'none', messages: [message('waiting.forming')], widensInMs };
  const better = message('waiting.better-match', { seconds: inSeconds(widensInMs) });
  return { rule: 'teams', messages: [better], widensInMs };
}

/** Of all matches along its lanes that a ticket could be in, the one that is allowed first. */
function bestPossibleMatch(
  source: Source,
  own: readonly (readonly [Lane, number])[],
  slot: number,
  rules: CompiledRules,
  now: number,
): PossibleMatch | null {
  const { draft, judge } = source;
  const { teams, teamSize } = rules.rules;
  let best: PossibleMatch | null = null;
  for (const [lane, place] of own)
    for (let from = Math.max(0, place - lane.reach + 1); from <= place; from++)
      for (const paired of [false, true]) {
        if (!draft.fill(lane, from, rules, paired) || !draft.list().includes(slot)) continue;
        const dues = judge.duesByTickets(draft, teams);
        const gap = draft.gap(rules, teamSize);
        // Roles, avoid-lists or the sizes of parties forbid every split.
        if (gap === Infinity) continue;
        const byGap = judge.dueByGap(draft, gap);
        const due = Math.max(dues.bySpread, dues.byParties, dues.byMaps, byGap);
        if (best && best.due <= due) continue;
        best = { ...dues, spread: draft.spread, oldestMs: Math.max(0, now - draft.oldest), gap, byGap, due };
      }
  return best;
}

/** Whether avoid-lists alone keep a ticket from any match. */
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
    return bestPossibleMatch(source, own, slot, rules, now) !== null;
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
    if (region === '' || !table.choosy(slot)) continue;
    const inMs = table.enqueuedAt[slot]! + rules.latencyAfter(table.latencyMsOf(slot, r)) - now;
    if (inMs > 0 && inMs < (next?.inMs ?? Infinity)) next = { region, inMs };
  }
  return next;
}

const inSeconds = (ms: number): number => Math.max(0, Math.ceil(ms / 1000));

const secondsOf = (ms: number | null): number | null => (ms === null ? null : inSeconds(ms));

/** Below this, two numbers differ by rounding errors. */
const nothing = 1e-6;

/** A match's value and its limit, rounded in opposite directions, so that no text says that 10.0 exceeds 10.0. */
const needed = (amount: number): number => Math.ceil(amount * 10 - nothing) / 10;

const allowedSoFar = (limit: number): number => Math.floor(limit * 10 + nothing) / 10;
