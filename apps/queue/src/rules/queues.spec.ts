import { QueueNotFound, RulesVersionNotFound, type QueueRules, type RulesVersion } from '@muster/domain';
import { defaultQueues } from '@muster/matchmaking';
import { describe, expect, it } from 'vitest';
import { Queues } from './queues.js';

const [fives] = defaultQueues as [QueueRules, ...QueueRules[]];

const version = (number: number, appliesTo: 'new' | 'all' = 'new', queue = '5v5'): RulesVersion => ({
  queue,
  version: number,
  rules: { ...fives, name: queue, ticketTtlSeconds: 100 + number },
  why: '',
  appliesTo,
  createdAt: number,
});

describe('the queues of a process', () => {
  it('return their newest rules, and keep older versions', () => {
    const queues = new Queues();
    queues.addVersions([version(1), version(2), version(1, 'new', '3v3')]);
    expect(queues.all.map(({ name, ticketTtlSeconds }) => [name, ticketTtlSeconds])).toEqual([
      ['5v5', 102],
      ['3v3', 101],
    ]);
    expect(queues.named('5v5')).toBe(queues.all[0]);
    expect(queues.versionOf('5v5')).toBe(2);
    expect(queues.version('5v5', 1)?.ticketTtlSeconds).toBe(101);
    expect(queues.version('5v5', 3)).toBeUndefined();
    expect(queues.version('7v7', 1)).toBeUndefined();
    expect(queues.oneVersion('5v5', 1)).toEqual(version(1));
  });

  it('may exist from the start', () => {
    const queues = new Queues(defaultQueues);
    expect(queues.all).toEqual(defaultQueues);
    expect(queues.versionOf('1v1')).toBe(1);
  });

  it('list the known names when one is unknown', () => {
    const queues = new Queues(defaultQueues);
    expect(() => queues.named('7v7')).toThrow('There is no queue "7v7"; there is 5v5, 1v1.');
    expect(() => queues.named('7v7')).toThrow(QueueNotFound);
    expect(() => queues.oneVersion('5v5', 2)).toThrow('The rules of 5v5 have the versions 1 to 1.');
    expect(() => queues.oneVersion('5v5', 2)).toThrow(RulesVersionNotFound);
    expect(() => new Queues().effectiveVersion('7v7', 1)).toThrow('There is no queue "7v7", nor any other.');
  });

  it('take in each version once and in order, from any source', () => {
    const queues = new Queues();
    queues.addVersions([version(1), version(2)]);
    queues.addVersions([version(2), version(3)]);
    queues.addVersions([version(5)]);
    expect(queues.versionsOf('5v5')).toEqual([version(1), version(2), version(3)]);
  });

  it('call listeners for each new or changed queue, once all of it is known', () => {
    const queues = new Queues();
    const heard: [string, number][] = [];
    const end = queues.onChange((name) => heard.push([name, queues.versionOf(name)]));
    queues.addVersions([version(1), version(2), version(1, 'new', '3v3')]);
    queues.addVersions([version(1)]);
    queues.addVersions([version(3)]);
    end();
    queues.addVersions([version(4)]);
    expect(heard).toEqual([
      ['5v5', 2],
      ['3v3', 1],
      ['5v5', 3],
    ]);
  });

  it("keep a ticket's version until one applies to waiting tickets", () => {
    const queues = new Queues();
    queues.addVersions([version(1), version(2), version(3, 'all'), version(4)]);
    const held = [1, 2, 3, 4, undefined].map((told) => queues.effectiveVersion('5v5', told));
    expect(held).toEqual([3, 3, 3, 4, 4]);
    // Created by a replica that read it sooner.
    expect(queues.effectiveVersion('5v5', 5)).toBe(5);
  });
});
