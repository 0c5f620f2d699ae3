/** Jobs that always fail: Postgres rejects NUL. */
export const failingJobs = (matchIds: readonly string[]) =>
  matchIds.map((matchId) => ({
    jobId: matchId,
    payload: {
      matchId,
      queue: '1v1',
      build: 'a\0b',
      regions: [],
      tickets: ['one', 'two'].map((name) => ({
        ticketId: `tkt_${matchId}_${name}`,
        playerIds: [`${matchId}-${name}`],
        enqueuedAt: 1,
      })),
      rules: { mode: 'duel', pool: 'duel', teams: 2, teamSize: 1, placementTimeoutSeconds: 60 },
      why: [],
      proposedAt: 2,
    },
  }));
