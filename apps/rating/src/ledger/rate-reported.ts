import type { ReportResult } from '@muster/contracts';
import {
  mostClockSkewMs,
  ResultContradicts,
  sharesIn,
  TimeAhead,
  type Clock,
  type Ids,
  type LedgerStore,
  type Played,
} from '@muster/domain';
import type { ReportDoor } from './report-door.js';
import { poolRater } from './rater.js';

/** Rates matches that the coordinator did not form: a trusted server sends rosters and outcome. */
export class RateReported {
  constructor(
    private readonly ledger: Pick<LedgerStore, 'rateReported'>,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** Sends the jobs of a commit at once instead of at the relay's next turn. Told the pool of a match that counted. */
    private readonly afterCommit: (rated: string | null) => void,
    private readonly door: Pick<ReportDoor, 'check'>,
  ) {}

  /** @throws NotAllowed for a server and a pool that a queue matches by, ResultContradicts when another result is known under this event id (it is kept for operators), TimeAhead, MatchUnratable */
  async run(
    { eventId, pool, playedAt, teams, ranks, sides, map, venue, parties, ...body }: ReportResult,
    reportedBy: string,
  ): Promise<{ matchId: string; counted: boolean; prediction: number[] }> {
    await this.door.check(pool, reportedBy);
    const now = this.clock.now();
    if (playedAt !== undefined) checkPlayed(playedAt, now);
    const situation = {
      ...(sides ? { sides } : {}),
      ...(map ? { map } : {}),
      ...(venue ? { venue } : {}),
      ...(parties?.some((sizes) => sizes.length > 0) ? { parties } : {}),
    };
    const played: Played = {
      ...(Object.keys(situation).length > 0 ? { situation } : {}),
      ...presenceOf(body),
      ...(body.facts ? { facts: body.facts } : {}),
    };
    const result = await this.ledger.rateReported(
      {
        matchId: this.ids.derive('mat', JSON.stringify([pool, eventId])),
        externalId: eventId,
        pool,
        playedAt: playedAt ?? now,
        teams,
        ranks,
        played,
        // Where it was played, and who came together, is no result: who tells that otherwise the second time contradicts nothing.
        digest: this.ids.fingerprint({ teams, ranks, ...played, situation: undefined }),
        reportedBy,
      },
      poolRater,
      now,
    );
    this.afterCommit(result.outcome === 'rated' ? pool : null);
    if (result.outcome === 'contradicts') {
      throw new ResultContradicts(
        `Another result of "${eventId}" was counted already; this one is kept for the operators.`,
        {
          matchId: result.matchId,
        },
      );
    }
    return {
      matchId: result.matchId,
      counted: result.outcome === 'rated',
      prediction: [...result.prediction],
    };
  }
}

/** How much of the match each was there, and when. */
function presenceOf({
  shares: said,
  times: stretches,
  lengthMs,
  late,
}: Pick<ReportResult, 'shares' | 'times' | 'lengthMs' | 'late'>): Pick<Played, 'shares' | 'times' | 'late'> {
  const times = stretches && lengthMs !== undefined ? { lengthMs, stretches } : undefined;
  const shares = times ? { ...sharesIn(times), ...said } : said;
  return {
    ...(shares ? { shares } : {}),
    ...(times ? { times } : {}),
    ...(late && late.length > 0 ? { late } : {}),
  };
}

/** @throws TimeAhead when a match was not played yet by any clock: of such a one its players would never be taken for idle */
function checkPlayed(playedAt: number, now: number): void {
  const latest = now + mostClockSkewMs;
  if (playedAt <= latest) return;
  const message = `must be when the match was played, in milliseconds since the Unix epoch: ${latest} at most (${new Date(latest).toISOString()}), not ${playedAt} (${new Date(playedAt).toISOString()})`;
  throw new TimeAhead(`playedAt ${message}; if the clock that said so is wrong, set it by NTP.`, {
    errors: [{ path: 'playedAt', message }],
  });
}
