// Players who join the queue room of Colyseus, each at their moment, with Colyseus' own client. Run by colyseus.ts: one message
// says who comes when, one answers what became of them.
import { Client } from '@colyseus/sdk';
// Compiled from ../pace.ts: arrivals are begun by the same code as Muster's.
import { pace } from '../../../dist/bench/queue/pace.js';

process.once('message', (load) => void play(load));
process.on('disconnect', () => process.exit());

/** @param {{ url: string, moments: number[], ranks: number[], drainMs: number }} load */
async function play({ url, moments, ranks, drainMs }) {
  const client = new Client(url);
  const seen = moments.map(() => ({ acceptedMs: null, matchedMs: null, matchId: null }));
  const refusals = {};
  const before = process.cpuUsage();
  await pace(moments, (n, moment) => {
    const entry = seen[n];
    client
      .joinOrCreate('queue', { rank: ranks[n] })
      .then((room) => {
        entry.acceptedMs = moment.sinceMs();
        room.onMessage('clients', () => undefined);
        room.onMessage('seat', (seat) => {
          entry.matchedMs = moment.sinceMs();
          entry.matchId = seat.roomId;
          // Whoever has a seat leaves the queue; without this word they would stay in it.
          room.send('confirm');
        });
      })
      .catch((error) => {
        const words = String(error?.message ?? error);
        refusals[words] = (refusals[words] ?? 0) + 1;
      });
  });
  process.send?.({ begun: seen.length });
  await new Promise((resolve) => setTimeout(resolve, drainMs));
  const { user, system } = process.cpuUsage(before);
  process.send?.({ seen, refusals, cpuSeconds: (user + system) / 1e6 });
}
