import type { ReportResult } from '@muster/contracts';
import { ResultContradicts, type Clock, type Ids, type LedgerStore } from '@muster/domain';
import { poolModel } from './model.js';

/** Rates matches that the coordinator did not form: a trusted server sends rosters and outcome. */
export class RateReported {
  constructor(
    private readonly ledger: LedgerStore,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** @throws ResultContradicts when another result is known under this event id (it is kept for operators) */
  async run(
    { eventId, pool, playedAt, teams, ranks }: ReportResult,
    reportedBy: string,
  ): Promise<{ matchId: string; counted: boolean; prediction: number[] }> {
    const now = this.clock.now();
    const result = await this.ledger.rateReported(
      {
        matchId: this.ids.derive('mat', JSON.stringify([pool, eventId])),
        externalId: eventId,
        pool,
        playedAt: playedAt ?? now,
        teams,
        ranks,
        digest: this.ids.fingerprint({ teams, ranks }),
        reportedBy,
      },
      poolModel,
      now,
    );
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
