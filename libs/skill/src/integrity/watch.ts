import type { Signal, SignalKind, SkillBelief } from '@muster/domain';
import { outcomeBetween } from '../contest.js';
import { newcomerEvidence, newNewcomer, watchNewcomer, type NewcomerWatch } from './newcomer.js';
import {
  collusionOf,
  mostPlayersForPairs,
  watchOpponents,
  type Meeting,
  type OpponentWatch,
} from './opponents.js';
import { outcomesOf, type WatchedMatch } from './results.js';
import { watchServer, newServer, type ServerWatch } from './server.js';
import { collusionSignal, newcomerSignal, serverSignal, thrownSignal } from './signals.js';
import { newThrown, watchThrown, type ThrownWatch } from './thrown.js';

/** What is remembered of one player in a pool: some hundred bytes, however many matches there were. */
export interface PlayerWatch {
  readonly matches: number;
  /** null: not new, or not new any more. */
  readonly newcomer: NewcomerWatch | null;
  readonly thrown: ThrownWatch;
  readonly opponents: readonly OpponentWatch[];
}

export const newPlayer: PlayerWatch = { matches: 0, newcomer: null, thrown: newThrown, opponents: [] };

/** What is remembered of a pool's players and servers; those who are missing have not been seen. */
export interface Watches {
  readonly players: ReadonlyMap<string, PlayerWatch>;
  readonly servers: ReadonlyMap<string, ServerWatch>;
}

/** What signals need to know beside results. */
export interface WatchContext {
  /** The rating of a new account. */
  readonly start: SkillBelief;
  /**
   * The chance of a player's team if the player had each of `newcomerLevels`. Absent values: the model cannot tell.
   *
   * @param team, player indices in the match
   */
  levelChances(match: WatchedMatch, team: number, player: number): readonly number[] | null;
  /** Whether a match was already judged: an operator closed a case about it. */
  isClosed(kind: SignalKind, subject: string, sequence: number): boolean;
  /** The evidence from which a signal is raised, by kind. */
  readonly thresholds: Readonly<Record<SignalKind, number>>;
}

/**
 * The evidence from which a case is opened. On simulated and recorded histories at most 1 % of honest ones get there; see
 * docs/integrity.md. That of collusion is more than meetings alone can reach, and that of alternate accounts more than leagues require:
 * families share more habits than independent people do.
 */
export const signalThresholds: Readonly<Record<SignalKind, number>> = {
  newcomer: 45,
  thrown: 170,
  collusion: 6_000,
  server: 300,
  alternate: 20,
};

/** What a match changed, and which signals it raised. */
export interface WatchedResult {
  readonly players: readonly (readonly [playerId: string, watch: PlayerWatch])[];
  readonly server: ServerWatch | null;
  readonly signals: readonly Signal[];
}

/**
 * Counts a match. Pure: the same matches in the same order give the same evidence.
 *
 * 1. Each player's outcome is compared with the chance of the team.
 * 2. A new account is compared with players of known levels.
 * 3. Opponents of small matches are compared pair by pair.
 * 4. The server's result is compared with the chances of all teams.
 */
export function watchMatch(watches: Watches, match: WatchedMatch, context: WatchContext): WatchedResult {
  const outcomes = outcomesOf(match.ranks);
  const signals: Signal[] = [];
  const players = match.teams.flatMap((team, t) =>
    team.map((playerId, p) => {
      const watch = watchPlayer(watches, match, context, { t, p, playerId, outcome: outcomes[t] ?? 0 });
      signals.push(...playerSignals(playerId, watch, match, context));
      return [playerId, watch] as const;
    }),
  );
  const server = match.server === null ? null : serverAfter(watches, match, context, match.server);
  if (server && match.server !== null && server.evidence.log >= Math.log(context.thresholds.server))
    signals.push(serverSignal(match.server, server, match));
  return { players, server, signals: onePerPair(signals) };
}

interface Seat {
  readonly t: number;
  readonly p: number;
  readonly playerId: string;
  readonly outcome: number;
}

function watchPlayer(watches: Watches, match: WatchedMatch, context: WatchContext, seat: Seat): PlayerWatch {
  const { playerId, t, outcome } = seat;
  const before = watches.players.get(playerId) ?? newPlayer;
  const { sequence } = match;
  const matches = before.matches + 1;
  const chance = match.chances[t] ?? 0;
  return {
    matches,
    newcomer: newcomerAfter(before, match, context, seat),
    thrown: context.isClosed('thrown', playerId, sequence)
      ? newThrown
      : watchThrown(before.thrown, chance, outcome),
    opponents: watchOpponents(before.opponents, meetingsOf(match, context, seat), matches),
  };
}

function newcomerAfter(
  { newcomer }: PlayerWatch,
  match: WatchedMatch,
  context: WatchContext,
  { t, p, playerId, outcome }: Seat,
): NewcomerWatch | null {
  const isFirst = isNew(match.before[t]?.[p] ?? null, context.start);
  const before = isFirst ? newNewcomer : newcomer;
  if (!before || context.isClosed('newcomer', playerId, match.sequence)) return null;
  const chances = context.levelChances(match, t, p);
  return chances ? watchNewcomer(before, match.chances[t] ?? 0, chances, outcome) : before;
}

/** Only the first match of an account begins with the start value, to the bit. */
function isNew(before: SkillBelief | null, start: SkillBelief): boolean {
  return before !== null && before.mu === start.mu && before.sigma === start.sigma;
}

function meetingsOf(
  { teams, ranks, chances, sequence }: WatchedMatch,
  context: WatchContext,
  { t, playerId }: Seat,
): Meeting[] {
  const many = teams.reduce((sum, team) => sum + team.length, 0);
  if (many > mostPlayersForPairs) return [];
  const own = chances[t] ?? 0;
  return teams.flatMap((team, other) => {
    if (other === t) return [];
    const chance = own / (own + (chances[other] ?? 0));
    const outcome = outcomeBetween(ranks[t] ?? 0, ranks[other] ?? 0);
    return team
      .filter((opponent) => !context.isClosed('collusion', pairOf(playerId, opponent), sequence))
      .map((opponent) => ({ playerId: opponent, chance, outcome }));
  });
}

function serverAfter(
  { servers }: Watches,
  match: WatchedMatch,
  context: WatchContext,
  server: string,
): ServerWatch {
  return context.isClosed('server', server, match.sequence)
    ? newServer
    : watchServer(servers.get(server) ?? newServer, match);
}

function playerSignals(
  playerId: string,
  { newcomer, thrown, opponents, matches }: PlayerWatch,
  match: WatchedMatch,
  { thresholds }: WatchContext,
): Signal[] {
  const found: Signal[] = [];
  if (newcomer && newcomerEvidence(newcomer) >= Math.log(thresholds.newcomer))
    found.push(newcomerSignal(playerId, newcomer, match));
  if (thrown.evidence.log >= Math.log(thresholds.thrown)) found.push(thrownSignal(playerId, thrown, match));
  for (const opponent of opponents)
    if (opponent.latest === matches && collusionOf(opponent) >= Math.log(thresholds.collusion))
      found.push(collusionSignal(playerId, opponent, match, { matches, opponents }));
  return found;
}

/** The two of a pair remember each other, so both may find it: the stronger evidence counts. */
function onePerPair(signals: readonly Signal[]): Signal[] {
  const bySubject = new Map<string, Signal>();
  for (const signal of signals) {
    const key = `${signal.kind} ${subjectOf(signal)}`;
    const known = bySubject.get(key);
    if (!known || known.evidence < signal.evidence) bySubject.set(key, signal);
  }
  return [...bySubject.values()];
}

/** Who or what a signal is about, as one text. */
export function subjectOf({ players, server }: Pick<Signal, 'players' | 'server'>): string {
  return server ?? players.toSorted().join(' ');
}

function pairOf(one: string, other: string): string {
  return subjectOf({ players: [one, other], server: null });
}
