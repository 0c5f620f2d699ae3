// Players who join the queue room of Colyseus at scheduled moments, with Colyseus' client. Run by colyseus.ts: the
// input message has the schedule, the output message the outcomes.
import { Client } from '@colyseus/sdk';
import { Agent, request } from 'node:http';
// Compiled from ../pace.ts: the same code starts the arrivals of Muster.
import { origin, pace } from '../../../dist/bench/queue/pace.js';

process.once('message', (load) => void play(load));
process.on('disconnect', () => process.exit());

/** @param {{ url: string, moments: number[], ranks: number[], drainMs: number }} load */
async function play({ url, moments, ranks, drainMs }) {
  const client = new Client(url, { fetchFn: leanFetch });
  const seen = moments.map(() => ({ acceptedMs: null, matchedMs: null, matchId: null }));
  const refusals = {};
  const before = process.cpuUsage();
  const from = origin();
  process.send?.({ epochMs: from.epochMs });
  const arrive = (n, moment) => {
    const entry = seen[n];
    client
      .joinOrCreate('queue', { rank: ranks[n] })
      .then((room) => {
        entry.acceptedMs = moment.sinceMs();
        room.onMessage('clients', () => undefined);
        room.onMessage('seat', (seat) => {
          entry.matchedMs = moment.sinceMs();
          entry.matchId = seat.roomId;
          // A player with a seat must confirm it to leave the queue.
          room.send('confirm');
        });
      })
      .catch((error) => {
        const words = String(error?.message ?? error);
        refusals[words] = (refusals[words] ?? 0) + 1;
      });
  };
  await pace(moments, arrive, from);
  process.send?.({ begun: seen.length });
  await new Promise((resolve) => setTimeout(resolve, drainMs));
  const { user, system } = process.cpuUsage(before);
  process.send?.({ seen, refusals, cpuSeconds: (user + system) / 1e6 });
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

/**
 * The part of `fetch` that the client uses: the real one costs more than the rest of a join and would throttle the
 * load.
 */
function leanFetch(url, { method, headers, body }) {
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        agent,
        method,
        headers: { ...Object.fromEntries(headers), 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => (text += chunk));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          resolve({
            status,
            ok: status >= 200 && status < 300,
            statusText: response.statusMessage,
            headers: { get: (name) => response.headers[name] },
            json: async () => JSON.parse(text),
            text: async () => text,
          });
        });
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
