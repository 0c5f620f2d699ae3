/**
 * An error that a caller can act on. One class per kind, mapped once to HTTP (see `@muster/contracts`).
 * `message` tells people what was wrong and what would be right, in a sentence.
 */
export abstract class MusterError extends Error {
  /** Stable name of the kind of error, the last part of the problem document's `type`. */
  abstract readonly code: string;
  /** Facts for programs, beside the message. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(message: string, facts: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = new.target.name;
    this.facts = facts;
  }
}

export class NotAuthenticated extends MusterError {
  readonly code = 'not-authenticated';
}
export class NotAllowed extends MusterError {
  readonly code = 'not-allowed';
}
export class TicketNotFound extends MusterError {
  readonly code = 'ticket-not-found';
}
/** The store forgot the ticket: it was created, and nothing more is known of it. */
export class TicketLost extends MusterError {
  readonly code = 'ticket-lost';
}
/** The store lost memory, and the tickets of running matches are being restored. */
export class TicketsRecovering extends MusterError {
  readonly code = 'tickets-recovering';
}
export class QueueNotFound extends MusterError {
  readonly code = 'queue-not-found';
}
export class JobNotFound extends MusterError {
  readonly code = 'job-not-found';
}
export class RulesVersionNotFound extends MusterError {
  readonly code = 'rules-version-not-found';
}
export class RulesChanged extends MusterError {
  readonly code = 'rules-changed';
}
export class RulesInvalid extends MusterError {
  readonly code = 'rules-invalid';
}
/** A match that has a result, or ended in another way. */
export class MatchOver extends MusterError {
  readonly code = 'match-over';
}
export class MatchNotFound extends MusterError {
  readonly code = 'match-not-found';
}
export class ServerNotFound extends MusterError {
  readonly code = 'server-not-found';
}
export class SessionNotFound extends MusterError {
  readonly code = 'session-not-found';
}
export class CommandNotFound extends MusterError {
  readonly code = 'command-not-found';
}
export class UnknownPool extends MusterError {
  readonly code = 'pool-not-found';
}
export class PoolInvalid extends MusterError {
  readonly code = 'pool-invalid';
}
export class MatchUnratable extends MusterError {
  readonly code = 'match-unratable';
}
/** A rating outside the range of the pool’s model. */
export class RatingInvalid extends MusterError {
  readonly code = 'rating-invalid';
}
/** A reported time is in the future. */
export class TimeAhead extends MusterError {
  readonly code = 'time-ahead';
}
/** Something cannot begin at a time that has passed. */
export class TimePast extends MusterError {
  readonly code = 'time-past';
}
export class RebuildRunning extends MusterError {
  readonly code = 'rebuild-running';
}
/** A season that is not the next one, or has begun with other content. */
export class SeasonConflict extends MusterError {
  readonly code = 'season-conflict';
}
/** The board of a pool is being made from its ratings. */
export class LeaderboardUnavailable extends MusterError {
  readonly code = 'leaderboard-unavailable';
}
/** The final standings of a season are being archived. */
export class StandingsUnavailable extends MusterError {
  readonly code = 'standings-unavailable';
}
/** A case about which an operator decided otherwise before. */
export class CaseClosed extends MusterError {
  readonly code = 'case-closed';
}
export class CaseNotFound extends MusterError {
  readonly code = 'case-not-found';
}
/** The operator does not take this kind of request from players. */
export class DataRequestsOff extends MusterError {
  readonly code = 'data-requests-off';
}
export class SeasonNotFound extends MusterError {
  readonly code = 'season-not-found';
}
export class MatchNotOver extends MusterError {
  readonly code = 'match-not-over';
}
export class PlayerAlreadyQueued extends MusterError {
  readonly code = 'player-already-queued';
}
export class PlayerTwice extends MusterError {
  readonly code = 'player-twice';
}
export class PartyTooLarge extends MusterError {
  readonly code = 'party-too-large';
}
export class UnknownRole extends MusterError {
  readonly code = 'role-unknown';
}
export class UnknownMap extends MusterError {
  readonly code = 'map-unknown';
}
/** A platform that the queue does not take, or a missing one where it is required. */
export class UnknownPlatform extends MusterError {
  readonly code = 'platform-unknown';
}
/** Players of a party are on platforms that may not play together. */
export class CrossPlayRefused extends MusterError {
  readonly code = 'cross-play-refused';
}
/** A ticket names no build, and servers have several. */
export class BuildMissing extends MusterError {
  readonly code = 'build-missing';
}
/** Players of a party have different client builds. */
export class MixedBuilds extends MusterError {
  readonly code = 'mixed-builds';
}
export class PartyPassRefused extends MusterError {
  readonly code = 'party-pass-refused';
}
export class PartyNotFound extends MusterError {
  readonly code = 'party-not-found';
}
export class NotInvited extends MusterError {
  readonly code = 'not-invited';
}
export class AlreadyInParty extends MusterError {
  readonly code = 'already-in-party';
}
/** A member joined or left while the party was being queued. */
export class PartyChanged extends MusterError {
  readonly code = 'party-changed';
}
export class NoCommonRegion extends MusterError {
  readonly code = 'no-common-region';
}
/** A player may not queue for a while after an offence. */
export class CoolingDown extends MusterError {
  readonly code = 'cooling-down';
}
export class NothingToAccept extends MusterError {
  readonly code = 'nothing-to-accept';
}
/** The pool, the player's division or the ticket allows no such booster. */
export class BoosterRefused extends MusterError {
  readonly code = 'booster-refused';
}
export class BoosterNotFound extends MusterError {
  readonly code = 'booster-not-found';
}
export class PenaltyNotFound extends MusterError {
  readonly code = 'penalty-not-found';
}
export class EntryRefused extends MusterError {
  readonly code = 'entry-refused';
}
export class AvoidListFull extends MusterError {
  readonly code = 'avoid-list-full';
}
export class ReportRefused extends MusterError {
  readonly code = 'report-refused';
}
export class AlreadyReported extends MusterError {
  readonly code = 'already-reported';
}
export class MatchUnavailable extends MusterError {
  readonly code = 'match-unavailable';
}
export class IdempotencyKeyReused extends MusterError {
  readonly code = 'idempotency-key-reused';
}
export class TicketAlreadyMatched extends MusterError {
  readonly code = 'ticket-already-matched';
}
/** A store has the change, but too few of its replicas confirmed it. Repeating the call is safe. */
export class NotReplicated extends MusterError {
  readonly code = 'not-replicated';
}
export class RatingUnavailable extends MusterError {
  readonly code = 'rating-unavailable';
}
export class ServerSuperseded extends MusterError {
  readonly code = 'server-superseded';
}
/** Another address holds the server's id and is heard. */
export class ServerIdTaken extends MusterError {
  readonly code = 'server-id-taken';
}
/** Another server registered with the allocation first. */
export class AllocationTaken extends MusterError {
  readonly code = 'allocation-taken';
}
/** The allocation was given up, or is not known. */
export class AllocationOver extends MusterError {
  readonly code = 'allocation-over';
}
export class SessionWithdrawn extends MusterError {
  readonly code = 'session-withdrawn';
}
export class ResultContradicts extends MusterError {
  readonly code = 'result-contradicts';
}
export class ResultInvalid extends MusterError {
  readonly code = 'result-invalid';
}
export class BackfillNotFound extends MusterError {
  readonly code = 'backfill-not-found';
}
export class BackfillRefused extends MusterError {
  readonly code = 'backfill-refused';
}
/** Too many concurrent requests; a retry may succeed. */
export class TooBusy extends MusterError {
  readonly code = 'too-busy';
}
/** One caller has too many open calls. */
export class TooManyOpen extends MusterError {
  readonly code = 'too-many-open';
}
/** A pure function cannot satisfy its constraints; the message says which ones it could. */
export class Unsolvable extends MusterError {
  readonly code = 'unsolvable';
}
