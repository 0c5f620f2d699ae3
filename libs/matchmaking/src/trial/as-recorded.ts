import { skillOf, type QueueRules, type RecordedTicket, type Ticket } from '@muster/domain';
import { WaitingPool } from '../pool/waiting-pool.js';
import { tryResultOf, type TryResult, type TriedMatch, type TriedTicket } from './try-result.js';
import { inOrder } from './try-rules.js';

const outcomes = { matched: 'matched', cancelled: 'left', expired: 'expired', waiting: 'waiting' } as const;

/**
 * The figures of a record as it happened. Its matches are judged as the matcher judges them, by their best split.
 *
 * @param rules the rules that were played: teams, their sizes, roles, bots
 * @param until the end of the record; later tickets are excluded. Milliseconds since the epoch
 */
export function asRecorded(recorded: readonly RecordedTicket[], rules: QueueRules, until: number): TryResult {
  const part = inOrder(recorded).filter(({ ticket }) => ticket.enqueuedAt <= until);
  const groups = new Map<string, RecordedTicket[]>();
  for (const each of part) {
    if (each.matchId === undefined) continue;
    const group = groups.get(each.matchId) ?? [];
    groups.set(each.matchId, group);
    group.push(each);
  }
  const judge = new RecordedMatches(rules);
  const matches = new Map([...groups].map(([matchId, group]) => [matchId, judge.read(group)]));
  const tickets = part.map(({ ticket, outcome, leftAt, matchId }): TriedTicket => ({
    ticketId: ticket.ticketId,
    outcome: outcomes[outcome],
    waitMs: Math.max(0, (leftAt ?? until) - ticket.enqueuedAt),
    unfairness: (matchId === undefined ? undefined : matches.get(matchId))?.unfairness ?? null,
  }));
  return tryResultOf(tickets, [...matches.values()], rules.teams);
}

const anything = [{ afterSeconds: 0, limit: null }];

/** Judges existing matches: with a pool that allows everything, and in which no other ticket waits. */
class RecordedMatches {
  private readonly pools = new Map<string, WaitingPool>();

  constructor(private readonly rules: QueueRules) {}

  read(group: readonly RecordedTicket[]): TriedMatch {
    const tickets = group.map(({ ticket }) => ticket);
    const skills = tickets.map(skillOf);
    return {
      ticketIds: tickets.map(({ ticketId }) => ticketId),
      at: Math.max(...group.map(({ leftAt }) => leftAt ?? 0)),
      unfairness: this.unfairnessOf(tickets),
      spread: Math.max(...skills) - Math.min(...skills),
    };
  }

  /** @returns null when these tickets are no complete match: some returned to the queue, or other rules formed it */
  private unfairnessOf(tickets: readonly Ticket[]): number | null {
    const pool = this.poolFor(tickets.reduce((sum, { players }) => sum + players.length, 0));
    if (!pool) return null;
    // In the pool all tickets came long ago, at once.
    for (const { rulesVersion: _, ...ticket } of tickets)
      pool.add({ ...ticket, latencyMs: {}, avoid: [], enqueuedAt: 0 });
    const { proposals } = pool.tick(0);
    for (const { ticketId } of tickets) pool.remove(ticketId);
    const [match] = proposals;
    return match?.tickets.length === tickets.length ? match.figures.unfairness : null;
  }

  private poolFor(players: number): WaitingPool | null {
    const { name, mode, pool, teams, roles, bots, smallerTeams = [] } = this.rules;
    const { maxPartySize, ticketTtlSeconds, placementTimeoutSeconds } = this.rules;
    const sizes = [this.rules.teamSize, ...smallerTeams.map(({ teamSize }) => teamSize)];
    const size = sizes.find((each) => each * teams === players);
    const filled = size === undefined && bots !== undefined && players >= bots.minPlayers;
    if (size === undefined && !filled) return null;
    const teamSize = size ?? this.rules.teamSize;
    const key = filled ? `bots beside ${players}` : String(teamSize);
    const known = this.pools.get(key);
    if (known) return known;
    const made = new WaitingPool({
      name,
      mode,
      pool,
      teams,
      teamSize,
      maxPartySize,
      skillWindow: anything,
      teamGap: anything,
      latencyLimitMs: anything,
      ticketTtlSeconds,
      placementTimeoutSeconds,
      ...(roles ? { roles } : {}),
      ...(filled ? { bots: { afterSeconds: 0, skill: bots.skill, minPlayers: players } } : {}),
    });
    this.pools.set(key, made);
    return made;
  }
}
