import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, jsonOf } from '../support/http.js';
import { Meter } from './costs.js';
import type { Stack } from '../support/stack.js';
import { attackedStack } from './attacked-stack.js';
import { LoginServer } from './login-server.js';
import { topics } from './table.js';
import { targetOf, type Target } from './target.js';

let arcade: LoginServer;
let stack: Stack;
let target: Target;
const costs: string[] = [];

beforeAll(async () => {
  arcade = await LoginServer.start();
  stack = await attackedStack(arcade);
  target = await targetOf(stack, arcade);
});
afterAll(async () => {
  process.stdout.write(`${costs.join('\n')}\n`);
  await stack?.stop();
  arcade?.stop();
});

function isJson(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}

describe.each(topics)('$name', ({ name, attacks, bounds }) => {
  let meter: Meter;
  beforeAll(async () => {
    meter = await Meter.start(stack);
  });

  it.each(attacks)('$title: $comes', async ({ run, comes }) => {
    expect(await run(target)).toBe(comes);
  });

  it('cost the services little', () => {
    const { processorSeconds, memoryMiB, grew } = meter.stop();
    costs.push(
      `${name}: ${attacks.length} attacks, ${processorSeconds.toFixed(1)} s of processor, ${memoryMiB.toFixed(0)} MiB more in ${grew}`,
    );
    expect(processorSeconds).toBeLessThan(bounds.processorSeconds);
    expect(memoryMiB).toBeLessThan(bounds.memoryMiB);
  });
});

describe('after all attacks', () => {
  it('no process ended, and all are ready', async () => {
    expect(await stack.pids()).toEqual(stack.run.pids);
    for (const { name, httpPort } of stack.run.replicas) {
      const answer = await ask(`http://127.0.0.1:${httpPort}`, '/health/ready');
      expect({ name, ...jsonOf<{ status: string }>(answer) }).toMatchObject({ name, status: 'ok' });
    }
  });

  it('the match of the arena goes on, and its result counts', async () => {
    const { sessionId, token, serverId } = target.arena;
    const beat = { token, body: { sessions: [sessionId] } };
    expect(jsonOf(await ask(stack.url, `/v1/servers/${serverId}/heartbeat`, beat))).toMatchObject({
      state: 'ready',
      slotsInUse: 1,
    });
    const result = await ask(stack.url, `/v1/sessions/${sessionId}/result`, { token, body: { winner: 0 } });
    expect(jsonOf<{ counted: boolean }>(result).counted).toBe(true);
  });

  it('nothing was changed: no rating, no webhook, no party, no conflict, the victim still waits', async () => {
    expect(await (await stack.player(target.victim.playerId)).current()).toMatchObject({
      ticketId: target.victim.ticketId,
      state: 'waiting',
      seq: 1,
    });
    expect((await stack.operator.webhooks()).webhooks).toEqual([]);
    expect((await stack.operator.conflicts()).conflicts).toEqual([]);
    const { ratings } = await stack.operator.ratings('duel');
    expect(ratings.map(({ playerId }) => playerId).filter((id) => !id.startsWith('atk-live'))).toEqual([]);
  });

  it('the logs have one JSON document a line, and no token, key or address of this machine', async () => {
    const folder = join(stack.dataDir, 'logs');
    const names = (await readdir(folder)).filter((name) =>
      /^(queue|assignment|allocator|rating|edge)/.test(name),
    );
    expect(names.length).toBeGreaterThanOrEqual(5);
    const secrets = [target.mallory, target.victim.token, target.rogue.token, ...Object.values(target.keys)];
    for (const name of names) {
      const text = await readFile(join(folder, name), 'utf8');
      for (const line of text.split('\n').filter(Boolean)) expect(line).toSatisfy(isJson);
      expect({ name, secrets: secrets.filter((secret) => text.includes(secret)) }).toEqual({
        name,
        secrets: [],
      });
    }
  });
});
