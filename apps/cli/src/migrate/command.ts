import type { Command } from 'commander';
import { join } from 'node:path';

/** `muster migrate`: migrates a database to the schema of this version. */
export function migrateCommand(command: Command): void {
  command
    .description('Migrate the database of DATABASE_URL to the schema of this version.')
    .addHelpText(
      'after',
      '\nThe URL must reach the server itself, not a transaction pooler.\n' +
        'Concurrent runs are serialised. Run it once for each new version, before its services start.\n\n' +
        'Example: DATABASE_URL=postgresql://… muster migrate',
    )
    .action(async () => {
      const { DATABASE_URL: url } = process.env;
      if (!url)
        throw new Error('Set DATABASE_URL to the database, such as postgresql://user:password@host/muster.');
      const [{ migrate }, { checkout }, { addressIn }] = await Promise.all([
        import('@muster/db'),
        import('@muster/embedded'),
        import('@muster/command-line/operator/database'),
      ]);
      const { applied } = await migrate(
        await addressIn(process.env, url),
        join(checkout, 'prisma/migrations'),
      );
      process.stdout.write(applied.length === 0 ? 'Nothing to migrate.\n' : `${applied.join('\n')}\n`);
    });
}
