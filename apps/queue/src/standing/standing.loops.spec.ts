import { describe, expect, it } from 'vitest';
import { StandingLoops } from './standing.loops.js';
import type { PostgresStandingRetention } from './standing-retention.store.js';

const day = 86_400_000;

describe('retention of penalties and reports', () => {
  const forgotten = async (days: number, penaltyDays: number, reportDays: number, more = false) => {
    const deleted: Record<string, number> = {};
    const store = {
      deletePenalties: async (before: number) => ((deleted['penalties'] = before), false),
      deleteReports: async (before: number) => ((deleted['reports'] = before), more),
    };
    const loops = new StandingLoops(
      store as Pick<PostgresStandingRetention, keyof PostgresStandingRetention> as PostgresStandingRetention,
      { deleteOver: async (before) => ((deleted['bans'] = before), false) },
      { memoryMs: penaltyDays * day },
      { memoryMs: reportDays * day },
      { STANDING_RETENTION_DAYS: days },
      { now: () => 1_000 * day },
    );
    return { ...deleted, more: await loops.forget(), deleted };
  };

  it('deletes what is older than the setting, and nothing that still counts', async () => {
    expect((await forgotten(365, 1, 140)).deleted).toEqual({
      penalties: 635 * day,
      reports: 635 * day,
      bans: 635 * day,
    });
    expect((await forgotten(30, 60, 140)).deleted).toEqual({
      penalties: 940 * day,
      reports: 860 * day,
      bans: 970 * day,
    });
  });

  it('goes on while there may be more', async () => {
    expect((await forgotten(30, 0, 0)).more).toBe(false);
    expect((await forgotten(30, 0, 0, true)).more).toBe(true);
  });
});
