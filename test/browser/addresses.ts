import { names, type Ids } from './stage.js';

/** A page of the dashboard, with the least role that sees it in the navigation. */
export interface Address {
  /** What findings call it. */
  readonly name: string;
  readonly path: string;
}

/** Every page, and every page of one thing. */
export const addressesOf = (ids: Ids): readonly Address[] => [
  { name: 'overview', path: '/' },
  { name: 'queues', path: '/queues' },
  { name: 'queue', path: '/queues/5v5' },
  { name: 'queue of the test', path: `/queues/${names.queue}` },
  { name: 'rules', path: '/queues/5v5/rules' },
  { name: 'draft of rules', path: '/queues/5v5/rules?view=change' },
  { name: 'versions of rules', path: '/queues/5v5/rules?view=versions' },
  { name: 'tickets', path: '/tickets' },
  { name: 'ticket', path: `/tickets/${ids.waiting[0] ?? ''}` },
  { name: 'matches', path: '/matches' },
  { name: 'match', path: `/matches/${ids.demoMatch}` },
  { name: 'match without a server', path: `/matches/${ids.formed[0] ?? ''}` },
  { name: 'match with two results', path: `/matches/${ids.contradicted[0] ?? ''}` },
  { name: 'players', path: '/players' },
  { name: 'player', path: `/players/${ids.demoPlayer}` },
  { name: 'player with penalties', path: `/players/${names.player}` },
  { name: 'fleet', path: '/fleet' },
  { name: 'server', path: `/fleet/${ids.demoServer}` },
  { name: 'server of the test', path: `/fleet/${names.server}` },
  { name: 'pools', path: '/pools' },
  { name: 'pool', path: `/pools/${names.demoPool}` },
  { name: 'pool of the test', path: `/pools/${names.pool}` },
  ...['leaderboard', 'seasons', 'rules', 'newcomers', 'rebuilds'].map((tab) => ({
    name: `${tab} of a pool`,
    path: `/pools/${names.pool}?tab=${tab}`,
  })),
  { name: 'jobs', path: '/jobs' },
  { name: 'conflicts', path: '/conflicts' },
  { name: 'cases', path: '/cases' },
  { name: 'case', path: `/cases/${ids.cases[0] ?? ''}` },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'webhook', path: `/webhooks/${ids.webhook}` },
  { name: 'events', path: '/webhooks?tab=events' },
  { name: 'audit', path: '/access' },
  { name: 'keys', path: '/access?tab=keys' },
];
