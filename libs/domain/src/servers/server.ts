import type { ServerLabels } from './server-labels.js';
import { ServerIdTaken } from '../errors.js';
import type { LoadVerdict, ServerLoad } from './server-load.js';

/** A server acts as the incarnation that its registration began; an older one is refused. */
export interface ServerIdentity {
  readonly serverId: string;
  readonly incarnation: number;
}

export interface Heartbeat extends ServerLoad {
  /** The judgement of its load by the allocator's limits; absent: `under`. */
  readonly load?: LoadVerdict | undefined;
  /** Sessions that the server knows; undefined when it does not report them. */
  readonly sessions?: readonly string[] | undefined;
}

export interface ServerStanding {
  readonly state: ServerState;
  readonly slotsInUse: number;
}

/** `ready` takes sessions; `draining` finishes what it has; `lost` fell silent; `left` deregistered. */
export type ServerState = 'ready' | 'draining' | 'lost' | 'left';

/** Who drained a server. */
export type DrainedBy = 'server' | 'operator';

/** `reserved` holds a slot and waits for the server's answer; `live` is being played; the rest are ends. */
export type SessionState = 'reserved' | 'live' | 'ended' | 'abandoned' | 'refused' | 'unanswered' | 'lost';

/** A dedicated server as it registers. */
export interface ServerRegistration {
  readonly serverId: string;
  readonly region: string;
  readonly build: string;
  readonly host: string;
  readonly port: number;
  /** Number of concurrent sessions. */
  readonly slots: number;
  /** What it says of itself; absent: nothing. */
  readonly labels?: ServerLabels | undefined;
  /** Sessions of an earlier incarnation that it still runs; all others of it are lost. */
  readonly resume: readonly string[];
  /** The allocation that it was started or taken for; absent: it registers by itself. */
  readonly allocation?: string | undefined;
}

/**
 * The refusal of a server whose id another address holds.
 *
 * @param holder without its address if it is of another fleet
 * @param heardAfter the holder keeps the id while it was heard after this time; milliseconds since the epoch, as the other times
 */
export function serverIdTaken(
  holder: Pick<ServerRegistration, 'serverId'> & Partial<Pick<ServerRegistration, 'host' | 'port'>>,
  heardAt: number,
  heardAfter: number,
  now: number,
): ServerIdTaken {
  const { serverId, host, port } = holder;
  const silenceSeconds = Math.ceil((now - heardAfter) / 1000);
  return new ServerIdTaken(
    `${serverId} is registered${host === undefined ? ' by another fleet' : ` from ${host}:${port}`} and is heard. Give each server an id of its own. If this one replaces that one, stop that one: this one may register when it has been silent for ${silenceSeconds} s.`,
    {
      serverId,
      ...(host === undefined ? {} : { host, port }),
      retryAfterSeconds: Math.max(1, Math.ceil((heardAt - heardAfter) / 1000)),
    },
  );
}

/**
 * Whether a server that is ready or drains is silent. Its silence counts only while servers could be heard.
 *
 * @param silenceMs the silence limit
 * @param hearingMs how long all allocators have received heartbeats without a gap, in milliseconds
 */
export function isSilent(
  { state, heartbeatAt }: { readonly state: ServerState; readonly heartbeatAt: number },
  silenceMs: number,
  hearingMs: number,
  now: number,
): boolean {
  const serves = state === 'ready' || state === 'draining';
  return serves && hearingMs >= silenceMs && heartbeatAt <= now - silenceMs;
}

/** A command to a server. `seq` counts up per server: it is the cursor of the command stream. */
export interface ServerCommand {
  readonly seq: number;
  readonly kind: 'create-session' | 'add-players' | 'balance' | 'end-session';
  readonly sessionId: string;
  readonly payload: object;
}
