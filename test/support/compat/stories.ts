import { failingJobs } from '../failing-jobs.js';
import type { QueueRules } from '@muster/domain';
import { openRules } from '../open-queue.js';
import { until, refused, type Cast, type Host } from './cast.js';
import { roundsAndTeams } from './stories-of-rounds.js';
import { pools } from './stories-of-pools.js';

/** The build of the servers in these stories, and one without a server. */
export const build = 'compat-1';
export const lonely = 'compat-none';

const coolDown = { coolDownSeconds: [600], forgiveAfterSeconds: 3_600 };

/** Rules of a queue of the stories. */
const rulesOf = (name: string, over: Partial<QueueRules> = {}): QueueRules =>
  openRules(name, { pool: 'compat', ...over });

const liveBalance = {
  like: 'sectors-edge-1.2.2' as const,
  ranked: 'move' as const,
  exempt: { modes: [], secondsLeft: 0 },
  rules: [{ kind: 'sizes' as const, least: 2, delayMs: 1_500, onlyDead: false }],
};

/** The queues and the pool of the stories. */
export async function prepare({ operator }: Cast): Promise<void> {
  await operator.models();
  await operator.createPool({ name: 'compat', gameMode: 'duel', modifiers: ['low gravity'] });
  await operator.pools();
  await operator.pool('compat');
  await operator.changePool('compat', { staleAfterDays: 30, shadowMatches: 1 });
  await refused('pool-invalid', operator.createPool({ name: 'compat-broken', model: 'luck' }));
  const rules = [
    rulesOf('compat-duel'),
    rulesOf('compat-asked', { readyCheck: { seconds: 60, ...coolDown }, noShows: coolDown }),
    rulesOf('compat-pairs', { teamSize: 2, maxPartySize: 2, backfill: { seconds: 120 }, leavers: coolDown }),
    rulesOf('compat-live', { mode: 'team', teamSize: 4, liveBalance }),
  ];
  for (const each of rules) await operator.applyRules(each.name, { rules: each, why: 'For these stories.' });
  await operator.queues();
  await operator.rules('compat-duel', { limit: 5 });
}

/** All stories, in recording order. @returns the server, which keeps running */
export async function playAll(cast: Cast): Promise<Host> {
  await prepare(cast);
  const host = await cast.host('compat-server', build, 8);
  await duel(cast, host);
  await party(cast);
  await avoiding(cast);
  await readyCheck(cast, host);
  await backfill(cast, host);
  await live(cast, host);
  await pools(cast);
  await roundsAndTeams(cast, host);
  await deadLetters(cast);
  return host;
}

/** Two tickets, a match, its result, and the reads afterwards. */
async function duel(cast: Cast, host: Host): Promise<void> {
  const { operator, recorder } = cast;
  const [ann, bob] = await Promise.all(['compat-ann', 'compat-bob'].map((name) => cast.player(name)));
  if (!ann || !bob) throw new Error('nobody plays');
  const request = { queue: 'compat-duel', build, latencyMs: { local: 20 } };
  const key = crypto.randomUUID();
  const { ticketId } = await ann.enqueue(request, key);
  await ann.enqueue(request, key);
  await refused('player-already-queued', ann.enqueue(request));
  await until(
    () => ann.read(ticketId),
    ({ waiting }) => waiting !== undefined,
  );
  await ann.current();
  await operator.ticket(ticketId);
  await until(
    () => operator.waiting('compat-duel'),
    ({ waiting }) => waiting.length === 1,
  );
  const assigned = ann.waitForAssignment(ticketId);
  const polled = (await cast.caller('compat-ann')).call('readTicket', {
    params: { ticketId },
    query: { after: 1, waitSeconds: 20 },
  });
  const other = await bob.enqueue(request);
  const { sessionId, matchId } = await assigned;
  await polled;
  await bob.waitForAssignment(other.ticketId);
  if (await ann.cancel(ticketId)) throw new Error('a match was left that has a server');
  await until(
    () => ann.current(),
    (ticket) => ticket?.assignment !== undefined,
  );
  await recorder.answered('heartbeat', (asked) => asked.includes(sessionId));
  await operator.servers({ limit: 1_000 });
  const result = {
    winner: 0,
    scores: [13, 7],
    sides: ['home', 'away'],
    map: 'harbour',
    players: [{ playerId: 'compat-ann', stats: { kills: 7 } }],
  };
  await host.client.report(sessionId, result);
  for await (const news of ann.follow(ticketId, { after: 2 })) if (news.closed) break;
  await host.client.report(sessionId, result);
  await refused('result-contradicts', host.client.report(sessionId, { ...result, winner: 1 }));
  await afterwards(cast, matchId);
}

async function afterwards(cast: Cast, matchId: string): Promise<void> {
  const { operator } = cast;
  const ann = await cast.player('compat-ann');
  await operator.conflicts();
  await until(
    () => operator.match(matchId),
    ({ state }) => state === 'rated',
  );
  await (await cast.caller('compat-ann')).call('readMatch', { params: { matchId } });
  await ann.matches({ limit: 1 });
  await operator.matches({ limit: 1, playerId: 'compat-ann' });
  const now = Date.now();
  await operator.matches({ playerId: 'compat-ann', from: now - 600_000, to: now + 600_000 });
  const caller = await cast.caller();
  for (const format of ['jsonl', 'csv'] as const) {
    const exported = await caller.request('exportMatches', { query: { format, pool: 'compat' } });
    await exported.text();
  }
  await ann.rating('compat');
  await operator.rating('compat', 'compat-ann');
  await operator.ratings('compat', { limit: 10 });
  await operator.ratingHistory('compat', 'compat-ann', { limit: 5 });
  for await (const line of operator.record('compat-duel', { hours: 0.5 })) if (!line) break;
  await caller.call('jwks');
  await (await caller.request('readRulesSchema')).text();
  await refused('report-refused', ann.reportBehaviour(matchId, { playerId: 'compat-bob', kind: 'abuse' }));
}

/** A party by invitation, and one by passes. */
async function party(cast: Cast): Promise<void> {
  const [cat, dan, eve] = await Promise.all(
    ['compat-cat', 'compat-dan', 'compat-eve'].map((name) => cast.player(name)),
  );
  if (!cat || !dan || !eve) throw new Error('nobody plays');
  const { partyId } = await cat.createParty();
  await refused('already-in-party', cat.createParty());
  await cat.invite(partyId, 'compat-dan');
  await refused('not-invited', eve.joinParty(partyId));
  await dan.party();
  await dan.joinParty(partyId, { latencyMs: { local: 30 }, build: lonely, platform: 'pc', crossPlay: false });
  await cat.invite(partyId, 'compat-eve');
  await cat.party();
  await cat.leaveParty(partyId, 'compat-dan');
  await cat.invite(partyId, 'compat-dan');
  await dan.joinParty(partyId, { latencyMs: { local: 30 }, build: lonely });
  const { ticketId } = await cat.enqueue({ queue: 'compat-pairs', build: lonely, partyId });
  await dan.current();
  if (!(await cat.cancel(ticketId))) throw new Error('the party cannot leave');
  await cat.endParty(partyId);
  await dan.party();
  const pass = await dan.partyPass('compat-cat', [], { build: lonely });
  const queued = await cat.enqueue({ queue: 'compat-pairs', build: lonely, partyPasses: [pass] });
  await dan.read(queued.ticketId);
  await cat.cancel(queued.ticketId);
  await refused('queue-not-found', cat.enqueue({ queue: 'compat-nowhere' }));
}

async function avoiding(cast: Cast): Promise<void> {
  const cat = await cast.player('compat-cat');
  await cat.avoid('compat-eve', 'match');
  await cat.avoid('compat-dan', 'team');
  await cat.avoided();
  await cat.stopAvoiding('compat-dan');
  await refused('player-twice', cat.avoid('compat-cat', 'team'));
}

/** A declined match, and an accepted one that is called off because a player did not come. */
async function readyCheck(cast: Cast, host: Host): Promise<void> {
  const { operator } = cast;
  const request = { queue: 'compat-asked', build };
  const [fay, gus] = await Promise.all(['compat-fay', 'compat-gus'].map((name) => cast.player(name)));
  if (!fay || !gus) throw new Error('nobody plays');
  const isAsked = ({ state, acceptBy }: { state: string; acceptBy?: number | undefined }): boolean =>
    state === 'accepting' && acceptBy !== undefined;
  const { ticketId } = await fay.enqueue(request);
  const declined = await gus.enqueue(request);
  await until(() => fay.read(ticketId), isAsked);
  await until(() => gus.read(declined.ticketId), isAsked);
  await fay.accept(ticketId);
  await gus.decline(declined.ticketId);
  await until(
    () => fay.read(ticketId),
    ({ state, waiting }) => state === 'waiting' && waiting !== undefined,
  );
  const { penalties } = await until(
    () => gus.penalties(),
    (list) => list.penalties.length === 1,
  );
  await refused('cooling-down', gus.enqueue(request));
  await operator.penalties('compat-gus');
  await operator.forgive('compat-gus', penalties[0]?.penaltyId ?? '');
  const again = await gus.enqueue(request);
  await until(() => fay.read(ticketId), isAsked);
  await until(() => gus.read(again.ticketId), isAsked);
  await fay.accept(ticketId);
  await gus.accept(again.ticketId);
  const { sessionId } = await host.asked.first(({ order }) => order.queue === 'compat-asked');
  await refused('nothing-to-accept', gus.decline(again.ticketId));
  await until(
    () => fay.current(),
    (ticket) => ticket?.assignment !== undefined,
  );
  const said = { reason: 'compat-gus never came', noShows: ['compat-gus'], remake: true };
  await host.client.abandon(sessionId, said);
  await until(
    () => fay.read(ticketId),
    ({ state }) => state === 'waiting',
  );
  await host.client.abandon(sessionId, said);
  await fay.cancel(ticketId);
  await until(
    () => gus.penalties(),
    (list) => list.penalties.length === 2,
  );
}

/** A match of two against two with a leaver and a replacement. */
async function backfill(cast: Cast, host: Host): Promise<void> {
  const { operator, recorder } = cast;
  const request = { queue: 'compat-pairs', build };
  for (const name of ['compat-hal', 'compat-ida', 'compat-jon', 'compat-kim'])
    await (await cast.player(name)).enqueue(request);
  const { sessionId, order } = await host.asked.first((asked) => asked.order.queue === 'compat-pairs');
  const [first = [], second = []] = order.teams;
  const leaver = recorder.pin('leaver.1', first[0], sessionId);
  const mate = recorder.pin('mate.1', first[1], sessionId);
  const late = recorder.pin('leaver.2', second[0], sessionId);
  await recorder.answered('heartbeat', (asked) => asked.includes(sessionId));
  const lou = await cast.player('compat-lou');
  const { ticketId } = await lou.enqueue(request);
  const wanted = await host.client.backfill(sessionId, { team: 0, seats: 1, leavers: [leaver] });
  await host.added.first((added) => added.sessionId === sessionId);
  await lou.waitForAssignment(ticketId);
  await until(
    () => host.client.readBackfill(sessionId, wanted.backfillId),
    ({ state }) => state === 'filled',
  );
  const { backfillId } = await host.client.backfill(sessionId, { team: 1, seats: 1, leavers: [late] });
  await host.client.withdrawBackfill(sessionId, backfillId);
  await refused('backfill-refused', host.client.backfill(sessionId, { team: 0, seats: 2 }));
  const { matchId } = await host.client.report(sessionId, { ranks: [1, 1], leavers: [late] });
  await until(
    () => operator.match(matchId),
    ({ state }) => state === 'rated',
  );
  await until(
    () => lou.read(ticketId),
    ({ closed }) => closed,
  );
  await lou.reportBehaviour(matchId, { playerId: mate, kind: 'teamwork', note: 'Waited for me.' });
  await operator.behaviour(mate);
  await lou.behaviour();
}

/** A running match that becomes unbalanced. */
async function live(cast: Cast, host: Host): Promise<void> {
  const { operator, recorder } = cast;
  const request = { queue: 'compat-live', build, latencyMs: { local: 10 } };
  host.refuseNext();
  for (let i = 1; i <= 8; i++) await (await cast.player(`compat-l${i}`)).enqueue(request);
  const { sessionId, order } = await host.asked.first((asked) => asked.order.queue === 'compat-live');
  const [stay = [], thin = []] = order.teams;
  const first = recorder.pin('first.1', stay[0], sessionId);
  const [gone, also] = [
    recorder.pin('gone.1', thin[0], sessionId),
    recorder.pin('gone.2', thin[1], sessionId),
  ];
  await recorder.answered('heartbeat', (asked) => asked.includes(sessionId));
  const told = (kind: string): Promise<void> =>
    recorder.answered('tellRoster', (asked) => asked.includes(sessionId) && asked.includes(`"${kind}"`));
  const { client } = host;
  client.happened(sessionId, { kind: 'leave', playerId: gone });
  client.happened(sessionId, { kind: 'leave', playerId: also });
  await told('leave');
  await host.orders.first((balance) => balance.sessionId === sessionId);
  client.happened(sessionId, { kind: 'score', playerId: first, points: 3 });
  client.happened(sessionId, { kind: 'death', playerId: first });
  client.happened(sessionId, { kind: 'spawn', playerId: first });
  client.happened(sessionId, { kind: 'team', playerId: first, team: 1 });
  client.happened(sessionId, { kind: 'join', playerId: 'compat-guest', team: 1, rating: 25 });
  client.happened(sessionId, { kind: 'clock', secondsLeft: 90 });
  client.happened(sessionId, { kind: 'vote' });
  client.happened(sessionId, { kind: 'round' });
  client.happened(sessionId, { kind: 'team', playerId: first, team: 9 });
  await told('round');
  const { matchId } = await client.abandon(sessionId, { reason: 'the power went out', leavers: [gone] });
  await until(
    () => operator.match(matchId),
    ({ state }) => state === 'abandoned',
  );
}

/** Jobs that failed at every attempt, enqueued earlier by {@link sendDeadLetters}. */
async function deadLetters({ operator }: Cast): Promise<void> {
  const [one, other] = deadLetterIds;
  const { jobs } = await until(
    () => operator.deadJobs('form-teams', { limit: 100 }),
    (list) => deadLetterIds.every((id) => list.jobs.some(({ jobId }) => jobId === id)),
  );
  if (jobs.length < 2) throw new Error('there are no dead letters');
  await operator.jobQueues();
  await operator.deadJob('form-teams', one);
  await operator.retryDeadJob('form-teams', one);
  await operator.dropDeadJob('form-teams', other);
  await refused('job-not-found', operator.dropDeadJob('form-teams', other));
}

export const deadLetterIds = ['mat_compat_dead_1', 'mat_compat_dead_2'] as const;

export const deadLetterJobs = failingJobs(deadLetterIds);
