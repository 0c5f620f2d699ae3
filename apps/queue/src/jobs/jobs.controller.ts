import type { DeadJob, JobQueueView } from '@muster/contracts';
import { DeadLetters, Endpoint, Sent } from '@muster/platform';
import { Controller, Inject } from '@nestjs/common';

/** Job queues of all services for operators; all services share one store. */
@Controller()
export class JobsController {
  constructor(@Inject(DeadLetters) private readonly deadLetters: DeadLetters) {}

  @Endpoint('listJobQueues')
  async queues(): Promise<{ queues: JobQueueView[] }> {
    return { queues: await this.deadLetters.counts() };
  }

  @Endpoint('listDeadJobs')
  async list(@Sent() { params, query }: Sent<'listDeadJobs'>): Promise<{ jobs: DeadJob[] }> {
    return { jobs: await this.deadLetters.list(params.jobQueue, query.limit) };
  }

  @Endpoint('readDeadJob')
  read(@Sent() { params: { jobQueue, jobId } }: Sent<'readDeadJob'>): Promise<DeadJob> {
    return this.deadLetters.find(jobQueue, jobId);
  }

  @Endpoint('retryDeadJob')
  retry(@Sent() { params: { jobQueue, jobId } }: Sent<'retryDeadJob'>): Promise<DeadJob> {
    return this.deadLetters.retry(jobQueue, jobId);
  }

  @Endpoint('dropDeadJob')
  drop(@Sent() { params: { jobQueue, jobId } }: Sent<'dropDeadJob'>): Promise<DeadJob> {
    return this.deadLetters.drop(jobQueue, jobId);
  }
}
