import { status } from '@grpc/grpc-js';
import { MusterError } from '@muster/domain';
import { toProblem } from '../http/problem-filter.js';
import { RpcUnavailable } from './rpc.js';

/** Whether a store or another service is unavailable, so that the same call may succeed later. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof RpcUnavailable || toProblem(error).status === 503;
}

/** A gRPC status with its text. */
export interface RpcStatus {
  readonly code: number;
  readonly message: string;
}

/** SQLSTATE of a text with NUL. */
const characterNotInRepertoire = '22021';

/** The status of an error. It never contains a stack trace or the message of an unexpected error. */
export function rpcStatusOf(error: unknown): RpcStatus {
  const { status: httpStatus, detail } = toProblem(error);
  if (isUnavailable(error))
    return { code: status.UNAVAILABLE, message: httpStatus === 503 ? detail : 'A service is unavailable.' };
  // Messages of gRPC are not validated, and Postgres finds it.
  if (error instanceof Error && Reflect.get(error, 'code') === characterNotInRepertoire)
    return { code: status.INVALID_ARGUMENT, message: 'A text holds NUL, which no store can hold.' };
  if (!(error instanceof MusterError))
    return { code: status.UNKNOWN, message: 'The service failed; see its log.' };
  return { code: httpStatus === 404 ? status.NOT_FOUND : status.INVALID_ARGUMENT, message: error.message };
}
