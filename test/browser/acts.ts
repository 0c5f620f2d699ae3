import type { Act } from './actions.js';
import { names, type Stage } from './stage.js';

/** As an input for a time has it. */
const inHours = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16);

/** Every action of the dashboard, in an order in which each has something to do. */
export const actsOf = ({ ids }: Stage): readonly Act[] => [
  ...ofQueues(ids),
  ...ofMatches(ids),
  ...ofPlayers,
  ...ofPools,
  ...ofServers,
  ...ofWork(ids),
];

type Ids = Stage['ids'];

function ofQueues({ waiting }: Ids): readonly Act[] {
  const queue = `/queues/${names.queue}`;
  return [
    { call: 'pauseQueue', path: queue },
    { call: 'resumeQueue', path: queue },
    { call: 'announceMaintenance', path: '/queues', fields: { Begins: inHours(5) } },
    { call: 'endMaintenance', path: '/queues' },
    {
      call: 'applyRules',
      path: `${queue}/rules?view=change`,
      before: async ({ page }) => {
        const text = page.getByLabel('The whole document');
        await text.fill((await text.inputValue()).replace(/("?ticketTtlSeconds"?:) \d+/, '$1 700'));
      },
    },
    { call: 'cancelTicketAs', path: `/tickets/${waiting[1] ?? ''}` },
  ];
}

function ofMatches({ formed, rated, contradicted }: Ids): readonly Act[] {
  return [
    { call: 'endMatch', path: `/matches/${formed[1] ?? ''}` },
    { call: 'voidMatch', path: `/matches/${rated[1] ?? ''}` },
    { call: 'decideConflict', path: `/matches/${contradicted[0] ?? ''}` },
    { call: 'decideConflict', path: '/conflicts', of: contradicted[1] },
  ];
}

const player = `/players/${names.player}`;
const ofPlayers: readonly Act[] = [
  { call: 'namePlayers', path: player, fields: { 'Display name': 'Ann' } },
  { call: 'forgivePenalty', path: player },
  { call: 'imposePenalty', path: player },
  { call: 'banPlayer', path: player },
  { call: 'liftBan', path: player },
  { call: 'revokeBooster', path: player },
  { call: 'grantBooster', path: player, fields: { Pool: names.pool, Division: 'Platinum' } },
  // After the booster: it is for a division above the player's.
  { call: 'setRating', path: player, of: names.pool, fields: { Rating: '25' } },
  { call: 'resetRating', path: player, of: names.pool },
  { call: 'forgivePenalties', path: '/players' },
];

const pool = `/pools/${names.pool}`;
const ofPools: readonly Act[] = [
  { call: 'createPool', path: '/pools', fields: { Name: 'acted-more' } },
  { call: 'changePool', path: `${pool}?tab=rules`, of: 'shadowMatches', fields: { shadowMatches: '1' } },
  { call: 'beginSeason', path: `${pool}?tab=seasons`, fields: { 'Begins at': inHours(5) } },
  { call: 'withdrawSeason', path: `${pool}?tab=seasons` },
  { call: 'rebuildPool', path: `${pool}?tab=rebuilds` },
];

const server = `/fleet/${names.server}`;
const ofServers: readonly Act[] = [
  { call: 'drainServer', path: server },
  { call: 'undrainServer', path: server },
  { call: 'drainServers', path: `/fleet?build=${names.queue}` },
  { call: 'undrainServers', path: `/fleet?build=${names.queue}` },
  { call: 'leaveServer', path: `/fleet/${names.leaving}` },
];

function ofWork(ids: Ids): readonly Act[] {
  const webhook = `/webhooks/${ids.webhook}`;
  return [
    { call: 'retryDeadJob', path: '/jobs' },
    { call: 'dropDeadJob', path: '/jobs' },
    { call: 'closeCase', path: `/cases/${ids.cases[1] ?? ''}` },
    { call: 'retryDeliveries', path: webhook },
    { call: 'pauseWebhook', path: webhook },
    { call: 'resumeWebhook', path: webhook },
    // The receiver of the stage fails.
    { call: 'testWebhook', path: webhook, says: 'The receiver answered' },
    { call: 'changeWebhook', path: webhook },
    { call: 'rotateWebhookSecret', path: webhook },
    {
      call: 'createWebhook',
      path: '/webhooks',
      fields: { Address: 'http://127.0.0.1:9/', 'Event types': 'match.*' },
    },
    { call: 'deleteWebhook', path: webhook },
    { call: 'createKey', path: '/access?tab=keys', fields: { Name: 'made-by-a-test' } },
    { call: 'revokeKey', path: '/access?tab=keys', of: 'made-by-a-test' },
  ];
}
