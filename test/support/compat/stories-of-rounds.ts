import type { Cast, Host } from './cast.js';
import { refused } from './cast.js';

const names = ['compat-r1', 'compat-r2', 'compat-r3', 'compat-r4', 'compat-r5', 'compat-r6'];
const players = names.map((id, i) => ({ id, weight: 10 + 3 * i }));
const roster = {
  teams: 2,
  players: names.map((playerId, i) => ({ playerId, team: i < 4 ? 0 : 1, rating: 10 + 3 * i })),
};

/** A community server that plays rounds, and all stateless calls. */
export async function roundsAndTeams(cast: Cast, { client }: Host): Promise<void> {
  await rounds(cast);
  await client.split({ players, teamSizes: [3, 3], best: 2 });
  await client.splits({ players, bench: 'anyone' });
  await client.rebalance({ players, current: [names.slice(0, 4), names.slice(4)], tolerance: 1 });
  await refused('unsolvable', client.split({ players, teamSizes: [3, 2] }));
  const found = await client.checkBalance({ roster, policy: 'synelo' });
  await client.checkBalance({ roster, policy: 'synelo', state: { ...found.state } as never, vote: true });
  await client.placePlayer({ roster, policy: 'synelo', arrives: { playerId: 'compat-r7', rating: 20 } });
  await client.placePlayer({ roster, policy: 'synelo', leaves: 'compat-r1' });
  await client.planBots({
    roster,
    policy: { placement: { bots: { minPlayers: 8 }, maxSizeDifference: 1 } },
    start: { seed: 7 },
  });
  await client.askHandicap({ roster, policy: { levers: [{ kind: 'damage', most: 1.5 }] } });
  await client.askSides({
    roster,
    policy: { sides: { forMs: 30_000, toleranceShare: 0.1 } },
    wishes: { 'compat-r1': 0, 'compat-r2': 'random' },
    winners: ['compat-r1', 'compat-r3'],
  });
}

async function rounds({ sdk, stack, operator }: Cast): Promise<void> {
  await operator.createPool({ name: 'compat-rounds', model: 'synelo', shadowMatches: 1 });
  const { url, run } = stack;
  const client = new sdk.RoundsClient(
    { url, serverKey: run.serverKey, pool: 'compat-rounds', server: 'compat-arena', timeoutMs: 20_000 },
    {},
  );
  await client.players(names);
  await client.roundEnded({ teams: [names.slice(0, 3), names.slice(3)], winner: 0, map: 'well' });
  await client.roundEnded({
    teams: [names.slice(0, 3), names.slice(3)],
    winner: 1,
    parties: [[2], [2]],
    late: ['compat-r3'],
  });
  await client.prepare(
    names.map((playerId) => ({ playerId })),
    'top-plays',
  );
  await client.scramble(names);
  const checked = await client.check(roster, 'synelo');
  await client.check(roster, 'synelo', checked.state, true);
  await client.place(roster, 'synelo', { playerId: 'compat-r7' });
  const round = { kind: 'round-ended' as const, round: 1, winner: 0 };
  await client.triggered(roster, 'synelo', 'capture-the-flag', round);
  await client.quality();
  await operator.pool('compat-rounds');
}
