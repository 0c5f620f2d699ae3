/** What `muster up` was told. */
export interface UpOptions {
  /** Which demo plays; false: none. */
  readonly demo: 'queue' | 'arena' | false;
  /** The live-balance policy that the arena shows. */
  readonly policy: string;
  readonly players: number;
  readonly servers: number;
  readonly replicas: number;
  /** Whether all services run in one process. */
  readonly single: boolean;
  /** Ends by itself after so many milliseconds; undefined runs until it is stopped. */
  readonly for?: number;
  readonly port: number;
  /** Port of the rating service's line protocol; undefined leaves it off, 0 takes any that is free. */
  readonly tcpPort?: number;
  readonly dataDir: string;
  readonly json: boolean;
  readonly logLevel: string;
}

/** The live balance that the arena shows: what keeps matches fair for the longest time (docs/live-balance.md). */
export const usualPolicy = 'muster';

/** @throws Error for options that contradict each other */
export function checkOptions({ single, replicas }: Pick<UpOptions, 'single' | 'replicas'>): void {
  if (single && replicas > 1)
    throw new Error(
      `--single runs one process, so it cannot run ${replicas} replicas of each service. Leave out --single or --replicas.`,
    );
}
