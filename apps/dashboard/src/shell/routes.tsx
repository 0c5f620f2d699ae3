import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { Layout } from './layout.js';
import { NotFound, Broken } from './broken.js';

const root = createRootRoute({ component: Layout, notFoundComponent: NotFound });
const under = () => root;

/** The filters of a page: what an address says behind `?`, so that a link shows what its sender saw. */
type Filters = Readonly<Record<string, string | undefined>>;
const filters = (search: Record<string, unknown>): Filters =>
  Object.fromEntries(
    Object.entries(search)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );

const page = <P extends string>(path: P, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: under, path, component, validateSearch: filters });

const tree = root.addChildren([
  page(
    '/',
    lazyRouteComponent(() => import('../overview/overview.page.js'), 'OverviewPage'),
  ),
  page(
    '/queues',
    lazyRouteComponent(() => import('../queues/queues.page.js'), 'QueuesPage'),
  ),
  page(
    '/queues/$queue',
    lazyRouteComponent(() => import('../queues/queue.page.js'), 'QueuePage'),
  ),
  page(
    '/queues/$queue/rules',
    lazyRouteComponent(() => import('../rules/rules.page.js'), 'RulesPage'),
  ),
  page(
    '/tickets',
    lazyRouteComponent(() => import('../tickets/tickets.page.js'), 'TicketsPage'),
  ),
  page(
    '/tickets/$ticketId',
    lazyRouteComponent(() => import('../tickets/ticket.page.js'), 'TicketPage'),
  ),
  page(
    '/matches',
    lazyRouteComponent(() => import('../matches/matches.page.js'), 'MatchesPage'),
  ),
  page(
    '/matches/$matchId',
    lazyRouteComponent(() => import('../matches/match.page.js'), 'MatchPage'),
  ),
  page(
    '/players',
    lazyRouteComponent(() => import('../players/players.page.js'), 'PlayersPage'),
  ),
  page(
    '/players/$playerId',
    lazyRouteComponent(() => import('../players/player.page.js'), 'PlayerPage'),
  ),
  page(
    '/fleet',
    lazyRouteComponent(() => import('../fleet/fleet.page.js'), 'FleetPage'),
  ),
  page(
    '/fleet/$serverId',
    lazyRouteComponent(() => import('../fleet/server.page.js'), 'ServerPage'),
  ),
  page(
    '/pools',
    lazyRouteComponent(() => import('../pools/pools.page.js'), 'PoolsPage'),
  ),
  page(
    '/pools/$pool',
    lazyRouteComponent(() => import('../pools/pool.page.js'), 'PoolPage'),
  ),
  page(
    '/jobs',
    lazyRouteComponent(() => import('../jobs/jobs.page.js'), 'JobsPage'),
  ),
  page(
    '/conflicts',
    lazyRouteComponent(() => import('../conflicts/conflicts.page.js'), 'ConflictsPage'),
  ),
  page(
    '/cases',
    lazyRouteComponent(() => import('../cases/cases.page.js'), 'CasesPage'),
  ),
  page(
    '/cases/$caseId',
    lazyRouteComponent(() => import('../cases/case.page.js'), 'CasePage'),
  ),
  page(
    '/webhooks',
    lazyRouteComponent(() => import('../webhooks/webhooks.page.js'), 'WebhooksPage'),
  ),
  page(
    '/webhooks/$webhookId',
    lazyRouteComponent(() => import('../webhooks/webhook.page.js'), 'WebhookPage'),
  ),
  page(
    '/access',
    lazyRouteComponent(() => import('../access/access.page.js'), 'AccessPage'),
  ),
]);

export const router = createRouter({
  routeTree: tree,
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
