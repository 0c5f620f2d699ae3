import { sentenceOf } from '@muster/contracts';
import { message } from '@muster/domain';
import type { SplitAnswer, SplitSolution } from '@muster/solver';
import { describe, expect, it } from 'vitest';
import { openToPlayers } from '../history/open-to-players.js';
import { explainSplit } from './explain-split.js';

const solution = (sums: number[]): SplitSolution => ({
  teams: [['a'], ['b']],
  bench: [],
  bots: [0, 0],
  sums,
  difference: Math.max(...sums) - Math.min(...sums),
  ratio: 1,
});
const answer: SplitAnswer = {
  outcome: 'split',
  solutions: [solution([51.5, 50]), solution([52, 49.5])],
  ranked: true,
  chosen: 0,
  certificate: { status: 'proven', value: 1.5, lowerBound: 1.5, gap: 0, reason: 'exhausted', quantum: 0 },
  method: 'meet-in-the-middle',
  because: 'it is small',
  ways: 126,
  operations: 1,
  shift: 0,
};
const told = (over: Partial<SplitAnswer> = {}): string =>
  explainSplit({ ...answer, ...over }, [0.53, 0.47])
    .map(sentenceOf)
    .join('\n');

describe('explainSplit', () => {
  it('reports the number of splits, the proof and its method, the rejected split, and the chances', () => {
    expect(told()).toBe(
      [
        'There were 126 ways to split them with parties kept together.',
        'These teams are proven to be the most even.',
        'Their sums are 51.5 to 50.0 rating points, a difference of 1.50.',
        'Found by meet-in-the-middle: it is small.',
        'The best of the others, rejected, differs by 2.50 rating points: 52.0 to 49.5.',
        'Predicted chance to win: team 1 53 %, team 2 47 %.',
      ].join('\n'),
    );
  });

  it('gives the bound of the gap where there is no proof', () => {
    const words = told({
      ranked: false,
      ways: null,
      certificate: {
        status: 'bounded',
        value: 1.5,
        lowerBound: 0.25,
        gap: 1.25,
        reason: 'residue',
        quantum: 0,
        stopped: 'deadline',
      },
    });
    expect(words).toMatch(
      /^These teams are the most even that were found; there was no time to look further\.\sTheir sums are 51\.5 to 50\.0/,
    );
    expect(words).toMatch(
      /No split can differ by less than 0\.25, so a better one would gain 1\.25 at most\./,
    );
    expect(words).toMatch(/The best other that was found, rejected, differs by 2\.50/);
  });

  it('does not round a small difference to none', () => {
    expect(told({ solutions: [solution([50.0004, 50])] })).toMatch(/a difference of 0\.0004\./);
    expect(told({ solutions: [solution([50, 50])] })).toMatch(/a difference of 0\.00\./);
  });

  it('has a wording for one way, and for more than can be counted', () => {
    expect(told({ ways: 1, solutions: [solution([50, 50])] })).toMatch(/^There was one way/);
    expect(told({ ways: 2 ** 70 })).toMatch(/^There were about 1\.2e\+21 ways/);
  });
});

describe('the explanation for players', () => {
  const messages = explainSplit(answer, [0.53, 0.47]);
  const why = messages.map(sentenceOf);

  it('discloses no rating', () => {
    const shown = openToPlayers(why, messages);
    expect(shown.messages?.map(({ code }) => code)).toEqual([
      'split.ways',
      'split.proven',
      'split.found-by',
      'split.prediction',
    ]);
    expect(shown.why).toEqual(shown.messages?.map(sentenceOf));
    const found = message('match.put-together', {
      players: 2,
      spread: 1.5,
      teamSize: null,
      waitedSeconds: 3,
    });
    expect(openToPlayers([sentenceOf(found)], [found])).toEqual({ why: [], messages: [] });
  });

  it('discloses none where the previous release stored no messages', () => {
    expect(openToPlayers(why, undefined)).toEqual({
      why: openToPlayers(why, messages).why,
      messages: undefined,
    });
  });
});
