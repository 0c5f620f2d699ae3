import type { Connection } from '@muster/command-line/operator/connection';
import type { Ink } from '@muster/command-line/terminal/ink';
import { moment } from '@muster/command-line/terminal/moment';
import { counted } from '@muster/command-line/terminal/table';
import { readOverview, type SystemOverview } from '@muster/sdk';
import { tableOf } from '../calls/answers.js';

/** How the system is doing at one moment. */
export interface Snapshot extends SystemOverview {
  readonly at: number;
  /** What each service says of its health. */
  readonly services: Readonly<Record<string, string>>;
  /** Whether every service is ready and no job is dead. */
  readonly isWell: boolean;
}

const patienceMs = 5_000;

/** Asks the services how they are doing. */
export async function readSnapshot(connection: Connection): Promise<Snapshot> {
  const [{ isReady, services }, overview] = await Promise.all([
    healthOf(connection.target.url),
    connection.ask(readOverview),
  ]);
  return { at: Date.now(), services, ...overview, isWell: isReady && overview.jobs.dead === 0 };
}

/** What the edge says of the services; an ingress may not know. */
async function healthOf(url: string): Promise<{ isReady: boolean; services: Snapshot['services'] }> {
  const response = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(patienceMs) });
  const { checks = {} } = (await response.json().catch(() => ({}))) as { checks?: Snapshot['services'] };
  return { isReady: response.status !== 503, services: checks };
}

/** A snapshot for people. */
export function snapshotText(now: Snapshot, ink: Ink): string[] {
  const { services, queues, places, jobs, conflicts } = now;
  return [
    `${ink.bold('Muster')} ${moment(now.at)} UTC${now.maintenance ? ', maintenance' : ''}`,
    Object.entries(services)
      .map(([name, says]) => (says.startsWith('ok') ? `${name} ok` : ink.bold(`${name}: ${says}`)))
      .join('   '),
    '',
    ...tableOf(
      queues,
      [
        'queue',
        'paused',
        'waiting',
        'waitedMs',
        ['accepted/min', ({ accepted }) => Number(accepted.toFixed(1))],
        ['matched/min', ({ matched }) => Number(matched.toFixed(1))],
        'matchMs',
        ['wait for', ({ waitFor }) => Object.entries(waitFor).map(([rule, count]) => `${rule} ${count}`)],
      ],
      ink,
    ),
    '',
    ...(places.length === 0
      ? ['No servers are registered.']
      : tableOf(places, ['region', 'build', 'servers', 'slots', 'used', 'free', 'waitingMatches'], ink)),
    '',
    `jobs: ${jobs.waiting} waiting, ${jobs.active} active, ${jobs.delayed} to be retried, ${jobs.dead > 0 ? ink.bold(`${jobs.dead} dead`) : '0 dead'}`,
    conflicts > 0
      ? ink.bold(`${counted(conflicts, 'result')} to decide: muster conflicts`)
      : 'no results to decide',
  ];
}
