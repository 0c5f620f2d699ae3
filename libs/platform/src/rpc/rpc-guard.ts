import {
  ServerInterceptingCall,
  status,
  type Metadata,
  type StatusObject,
  type ServerInterceptor,
} from '@grpc/grpc-js';
import { rpcCallNamed, type Meter } from '@muster/contracts';
import type { RpcTokens } from './rpc-tokens.js';

/** The service whose calls may change state; see `RpcCallRules.changes`. */
const changer = 'queue';
/**
 * The most calls of a method in progress. Our own callers gather questions and have a few in progress each; of thousands at once
 * the rest is refused at once, instead of all being late.
 */
const mostInProgress = 256;

const scheme = 'Bearer ';

/** What a server requires of its callers. */
export interface RpcGuard {
  readonly tokens: RpcTokens;
  /** Whether calls without a token are refused. One that is not genuine is refused in any case. */
  readonly isTokenRequired: boolean;
  readonly meter: Meter;
  /** Told of each call that is refused for its token. */
  readonly refused: (reason: string) => void;
}

/** Adds what proves who calls. */
export function withProof(metadata: Metadata, token: string): Metadata {
  metadata.set('authorization', `${scheme}${token}`);
  return metadata;
}

/**
 * Refuses calls by their headers, before their message is read: without a genuine token, of a caller who may not make them, and
 * beyond the number that may be in progress.
 */
export function guardedAnswers(guard: RpcGuard): ServerInterceptor {
  const inProgress = new Map<string, number>();
  return ({ path }, call) => {
    const method = methodOf(path);
    let isHeld = false;
    const release = (): void => {
      if (!isHeld) return;
      isHeld = false;
      inProgress.set(method, (inProgress.get(method) ?? 1) - 1);
    };
    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, go) => {
            const count = inProgress.get(method) ?? 0;
            const refusal = strangerTo(guard, method, metadata) ?? (count < mostInProgress ? null : busy);
            if (refusal) {
              guard.meter.count('rpcAnswers', { method, status: status[refusal.code] });
              call.sendStatus(refusal);
              return;
            }
            isHeld = true;
            inProgress.set(method, count + 1);
            metadata.remove('authorization');
            go(metadata);
          },
          // Also called once a status was sent, whoever sent it.
          onCancel: release,
        }),
      sendStatus: (sent, next) => {
        release();
        next(sent);
      },
    });
  };
}

type Refusal = Omit<StatusObject, 'metadata'> & { readonly code: status };

const unauthenticated: Refusal = {
  code: status.UNAUTHENTICATED,
  details:
    'The call has no valid token. Services make it of COORDINATOR_KEY, which must be the same for all.',
};
const notAllowed: Refusal = {
  code: status.PERMISSION_DENIED,
  details: 'This call changes state and belongs to the queue.',
};
const busy: Refusal = {
  code: status.RESOURCE_EXHAUSTED,
  details: 'Too many calls are in progress; try again in a moment.',
};

/** The refusal of a caller that may not make the call; null for one that may. */
function strangerTo(guard: RpcGuard, method: string, metadata: Metadata): Refusal | null {
  const [given] = metadata.get('authorization');
  if (given === undefined && !guard.isTokenRequired) return null;
  const isBearer = typeof given === 'string' && given.startsWith(scheme);
  const caller = isBearer ? guard.tokens.callerOf(given.slice(scheme.length)) : null;
  if (caller === null) {
    guard.refused(given === undefined ? 'without a token' : 'with a token that is not genuine');
    return unauthenticated;
  }
  if (caller === changer || rpcCallNamed(method)?.changes === false) return null;
  guard.refused('by a caller that may only read');
  return notAllowed;
}

/** `Service.Method` of the path of a call, such as `/muster.rating.v1.RatingService/GetRatings`. */
function methodOf(path: string): string {
  const [, service = '', method = ''] = path.split('/') as (string | undefined)[];
  return `${service.slice(service.lastIndexOf('.') + 1)}.${method}`;
}
