import { z } from 'zod';
import { serviceSettings, type ServiceSettings } from '../core/config.js';
import { readSettings } from '../core/read-settings.js';
import { createLog, nestLog, type Log } from '../core/logging.js';
import type { Metrics } from '../metrics/metrics.js';
import type { OpenService } from './open-service.js';
import { InProcessWire } from '../rpc/rpc-in-process.js';
import { openService, untilEnded, type ServiceDefinition } from './service.js';
import { tracedWire } from '../rpc/traced-wire.js';
import { isTraced, openTraces } from '../traces/open-traces.js';
import { Starting } from './starting.js';

/** Settings of the process that hosts several services. */
export const hostSettings = z.object({
  LOG_LEVEL: serviceSettings.shape.LOG_LEVEL,
  DRAIN_PAUSE_MS: serviceSettings.shape.DRAIN_PAUSE_MS,
  DRAIN_LIMIT_MS: serviceSettings.shape.DRAIN_LIMIT_MS,
  OPERATOR_KEY: serviceSettings.shape.OPERATOR_KEY,
});

/** A service with its settings. */
type Planned = (wire: InProcessWire, log: Log, metrics: Metrics) => Promise<OpenService>;

/** Reads the settings of a service that shares its process with others. */
export function plan<S extends ServiceSettings>(
  service: ServiceDefinition<S>,
  env: NodeJS.ProcessEnv,
): Planned {
  const settings = readSettings(service.settings, env);
  const log = createLog(service.name, settings.LOG_LEVEL, isTraced(settings));
  return async (wire, host, metrics) => {
    const traces = await openTraces(service.name, settings, log);
    return openService(service, settings, {
      wire: traces ? tracedWire(wire, traces) : wire,
      log,
      // Nest has one log in a process.
      nest: nestLog(host),
      starting: new Starting(service.name, null, log),
      metrics,
      traces,
    });
  };
}

/**
 * Opens services in this process, each with its own modules, stores and Postgres role. They ask each other without a
 * network. Their calls come by {@link OpenService.handle}.
 */
export async function openTogether(
  planned: readonly Planned[],
  log: Log,
  metrics: Metrics,
): Promise<readonly OpenService[]> {
  const wire = new InProcessWire();
  const open = await untilEnded(log, () => Promise.all(planned.map((each) => each(wire, log, metrics))));
  for (const service of open) await service.prepare();
  for (const service of open) service.start();
  return open;
}

/** Finishes the work of services that share a process; they may ask each other until all have. */
export async function finishTogether(open: readonly OpenService[]): Promise<void> {
  await Promise.all(open.map((service) => service.finish()));
}
