import { Background, DB, ErrorLog, SharedClock } from '@muster/platform';
import type { Db } from '@muster/db';
import { Module } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { WebhookScaler } from './webhook-scaler.client.js';
import { ALLOCATOR_SETTINGS, type AllocatorSettings } from '../settings.js';
import { HostingLoops } from './hosting.loops.js';
import { PostgresAllocationStore } from './hosting.store.js';
import { Hosting } from './hosting.js';
import { openProviders } from './providers.client.js';

/** The hook of SCALE_OUT_URL; null without it. */
export function hookOf(settings: AllocatorSettings, ending: AbortSignal): WebhookScaler | null {
  const { SCALE_OUT_URL: url, SCALE_OUT_TOKEN: token, SCALE_OUT_TIMEOUT_MS: timeoutMs } = settings;
  return url === undefined ? null : new WebhookScaler(url, token, timeoutMs, ending);
}

/** Asks the providers of HOSTING_FILE for servers. Without it this feature is off. */
@Module({
  providers: [
    HostingLoops,
    {
      provide: Hosting,
      inject: [DB, ALLOCATOR_SETTINGS, SharedClock, Background, ErrorLog],
      useFactory: (
        db: Db,
        settings: AllocatorSettings,
        clock: SharedClock,
        background: Background,
        errorLog: ErrorLog,
      ): Hosting | null => {
        const { hosting, REALM: realm } = settings;
        if (hosting === undefined) return null;
        const store = new PostgresAllocationStore(db);
        const ending = background.signal;
        const takenServers = (ids: readonly string[]): Promise<string[]> => store.takenServers(ids);
        return new Hosting(
          store,
          openProviders(hosting, { realm, ending, takenServers }),
          hosting.rules,
          clock,
          Math.random,
          () => `alc_${randomBytes(16).toString('hex')}`,
          hookOf(settings, ending),
          (provider, error) => errorLog.report(`provider ${provider}`, new Error(error)),
          () => background.kick('hosting'),
        );
      },
    },
  ],
  exports: [Hosting],
})
export class HostingModule {}
