import { traceFields } from './active-span.js';
import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';

export type Log = Logger;

/**
 * Structured logs on standard output, one JSON object per line.
 *
 * @param isTraced whether lines name the active trace
 */
export function createLog(service: string, level: string, isTraced = false): Log {
  return pino({
    level,
    base: { service, pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    ...(isTraced ? { mixin: traceFields } : {}),
  });
}

/** Nest's messages in the service's log. */
export function nestLog(log: Log): LoggerService {
  const context = (rest: unknown[]): { context?: unknown } =>
    rest.length > 0 ? { context: rest.at(-1) } : {};
  return {
    log: (message: unknown, ...rest: unknown[]) => log.debug(context(rest), String(message)),
    // Not logged: an error at start is also thrown, and `main` reports it.
    error: (message: unknown, ...rest: unknown[]) =>
      log[rest.at(-1) === 'ExceptionHandler' ? 'debug' : 'error'](
        { ...context(rest), trace: rest[0] },
        String(message),
      ),
    warn: (message: unknown, ...rest: unknown[]) => log.warn(context(rest), String(message)),
    debug: (message: unknown, ...rest: unknown[]) => log.debug(context(rest), String(message)),
    verbose: (message: unknown, ...rest: unknown[]) => log.trace(context(rest), String(message)),
  };
}
