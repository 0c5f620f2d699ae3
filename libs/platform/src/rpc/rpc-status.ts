import { status } from '@grpc/grpc-js';
import type { RpcCallName } from '@muster/contracts';
import {
  applyDecorators,
  Catch,
  Inject,
  UseFilters,
  UseInterceptors,
  type RpcExceptionFilter,
} from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { throwError, type Observable } from 'rxjs';
import { ErrorLog } from '../core/error-log.js';
import { LOG } from '../core/injection.js';
import type { Log } from '../core/logging.js';
import { answerMeasured } from './measured-answers.js';
import { requestWithin } from './rpc-request.js';
import type { RpcService } from './rpc.js';
import { rpcStatusOf, type RpcStatus } from './status-of.js';

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
export function RpcMethod<Service extends string, Name extends string>(
  { service }: RpcService & { readonly service: Service },
  name: `${Service}.${Name}` extends RpcCallName ? Name : never,
): MethodDecorator {
  const call = `${service}.${name}` as RpcCallName;
  return applyDecorators(
    GrpcMethod(service, name),
    UseFilters(RpcStatusFilter),
    UseInterceptors(answerMeasured(call), requestWithin(call)),
  );
}
