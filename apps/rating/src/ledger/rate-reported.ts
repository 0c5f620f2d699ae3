import type { ReportResult } from '@muster/contracts';
import {
  mostClockSkewMs,
  ResultContradicts,
  sharesIn,
  TimeAhead,
  type Clock,
  type Ids,
  type Played,
} from '@muster/domain';
import type { ReportPermission } from './report-permission.js';
import type { PostgresReports } from './reported.store.js';

/** Rates matches that the coordinator did not form: a trusted server reports rosters and outcome. */
export class RateReported {
  constructor(
    private readonly reports: Pick<PostgresReports, 'rate'>,
    private readonly clock: Clock,
    private readonly ids: Ids,
    /** Relays the jobs of a commit immediately. The argument is the pool of a match that counted, else null. */
    private readonly afterCommit: (rated: string | null) => void,
    private readonly permission: Pick<ReportPermission, 'check'>,
  ) {}

  /**
   * @throws NotAllowed for a server and a pool that a queue uses, ResultContradicts for another result under this event
   * id (it is stored for operators), TimeAhead, MatchUnratable
   */
  async run(
    { eventId, pool, playedAt, teams, ranks, sides, map, venue, parties, region, ...body }: ReportResult,
    reportedBy: string,
  ): Promise<{ matchId: string; counted: boolean; prediction: number[] }> {
    await this.permission.check(pool, reportedBy);
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
      ...(body.stats ? { stats: body.stats } : {}),
      ...(region ? { region } : {}),
    };
    const result = await this.reports.rate(
      {
        matchId: this.ids.derive('mat', JSON.stringify([pool, eventId])),
        externalId: eventId,
        pool,
        playedAt: playedAt ?? now,
        teams,
        ranks,
        played,
        // Situation, parties and region are not part of the result: a repeat that differs in them does not contradict.
        digest: this.ids.fingerprint({ teams, ranks, ...played, situation: undefined, region: undefined }),
        reportedBy,
      },
      now,
    );
    this.afterCommit(result.outcome === 'rated' ? pool : null);
    if (result.outcome === 'contradicts') {
      throw new ResultContradicts(
        `Another result of "${eventId}" was already counted; this one is stored for operators.`,
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

/** How much of the match each player played, and when. */
function presenceOf({
  shares: given,
  times: stretches,
  lengthMs,
  late,
}: Pick<ReportResult, 'shares' | 'times' | 'lengthMs' | 'late'>): Pick<Played, 'shares' | 'times' | 'late'> {
  const times = stretches && lengthMs !== undefined ? { lengthMs, stretches } : undefined;
  const shares = times ? { ...sharesIn(times), ...given } : given;
  return {
    ...(shares ? { shares } : {}),
    ...(times ? { times } : {}),
    ...(late && late.length > 0 ? { late } : {}),
  };
}

/** @throws TimeAhead for a time in the future: its players would never count as idle */
function checkPlayed(playedAt: number, now: number): void {
  const latest = now + mostClockSkewMs;
  if (playedAt <= latest) return;
  const message = `must be the time of the match in milliseconds since the Unix epoch, at most ${latest} (${new Date(latest).toISOString()}), not ${playedAt} (${new Date(playedAt).toISOString()})`;
  throw new TimeAhead(`playedAt ${message}; synchronise the server's clock by NTP.`, {
    errors: [{ path: 'playedAt', message }],
  });
}
