import { skillOf, type QueueRules, type Ticket } from '@muster/domain';
import { limitAfter } from './curve.js';
import { fits } from './packing.js';
import { commonRegions } from './regions.js';

/** A set of tickets that may play one another now. */
export interface FormedGroup {
  readonly tickets: readonly Ticket[];
  /** Regions within every member's limit, least total latency first; empty means any. */
  readonly regions: readonly string[];
  /** Why these tickets, in words for people. */
  readonly why: readonly string[];
}

/** How even the best teams of some tickets would be: largest team sum less the smallest. Infinity if they cannot be split. */
export type GapOf = (tickets: readonly Ticket[]) => number;

/** How many neighbours of a ticket are looked at, how many steps the search among them may take, and how many full sets it weighs. */
const neighbours = 64;
const stepLimit = 4_000;
const setLimit = 40;

/**
 * Forms the matches of one tick.
 *
 * 1. The ticket that has waited longest is the anchor (then the next, should none be found for it); its skill window (which widens as it waits) sets who may join,
 *    so nobody starves: at the last corner of the window everyone of its build may.
 * 2. Its neighbours by skill, nearest first, are added as long as parties fit into teams whole and all share a region.
 * 3. A set that fills the teams is weighed by how even its best teams are. The first as even as a fresh ticket demands is
 *    taken; of those weighed, else, the most even, if the anchor's wait allows its gap by now.
 * 4. Its tickets leave the pool; then the next anchor.
 *
 * @param pool waiting tickets of one queue, in any order
 * @param now milliseconds since the epoch
 * @param gapOf how even the best teams of a set are; passed in, since splitting is another library's work
 * @returns disjoint groups, the longest waiting first
 */
export function formMatches(
  pool: readonly Ticket[],
  rules: QueueRules,
  now: number,
  gapOf: GapOf,
): FormedGroup[] {
  const groups: FormedGroup[] = [];
  const taken = new Set<string>();
  const bySkill = pool
    .map((ticket) => ({ ticket, skill: skillOf(ticket) }))
    .toSorted((a, b) => a.skill - b.skill || (a.ticket.ticketId < b.ticket.ticketId ? -1 : 1));
  const places = new Map(bySkill.map(({ ticket }, i) => [ticket.ticketId, i]));
  const byWait = pool.toSorted((a, b) => a.enqueuedAt - b.enqueuedAt || (a.ticketId < b.ticketId ? -1 : 1));
  let free = pool.reduce((sum, ticket) => sum + ticket.players.length, 0);

  for (const anchor of byWait) {
    if (free < rules.teams * rules.teamSize) break;
    if (taken.has(anchor.ticketId)) continue;
    const window = limitAfter(rules.skillWindow, now - anchor.enqueuedAt);
    const candidates = nearest(bySkill, places.get(anchor.ticketId) ?? 0, window, (ticket) => {
      return !taken.has(ticket.ticketId) && ticket.build === anchor.build;
    });
    const tickets = fill(anchor, candidates, rules, now, gapOf);
    if (!tickets) continue;
    for (const ticket of tickets) {
      taken.add(ticket.ticketId);
      free -= ticket.players.length;
    }
    groups.push({
      tickets,
      regions: commonRegions(tickets, rules, now) ?? [],
      why: explainGroup(anchor, tickets, window, now),
    });
  }
  return groups;
}

/** Walks outwards by skill from an anchor, nearest first, and stops at the window's edge. */
function nearest(
  bySkill: readonly { ticket: Ticket; skill: number }[],
  at: number,
  window: number,
  wanted: (ticket: Ticket) => boolean,
): Ticket[] {
  const centre = bySkill[at]?.skill ?? 0;
  const found: Ticket[] = [];
  let below = at - 1;
  let above = at + 1;
  while (found.length < neighbours) {
    const down = centre - (bySkill[below]?.skill ?? -Infinity);
    const up = (bySkill[above]?.skill ?? Infinity) - centre;
    const distance = Math.min(down, up);
    const next = bySkill[down <= up ? below-- : above++];
    if (!next || distance > window) break;
    if (wanted(next.ticket)) found.push(next.ticket);
  }
  return found;
}

/** Depth first over the candidates, nearest first; null if no set that was weighed is even enough. */
function fill(
  anchor: Ticket,
  candidates: readonly Ticket[],
  rules: QueueRules,
  now: number,
  gapOf: GapOf,
): Ticket[] | null {
  const places = rules.teams * rules.teamSize;
  const even = limitAfter(rules.teamGap, 0);
  const chosen = [anchor];
  let best: { gap: number; tickets: Ticket[] } = { gap: Infinity, tickets: [] };
  let steps = 0;
  let weighed = 0;
  const extend = (from: number, seats: number): boolean => {
    if (seats === places) {
      const gap = gapOf(chosen);
      if (gap < best.gap) best = { gap, tickets: [...chosen] };
      return gap <= even || ++weighed >= setLimit;
    }
    for (let i = from; i < candidates.length; i++) {
      if (++steps > stepLimit) return true;
      const candidate = candidates[i];
      if (!candidate || seats + candidate.players.length > places) continue;
      chosen.push(candidate);
      const sizes = chosen.map((ticket) => ticket.players.length);
      const possible = fits(sizes, rules.teams, rules.teamSize) && commonRegions(chosen, rules, now) !== null;
      if (possible && extend(i + 1, seats + candidate.players.length)) return true;
      chosen.pop();
    }
    return false;
  };
  if (!fits([anchor.players.length], rules.teams, rules.teamSize)) return null;
  extend(0, anchor.players.length);
  const allowed = limitAfter(rules.teamGap, now - anchor.enqueuedAt);
  return best.tickets.length > 0 && best.gap <= allowed ? best.tickets : null;
}

function explainGroup(anchor: Ticket, tickets: readonly Ticket[], window: number, now: number): string[] {
  const skills = tickets.map(skillOf);
  const spread = Math.max(...skills) - Math.min(...skills);
  const waited = Math.max(0, (now - anchor.enqueuedAt) / 1000).toFixed(1);
  const players = tickets.reduce((sum, ticket) => sum + ticket.players.length, 0);
  const parties = tickets.filter((ticket) => ticket.players.length > 1).length;
  const limit = Number.isFinite(window) ? `up to ${window.toFixed(1)} from its skill` : 'any skill';
  return [
    `${players} players within ${spread.toFixed(1)} rating points of one another` +
      (parties > 0 ? `, among them ${parties} ${parties === 1 ? 'party' : 'parties'} kept together` : '') +
      '.',
    `The match was formed around a ticket that had waited ${waited} s and accepted ${limit}.`,
  ];
}
