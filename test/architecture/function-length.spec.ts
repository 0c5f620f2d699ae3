import { describe, expect, it } from 'vitest';
import { longFunctions, sourcesToMeasure, textOf, tooLong } from './function-length.js';

const path = 'libs/skill/src/planted.ts';
/** Code of `count` lines, with a statement on each line but the first and the last. */
const lines = (count: number, first: string, last = '}'): string =>
  [first, ...Array.from({ length: count - 2 }, () => '  step();'), last].join('\n');

const forms = new Map([
  ['rate', (count: number) => lines(count, 'function rate() {')],
  ['predict', (count: number) => lines(count, 'export const predict = async () => {', '};')],
  ['open', (count: number) => lines(count, 'const model = { open: () => {', '} };')],
  ['read', (count: number) => `class Store {\n${lines(count, 'async read() {')}\n}`],
  ['constructor', (count: number) => `class Store {\n${lines(count, 'constructor() {')}\n}`],
  ['a function', (count: number) => lines(count, 'run(() => {', '});')],
]);

describe(`a function has fewer than ${tooLong} lines`, () => {
  it('in every source outside the solver and the matcher', () => {
    const found = sourcesToMeasure().flatMap((source) => longFunctions(source, textOf(source)));
    expect(
      found,
      `Split each function listed here: move every step of it into a function of its own, named after what the step does, until ${tooLong - 1} lines or fewer are left.`,
    ).toEqual([]);
  });

  it('and the test reads the sources of every app, library and tool, without specs', () => {
    const sources = sourcesToMeasure();
    for (const known of [
      'apps/edge/src/edge.ts',
      'apps/queue/src/tickets/enqueue.ts',
      'libs/skill/src/elo/elo.ts',
      'tools/prepare.mjs',
    ])
      expect(sources).toContain(known);
    expect(sources.filter((each) => /\.spec\.|node_modules|\/dist\/|\/generated\//.test(each))).toEqual([]);
    expect(sources.filter((each) => /^libs\/(solver|matchmaking|testing)\//.test(each))).toEqual([]);
  });

  it.each([...forms])('and a long one of every form is found: %s', (name, form) => {
    const at = form(tooLong).startsWith('class') ? 2 : 1;
    expect(longFunctions(path, form(tooLong))).toEqual([`${path}:${at} ${name} has ${tooLong} lines`]);
    expect(longFunctions(path, form(tooLong - 1))).toEqual([]);
  });

  it('and a comment before a function does not count', () => {
    const comment = `/**\n${' * why\n'.repeat(tooLong)} */\n`;
    expect(longFunctions(path, comment + lines(tooLong - 1, 'function rate() {'))).toEqual([]);
  });
});
