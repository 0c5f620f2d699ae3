import { status } from '@grpc/grpc-js';
import { MusterError } from '@muster/domain';
import { applyDecorators, Catch, Inject, UseFilters, type RpcExceptionFilter } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { throwError, type Observable } from 'rxjs';
import { ErrorLog } from '../core/error-log.js';
import { LOG } from '../core/injection.js';
import type { Log } from '../core/logging.js';
import { toProblem } from '../http/problem-filter.js';
import { RpcUnavailable, type RpcService } from './rpc.js';

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

/** Converts every error of a call to a gRPC status. Only this class maps errors to gRPC. */
@Catch()
export class RpcStatusFilter implements RpcExceptionFilter {
  private readonly refusals: ErrorLog;

  constructor(@Inject(LOG) private readonly log: Pick<Log, 'error' | 'warn'>) {
    this.refusals = new ErrorLog(log);
  }

  catch(error: unknown): Observable<never> {
    const told = this.tell(error);
    return throwError(() => told);
  }

  /** The status of an error, which is logged where the caller cannot act on it. */
  readonly tell = (error: unknown): RpcStatus => {
    const told = rpcStatusOf(error);
    if (told.code === status.UNKNOWN) this.log.error({ err: error }, 'a query failed');
    else if (told.code === status.UNAVAILABLE) this.refusals.report('queries (unavailable)', error);
    return told;
  };
}

/**
 * A method that answers a query of a service.
 *
 * @param name as in the .proto file
 */
export function RpcMethod({ service }: RpcService, name: string): MethodDecorator {
  return applyDecorators(GrpcMethod(service, name), UseFilters(RpcStatusFilter));
}
