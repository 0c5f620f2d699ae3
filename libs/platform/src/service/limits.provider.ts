import { connectRedis, realmRoot, scriptRunner, type RedisTarget } from '@muster/redis';
import type { Provider } from '@nestjs/common';
import { CallLimits } from '../auth/call-limits.js';
import type { ServiceSettings } from '../core/config.js';
import { Connections } from '../core/connections.js';
import { ErrorLog } from '../core/error-log.js';
import { REDIS } from '../core/injection.js';
import { CallerAddresses } from '../limits/caller-address.js';
import { RateLimits } from '../limits/rate-limits.js';
import { SharedBuckets } from '../limits/shared-buckets.js';
import type { Metrics } from '../metrics/metrics.js';

/** The time limit of telling other processes what was taken from limits: it is done ten times a second. */
const limitsMs = 1_000;

/** Limits of rate, and where calls come from. */
export function limits(settings: ServiceSettings, metrics: Metrics): Provider[] {
  const { rates, exempt } = settings.RATE_LIMITS;
  return [
    { provide: CallerAddresses, useValue: new CallerAddresses(settings.TRUSTED_PROXIES, exempt) },
    {
      provide: SharedBuckets,
      inject: [REDIS, Connections, ErrorLog],
      useFactory: (target: RedisTarget, connections: Connections, errors: ErrorLog) => {
        const redis = connectRedis(target, {
          name: 'limits',
          prompt: true,
          commandTimeoutMs: limitsMs,
          onError: errors.of('Redis (limits)'),
        });
        connections.add(() => redis.disconnect());
        return new SharedBuckets(
          scriptRunner(redis, realmRoot(settings.REALM)),
          errors.of('rate limits are of this process alone'),
        );
      },
    },
    {
      provide: CallLimits,
      inject: [SharedBuckets, CallerAddresses],
      useFactory: (shared: SharedBuckets, addresses: CallerAddresses) =>
        new CallLimits(new RateLimits(rates, shared), addresses, metrics),
    },
  ];
}
