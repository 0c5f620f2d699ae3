import type { Traces } from '@muster/contracts';
import { ErrorLog } from '../core/error-log.js';
import type { TraceSettings } from '../core/trace-settings.js';

/** Traces of a process, and their end. */
export interface OpenTraces extends Traces {
  /** Exports what is left, within a time limit. */
  close(): Promise<void>;
}

/** Whether settings name a receiver of spans. */
export const isTraced = ({ OTEL_EXPORTER_OTLP_ENDPOINT: url }: TraceSettings): boolean => url !== undefined;

/**
 * Opens the traces of a service.
 *
 * @returns null where the settings name no receiver: then no part of OpenTelemetry is loaded
 */
export async function openTraces(
  service: string,
  settings: TraceSettings,
  log: ConstructorParameters<typeof ErrorLog>[0],
): Promise<OpenTraces | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings;
  if (endpoint === undefined) return null;
  const { RecordedTraces, reportTo } = await import('./recorded-traces.js');
  const errors = new ErrorLog(log);
  reportTo((error) => errors.report('traces', error, 'spans were not exported'));
  return new RecordedTraces(service, `${endpoint.replace(/\/+$/, '')}/v1/traces`, settings);
}
