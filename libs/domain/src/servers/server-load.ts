/** The ticks of a server since its last heartbeat. */
export interface TickHealth {
  /** Ticks a second that the server is to run. */
  readonly rate: number;
  /** The time that 95 % of the ticks stayed within, in milliseconds. */
  readonly p95Ms: number;
}

/** The load of a server as its heartbeat reports it. */
export interface ServerLoad {
  /** Share of the processor in use, 0 to 1. */
  readonly cpuLoad: number;
  /** Absent when the server does not report it. */
  readonly tick?: TickHealth | undefined;
}

/** A server with a load above one of these is overloaded. */
export interface LoadLimits {
  /** Share of the processor, 0 to 1; at 1 the processor overloads no server. */
  readonly cpu: number;
  /** Share of a tick's time, above 0; 1: ticks take all the time that there is. */
  readonly tick: number;
}

/** No processor can be above it, and no tick may be. */
export const noLoadLimits: LoadLimits = { cpu: Infinity, tick: Infinity };

/** The share of its limits that an overloaded server must be at or below to get matches again. */
export const relievedShare = 0.9;

/** `over` a limit, `under` all of them by a margin, or `between`. */
export type LoadVerdict = 'over' | 'between' | 'under';

/** The share of a tick's time that the server computes; null when it does not report it. */
export function tickLoadOf({ tick }: ServerLoad): number | null {
  return tick ? (tick.p95Ms * tick.rate) / 1_000 : null;
}

/** Judges a load by the limits. */
export function judgeLoad(load: ServerLoad, limits: LoadLimits): LoadVerdict {
  const tick = tickLoadOf(load) ?? 0;
  if (load.cpuLoad > limits.cpu || tick > limits.tick) return 'over';
  return load.cpuLoad <= limits.cpu * relievedShare && tick <= limits.tick * relievedShare
    ? 'under'
    : 'between';
}
