import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { RoundsClient, type ToldRound } from './rounds-client.js';

/** A coordinator whose clock is behind: it rejects every round that has a time. */
async function behind(): Promise<{ server: Server; url: string; told: ToldRound[] }> {
  const told: ToldRound[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => {
      const round = JSON.parse(body) as ToldRound;
      told.push(round);
      const isAhead = round.playedAt !== undefined;
      response.writeHead(isAhead ? 422 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(
          isAhead
            ? {
                type: 'urn:muster:problem:time-ahead',
                title: 'ahead',
                status: 422,
                detail: 'playedAt is ahead',
              }
            : { matchId: 'mat_12345678', counted: true, prediction: [0.5, 0.5], players: [] },
        ),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, told };
}

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function client() {
  const coordinator = await behind();
  server = coordinator.server;
  const dropped: string[] = [];
  const trouble: unknown[] = [];
  const rounds = new RoundsClient(
    { url: coordinator.url, serverKey: 'key', pool: 'arena' },
    { dropped: ({ roundId }) => void dropped.push(roundId), trouble: (error) => void trouble.push(error) },
  );
  return { ...coordinator, rounds, dropped, trouble };
}

const round = { teams: [['ann'], ['ben']], winner: 0 };

describe('a round of a clock that is ahead', () => {
  it('counts by the coordinator’s clock, and the wrong clock is reported', async () => {
    const { rounds, told, dropped, trouble } = await client();
    const { updated, waiting } = await rounds.roundEnded({ ...round, roundId: 'r1' });
    expect([updated?.counted, waiting, dropped]).toEqual([true, 0, []]);
    expect(told.map(({ roundId, playedAt }) => [roundId, playedAt === undefined])).toEqual([
      ['r1', false],
      ['r1', true],
    ]);
    expect(trouble).toHaveLength(1);
  });

  it('is dropped if the game set the time', async () => {
    const { rounds, dropped } = await client();
    const { updated } = await rounds.roundEnded({ ...round, roundId: 'r1', playedAt: 1 });
    expect([updated, dropped]).toEqual([null, ['r1']]);
  });
});
