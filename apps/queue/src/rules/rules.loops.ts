import { Every } from '@muster/platform';
import { Inject, Injectable } from '@nestjs/common';
import { FollowRules } from './follow-rules.js';

/** How often rules are read that another replica put in force, in milliseconds. */
const followRulesMs = 1_000;

/** Takes in the rules that another replica put in force. */
@Injectable()
export class RulesLoop {
  constructor(@Inject(FollowRules) private readonly follow: FollowRules) {}

  @Every('queue rules', followRulesMs)
  refresh(): Promise<void> {
    return this.follow.refresh();
  }
}
