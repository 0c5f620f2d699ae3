import type { EndpointName } from '@muster/contracts';

/** Pages of the navigation, each with the call that it cannot do without. */
const pages = [
  { to: '/', label: 'Overview', needs: 'readStatistics' },
  { to: '/queues', label: 'Queues', needs: 'listQueues' },
  { to: '/tickets', label: 'Tickets', needs: 'listTickets' },
  { to: '/matches', label: 'Matches', needs: 'listMatches' },
  { to: '/players', label: 'Players', needs: 'readPenalties' },
  { to: '/fleet', label: 'Fleet', needs: 'listServers' },
  { to: '/pools', label: 'Pools', needs: 'listPools' },
  { to: '/jobs', label: 'Jobs', needs: 'listJobQueues' },
  { to: '/conflicts', label: 'Conflicts', needs: 'listConflicts' },
  { to: '/cases', label: 'Cases', needs: 'listCases' },
  { to: '/webhooks', label: 'Webhooks', needs: 'listWebhooks' },
  { to: '/access', label: 'Keys and audit', needs: 'listAudit' },
] as const satisfies readonly { to: string; label: string; needs: EndpointName }[];

/** Those that a role may see. */
export const pagesOf = (may: (call: EndpointName) => boolean): readonly (typeof pages)[number][] =>
  pages.filter(({ needs }) => may(needs));
