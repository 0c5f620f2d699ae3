import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@muster/domain';
import { Crowd } from '../crowd.js';
import { settle } from '../settle.js';
import { judge } from '../verdict.js';
import type { Container } from './daemon.js';
import type { Findings } from './findings.js';
import { serviceOf, services, type Installation } from './installation.js';
import { build, serversOf } from '../servers.js';

const players = 40;
/** With this many processes on two processors, the time of a call may be this much older than its transaction. */
const maxDelayMs = 2_000;
const restartWithinMs = 90_000;

/** Load through the published port, while containers are killed, crash and stop; then an audit of the stores. */
export async function checkFaults(
  installation: Installation,
  findings: Findings,
  say: (text: string) => void,
): Promise<void> {
  const random = seededRandom(7);
  const fleet = serversOf({
    url: installation.url,
    serverKey: installation.keys.serverKey,
    matchMs: () => 300 + 1_200 * random(),
    random,
  });
  await fleet.start();
  const crowd = new Crowd(installation, players, build);
  await crowd.start();
  await pause(2_000);

  const kills = await killEach(installation, random, say);
  await installation.healthy();
  await findings.check('a container that crashes is started again', () => crash(installation));
  await findings.check('SIGTERM ends each service and the edge with code 0 under load', () =>
    stopOneOfEach(installation),
  );
  await installation.healthy();
  const before = fleet.report.reported.size;
  await findings.check('matches are played after all faults', () =>
    waitFor(() => Promise.resolve(fleet.report.reported.size >= before + 2), 90_000),
  );
  say('        Waiting for open work to end.');
  await Promise.race([crowd.stop(), pause(90_000)]);
  await settle(installation, 60_000);
  await installation.readStores();
  for (const { promise, broken } of await judge(installation, crowd, fleet, maxDelayMs))
    findings.add(promise, broken);
  await fleet.stop();
  const { acknowledged } = crowd;
  const { reported, trouble } = fleet.report;
  say(`        The servers’ clients met: ${JSON.stringify(Object.fromEntries(trouble))}`);
  findings.add(
    `the load was real (${acknowledged.size} tickets, ${reported.size} results, ${kills} kills)`,
    reported.size >= 10 && acknowledged.size >= 50 ? [] : ['too little happened'],
  );
}

/** `docker kill` and `docker start` of every container, one after the other. @returns how many */
async function killEach(
  installation: Installation,
  random: () => number,
  say: (text: string) => void,
): Promise<number> {
  const all = (await installation.lasting()).toSorted(() => random() - 0.5);
  for (const { Id, Name } of all) {
    // One that just ended by itself is killed too late, and started all the same.
    await installation.daemon.attempt(['kill', Id]);
    await pause(500 + 1_000 * random());
    await installation.daemon.run(['start', Id]);
    say(`        killed and started ${Name.slice(1)}`);
    await pause(500 + 1_000 * random());
  }
  return all.length;
}

/** Kills the process of a queue behind the daemon's back, as a crash would: its restart policy must return it. */
async function crash(installation: Installation): Promise<string[]> {
  const [queue] = await oneOfEach(installation, ['queue']);
  if (!queue) return ['there is no queue'];
  process.kill(queue.State.Pid, 'SIGKILL');
  return waitFor(async () => {
    const [now] = await installation.daemon.inspect([queue.Id]);
    return (
      now !== undefined && now.RestartCount > queue.RestartCount && now.State.Health?.Status === 'healthy'
    );
  }, restartWithinMs);
}

/** `docker stop` of one replica of each. @returns those that did not end with code 0 */
async function stopOneOfEach(installation: Installation): Promise<string[]> {
  const victims = await oneOfEach(installation, [...services, 'edge']);
  const ids = victims.map(({ Id }) => Id);
  await Promise.all(ids.map((id) => installation.daemon.run(['stop', '--time', '60', id])));
  const ended = await installation.daemon.inspect(ids);
  await installation.daemon.run(['start', ...ids]);
  return ended
    .filter(({ State }) => State.ExitCode !== 0)
    .map(({ Name, State }) => `${Name} ended with code ${State.ExitCode}`);
}

async function oneOfEach(installation: Installation, names: readonly string[]): Promise<Container[]> {
  const all = await installation.lasting();
  return names.flatMap((name) => all.find(({ Config }) => serviceOf(Config.Labels) === name) ?? []);
}

/** @returns empty once it is so; what is wrong after the time */
async function waitFor(isSo: () => Promise<boolean>, ms: number): Promise<string[]> {
  for (const until = Date.now() + ms; Date.now() < until; await pause(500)) if (await isSo()) return [];
  return [`not within ${ms / 1_000} s`];
}
