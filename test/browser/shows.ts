import type { OperatorRole } from '@muster/contracts';
import { names, type Stage } from './stage.js';
import { Shown } from './shown.js';

/** What a page must show. */
export interface Comparison {
  readonly name: string;
  readonly path: string;
  readonly role?: OperatorRole;
  /** What it does not show of what the API answers now. */
  readonly lacks: (shown: Shown) => Promise<readonly string[]>;
}

const number = new Intl.NumberFormat('en-GB');

/** Key numbers and rows of each page, beside what the API answers at that moment. */
export function comparisons(stage: Stage): readonly Comparison[] {
  return [...ofQueues(stage), ...ofMatches(stage), ...ofPlayers(stage), ...ofFleet(stage), ...ofWork(stage)];
}

function ofQueues({ stack: { operator }, ids }: Stage): readonly Comparison[] {
  // The demo plays on, and the page asks now and then: it shows something that the API said meanwhile.
  const free = new Set<string>();
  return [
    {
      name: 'overview',
      path: '/',
      lacks: async (shown) => {
        const [{ queues }, { places }] = await Promise.all([operator.queues(), operator.capacity()]);
        free.add(number.format(places.reduce((sum, place) => sum + place.free, 0)));
        return [
          ...shown.lacksLinks(queues.map(({ name }) => `/queues/${name}`)),
          ...shown.wrongFigure('Slots free', ...free),
        ];
      },
    },
    {
      name: 'queues',
      path: '/queues',
      lacks: async (shown) => {
        const { queues } = await operator.queues();
        return [
          ...shown.lacksLinks(queues.map(({ name }) => `/queues/${name}`)),
          ...queues.flatMap(({ name, version }) =>
            shown
              .rows('Queues')
              .some((row) => row['Queue'] === name && row['Rules']?.includes(String(version)) === true)
              ? []
              : [`${name} is not shown with version ${version}`],
          ),
        ];
      },
    },
    {
      name: 'queue',
      path: `/queues/${names.queue}`,
      lacks: async (shown) => {
        const { waiting } = await operator.waiting(names.queue);
        return [
          ...shown.wrongFigure('Waiting now', number.format(waiting.length)),
          ...shown.wrongCount(`Tickets that wait in ${names.queue}`, waiting.length),
          ...shown.lacksLinks(waiting.map(({ ticketId }) => `/tickets/${ticketId}`)),
          ...shown.lacksLinks(waiting.flatMap(({ players }) => players.map((id) => `/players/${id}`))),
        ];
      },
    },
    {
      name: 'rules',
      path: `/queues/${names.queue}/rules`,
      lacks: async (shown) => {
        const { versions } = await operator.rules(names.queue);
        return shown.lacksWords(versions.map(({ version }) => String(version)));
      },
    },
    {
      name: 'tickets',
      path: `/tickets?queue=${names.queue}`,
      lacks: async (shown) => {
        const { tickets } = await operator.tickets({ queue: names.queue });
        return [
          ...shown.wrongCount('Tickets', tickets.length),
          ...shown.lacksLinks(tickets.map(({ ticketId }) => `/tickets/${ticketId}`)),
        ];
      },
    },
    {
      name: 'ticket',
      path: `/tickets/${ids.waiting[0] ?? ''}`,
      lacks: async (shown) => {
        const { players, queue, build, waiting } = await operator.ticket(ids.waiting[0] ?? '');
        return [
          ...shown.lacksLinks([`/queues/${queue}`, ...players.map((id) => `/players/${id}`)]),
          ...shown.lacksWords([build, ...(waiting ? [waiting.why] : [])]),
        ];
      },
    },
  ];
}

function ofMatches({ stack: { operator }, ids }: Stage): readonly Comparison[] {
  return [
    {
      name: 'matches',
      path: `/matches?pool=${names.pool}`,
      lacks: async (shown) => {
        const { matches } = await operator.matches({ pool: names.pool });
        return [
          ...shown.wrongCount('Matches', matches.length),
          ...shown.lacksLinks(matches.map(({ matchId }) => `/matches/${matchId}`)),
        ];
      },
    },
    {
      name: 'match',
      path: `/matches/${ids.demoMatch}`,
      lacks: async (shown) => {
        const { players, serverId, why, prediction, state } = await operator.match(ids.demoMatch);
        return [
          ...shown.lacksLinks([
            ...players.map(({ playerId }) => `/players/${playerId}`),
            `/fleet/${serverId}`,
          ]),
          ...shown.lacksWords([state, ...why, ...prediction.map((chance) => `${(100 * chance).toFixed(0)}`)]),
        ];
      },
    },
    {
      name: 'conflicts',
      path: '/conflicts',
      lacks: async (shown) => {
        const { conflicts } = await operator.conflicts();
        return shown.lacksLinks(conflicts.map(({ matchId }) => `/matches/${matchId}`));
      },
    },
  ];
}

function ofPlayers({ stack: { operator }, ids }: Stage): readonly Comparison[] {
  return [
    {
      name: 'player',
      path: `/players/${names.player}`,
      lacks: async (shown) => {
        const [{ mu }, { matches }, { penalties }] = await Promise.all([
          operator.rating(names.pool, names.player),
          operator.matches({ playerId: names.player }),
          operator.calls.readPenalties({ params: { playerId: names.player } }),
        ]);
        return [
          ...shown.lacksLinks([
            ...matches.map(({ matchId }) => `/matches/${matchId}`),
            `/pools/${names.pool}`,
            ...ids.cases.map((id) => `/cases/${id}`),
          ]),
          ...shown.lacksWords([mu.toPrecision(3)]),
          ...shown.wrongCount('Penalties of the player', penalties.length),
        ];
      },
    },
    {
      name: 'pools',
      path: '/pools',
      lacks: async (shown) => {
        const { pools } = await operator.pools();
        return shown.lacksLinks(pools.map(({ name }) => `/pools/${name}`));
      },
    },
    {
      name: 'pool',
      path: `/pools/${names.pool}`,
      lacks: async (shown) => {
        const { version } = await operator.pool(names.pool);
        return shown.lacksWords([`version ${version}`]);
      },
    },
  ];
}

function ofFleet({ stack: { operator }, ids }: Stage): readonly Comparison[] {
  return [
    {
      name: 'fleet',
      path: '/fleet',
      lacks: async (shown) => {
        const [{ servers }, { places }] = await Promise.all([
          operator.servers({ limit: 100 }),
          operator.capacity(),
        ]);
        const alive = servers.filter(({ state }) => state === 'ready' || state === 'draining');
        return [
          ...shown.wrongCount('Servers', alive.length),
          ...shown.lacksLinks(alive.map(({ serverId }) => `/fleet/${serverId}`)),
          ...shown.wrongCount('Capacity by build and region', places.length),
        ];
      },
    },
    {
      name: 'server',
      path: `/fleet/${names.server}`,
      lacks: async (shown) => {
        const { servers } = await operator.servers({ limit: 100 });
        const server = servers.find(({ serverId }) => serverId === names.server);
        return [
          ...shown.wrongFigure('State', server?.state ?? 'gone'),
          ...shown.wrongFigure('Slots used', '0'),
          ...shown.lacksLinks([ids.rated[0], ids.contradicted[0]].map((id) => `/matches/${id ?? ''}`)),
        ];
      },
    },
  ];
}

function ofWork({ stack: { operator }, ids }: Stage): readonly Comparison[] {
  return [
    {
      name: 'jobs',
      path: '/jobs',
      lacks: async (shown) => {
        const { queues } = await operator.jobQueues();
        const dead = queues.reduce((sum, queue) => sum + queue.dead, 0);
        return [
          ...shown.wrongFigure('Dead letters', number.format(dead)),
          ...shown.wrongCount('Job queues', queues.length),
          ...shown.wrongCount('Dead letters of form-teams', ids.dead.length),
          ...shown.lacksWords(ids.dead),
        ];
      },
    },
    {
      name: 'cases',
      path: '/cases',
      lacks: async (shown) => {
        const { cases } = await operator.cases();
        return [
          ...shown.wrongCount('Open cases', cases.length),
          ...shown.lacksLinks(cases.map(({ caseId }) => `/cases/${caseId}`)),
        ];
      },
    },
    {
      name: 'case',
      path: `/cases/${ids.cases[0] ?? ''}`,
      lacks: async (shown) => {
        const { pool, players, matchId } = await operator.case(ids.cases[0] ?? '');
        return shown.lacksLinks([
          `/pools/${pool}`,
          `/matches/${matchId}`,
          ...players.map((id) => `/players/${id}`),
        ]);
      },
    },
    {
      name: 'webhooks',
      path: '/webhooks',
      lacks: async (shown) => {
        const { webhooks } = await operator.webhooks();
        return [
          ...shown.wrongCount('Webhooks', webhooks.length),
          ...shown.lacksLinks(webhooks.map(({ webhookId }) => `/webhooks/${webhookId}`)),
        ];
      },
    },
    {
      name: 'webhook',
      path: `/webhooks/${ids.webhook}`,
      lacks: async (shown) => {
        const { url, state } = await operator.webhook(ids.webhook);
        return shown.lacksWords([url, state, ids.webhook]);
      },
    },
    {
      name: 'access',
      path: '/access?tab=keys',
      role: 'admin',
      lacks: async (shown) => {
        const { keys } = await operator.keys();
        const valid = keys.filter(({ revokedAt }) => revokedAt === null);
        return [
          ...shown.wrongCount('Keys of operators', valid.length),
          ...shown.lacksWords(valid.map(({ keyId }) => keyId)),
        ];
      },
    },
  ];
}
