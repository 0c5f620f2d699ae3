import { PostgresEnrolment, type Db } from '@muster/db';
import { connectRedis, realmRoot, type RedisTarget } from '@muster/redis';
import type { FactoryProvider } from '@nestjs/common';
import type { ServiceSettings } from '../core/config.js';
import { Connections } from '../core/connections.js';
import { ErrorLog } from '../core/error-log.js';
import { DB, REDIS } from '../core/injection.js';
import { within } from '../core/within.js';
import { FleetSecrets } from '../auth/fleet-secrets.js';
import { FleetSignIn } from '../auth/fleet-sign-in.js';
import { FleetStanding } from '../servers/fleet-standing.js';
import { Nonces } from '../servers/nonces.js';
import { SharedClock } from '../loops/shared-clock.js';

/** How servers and fleets authenticate beside the key of the settings. */
export const fleetSignIn = (settings: ServiceSettings): FactoryProvider<FleetSignIn> => ({
  provide: FleetSignIn,
  inject: [DB, REDIS, Connections, ErrorLog, SharedClock],
  useFactory: (
    db: Db,
    target: RedisTarget,
    connections: Connections,
    errors: ErrorLog,
    clock: SharedClock,
  ) => {
    const connect = () => {
      const redis = connectRedis(target, {
        name: 'nonces',
        // Not prompt: the first nonce waits for the connection. Every signed call waits that long while Redis is away.
        commandTimeoutMs: 500,
        onError: errors.of('Redis (nonces)'),
      });
      connections.add(() => redis.disconnect());
      return redis;
    };
    return new FleetSignIn(
      new FleetSecrets(settings.COORDINATOR_KEY),
      new FleetStanding(
        new PostgresEnrolment(db),
        () => performance.now(),
        errors.of('keys of fleets'),
        within,
      ),
      new Nonces(connect, realmRoot(settings.REALM)),
      clock.now,
    );
  },
});
