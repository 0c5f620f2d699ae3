import type { z } from 'zod';
import type { ProblemCode } from '../problems.js';

/**
 * Callers: `player` by a signed token, `server` by its own token, `fleet` by the server key, `operator` by the operator
 * key.
 */
export type Caller = 'player' | 'server' | 'fleet' | 'operator' | 'anyone';
export type Service = 'queue' | 'assignment' | 'allocator' | 'rating';

export interface Endpoint {
  readonly service: Service;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` parameters. */
  readonly path: string;
  readonly summary: string;
  readonly callers: readonly Caller[];
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  /** Headers beside authentication; the controller reads them. */
  readonly headers?: z.ZodType;
  readonly body?: z.ZodType;
  readonly status: number;
  readonly answer?: z.ZodType;
  /** Set when the answer is not JSON; several where the caller chooses. */
  readonly answerType?: string | readonly string[];
  /** For a stream that may be over before it begins: the meaning of a 204. */
  readonly nothingMore?: string;
  readonly problems: readonly ProblemCode[];
}
