import { isChange, type EndpointName, type endpoints } from '@muster/contracts';
import { register } from '../../support/game-server.js';
import { ask, jsonOf } from '../../support/http.js';
import { openRules } from '../../support/open-queue.js';
import { duel, queueUp } from '../../support/party.js';
import { createDb } from '../../support/prisma.js';
import type { Stack } from '../../support/stack.js';

type Table = typeof endpoints;
/** The calls that change something on behalf of an operator. */
export type Change = {
  [N in EndpointName]: Table[N]['method'] extends 'GET'
    ? never
    : Table[N] extends { readonly stores: false }
      ? never
      : 'operator' extends Table[N]['callers'][number]
        ? N
        : never;
}[EndpointName];

/** One call of an operator. */
interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: object;
  /** Default: `done`. */
  readonly outcome?: string;
}

/** What calls need: ids of what was made before, and the answers so far by call. */
export interface Stage {
  readonly ticketIds: readonly [string, string];
  readonly formed: string;
  readonly rated: string;
  readonly answers: Map<string, Readonly<Record<string, unknown>>>;
}

const pool = 'audited';
const player = { pool, playerId: 'audited-1' };
const why = { reason: 'The audit.' };
const ofQueue = { params: { queue: 'audited' } };
const server = { params: { serverId: 'audited-server' } };
const servers = { body: { build: 'audited-servers' } };
const dead = { params: { jobQueue: 'conduct', jobId: 'job_not-there' }, outcome: 'job-not-found' };
const webhook = { url: 'http://127.0.0.1:9/', types: ['match.*'] };

const madeBy = (stage: Stage, call: Change, id: string): string => String(stage.answers.get(call)?.[id]);
const ofWebhook = (stage: Stage) => ({ params: { webhookId: madeBy(stage, 'createWebhook', 'webhookId') } });

const ofFleetKey = (stage: Stage) => ({ params: { keyId: madeBy(stage, 'createFleetKey', 'keyId') } });

/** Each call once, in an order in which each has something to change. A new call does not compile without its line. */
export const changes: Readonly<Record<Change, (stage: Stage) => Example>> = {
  createPool: () => ({
    body: {
      name: pool,
      shadowMatches: 0,
      boosters: { matches: 3, kFactor: 2, divisions: 1 },
      season: { keep: 0.5, uncertainty: 0.8, placementMatches: 2 },
    },
  }),
  rememberTuning: () => ({ params: { pool } }),
  setRating: () => ({ params: player, body: { mu: 22.9, sigma: 2, ...why } }),
  grantBooster: () => ({ params: { pool }, body: { playerId: 'audited-1', division: 'Platinum', ...why } }),
  revokeBooster: (stage) => ({
    params: { pool, boosterId: madeBy(stage, 'grantBooster', 'boosterId') },
    query: '?reason=The+audit.',
  }),
  changePool: () => ({ params: { pool }, body: { shadowMatches: 1 } }),
  namePlayers: () => ({ body: { names: { 'audited-1': 'Ann' } } }),
  resetRating: () => ({ params: player, query: '?reason=The+audit.' }),
  administerRounds: () => ({
    body: { action: 'set', pool, playerId: 'audited-2', rating: 20, ...why },
  }),
  reportMatch: () => ({
    body: { eventId: 'audited-event', pool, teams: [['audited-3'], ['audited-4']], ranks: [1, 2] },
  }),
  updateRound: () => ({
    body: { roundId: 'audited-round', pool, teams: [['audited-3'], ['audited-4']], winner: 0 },
  }),
  beginSeason: () => ({
    params: { pool, number: '1' },
    body: { startsAt: new Date(Date.now() + 3_600_000).toISOString(), ...why },
  }),
  withdrawSeason: () => ({ params: { pool, number: '1' } }),
  rebuildPool: () => ({ params: { pool }, body: why }),
  decideConflict: ({ rated }) => ({ params: { matchId: rated }, body: { as: 'kept', ...why } }),
  voidMatch: ({ rated }) => ({ params: { matchId: rated }, body: why }),
  endMatch: ({ formed }) => ({ params: { matchId: formed }, body: why }),
  closeCase: () => ({
    params: { caseId: 'cas_audited-1' },
    body: { verdict: 'cleared', note: 'The audit.' },
  }),
  cancelTicket: ({ ticketIds: [first] }) => ({ params: { ticketId: first } }),
  cancelTicketAs: ({ ticketIds: [, second] }) => ({ params: { ticketId: second }, body: why }),
  imposePenalty: () => ({ params: { playerId: 'audited-1', penaltyId: 'pen_audited-1' } }),
  forgivePenalty: () => ({ params: { playerId: 'audited-1', penaltyId: 'pen_audited-1' } }),
  forgivePenalties: () => ({ body: { from: 0, to: Date.now(), ...why } }),
  banPlayer: () => ({
    params: { playerId: 'audited-1' },
    body: { until: Date.now() + 3_600_000, ...why },
  }),
  liftBan: () => ({ params: { playerId: 'audited-1' } }),
  applyRules: () => ({
    ...ofQueue,
    body: {
      rules: openRules('audited'),
      why: 'The audit.',
    },
  }),
  pauseQueue: () => ({ ...ofQueue, body: { message: 'The audit.' } }),
  resumeQueue: () => ofQueue,
  announceMaintenance: () => ({ body: { message: 'The audit.', startsAt: Date.now() + 3_600_000 } }),
  endMaintenance: () => ({}),
  drainServer: () => server,
  undrainServer: () => server,
  drainServers: () => servers,
  undrainServers: () => servers,
  leaveServer: () => server,
  retryDeadJob: () => dead,
  dropDeadJob: () => dead,
  createWebhook: () => ({ body: webhook }),
  changeWebhook: (stage) => ({ ...ofWebhook(stage), body: { ...webhook, note: 'The audit.' } }),
  pauseWebhook: ofWebhook,
  resumeWebhook: ofWebhook,
  rotateWebhookSecret: (stage) => ({ ...ofWebhook(stage), body: {} }),
  testWebhook: ofWebhook,
  retryDeliveries: (stage) => ({ ...ofWebhook(stage), body: {} }),
  deleteWebhook: ofWebhook,
  createSignInCode: () => ({}),
  createKey: () => ({ body: { name: 'audited', role: 'viewer', ...why } }),
  createFleetKey: () => ({ body: { fleet: 'audited', maxServers: 2, ...why } }),
  changeFleetKey: (stage) => ({ ...ofFleetKey(stage), body: { maxServers: 3, ...why } }),
  revokeFleetKey: (stage) => ({ ...ofFleetKey(stage), query: '?reason=The+audit.' }),
  revokeKey: (stage) => ({
    params: { keyId: madeBy(stage, 'createKey', 'keyId') },
    query: '?reason=The+audit.',
  }),
};

/** The calls of the table that have a row of the log, by the rule of the services. */
export const isAudited = (name: EndpointName, callers: readonly string[]): boolean =>
  isChange(name) && callers.includes('operator');

/** Makes what the calls change: a server, tickets, matches with and without a result, penalties and a case. */
export async function setStage(stack: Stack): Promise<Stage> {
  await register(stack, { serverId: 'audited-server', build: 'audited-servers' });
  const alone = await Promise.all(
    ['a', 'b'].map((name) => queueUp(stack, [`audited-${name}`], { queue: '1v1', build: `audited-${name}` })),
  );
  const [one] = await duel(stack, 'audited-match', ['audited-c', 'audited-d']);
  const { matchId: formed = '' } = await one.until(({ state }) => state === 'placing');
  const token = stack.run.serverKey;
  const other = 'audited-other';
  await stack.operator.createPool({ name: other });
  const result = { eventId: 'audited-rated', pool: other, teams: [['audited-5'], ['audited-6']] };
  const { matchId: rated } = jsonOf<{ matchId: string }>(
    await ask(stack.url, '/v1/results', { token, body: { ...result, ranks: [1, 2] } }),
    201,
  );
  await ask(stack.url, '/v1/results', { token, body: { ...result, ranks: [2, 1] } });
  const db = createDb(stack.run.databaseUrl, { maxConnections: 1 });
  try {
    const at = new Date();
    await db.penalty.createMany({
      data: [1, 2].map((n) => ({
        id: `pen_audited-${n}`,
        playerId: `audited-${n}`,
        kind: 'declined',
        matchId: `mat_audited-${n}`,
        queue: '1v1',
        at: new Date(at.getTime() - 60_000),
        ...(n === 1 ? { forgivenAt: at, liftedAt: at, liftedWhy: 'An outage.' } : {}),
      })),
    });
    await db.integrityCase.create({
      data: {
        id: 'cas_audited-1',
        pool: 'duel',
        kind: 'thrown',
        subject: 'audited-1',
        players: ['audited-1'],
        state: 'open',
        evidence: 9,
        byChance: 0.001,
        matches: 9,
        matchId: 'mat_audited-1',
        sequence: 1,
        pro: [],
        contra: [],
        generation: 1,
        openedAt: at,
        updatedAt: at,
        raise: 'none',
      },
    });
  } finally {
    await db.$disconnect();
  }
  const [first, second] = alone.map(({ ticketId }) => ticketId);
  return { ticketIds: [first ?? '', second ?? ''], formed, rated, answers: new Map() };
}
