// Costs that may grow with the number of servers: `node test/dist/bench/scale/servers.js --help`.
import { TestPostgres } from '../../support/database.js';
import { command } from '../command.js';
import { measureHeartbeats } from './heartbeats.js';
import { measurePlacement, type PlacementRow } from './placement.js';

const help = `Measures costs that may grow with the number of servers.

  node tools/bundle.mjs test && node test/dist/bench/scale/servers.js [options]

  --part PART   placement or heartbeats; repeatable (default both)
  --servers N   a number of servers; repeatable (default 100, 1000 and 10000)
  --help        prints this

The last line is JSON. Progress goes to stderr.
`;

const options = {
  part: { type: 'string', multiple: true },
  servers: { type: 'string', multiple: true },
  help: { type: 'boolean', default: false },
} as const;

const say = (text: string): void => void process.stderr.write(`${text}\n`);

await command(
  help,
  options,
  async ({ part = ['placement', 'heartbeats'], servers = ['100', '1000', '10000'] }) => {
    const sizes = servers.map(Number);
    process.stdout.write(
      `${JSON.stringify({
        ...(part.includes('placement') ? { placement: await placement(sizes) } : {}),
        ...(part.includes('heartbeats') ? { heartbeats: await measureHeartbeats(sizes, say) } : {}),
      })}\n`,
    );
  },
);

/** With commits that survive a power failure, as in production. */
async function placement(sizes: readonly number[]): Promise<PlacementRow[]> {
  const postgres = await TestPostgres.start({ durable: true });
  try {
    return await measurePlacement(postgres.url, sizes, say);
  } finally {
    await postgres.stop();
  }
}
