import { programOf } from '@muster/embedded';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { run } from './commands.js';
import type { Findings } from './findings.js';
import type { Installation } from './installation.js';

const Summary = z.object({
  matchesFormed: z.number(),
  matchesPlaced: z.number(),
  matchesRated: z.number(),
  ticketsLost: z.number(),
});

/** Matches that a round of the demo plays at least, and how many rounds it may take. */
const [wantedMatches, mostRounds] = [5, 3];

/** The demo plays: from this machine through the published port, and as the profile of compose.yaml. */
export async function checkDemo(
  installation: Installation,
  findings: Findings,
  say: (text: string) => void,
): Promise<void> {
  await findings.check('the demo plays through the published port', () => outside(installation, say));
  await findings.check('the demo plays as a profile, and ends with code 0', () => profile(installation));
}

async function outside(installation: Installation, say: (text: string) => void): Promise<string[]> {
  const data = join(installation.daemon.folder, 'demo');
  mkdirSync(join(data, 'keys'), { recursive: true });
  for (const [file, text] of [
    ['login.jwk', installation.keys.login],
    ['server.key', installation.keys.serverKey],
    ['operator.key', installation.keys.operatorKey],
  ] as const)
    writeFileSync(join(data, 'keys', file), text);
  const args = ['demo', '--url', installation.url, '--data-dir', data, '--for', '30s', '--players', '60'];
  // A machine that still starts containers may play little in the first round.
  for (let round = 1; ; round++) {
    const said = await run(process.execPath, [programOf('cli'), ...args], { limitMs: 240_000 });
    const last = said.trim().split('\n').at(-1) ?? '';
    say(`        ${last}`);
    const { matchesFormed, matchesPlaced, matchesRated, ticketsLost } = Summary.parse(JSON.parse(last));
    const fewest = Math.min(matchesFormed, matchesPlaced, matchesRated);
    if (ticketsLost > 0 || (fewest < wantedMatches && round === mostRounds)) return [last];
    if (fewest >= wantedMatches) return [];
  }
}

async function profile(installation: Installation): Promise<string[]> {
  await installation.compose(['--profile', 'demo', 'up', '-d', '--no-build', 'demo']);
  const [demo] = await installation.containers('demo');
  if (!demo) return ['it has no container'];
  const until = Date.now() + 120_000;
  const said = async (): Promise<string> => (await installation.daemon.attempt(['logs', demo.Id])).all;
  while (!/longest wait/.test(await said())) {
    if (Date.now() > until) return [`no match after two minutes: ${await said()}`];
    await pause(500);
  }
  await installation.daemon.run(['stop', '--time', '90', demo.Id]);
  const [ended] = await installation.daemon.inspect([demo.Id]);
  return ended?.State.ExitCode === 0 ? [] : [`code ${ended?.State.ExitCode}: ${await said()}`];
}
