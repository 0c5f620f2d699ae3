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

/** The class of a kind of error, by its code. */
function errorOf<Code extends string>(
  code: Code,
): new (...given: ConstructorParameters<typeof MusterError>) => MusterError & { readonly code: Code } {
  return class extends MusterError {
    readonly code = code;
  };
}

export class NotAuthenticated extends errorOf('not-authenticated') {}
/** The keys of the game's login, or of the operators' one, cannot be read. */
export class LoginUnavailable extends errorOf('login-unavailable') {}
/** The operator takes no guests. */
export class GuestsOff extends errorOf('guests-off') {}
export class NotAllowed extends errorOf('not-allowed') {}
/** A server is of a region or a build that its fleet's key is not for. */
export class FleetRefused extends errorOf('fleet-refused') {}
/** A fleet has as many servers or slots as its key may have. */
export class FleetFull extends errorOf('fleet-full') {}
/** A signed request whose nonce was used. */
export class RequestReplayed extends errorOf('request-replayed') {}
/** The code is unknown, used or expired. */
export class SignInRefused extends errorOf('sign-in-refused') {}
export class TicketNotFound extends errorOf('ticket-not-found') {}
/** The store forgot the ticket: it was created, and nothing more is known of it. */
export class TicketLost extends errorOf('ticket-lost') {}
/** The store lost memory, and the tickets of running matches are being restored. */
export class TicketsRecovering extends errorOf('tickets-recovering') {}
export class QueueNotFound extends errorOf('queue-not-found') {}
/** An operator paused the queue. */
export class QueuePaused extends errorOf('queue-paused') {}
/** An operator paused all queues. */
export class InMaintenance extends errorOf('maintenance') {}
export class KeyNotFound extends errorOf('key-not-found') {}
export class TooManyKeys extends errorOf('too-many-keys') {}
export class JobNotFound extends errorOf('job-not-found') {}
export class RulesVersionNotFound extends errorOf('rules-version-not-found') {}
export class RulesChanged extends errorOf('rules-changed') {}
export class RulesInvalid extends errorOf('rules-invalid') {}
/** A match that has a result, or ended in another way. */
export class MatchOver extends errorOf('match-over') {}
export class ConflictNotFound extends errorOf('conflict-not-found') {}
export class MatchNotFound extends errorOf('match-not-found') {}
export class ServerNotFound extends errorOf('server-not-found') {}
export class SessionNotFound extends errorOf('session-not-found') {}
export class CommandNotFound extends errorOf('command-not-found') {}
export class UnknownPool extends errorOf('pool-not-found') {}
export class PoolInvalid extends errorOf('pool-invalid') {}
export class MatchUnratable extends errorOf('match-unratable') {}
/** A rating outside the range of the pool’s model. */
export class RatingInvalid extends errorOf('rating-invalid') {}
/** A reported time is in the future. */
export class TimeAhead extends errorOf('time-ahead') {}
/** Something cannot begin at a time that has passed. */
export class TimePast extends errorOf('time-past') {}
export class RebuildRunning extends errorOf('rebuild-running') {}
/** A season that is not the next one, or has begun with other content. */
export class SeasonConflict extends errorOf('season-conflict') {}
/** The board of a pool is being made from its ratings. */
export class LeaderboardUnavailable extends errorOf('leaderboard-unavailable') {}
/** The final standings of a season are being archived. */
export class StandingsUnavailable extends errorOf('standings-unavailable') {}
/** A case about which an operator decided otherwise before. */
export class CaseClosed extends errorOf('case-closed') {}
export class CaseNotFound extends errorOf('case-not-found') {}
export class WebhookNotFound extends errorOf('webhook-not-found') {}
export class WebhooksFull extends errorOf('webhooks-full') {}
/** Events after a cursor are no longer kept. */
export class EventsForgotten extends errorOf('events-forgotten') {}
/** The operator does not take this kind of request from players. */
export class DataRequestsOff extends errorOf('data-requests-off') {}
export class SeasonNotFound extends errorOf('season-not-found') {}
export class MatchNotOver extends errorOf('match-not-over') {}
export class PlayerAlreadyQueued extends errorOf('player-already-queued') {}
export class PlayerTwice extends errorOf('player-twice') {}
export class PartyTooLarge extends errorOf('party-too-large') {}
export class UnknownRole extends errorOf('role-unknown') {}
export class UnknownMap extends errorOf('map-unknown') {}
/** A platform that the queue does not take, or a missing one where it is required. */
export class UnknownPlatform extends errorOf('platform-unknown') {}
/** Players of a party are on platforms that may not play together. */
export class CrossPlayRefused extends errorOf('cross-play-refused') {}
/** A ticket names no build, and servers have several. */
export class BuildMissing extends errorOf('build-missing') {}
/** Players of a party have different client builds. */
export class MixedBuilds extends errorOf('mixed-builds') {}
export class PartyPassRefused extends errorOf('party-pass-refused') {}
export class PartyNotFound extends errorOf('party-not-found') {}
export class NotInvited extends errorOf('not-invited') {}
export class AlreadyInParty extends errorOf('already-in-party') {}
/** A member joined or left while the party was being queued. */
export class PartyChanged extends errorOf('party-changed') {}
export class NoCommonRegion extends errorOf('no-common-region') {}
/** A player may not queue for a while after an offence. */
/** An operator keeps a player from queues for a time. */
export class Banned extends errorOf('banned') {}
export class CoolingDown extends errorOf('cooling-down') {}
export class NothingToAccept extends errorOf('nothing-to-accept') {}
/** The pool, the player's division or the ticket allows no such booster. */
export class BoosterRefused extends errorOf('booster-refused') {}
export class BoosterNotFound extends errorOf('booster-not-found') {}
export class PenaltyNotFound extends errorOf('penalty-not-found') {}
export class EntryRefused extends errorOf('entry-refused') {}
export class AvoidListFull extends errorOf('avoid-list-full') {}
export class ReportRefused extends errorOf('report-refused') {}
export class AlreadyReported extends errorOf('already-reported') {}
export class MatchUnavailable extends errorOf('match-unavailable') {}
export class IdempotencyKeyReused extends errorOf('idempotency-key-reused') {}
export class TicketAlreadyMatched extends errorOf('ticket-already-matched') {}
/** A store has the change, but too few of its replicas confirmed it. Repeating the call is safe. */
export class NotReplicated extends errorOf('not-replicated') {}
export class RatingUnavailable extends errorOf('rating-unavailable') {}
export class ServerSuperseded extends errorOf('server-superseded') {}
/** Another address holds the server's id and is heard. */
export class ServerIdTaken extends errorOf('server-id-taken') {}
/** Another server registered with the allocation first. */
export class AllocationTaken extends errorOf('allocation-taken') {}
/** The allocation was given up, or is not known. */
export class AllocationOver extends errorOf('allocation-over') {}
export class SessionWithdrawn extends errorOf('session-withdrawn') {}
export class ResultContradicts extends errorOf('result-contradicts') {}
export class ResultInvalid extends errorOf('result-invalid') {}
export class BackfillNotFound extends errorOf('backfill-not-found') {}
export class BackfillRefused extends errorOf('backfill-refused') {}
/** Too many concurrent requests; a retry may succeed. */
export class TooBusy extends errorOf('too-busy') {}
/** A caller has used up a limit of rate. */
export class TooManyRequests extends errorOf('too-many-requests') {}
/** One caller has too many open calls. */
export class TooManyOpen extends errorOf('too-many-open') {}
/** A pure function cannot satisfy its constraints; the message says which ones it could. */
export class Unsolvable extends errorOf('unsolvable') {}
