import { message, type Message } from '../messages/index.js';
import type { MatchOffence } from '../schemas/offences.js';
import type { MatchJob } from './decision.js';

/** Players of one match who are blamed in one call. */
export interface Blamed {
  readonly noShows: readonly string[];
  readonly leavers: readonly string[];
}

/** The matches that an outage is of: those of a server, those of a region, or all. The narrowest first. */
export const outageScopes = ['server', 'region', 'all'] as const;
export type OutageScope = (typeof outageScopes)[number];

/** One offence for each player and kind. */
export function offencesOf({ noShows, leavers }: Blamed, at: number): MatchOffence[] {
  return [
    ...[...new Set(noShows)].map((playerId) => ({ playerId, kind: 'no-show' as const, at })),
    ...[...new Set(leavers)].map((playerId) => ({ playerId, kind: 'left' as const, at })),
  ];
}

/** Default share of a match's players of whom more are never penalised. */
export const defaultMassBlameShare = 0.5;

/**
 * Whether a player is no leaver: their server said that they are finished, or they left with permission, since the server was
 * silent or the match lasted too long.
 */
export function mayLeave({ finishedAt }: { readonly finishedAt?: number | null | undefined }): boolean {
  return typeof finishedAt === 'number';
}

/** A match whose players are blamed. */
export interface BlamedMatch {
  readonly matchId: string;
  readonly queue: string | null;
  /** The offences so far. */
  readonly blame: readonly MatchOffence[];
  readonly players: readonly { readonly playerId: string; readonly finishedAt?: number | null | undefined }[];
  /** Of the rules of the match; null or absent: the default. */
  readonly massBlameShare?: number | null | undefined;
}

/** What follows for the penalties of a match. */
export interface Accusation {
  /** All offences of the match from now on. */
  readonly blame: readonly MatchOffence[];
  readonly jobs: readonly MatchJob[];
}

/**
 * Whether so many players of a match are blamed that the cause is an outage rather than the players.
 *
 * @param share of the rules of the match; null or absent: the default
 */
export function isMassBlame(blamed: number, players: number, share?: number | null): boolean {
  return blamed > (share ?? defaultMassBlameShare) * players;
}

/**
 * A server blames players, but not those who {@link mayLeave}. When more than a share of the match is blamed, the cause is an outage rather than the players:
 * all penalties of the match are lifted, until an operator imposes them.
 *
 * @param backfillId the request that names them
 */
export function accuse(match: BlamedMatch, named: Blamed, at: number, backfillId?: string): Accusation {
  const { matchId, players, massBlameShare } = match;
  const queue = match.queue ?? '';
  const isFinished = (id: string): boolean =>
    players.some((player) => player.playerId === id && mayLeave(player));
  const blamed: Blamed = {
    noShows: named.noShows.filter((id) => !isFinished(id)),
    leavers: named.leavers.filter((id) => !isFinished(id)),
  };
  const isNamed = ({ playerId }: MatchOffence): boolean =>
    blamed.noShows.includes(playerId) || blamed.leavers.includes(playerId);
  const withdrawn = match.blame.filter((each) => each.withdrawnAt !== undefined && isNamed(each));
  // Later than their penalties were lifted, whatever the clocks of replicas say: else they stay lifted.
  const since = Math.max(at, ...withdrawn.map(({ withdrawnAt = 0 }) => withdrawnAt + 1));
  const fresh = offencesOf(blamed, since).map((each) =>
    backfillId === undefined ? each : { ...each, backfillId },
  );
  if (fresh.length === 0) return { blame: match.blame, jobs: [] };
  const all = [...match.blame.filter((each) => !withdrawn.includes(each)), ...fresh];
  const offences = all.filter(({ withdrawnAt }) => withdrawnAt === undefined);
  const count = new Set(offences.map(({ playerId }) => playerId)).size;
  if (!isMassBlame(count, players.length, massBlameShare))
    return { blame: all, jobs: [{ kind: 'conduct', matchId, queue, blamed, at: since }] };
  const why = message('penalty.mass', { blamed: count, players: players.length });
  return {
    blame: all.map((each) => ({ ...each, lifted: true })),
    jobs: [{ kind: 'lift', matchId, queue, offences, at: since, why }],
  };
}

/**
 * The ground of offences is gone, and the penalties with it.
 *
 * @param isGone which offences; all by default
 */
export function acquit(
  { matchId, queue, blame }: Omit<BlamedMatch, 'players'>,
  why: Message,
  at: number,
  isGone: (offence: MatchOffence) => boolean = () => true,
): Accusation {
  const offences = blame.filter((each) => !each.lifted && isGone(each));
  if (offences.length === 0) return { blame, jobs: [] };
  return {
    blame: blame.filter((each) => !offences.includes(each)),
    jobs: [{ kind: 'lift', matchId, queue: queue ?? '', offences, at, why }],
  };
}
