import { createDb as connect, type Db as Connections, type DbOptions } from '@muster/db';
import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaClient } from '../../libs/db/src/generated/client.js';

/** The connections of one process, with a Prisma client that uses the same ones: for what a test prepares and looks up. */
export type Db = Connections & PrismaClient;

/** Opens connections as a service does. Close them with `$disconnect()`. */
export function createDb(url: string, options: DbOptions = {}): Db {
  const connections = connect(url, options);
  const { $sql } = connections;
  const adapter: SqlMigrationAwareDriverAdapterFactory = {
    provider: 'postgres',
    adapterName: 'test',
    connect: () => new PrismaPg($sql.connections()).connect(),
    connectToShadowDb: () => Promise.reject(new Error('A shadow database is never used here.')),
  };
  const prisma = new PrismaClient({ adapter });
  const closePrisma = prisma.$disconnect.bind(prisma);
  return Object.assign(prisma, {
    $sql,
    $connections: () => connections.$connections(),
    async $disconnect() {
      await closePrisma();
      await connections.$disconnect();
    },
  });
}
