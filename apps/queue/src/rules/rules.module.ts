import { construct, SharedClock } from '@muster/platform';
import { Module } from '@nestjs/common';
import { CalibrationModule } from '../calibration/calibration.module.js';
import { RpcRatingReader } from '../calibration/rating.client.js';
import { WaitingModule } from '../matching/waiting.module.js';
import { FollowRules } from './follow-rules.js';
import { PutRules } from './put-rules.js';
import { Queues } from './queues.js';
import { QueuesController } from './queues.controller.js';
import { RulesInForceModule } from './rules-in-force.module.js';
import { RulesLoop } from './rules.loops.js';
import { PostgresRulesStore } from './rules.store.js';

/** Operators change rules and inspect queues; this replica follows rules that others put in force. */
@Module({
  imports: [RulesInForceModule, WaitingModule, CalibrationModule],
  controllers: [QueuesController],
  providers: [
    RulesLoop,
    construct(PutRules, [Queues, FollowRules, PostgresRulesStore, RpcRatingReader, SharedClock]),
  ],
})
export class RulesModule {}
