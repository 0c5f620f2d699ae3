/** A file that violates the rule of imports, and the linter's message. */
export interface Violation {
  breaks: string;
  path: string;
  code: string;
  says: string;
}

/** The linter reads only `from 'name'`; the name need not exist. */
const using = (name: string): string => `import { planted } from '${name}';\nexport const used = planted;\n`;

const pure = 'A pure library';
const clock = 'A pure library reads no clock';
const chance = 'A pure library draws nothing itself';
const adapter = 'only *.store.ts and *.module.ts know an adapter';
const store = 'A store knows its database';
const useCase = 'A use-case imports';
const otherApp = 'An app never imports an app';
const stays = 'A relative import stays in its package';

const plant = (breaks: string, path: string, code: string, says: string): Violation => ({
  breaks,
  path,
  code,
  says,
});

/** At least one for every rule and for every known way around it. */
export const violations: Violation[] = [
  plant('domain: node', 'libs/domain/src/planted.ts', using('node:fs'), 'libs/domain imports nothing'),
  plant('domain: zod', 'libs/domain/src/planted.ts', using('zod'), 'libs/domain imports nothing'),
  plant(
    'domain: another library',
    'libs/domain/src/planted.ts',
    using('@muster/solver'),
    'nothing but itself',
  ),
  plant('solver: Nest', 'libs/solver/src/planted.ts', using('@nestjs/common'), pure),
  plant('solver: node without its prefix', 'libs/solver/src/planted.ts', using('fs/promises'), pure),
  plant('solver: a deep import', 'libs/solver/src/planted.ts', using('@muster/domain/dist/clock.js'), pure),
  plant('solver: contracts', 'libs/solver/src/planted.ts', using('@muster/contracts'), pure),
  plant('solver: a re-export', 'libs/solver/src/planted.ts', "export * from 'bullmq';\n", pure),
  plant('solver: import()', 'libs/solver/src/planted.ts', "export const used = await import('pg');\n", pure),
  plant(
    'solver: import() of a computed name',
    'libs/solver/src/planted.ts',
    "export const load = (name: string): Promise<unknown> => import('node:' + name);\n",
    'no-dynamic-require',
  ),
  plant(
    'solver: import() as a type',
    'libs/solver/src/planted.ts',
    "export type Used = import('zod').ZodType;\n",
    'consistent-type-imports',
  ),
  plant('skill: Redis', 'libs/skill/src/planted.ts', using('ioredis'), 'libs/skill is pure'),
  plant('skill: testing outside a spec', 'libs/skill/src/planted.ts', using('@muster/testing'), 'is pure'),
  plant('plot: the domain', 'libs/plot/src/planted.ts', using('@muster/domain'), 'libs/plot is pure'),
  plant('plot: another part of d3', 'libs/plot/src/planted.ts', using('d3-selection'), 'libs/plot is pure'),
  plant('plot: a clock', 'libs/plot/src/planted.ts', 'export const used = Date.now();\n', clock),
  plant('matchmaking: zod', 'libs/matchmaking/src/planted.ts', using('zod'), 'libs/matchmaking is pure'),
  plant(
    'matchmaking: openskill',
    'libs/matchmaking/src/planted.ts',
    using('openskill'),
    'libs/matchmaking is pure',
  ),
  plant(
    'matchmaking: Prisma',
    'libs/matchmaking/src/planted.ts',
    using('@prisma/client'),
    'libs/matchmaking is pure',
  ),
  plant('simulation: zod', 'libs/simulation/src/planted.ts', using('zod'), 'libs/simulation is pure'),
  plant('simulation: contracts', 'libs/simulation/src/planted.ts', using('@muster/contracts'), 'is pure'),
  plant('simulation: a clock', 'libs/simulation/src/planted.ts', 'export const used = Date.now();\n', clock),
  plant('simulation: a spec', 'libs/simulation/src/planted.spec.ts', using('@muster/contracts'), pure),
  plant('live-balance: Redis', 'libs/live-balance/src/planted.ts', using('@muster/redis'), 'is pure'),
  plant(
    'live-balance: a clock',
    'libs/live-balance/src/planted.ts',
    'export const used = Date.now();\n',
    clock,
  ),
  plant('a new library is pure', 'libs/not-yet-written/src/planted.ts', using('zod'), pure),
  plant('a pure spec: Nest', 'libs/solver/src/planted.spec.ts', using('@nestjs/testing'), pure),
  plant('a pure spec: an adapter', 'libs/skill/src/planted.spec.ts', using('@muster/db'), pure),

  plant('Date.now', 'libs/matchmaking/src/planted.ts', 'export const used = Date.now();\n', clock),
  plant('new Date()', 'libs/domain/src/planted.ts', 'export const used = new Date();\n', clock),
  plant('performance', 'libs/solver/src/planted.ts', 'export const used = performance.now();\n', clock),
  plant('Math.random', 'libs/skill/src/planted.ts', 'export const used = Math.random();\n', chance),
  plant('{ random }', 'libs/skill/src/planted.ts', 'export const { random } = Math;\n', chance),
  plant('crypto', 'libs/solver/src/planted.ts', 'export const used = crypto.randomUUID();\n', chance),
  plant('setTimeout', 'libs/matchmaking/src/planted.ts', 'setTimeout(() => {}, 1);\n', 'waits for nothing'),
  plant('setInterval', 'libs/matchmaking/src/planted.ts', 'setInterval(() => {}, 1);\n', 'waits for nothing'),
  plant('setImmediate', 'libs/solver/src/planted.ts', 'setImmediate(() => {});\n', 'waits for nothing'),
  plant('process', 'libs/skill/src/planted.ts', 'export const used = process.env;\n', 'its surroundings'),
  plant('fetch', 'libs/domain/src/planted.ts', 'export const used = fetch;\n', 'its surroundings'),
  plant('globalThis', 'libs/domain/src/planted.ts', 'export const used = globalThis;\n', 'its surroundings'),

  plant(
    'contracts: Nest',
    'libs/contracts/src/planted.ts',
    using('@nestjs/swagger'),
    'libs/contracts imports',
  ),
  plant('contracts: node', 'libs/contracts/src/planted.ts', using('node:fs'), 'libs/contracts imports'),
  plant('redis: Postgres', 'libs/redis/src/planted.ts', using('pg'), 'libs/redis is an adapter'),
  plant(
    'redis: another adapter',
    'libs/redis/src/planted.ts',
    using('@muster/db'),
    'libs/redis is an adapter',
  ),
  plant('redis: Nest', 'libs/redis/src/planted.ts', using('@nestjs/common'), 'libs/redis is an adapter'),
  plant('db: Redis', 'libs/db/src/planted.ts', using('ioredis'), 'libs/db is an adapter'),
  plant('db: the solver', 'libs/db/src/planted.ts', using('@muster/solver'), 'libs/db is an adapter'),
  plant(
    'platform: the solver',
    'libs/platform/src/planted.ts',
    using('@muster/solver'),
    'libs/platform imports',
  ),
  plant('platform: sdk', 'libs/platform/src/planted.ts', using('@muster/sdk'), 'libs/platform imports'),
  plant('sdk: Nest', 'libs/sdk/src/planted.ts', using('@nestjs/common'), 'libs/sdk is published'),
  plant('sdk: platform', 'libs/sdk/src/planted.ts', using('@muster/platform'), 'libs/sdk is published'),
  plant('sdk: a value of the domain', 'libs/sdk/src/planted.ts', using('@muster/domain'), 'types alone'),
  plant('embedded: an app', 'libs/embedded/src/planted.ts', using('@muster/demo'), 'imports none'),
  plant('embedded: db', 'libs/embedded/src/planted.ts', using('@muster/db'), 'libs/embedded runs programs'),
  plant(
    'a spec of embedded: another adapter',
    'libs/embedded/src/planted.spec.ts',
    using('@muster/redis'),
    'A spec of libs/embedded',
  ),
  plant('testing: an adapter', 'libs/testing/src/planted.ts', using('@muster/redis'), 'libs/testing imports'),
  plant(
    'a spec of an adapter: another',
    'libs/db/src/planted.spec.ts',
    using('@muster/redis'),
    "library's spec",
  ),
  plant(
    'any: an app in a library',
    'libs/platform/src/planted.ts',
    using('@muster/queue'),
    'libs/platform imports',
  ),

  plant('use-case: db', 'apps/queue/src/tickets/planted.ts', using('@muster/db'), useCase),
  plant('use-case: redis', 'apps/rating/src/ledger/planted.ts', using('@muster/redis'), useCase),
  plant('use-case: Nest', 'apps/assignment/src/forming/planted.ts', using('@nestjs/common'), useCase),
  plant('use-case: platform', 'apps/allocator/src/sessions/planted.ts', using('@muster/platform'), useCase),
  plant('use-case: node', 'apps/queue/src/tickets/planted.ts', using('node:crypto'), useCase),
  plant(
    'use-case: a store',
    'apps/queue/src/tickets/planted.ts',
    using('../rules/rules.store.js'),
    'sees ports',
  ),
  plant('use-case: another app', 'apps/queue/src/tickets/planted.ts', using('@muster/rating'), otherApp),
  plant(
    'its spec: an adapter',
    'apps/queue/src/tickets/planted.spec.ts',
    using('ioredis'),
    "use-case's spec",
  ),
  plant('controller: redis', 'apps/queue/src/tickets/planted.controller.ts', using('@muster/redis'), adapter),
  plant('controller: ioredis', 'apps/allocator/src/fleet/planted.controller.ts', using('ioredis'), adapter),
  plant('gRPC: Prisma', 'apps/rating/src/ledger/planted.rpc.ts', using('@prisma/client'), adapter),
  plant('processor: ioredis', 'apps/assignment/src/forming/planted.processor.ts', using('ioredis'), adapter),
  plant('a view: db', 'apps/queue/src/matching/planted.view.ts', using('@muster/db'), adapter),
  plant('module: another app', 'apps/queue/src/rules/planted.module.ts', using('@muster/rating'), otherApp),
  plant(
    'controller: another app',
    'apps/rating/src/pools/planted.controller.ts',
    using('@muster/allocator'),
    otherApp,
  ),
  plant(
    "allocator: rating's store by its path",
    'apps/allocator/src/sessions/planted.store.ts',
    using('../../../rating/src/ledger/ledger.store.js'),
    stays,
  ),
  plant(
    "allocator: rating's store by its name",
    'apps/allocator/src/sessions/planted.store.ts',
    using('@muster/rating/ledger/ledger.store.js'),
    otherApp,
  ),
  plant('store: Nest', 'apps/allocator/src/sessions/planted.store.ts', using('@nestjs/common'), store),
  plant('store: platform', 'apps/rating/src/ledger/planted.store.ts', using('@muster/platform'), store),
  plant('cli: a service', 'apps/cli/src/planted.ts', using('@muster/queue'), otherApp),
  plant('cli: the edge', 'apps/cli/src/planted.ts', using('@muster/edge'), otherApp),
  plant('cli: the demo', 'apps/cli/src/planted.ts', using('@muster/demo'), otherApp),
  plant('edge: a service', 'apps/edge/src/planted.ts', using('@muster/queue'), otherApp),
  plant('edge: the single process', 'apps/edge/src/planted.ts', using('@muster/single'), otherApp),
  plant(
    'single: the inside of a service',
    'apps/single/src/planted.ts',
    using('@muster/queue/tickets/enqueue.js'),
    otherApp,
  ),
  plant('single: the whole edge', 'apps/single/src/planted.ts', using('@muster/edge'), otherApp),
  plant('single: the demo', 'apps/single/src/planted.ts', using('@muster/demo'), otherApp),
  plant('demo: the cli', 'apps/demo/src/planted.ts', using('@muster/cli'), otherApp),
  plant('an app: the cli', 'apps/assignment/src/main.ts', using('@muster/cli'), otherApp),

  plant('a path to a library', 'libs/solver/src/planted.ts', using('../../db/src/index.js'), stays),
  plant('a path to a build', 'libs/redis/src/planted.ts', using('../../db/dist/index.js'), stays),
  plant(
    'a path to an app',
    'apps/queue/src/rules/planted.module.ts',
    using('../../../rating/src/main.js'),
    stays,
  ),
  plant('a path from main', 'apps/queue/src/main.ts', using('../../rating/src/main.js'), stays),
  plant('a path in disguise', 'libs/skill/src/planted.ts', using('./../../db/index.js'), stays),
  plant('a path with a detour', 'libs/skill/src/planted.ts', using('./x/../../../db/index.js'), stays),
  plant('a path to the root', 'apps/cli/src/planted.ts', using('../../../package.json'), stays),

  plant('any', 'libs/platform/src/planted.ts', 'export const used: any = 1;\n', 'no-explicit-any'),
];

/** Valid files beside the violations: a linter that rejects everything would prove nothing. */
export const obedient: Pick<Violation, 'breaks' | 'path' | 'code'>[] = [
  ['domain: itself', 'libs/domain/src/planted.ts', using('./clock.js')],
  ['solver: domain', 'libs/solver/src/planted.ts', using('@muster/domain')],
  ['solver: a folder up', 'libs/solver/src/exact/planted.ts', using('../split.js')],
  ['skill: openskill', 'libs/skill/src/planted.ts', using('openskill/models')],
  ['plot: d3', 'libs/plot/src/planted.ts', using('d3-scale')],
  ['matchmaking: the solver', 'libs/matchmaking/src/planted.ts', using('@muster/solver')],
  ['live-balance: the solver', 'libs/live-balance/src/planted.ts', using('@muster/solver')],
  ['simulation: the matcher', 'libs/simulation/src/planted.ts', using('@muster/matchmaking')],
  ['simulation: live balance', 'libs/simulation/src/planted.ts', using('@muster/live-balance')],
  ['simulation: a spec of ratings', 'libs/simulation/src/planted.spec.ts', using('@muster/skill')],
  [
    'matchmaking: Date as a type',
    'libs/matchmaking/src/planted.ts',
    'export const later = (at: Date): Date => at;\n',
  ],
  ['a pure spec: vitest', 'libs/solver/src/planted.spec.ts', using('vitest')],
  ['a pure spec: fast-check', 'libs/domain/src/planted.spec.ts', using('fast-check')],
  ['a pure spec: testing', 'libs/skill/src/planted.spec.ts', using('@muster/testing')],
  ['a pure spec: node', 'libs/matchmaking/src/planted.spec.ts', using('node:fs/promises')],
  ['a pure spec: a clock', 'libs/solver/src/planted.spec.ts', 'export const used = performance.now();\n'],
  ['contracts: zod', 'libs/contracts/src/planted.ts', using('zod')],
  ['redis: ioredis', 'libs/redis/src/planted.ts', using('ioredis')],
  ['redis: node', 'libs/redis/src/planted.ts', using('node:timers/promises')],
  ['redis: the time', 'libs/redis/src/planted.ts', 'export const used = Date.now();\n'],
  ['db: Prisma', 'libs/db/src/planted.ts', using('@prisma/client/runtime/client')],
  ['platform: Nest', 'libs/platform/src/planted.ts', using('@nestjs/common')],
  ['platform: BullMQ', 'libs/platform/src/planted.ts', using('bullmq')],
  ['sdk: jose', 'libs/sdk/src/planted.ts', using('jose')],
  ['sdk: contracts', 'libs/sdk/src/planted.ts', using('@muster/contracts')],
  ['sdk: a type of the domain', 'libs/sdk/src/planted.ts', "export type { Ticket } from '@muster/domain';\n"],
  ['embedded: node', 'libs/embedded/src/planted.ts', using('node:child_process')],
  ['embedded: the time', 'libs/embedded/src/planted.ts', 'export const used = Date.now();\n'],
  ['a spec of embedded: db', 'libs/embedded/src/planted.spec.ts', using('@muster/db')],
  ['testing: fast-check', 'libs/testing/src/planted.ts', using('fast-check')],
  ['use-case: domain', 'apps/queue/src/tickets/planted.ts', using('@muster/domain')],
  ['use-case: a pure library', 'apps/assignment/src/forming/planted.ts', using('@muster/solver')],
  ['use-case: its neighbour', 'apps/rating/src/ledger/planted.ts', using('./ports.js')],
  ['use-case spec: testing', 'apps/queue/src/tickets/planted.spec.ts', using('@muster/testing')],
  ['controller: Nest', 'apps/queue/src/tickets/planted.controller.ts', using('@nestjs/common')],
  ['controller: platform', 'apps/queue/src/tickets/planted.controller.ts', using('@muster/platform')],
  ['module: redis', 'apps/queue/src/tickets/planted.module.ts', using('@muster/redis')],
  ['store: db', 'apps/rating/src/ledger/planted.store.ts', using('@muster/db')],
  ['main: db', 'apps/rating/src/main.ts', using('@muster/db')],
  ['cli: db', 'apps/cli/src/planted.ts', using('@muster/db')],
  ['cli: embedded', 'apps/cli/src/planted.ts', using('@muster/embedded')],
  ['demo: embedded', 'apps/demo/src/planted.ts', using('@muster/embedded')],
].map(([breaks = '', path = '', code = '']) => ({ breaks, path, code }));
