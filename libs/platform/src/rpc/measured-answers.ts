import { status } from '@grpc/grpc-js';
import type { Meter } from '@muster/contracts';
import { Inject, Injectable, mixin, type CallHandler, type NestInterceptor, type Type } from '@nestjs/common';
import { tap, type Observable } from 'rxjs';
import { METER } from '../core/injection.js';
import { rpcStatusOf } from './status-of.js';

/** Counts and times what a method answers. A mixin: the method is known where it is declared. */
export function answerMeasured(method: string): Type<NestInterceptor> {
  @Injectable()
  class AnswerMeasured implements NestInterceptor {
    constructor(@Inject(METER) private readonly meter: Meter) {}

    intercept(_context: unknown, next: CallHandler): Observable<unknown> {
      const since = performance.now();
      const answered = (code: status): void => {
        this.meter.count('rpcAnswers', { method, status: status[code] });
        this.meter.observe('rpcAnswerDuration', { method }, (performance.now() - since) / 1_000);
      };
      return next.handle().pipe(
        tap({
          // A reply is one value, and a caller in this process awaits no end.
          next: () => answered(status.OK),
          error: (error: unknown) => answered(rpcStatusOf(error).code),
        }),
      );
    }
  }
  return mixin(AnswerMeasured);
}
