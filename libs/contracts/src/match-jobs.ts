import type { MatchJob, OpenBackfill, UpdateJob } from '@muster/domain';
import { jobQueues, type BackfillUpdate, type SeatFilled } from './jobs.js';
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
        return [backfillJob(wantedOf(job.backfill))];
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
  const payload = { matchId, queue, at, offences: [...offences], ...writeReason([why]) };
  return { queue: jobQueues.liftedPenalties, jobId: `lift-${at}-${matchId}`, payload };
}

function backfillJob(payload: BackfillUpdate): OutboxJob {
  return { queue: jobQueues.backfills, jobId: `${payload.kind}-${payload.backfillId}`, payload };
}

function wantedOf({ teams, everybody, rules, ...backfill }: OpenBackfill): BackfillUpdate {
  const { teamGap, roles, ...more } = rules;
  return {
    kind: 'wanted',
    ...backfill,
    teams: teams.map((players) => [...players]),
    everybody: [...everybody],
    rules: { ...more, ...(roles ? { roles: { ...roles } } : {}), teamGap: [...teamGap] },
  };
}

function seatFilledJob({ proposalId, backfillId, ticketId }: SeatFilled): OutboxJob {
  const payload = { proposalId, backfillId, ticketId } satisfies SeatFilled;
  return { queue: jobQueues.seatFilled, jobId: `seat-filled-${proposalId}`, payload };
}

function updateJobs({ matchId, ticketIds, reason, update }: UpdateJob): OutboxJob[] {
  const forMatch = { matchId, ticketIds: [...ticketIds], ...writeReason([reason]) };
  switch (update.to) {
    case 'formed':
    case 'placing':
      return matchUpdateJobs({ kind: update.to, ...forMatch });
    case 'joined': {
      const { to: kind, ...where } = update;
      return matchUpdateJobs({ kind, ...forMatch, ...where });
    }
    case 'placed': {
      const { to: kind, teams, ...where } = update;
      return matchUpdateJobs({ kind, ...forMatch, teams: [...teams], ...where });
    }
    case 'rated':
    case 'abandoned':
      return matchEndJobs(
        { kind: update.to, ...forMatch, ...(update.matchState ? { matchState: update.matchState } : {}) },
        update.queue,
        update.offences,
      );
    case 'remade': {
      const { failedTicketIds: failed, leftTicketIds: left, outPlayerIds: out, lifeSeconds = null } = update;
      const tickets = {
        failedTicketIds: [...failed],
        ...(left ? { leftTicketIds: [...left] } : {}),
        ...(out ? { outPlayerIds: [...out] } : {}),
        ...(lifeSeconds === null ? {} : { lifeSeconds }),
      };
      return matchEndJobs({ kind: 'remade', ...forMatch, ...tickets }, update.queue, update.offences);
    }
  }
}
