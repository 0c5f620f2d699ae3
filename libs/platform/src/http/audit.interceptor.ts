import type { EndpointName } from '@muster/contracts';
import { audited, type AuditedCall, type Db } from '@muster/db';
import { own, type Ids, type Json } from '@muster/domain';
import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import { endpointKey, identityOf } from '../auth/callers.js';
import type { KnownOperator } from '../auth/operator-keys.js';
import type { Log } from '../core/logging.js';
import { toProblem } from './problem-filter.js';

/** Refusals that say nothing about what was asked. */
const unread: ReadonlySet<string> = new Set(['invalid-request', 'malformed-json', 'not-found']);
/** Fields of a body that name what a call is about. */
const naming = ['playerId', 'matchId', 'name', 'pool'] as const;
/** Fields with a reason in words. */
const reasons = ['reason', 'note', 'why'] as const;
const textLength = 500;
const fieldCount = 40;

/** Writes the log of changes by operators for a service. */
export class AuditRecorder {
  constructor(
    private readonly service: string,
    private readonly db: Db,
    private readonly ids: Pick<Ids, 'make'>,
    private readonly log: Pick<Log, 'error'>,
  ) {}

  /** Runs a call of an operator with its row of the log. */
  run<T>(call: Omit<AuditedCall, 'request' | 'service'>, step: () => Promise<T>): Promise<T> {
    const whole = { ...call, request: this.ids.make('aud'), service: this.service };
    return audited(this.db, whole, step, plainFields, outcomeOf, (row, error) =>
      this.log.error({ err: error, audit: row }, 'a row of the audit log was not written'),
    );
  }
}

/** Gives a change by an operator its row of the audit log. Only endpoints of such changes have it: it costs each call some time. */
@Injectable()
export class AuditInterceptor implements NestInterceptor {
  constructor(@Inject(AuditRecorder) private readonly recorder: AuditRecorder) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const who = identityOf(request);
    if (who.kind !== 'operator') return next.handle();
    const call = callOf(Reflect.getMetadata(endpointKey, context.getHandler()) as EndpointName, request, who);
    return defer(() =>
      this.recorder.run(call, () => lastValueFrom(next.handle(), { defaultValue: undefined })),
    );
  }
}

/** The code of the problem that a caller gets; null for a request that was not understood. */
function outcomeOf(error: unknown): string | null {
  const { type } = toProblem(error);
  const code = type.slice(type.lastIndexOf(':') + 1);
  return unread.has(code) ? null : code;
}

/** What is read of a request. */
type Request = Pick<FastifyRequest, 'params' | 'query' | 'body' | 'headers'> & {
  readonly socket: { readonly remoteAddress?: string | undefined };
};

/** What the log says of a call: the plain fields of what was sent, since the rest is in the tables that it changes. */
export function callOf(
  name: EndpointName,
  { params, query, body, headers, socket }: Request,
  { name: who, role, signIn, keyId }: KnownOperator,
): Omit<AuditedCall, 'request' | 'service'> {
  const inPath = plainFields(params);
  const sent = { ...plainFields(query), ...plainFields(body) };
  const named = naming.flatMap((field) => own(sent, field) ?? []);
  const reason = reasons.flatMap((field) => own(sent, field) ?? [])[0];
  const forwarded = [headers['x-forwarded-for'] ?? []].flat();
  return {
    who,
    signIn,
    keyId,
    role,
    call: name,
    targets: [...new Set([...Object.values(inPath), ...named].map(String))],
    reason: reason === undefined ? null : String(reason),
    asked: { ...sent, ...inPath },
    origin: [...forwarded, socket.remoteAddress ?? ''].join(', ').slice(-textLength),
  };
}

/** A text that Postgres takes: refused requests are logged too, and a cut may leave half of a surrogate pair. */
const storable = (text: string): string => text.slice(0, textLength).replaceAll(/\p{Surrogate}|\0/gu, '');

/** What no row shows. */
const secrets: ReadonlySet<string> = new Set(['key', 'secret', 'token']);

function plainFields(value: unknown): Record<string, Json> {
  if (typeof value !== 'object' || value === null) return {};
  const fields = Object.entries(value).flatMap(([field, each]: [string, unknown]): [string, Json][] => {
    if (secrets.has(field)) return [];
    if (typeof each === 'string') return [[storable(field), storable(each)]];
    return typeof each === 'number' || typeof each === 'boolean' ? [[storable(field), each]] : [];
  });
  return Object.fromEntries(fields.slice(0, fieldCount));
}
