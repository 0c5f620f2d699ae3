/** Something that is wrong, in plain words. */
export interface Finding {
  readonly wrong: string;
  readonly why: string;
  readonly mend: string;
}

/** A finding where something is wrong. */
export const found = (isWrong: boolean, wrong: string, why: string, mend: string): Finding[] =>
  isWrong ? [{ wrong, why, mend }] : [];

/** Where to look. */
export interface Patient {
  readonly dataDir: string;
  readonly url?: string;
  readonly operatorKey?: string;
  /** Addresses of services, beside those of EDGE_UPSTREAMS and of the Muster on this machine. */
  readonly service: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** The release of this command. */
  readonly version: string;
}

/** Clocks that are further apart than this are wrong. */
const soundWithinMs = 2_000;

/** A clock that differs from that of this machine. @param now what it says, in milliseconds since the epoch */
export function clockFindings(whose: string, now: number): Finding[] {
  const aheadMs = Math.round(now - Date.now());
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return found(
    Math.abs(aheadMs) > soundWithinMs,
    `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} that of ${whose}.`,
    'Services with a wrong clock leave their work to others, and tokens are refused or live too long.',
    'Run a time service (chrony, systemd-timesyncd) on both machines.',
  );
}

/** The reason alone, without a full stop. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message || String(Reflect.get(error, 'code')) : String(error)).replace(
    /\.$/,
    '',
  );
