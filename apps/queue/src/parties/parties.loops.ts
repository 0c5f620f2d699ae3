import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Parties } from './parties.js';

/** How often parties are looked for that nobody uses any more, in milliseconds. */
const idlePartiesMs = 60_000;

/** Ends parties that nobody uses any more. */
@Injectable()
export class PartiesLoop {
  constructor(@Inject(Parties) private readonly parties: Parties) {}

  @Every('idle parties', idlePartiesMs)
  sweep(): Promise<void> {
    return this.parties.sweep();
  }
}
