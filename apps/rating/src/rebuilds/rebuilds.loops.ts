import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Rebuilds } from './rebuilds.js';

/** Works on unclaimed rebuilds. */
@Injectable()
export class RebuildLoops {
  constructor(@Inject(Rebuilds) private readonly rebuilds: Rebuilds) {}

  @Every('rebuilds', 500, { mayTakeLong: true })
  work(): Promise<boolean | void> {
    return this.rebuilds.work();
  }
}
