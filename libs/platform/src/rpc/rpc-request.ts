import { rpcCalls, type RpcCallName } from '@muster/contracts';
import {
  Injectable,
  mixin,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import type { Observable } from 'rxjs';
import { invalid } from '../http/validation.js';

/** @throws InvalidRequest for a request beyond the limits of its call. No message repeats a part of it */
export function checkRequest(call: RpcCallName, request: unknown): void {
  const read = rpcCalls[call].request.safeParse(request);
  if (!read.success) throw invalid(read.error.issues);
}

/** Refuses requests beyond the limits of a call before its method sees them. A mixin: the call is known where it is declared. */
export function requestWithin(call: RpcCallName): Type<NestInterceptor> {
  @Injectable()
  class RequestWithin implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      checkRequest(call, context.switchToRpc().getData());
      return next.handle();
    }
  }
  return mixin(RequestWithin);
}
