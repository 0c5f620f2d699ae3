import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { Parties } from './parties.js';

/** Interval of the search for idle parties, in milliseconds. */
const idlePartiesMs = 60_000;

/** Ends idle parties. */
@Injectable()
export class PartiesLoop {
  constructor(@Inject(Parties) private readonly parties: Parties) {}

  @Every('idle parties', idlePartiesMs)
  sweep(): Promise<void> {
    return this.parties.sweep();
  }
}
