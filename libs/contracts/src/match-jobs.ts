import type { MatchJob, UpdateJob } from '@muster/domain';
import { jobQueues } from './job-queues.js';
import type { BackfillUpdate, SeatFilled } from './jobs.js';
import { writeReason } from './messages/index.js';
import { conductJobs, matchEndJobs, matchUpdateJobs, type OutboxJob } from './outbox-jobs.js';

/** The jobs of a decision in the outbox's form. */
export function outboxJobsOf(jobs: readonly MatchJob[]): OutboxJob[] {
  return jobs.flatMap((job) => {
    switch (job.kind) {
      case 'place':
      case 'rate':
        return [matchJob(job.kind, job.matchId)];
      case 'conduct':
        return conductJobs(job.matchId, job.queue, job.blamed, job.at);
      case 'lift':
        return [liftJob(job)];
      case 'wanted':
        return [backfillJob({ kind: 'wanted', ...job.backfill })];
      case 'closed':
        return [backfillJob(job)];
      case 'seat-filled':
        return [seatFilledJob(job)];
      case 'update':
        return updateJobs(job);
    }
  });
}

const queues = { place: jobQueues.placeMatch, rate: jobQueues.rateMatch } as const;

function matchJob(kind: keyof typeof queues, matchId: string): OutboxJob {
  return { queue: queues[kind], jobId: `${kind}-${matchId}`, payload: { matchId } };
}

function liftJob({ matchId, queue, offences, at, why }: Extract<MatchJob, { kind: 'lift' }>): OutboxJob {
  const payload = { matchId, queue, at, offences, ...writeReason([why]) };
  return { queue: jobQueues.liftedPenalties, jobId: `lift-${at}-${matchId}`, payload };
}

function backfillJob(payload: BackfillUpdate): OutboxJob {
  return { queue: jobQueues.backfills, jobId: `${payload.kind}-${payload.backfillId}`, payload };
}

function seatFilledJob({ proposalId, backfillId, ticketId }: SeatFilled): OutboxJob {
  const payload = { proposalId, backfillId, ticketId } satisfies SeatFilled;
  return { queue: jobQueues.seatFilled, jobId: `seat-filled-${proposalId}`, payload };
}

function updateJobs({ matchId, ticketIds, reason, update }: UpdateJob): OutboxJob[] {
  const forMatch = { matchId, ticketIds, ...writeReason([reason]) };
  switch (update.to) {
    case 'placing':
      return matchUpdateJobs({ kind: update.to, ...forMatch });
    case 'formed': {
      const { to: kind, ...figures } = update;
      return matchUpdateJobs({ kind, ...forMatch, ...figures });
    }
    case 'joined': {
      const { to: kind, ...where } = update;
      return matchUpdateJobs({ kind, ...forMatch, ...where });
    }
    case 'placed': {
      const { to: kind, ...where } = update;
      return matchUpdateJobs({ kind, ...forMatch, ...where });
    }
    case 'rated':
    case 'abandoned': {
      const { to: kind, queue, offences, matchState } = update;
      return matchEndJobs({ kind, ...forMatch, matchState }, queue, offences);
    }
    case 'remade': {
      const { to: kind, queue, offences, lifeSeconds, ...tickets } = update;
      return matchEndJobs(
        { kind, ...forMatch, ...tickets, lifeSeconds: lifeSeconds ?? undefined },
        queue,
        offences,
      );
    }
  }
}
