import {
  DeadJobParams,
  JobQueueParams,
  PageOfDeadJobs,
  type DeadJob,
  type JobQueueView,
} from '@muster/contracts';
import { DeadLetters, Endpoint } from '@muster/platform';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import type { z } from 'zod';

/** Job queues of all services for operators; all services share one store. */
@Controller()
export class JobsController {
  constructor(@Inject(DeadLetters) private readonly deadLetters: DeadLetters) {}

  @Endpoint('listJobQueues')
  async queues(): Promise<{ queues: JobQueueView[] }> {
    return { queues: await this.deadLetters.counts() };
  }

  @Endpoint('listDeadJobs')
  async list(
    @Param({ schema: JobQueueParams }) { jobQueue }: z.infer<typeof JobQueueParams>,
    @Query({ schema: PageOfDeadJobs }) { limit }: z.infer<typeof PageOfDeadJobs>,
  ): Promise<{ jobs: DeadJob[] }> {
    return { jobs: await this.deadLetters.list(jobQueue, limit) };
  }

  @Endpoint('readDeadJob')
  read(
    @Param({ schema: DeadJobParams }) { jobQueue, jobId }: z.infer<typeof DeadJobParams>,
  ): Promise<DeadJob> {
    return this.deadLetters.find(jobQueue, jobId);
  }

  @Endpoint('retryDeadJob')
  retry(
    @Param({ schema: DeadJobParams }) { jobQueue, jobId }: z.infer<typeof DeadJobParams>,
  ): Promise<DeadJob> {
    return this.deadLetters.retry(jobQueue, jobId);
  }

  @Endpoint('dropDeadJob')
  drop(
    @Param({ schema: DeadJobParams }) { jobQueue, jobId }: z.infer<typeof DeadJobParams>,
  ): Promise<DeadJob> {
    return this.deadLetters.drop(jobQueue, jobId);
  }
}
