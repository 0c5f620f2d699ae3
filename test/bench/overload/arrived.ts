import type { Answer } from '../million/http.js';

/** What the players do. */
export interface Plan {
  readonly dataDir: string;
  /** Of the edge. */
  readonly port: number;
  readonly queue: string;
  readonly build: string;
  readonly region: string;
  /** The number of the first player; each arrival is another player. */
  readonly first: number;
  readonly rate: number;
  readonly seconds: number;
  readonly seed: number;
}

/** What came of an arrival. Times count from its intended moment. */
export interface Arrived {
  readonly player: number;
  /** Since the beginning. */
  readonly atMs: number;
  /** How late it was sent: that is the load generator's fault. */
  readonly lateMs: number;
  readonly answeredMs: number;
  /** 0 without an answer. */
  readonly status: number;
  /** The code of the problem, or what kept the answer away; empty for a ticket. */
  readonly problem: string;
  readonly retryAfterSeconds: number | null;
  readonly ticketId: string;
}

/** A later call of a player whose ticket was acknowledged. */
export interface LaterCall {
  readonly status: number;
  readonly tookMs: number;
}

export type Told =
  | { readonly kind: 'begins'; readonly epochMs: number; readonly arrivals: number }
  | {
      readonly kind: 'ended';
      readonly arrived: readonly Arrived[];
      readonly later: readonly LaterCall[];
      readonly cpuSeconds: number;
    };

/** What an answer says. Only the parts that matter are read: parsing each would cost the measured system's time. */
export function readAnswer({
  status,
  text,
}: Answer): Pick<Arrived, 'status' | 'problem' | 'retryAfterSeconds' | 'ticketId'> {
  const [, ticketId = ''] = /"ticketId":"([^"]+)"/.exec(text) ?? [];
  if (status === 201) return { status, problem: '', retryAfterSeconds: null, ticketId };
  const [, problem = text.slice(0, 80)] = /"type":"[^"]*?([\w-]+)"/.exec(text) ?? [];
  const [, seconds] = /"retryAfterSeconds":(\d+)/.exec(text) ?? [];
  return {
    status,
    problem,
    retryAfterSeconds: seconds === undefined ? null : Number(seconds),
    ticketId: '',
  };
}
