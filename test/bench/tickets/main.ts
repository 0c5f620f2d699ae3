// Processor time of Redis per ticket, by step: `npm run bench:tickets -- --help`.
import { message, type Assignment, type Ticket } from '@muster/domain';
import { connectRedis, realmRoot } from '@muster/redis';
import { startTestRedis } from '@muster/testing';
import { randomUUID } from 'node:crypto';
import { UnwatchedTicketStore } from '../../../apps/queue/test-support/ticket-store.js';
import { command, type Settings } from '../command.js';

const help = `Takes tickets through their life in Redis, and prints the processor time that each step costs the server.

  npm run bench:tickets -- [options]

  --matches N    matches that are counted (default 2000); half as many are played before
  --players N    tickets of a match, each of one player (default 10)
  --at-once N    matches that take a step together (default 3)
  --appendonly   with the append-only file, as in production
  --json         prints the line of JSON alone
  --help         prints this
`;

const options = {
  matches: { type: 'string', default: '2000' },
  players: { type: 'string', default: '10' },
  'at-once': { type: 'string', default: '3' },
  appendonly: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

await command(help, options, run);

interface Match {
  readonly matchId: string;
  readonly tickets: readonly Ticket[];
}

type Connection = ReturnType<typeof connectRedis>;

/** A step of the life of several matches. */
type Step = (matches: readonly Match[]) => Promise<unknown>;

async function run(values: Settings<typeof options>): Promise<void> {
  const server = await startTestRedis({ own: true });
  const redis = connectRedis(server.url, { name: 'bench', onError: () => undefined });
  const players = Number(values.players);
  const atOnce = Number(values['at-once']);
  try {
    if (values.appendonly) await redis.config('SET', 'appendonly', 'yes');
    const store = new UnwatchedTicketStore(redis, realmRoot('bench'));
    const lease = await store.acquireLease('5v5', 'bench', 3_600_000);
    const steps = stepsOf(store, lease?.epoch ?? 0);
    const matches = (n: number): Match[] => Array.from({ length: n }, () => matchOf(players));
    for (const some of groupsOf(matches(Number(values.matches) / 2), atOnce))
      for (const step of Object.values(steps)) await step(some);
    const counted = groupsOf(matches(Number(values.matches)), atOnce);
    const rows: Record<string, { cpuUs: number; commands: number; calls: number }> = {};
    for (const [name, step] of Object.entries(steps)) {
      await redis.config('RESETSTAT');
      const before = await cpuSeconds(redis);
      for (const some of counted) await step(some);
      const cpu = (await cpuSeconds(redis)) - before;
      const perTicket = (n: number): number => n / (Number(values.matches) * players);
      const { commands, calls } = await commandsOf(redis);
      rows[name] = {
        cpuUs: perTicket(cpu * 1e6),
        commands: perTicket(commands),
        calls: perTicket(calls),
      };
    }
    const sum = Object.values(rows).reduce((total, { cpuUs }) => total + cpuUs, 0);
    if (!values.json) {
      for (const [name, { cpuUs, commands, calls }] of Object.entries(rows))
        process.stdout.write(
          `${name.padEnd(12)} ${cpuUs.toFixed(1).padStart(8)} µs  ${commands.toFixed(2).padStart(6)} commands ${calls.toFixed(3)} calls a ticket\n`,
        );
      process.stdout.write(`${'all'.padEnd(12)} ${sum.toFixed(1).padStart(8)} µs\n`);
    }
    process.stdout.write(`${JSON.stringify({ cpuUsPerTicket: sum, steps: rows })}\n`);
  } finally {
    redis.disconnect();
    await server.stop();
  }
}

function matchOf(players: number): Match {
  const now = Date.now();
  const tickets = Array.from({ length: players }, (): Ticket => {
    const ticketId = randomUUID();
    return {
      ticketId,
      queue: '5v5',
      build: 'bench',
      latencyMs: { local: 20 },
      enqueuedAt: now,
      expiresAt: now + 600_000,
      fingerprint: randomUUID().replaceAll('-', ''),
      players: [{ playerId: randomUUID(), mu: 25.123456789, sigma: 8.333333333 }],
    };
  });
  return { matchId: randomUUID(), tickets };
}

function stepsOf(store: UnwatchedTicketStore, epoch: number): Record<string, Step> {
  const each = (act: (match: Match, ids: string[]) => Promise<unknown>): Step => {
    return (matches) =>
      Promise.all(
        matches.map((match) =>
          act(
            match,
            match.tickets.map(({ ticketId }) => ticketId),
          ),
        ),
      );
  };
  let seen = 0;
  return {
    // Arrivals share a call less often than tickets of a match.
    enqueue: async (matches) => {
      for (const some of groupsOf(
        matches.flatMap(({ tickets }) => tickets),
        3,
      ))
        await Promise.all(some.map((ticket) => store.enqueue(ticket, Date.now())));
    },
    'pool changes': async () => {
      const { newest } = await store.poolChanges('5v5', seen, 5_000);
      seen = newest;
    },
    'read tickets': each((_, ids) => store.tickets(ids)),
    propose: each(({ matchId, tickets }, ticketIds) =>
      store.propose(
        {
          matchId,
          queue: '5v5',
          ticketIds,
          job: JSON.stringify({ matchId, queue: '5v5', pool: '5v5', tickets, rules: { teams: [5, 5] } }),
          reason: [message('match.formed')],
          rulesVersion: 1,
        },
        epoch,
        8_000,
        Date.now(),
      ),
    ),
    confirm: each(({ matchId }, ids) => store.confirm(matchId, ids, [message('match.formed')], Date.now())),
    assign: each(({ matchId }, ids) =>
      Promise.all(
        ids.map((id, i) =>
          store.assign(id, assignmentOf(matchId, i % 2), [message('match.formed')], Date.now()),
        ),
      ),
    ),
    close: each(({ matchId }, ids) =>
      store.close(matchId, ids, 'rated', [message('match.formed')], Date.now()),
    ),
  };
}

function assignmentOf(matchId: string, team: number): Assignment {
  return {
    matchId,
    sessionId: randomUUID(),
    serverId: randomUUID(),
    region: 'local',
    host: '127.0.0.1',
    port: 7_777,
    team,
  };
}

async function cpuSeconds(redis: Connection): Promise<number> {
  const text = await redis.info('cpu');
  const of = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)?.[1] ?? 0);
  return of('used_cpu_user') + of('used_cpu_sys');
}

async function commandsOf(redis: Connection): Promise<{ commands: number; calls: number }> {
  const text = await redis.info('commandstats');
  let [commands, calls] = [0, 0];
  for (const [, name = '', n = '0'] of text.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)) {
    if (name.startsWith('eval')) calls += Number(n);
    else if (!/^(info|config)/.test(name)) commands += Number(n);
  }
  return { commands, calls };
}

function groupsOf<T>(items: readonly T[], size: number): T[][] {
  const groups: T[][] = [];
  for (let from = 0; from < items.length; from += size) groups.push(items.slice(from, from + size));
  return groups;
}
