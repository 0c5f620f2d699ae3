import { own, type OpenBackfill, type QueueRules, type Seated, type Ticket } from '@muster/domain';
import { agreesOnPlatform, platformFactsOf, platformGroup } from './cross-play.js';
import { limitAfter } from './curve.js';
import { rolesFilled } from './pool/roles.js';

/** A waiting ticket with its version of the rules. */
export interface WaitingTicket {
  readonly ticket: Ticket;
  readonly rules: QueueRules;
}

const sumOf = (players: readonly Pick<Seated, 'mu'>[]): number =>
  players.reduce((sum, { mu }) => sum + mu, 0);

/**
 * The mean skill of the team's open seats that makes the team as strong as the others: its full sum then equals the mean of
 * theirs. A short opposing team counts as if its open seats had its own mean.
 *
 * @returns in units of mu; null when no other team has players
 */
export function seatLevel({
  team,
  teams,
  seats,
}: Pick<OpenBackfill, 'team' | 'teams' | 'seats'>): number | null {
  const its = teams[team] ?? [];
  const others = teams.filter((players, t) => t !== team && players.length > 0);
  if (others.length === 0) return null;
  const level = others.reduce((sum, players) => sum + sumOf(players) / players.length, 0) / others.length;
  return (level * (its.length + seats) - sumOf(its)) / seats;
}

/** The gap between the teams, in units of mu, when the ticket fills all its seats: its distance from the seats' need. */
export function gapLeft(backfill: OpenBackfill, ticket: Pick<Ticket, 'players'>): number {
  const level = seatLevel(backfill);
  return level === null ? 0 : Math.abs(sumOf(ticket.players) - ticket.players.length * level);
}

/** The number of players the team still needs for each role. */
export function rolesMissing({ team, teams, rules }: OpenBackfill): Record<string, number> {
  const missing = Object.entries(rules.roles ?? {}).map(([role, count]): [string, number] => [
    role,
    Math.max(0, count - (teams[team] ?? []).filter((player) => player.role === role).length),
  ]);
  return Object.fromEntries(missing.filter(([, count]) => count > 0));
}

/**
 * Whether a ticket may take seats of a backfill. Skill windows and party pairing apply only to new matches: here the gap
 * between the teams decides, by the longer wait of ticket and request. A booster is for a whole match among players of its
 * division, so its ticket takes no seat.
 *
 * @param now milliseconds since the epoch
 */
export function fitsSeat(backfill: OpenBackfill, { ticket, rules }: WaitingTicket, now: number): boolean {
  const { players, maps = [], avoid = [], behaviour = 1 } = ticket;
  const waitedMs = Math.max(0, now - ticket.enqueuedAt);
  if (players.length > backfill.seats || ticket.build !== backfill.build) return false;
  if (players.some(({ booster }) => booster !== undefined)) return false;
  const { mode, pool, teams } = backfill.rules;
  if (rules.mode !== mode || rules.pool !== pool || rules.teams !== teams) return false;
  const facts = platformFactsOf(ticket);
  if (platformGroup(rules.crossPlay, facts.platforms) !== (backfill.rules.platformGroup ?? '')) return false;
  if (!agreesOnPlatform(facts, backfill.rules.onlyPlatform)) return false;
  if (players.some(({ playerId }) => backfill.everybody.includes(playerId))) return false;

  const regions = Object.keys(ticket.latencyMs);
  const latencyMs = own(ticket.latencyMs, backfill.region) ?? Infinity;
  if (regions.length > 0 && latencyMs > limitAfter(rules.latencyLimitMs, waitedMs)) return false;

  const agreeMs = (rules.maps?.agreeSeconds ?? Infinity) * 1000;
  const content = maps.length === 0 || (backfill.map !== null && maps.includes(backfill.map));
  if (rules.maps && !content && waitedMs < agreeMs) return false;

  const low = behaviour < (rules.behaviour?.lowBelow ?? 0);
  const apartMs = (rules.behaviour?.apartSeconds ?? Infinity) * 1000;
  const amongLow = backfill.rules.low === true;
  if (low !== amongLow && !(low && waitedMs >= apartMs)) return false;

  const isIn = (team: readonly Seated[], playerId: string): boolean =>
    team.some((seated) => seated.playerId === playerId);
  for (const { playerId, scope } of avoid) {
    const near = scope === 'match' ? backfill.teams : [backfill.teams[backfill.team] ?? []];
    if (near.some((team) => isIn(team, playerId))) return false;
  }

  const demand = rolesMissing(backfill);
  const missing = Object.values(demand).reduce((sum, count) => sum + count, 0);
  const seatsAfter = backfill.seats - players.length;
  if (rolesFilled(players, demand) < missing - seatsAfter) return false;

  return gapLeft(backfill, ticket) <= gapAllowed(backfill, ticket, now);
}

/** The largest gap between the teams that the rules allow by now, in units of mu. */
export function gapAllowed(
  { requestedAt, rules }: Pick<OpenBackfill, 'requestedAt' | 'rules'>,
  { enqueuedAt }: Pick<Ticket, 'enqueuedAt'>,
  now: number,
): number {
  return limitAfter(rules.teamGap, Math.max(0, now - enqueuedAt, now - requestedAt));
}

/**
 * Returns the fitting ticket that makes the teams most even; of equals, the one with the longest wait, then the first by
 * id.
 *
 * @param now milliseconds since the epoch
 * @returns null when none fits
 */
export function chooseForSeat(
  backfill: OpenBackfill,
  waiting: readonly WaitingTicket[],
  now: number,
): Ticket | null {
  const [best] = waiting
    .filter((each) => fitsSeat(backfill, each, now))
    .map(({ ticket }) => ({ ticket, gap: gapLeft(backfill, ticket) }))
    .sort(
      (a, b) =>
        a.gap - b.gap ||
        a.ticket.enqueuedAt - b.ticket.enqueuedAt ||
        (a.ticket.ticketId < b.ticket.ticketId ? -1 : 1),
    );
  return best?.ticket ?? null;
}
