import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { FollowRules } from './follow-rules.js';

/** Interval at which rules that other replicas put in force are read, in milliseconds. */
const followRulesMs = 1_000;

/** Reads rules that another replica put in force. */
@Injectable()
export class RulesLoop {
  constructor(@Inject(FollowRules) private readonly follow: FollowRules) {}

  @Every('queue rules', followRulesMs)
  refresh(): Promise<void> {
    return this.follow.refresh();
  }
}
