import { TestPostgres } from '../../support/database.js';
import { measureHeartbeats } from './heartbeats.js';
import { table, type Part } from './part.js';
import { measurePlacement } from './placement.js';

/** Commits survive a power failure, as in production. */
const durable = ['fsync=on', 'full_page_writes=on', 'synchronous_commit=on'];

/** Placement, by the number of servers. */
export const placement: Part = {
  name: 'placement',
  about: 'placing matches, by the number of servers',
  measure: async ({ servers }, say) => {
    const postgres = await TestPostgres.start({ settings: durable });
    try {
      const rows = await measurePlacement(postgres.url, servers, say);
      const cells = rows.map((row) => [
        row.servers,
        row.policy,
        row.batchMsP50.toFixed(1),
        row.perSecond.toFixed(0),
      ]);
      return {
        text: table(['servers', 'policy', 'batch of 32, p50 ms', 'matches/s, two allocators'], cells),
        json: { placement: rows },
      };
    } finally {
      await postgres.stop();
    }
  },
};

/** Heartbeats, by the number of servers. */
export const heartbeats: Part = {
  name: 'heartbeats',
  about: 'heartbeats, by the number of servers',
  measure: async ({ servers }, say) => {
    const rows = await measureHeartbeats(servers, say);
    const cells = rows.map((row) => [row.servers, row.perSecond, row.cores.toFixed(2)]);
    return { text: table(['servers', 'heartbeats/s', 'cores'], cells), json: { heartbeats: rows } };
  },
};
