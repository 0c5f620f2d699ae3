import type { BoosterInUse } from '../ratings/booster.js';
import type { OpenRegions } from '../matches/region-openings.js';
import type { ScaleOutOutcome } from '../servers/scale-out.js';
import { message, type Message } from '../messages/index.js';
import { needsOf, type ServerDemand } from '../servers/server-labels.js';
import type { PlacementPolicy, SlotPick } from './choose-servers.js';
import type { Decision } from './decision.js';
import { ticketIdsOf, type RosterEntry } from './state.js';

/** Timeouts of the allocator, in milliseconds. */
export interface PlacementTimeouts {
  /** For a server's answer to "create a session". */
  readonly answerMs: number;
  /** A server that is silent for this long gets no new match, and is lost when its matches need not be resumed. */
  readonly silenceMs: number;
  /** Most servers of a group that are silent together are judged only after this time. */
  readonly massSilenceMs: number;
  /** A server that refused a match or left it unanswered is not asked again for it during this time. */
  readonly avoidMs: number;
}

export type PlaceResult =
  | {
      readonly outcome: 'reserved';
      readonly serverId: string;
      readonly sessionId: string;
      readonly answerBy: number;
      /** How many attempts the match has had, this one included. */
      readonly attempt: number;
      /** Since its proposal; null where that is not known. */
      readonly waitedMs: number | null;
    }
  /** No fitting server has a free slot now; the next attempt is at `nextAttemptAt`. */
  | { readonly outcome: 'none-free'; readonly nextAttemptAt: number }
  /** Nothing to do: the match is placed already, is over, or another caller is placing it. */
  | { readonly outcome: 'settled' };

/** Back-off of a match without a free server: doubling from the first to the last, in milliseconds. */
const backOff = { firstMs: 250, lastMs: 4_000 };

/** Default time that a match waits for a server, in seconds. */
export const defaultPlacementTimeoutSeconds = 300;

/** The shortage that the tickets of a match were notified of. */
export type Shortage = 'none-free' | 'overloaded' | 'unfit' | ScaleOutOutcome;

/** A match that needs a server. */
export interface UnplacedMatch {
  readonly matchId: string;
  /** Attempts so far. */
  readonly attempts: number;
  readonly queue: string | null;
  readonly build: string | null;
  /** Where it may be played by now. */
  readonly open: OpenRegions;
  /** The open regions of which its tickets were last told that they have no free server; null: of none. */
  readonly told: Pick<OpenRegions, 'regions' | 'anywhere'> | null;
  readonly mode: string | null;
  readonly map: string | null;
  /** The side of each team; null or absent: the rules name none. */
  readonly sides?: readonly string[] | null | undefined;
  readonly bots: readonly number[];
  /** Labels that its server must have; null or absent: none. */
  readonly serverLabels?: ServerDemand['labels'];
  /** How its server is chosen; null: the rules do not say. */
  readonly policy?: PlacementPolicy | null | undefined;
  /** The shortage its tickets were last notified of; null: nothing. */
  readonly shortage: Shortage | null;
  readonly players: readonly (RosterEntry & {
    readonly role: string | null;
    /** Null or absent: the player has none. */
    readonly booster?: BoosterInUse | null;
  })[];
}

/** A slot reserved for a match, with the command to create its session. */
export interface Reservation {
  readonly matchId: string;
  readonly sessionId: string;
  readonly serverId: string;
  readonly incarnation: number;
  readonly ordinal: number;
  readonly answerBy: number;
  readonly attempts: number;
  readonly order: object;
}

/** A slot is free: it is reserved, and its server is commanded to create the session. */
export function decideReservation(
  match: UnplacedMatch,
  { serverId, incarnation, ordinal }: SlotPick,
  sessionId: string,
  { answerMs }: Pick<PlacementTimeouts, 'answerMs'>,
  now: number,
): Reservation {
  const { matchId, queue, mode, map, sides, bots, players, attempts } = match;
  const answerBy = now + answerMs;
  const teams: string[][] = [];
  for (const { playerId, team } of players) (teams[team] ??= []).push(playerId);
  const roles = Object.fromEntries(
    players.flatMap(({ playerId, role }) => (role === null ? [] : [[playerId, role]])),
  );
  const boosted = players.flatMap(({ playerId, booster }) =>
    booster ? [{ playerId, division: booster.division, higher: booster.higher }] : [],
  );
  return {
    matchId,
    sessionId,
    serverId,
    incarnation,
    ordinal,
    answerBy,
    attempts: attempts + 1,
    order: {
      matchId,
      queue: queue ?? '',
      mode: mode ?? '',
      teams,
      map,
      bots,
      roles,
      ...(boosted.length > 0 ? { boosted } : {}),
      answerBy,
      ...(sides ? { sides } : {}),
    },
  };
}

/**
 * No slot is free: placement is tried again after a pause, or when the next region opens if that is sooner. The tickets are
 * notified of the reason once rather than at every attempt, and again when a region has opened.
 *
 * @param found as `shortageOf` finds it
 */
export function decideWait(
  match: UnplacedMatch,
  { shortage: found, overloaded }: FoundShortage,
  now: number,
): Decision<PlaceResult> {
  const { matchId, attempts, shortage, open, told } = match;
  const pauseMs = Math.min(backOff.lastMs, backOff.firstMs * 2 ** Math.min(10, attempts));
  const dueAt = now + Math.min(pauseMs, Math.ceil(open.next?.inMs ?? Infinity));
  // Regions only open, so their number says which they are.
  const isTold =
    found === shortage && told?.regions.length === open.regions.length && told.anywhere === open.anywhere;
  const ticketIds = ticketIdsOf(match);
  return {
    outcome: { outcome: 'none-free', nextAttemptAt: dueAt },
    changes: {
      matchId,
      placement: {
        dueAt,
        attempts: attempts + 1,
        shortage: found,
        told: { regions: open.regions, anywhere: open.anywhere },
      },
    },
    jobs: isTold
      ? []
      : [
          {
            kind: 'update',
            matchId,
            ticketIds,
            reason: shortageReason(found, match, overloaded),
            update: { to: 'placing' },
          },
        ],
  };
}

/** What keeps a match from a server. */
export interface FoundShortage {
  readonly shortage: Shortage;
  /** Servers that fit and have free slots, but are overloaded. */
  readonly overloaded: number;
}

/** What a match needs of its server beside build and region. */
export function demandOf({
  mode,
  map,
  serverLabels,
}: Pick<UnplacedMatch, 'mode' | 'map' | 'serverLabels'>): ServerDemand {
  return { mode, map, labels: serverLabels ?? null };
}

/**
 * The shortage of a match that no server fits: the result of a recent request for servers, else that its servers are
 * overloaded, else what its tickets were notified of before.
 *
 * @param before what the tickets were notified of; null: nothing
 * @param requested the result of a request that is not long ago; null: there is none
 * @param unfit whether there are servers of the build in its regions, and none of them fits, free or not
 */
export function shortageOf(
  before: Shortage | null,
  requested: ScaleOutOutcome | null,
  overloaded: number,
  unfit = false,
): FoundShortage {
  if (unfit && requested !== 'starting') return { shortage: 'unfit', overloaded };
  const isOld = before === 'starting' || before === 'failed';
  const found = requested ?? (isOld ? before : overloaded > 0 ? 'overloaded' : 'none-free');
  return { shortage: found, overloaded };
}

/** The message for the tickets of a match without a server. @param overloaded servers with free slots that are overloaded */
export function shortageReason(
  shortage: Shortage,
  match: Pick<UnplacedMatch, 'build' | 'open'> &
    Partial<Pick<UnplacedMatch, 'mode' | 'map' | 'serverLabels'>>,
  overloaded = 0,
): Message {
  const { build, open, mode = null, map = null, serverLabels } = match;
  const { regions, anywhere, next } = open;
  const seconds = next ? Math.ceil(next.inMs / 1000) : null;
  const params = { build: build ?? '?', anywhere, regions, seconds, next: next?.region ?? null };
  switch (shortage) {
    case 'none-free':
      return message('placement.none-free', params);
    case 'overloaded':
      return message('placement.overloaded', { ...params, servers: overloaded });
    case 'unfit':
      return message('placement.unfit', { ...params, needs: needsOf(demandOf({ mode, map, serverLabels })) });
    case 'starting':
      return message('placement.starting', params);
    case 'failed':
      return message('placement.none-asked', params);
  }
}
