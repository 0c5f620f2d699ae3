import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoted, readLine } from './command.js';

describe('a line of the protocol', () => {
  it.each([
    ['GAME CTFGame', { kind: 'game', type: 'CTFGame' }],
    ['GAME Capture the Flag', { kind: 'game', type: 'Capture the Flag' }],
    ['game ctf', { kind: 'game', type: 'ctf' }],
    ['MUTATOR InstaGib', { kind: 'mutator', name: 'InstaGib' }],
    ['PLAYER 5f1c27a0', { kind: 'player', id: '5f1c27a0' }],
    ['  PLAYER \t 5f1c27a0  ', { kind: 'player', id: '5f1c27a0' }],
    ['PLAYER bot:Loque', { kind: 'player', id: 'bot:Loque' }],
    ['BOT Loque', { kind: 'bot', name: 'Loque', id: 'bot:Loque' }],
    ['BOT Skaarj  Lord', { kind: 'bot', name: 'Skaarj  Lord', id: 'bot:Skaarj_Lord' }],
    ['MEANBOT', { kind: 'meanbot' }],
    ['MeanBot ', { kind: 'meanbot' }],
    ['', { kind: 'blank' }],
    [' \t\r', { kind: 'blank' }],
  ])('%j is parsed', (line, command) => {
    expect(readLine(line)).toEqual(command);
  });

  it.each([
    ['HELLO', /^"HELLO" is no command; send GAME type, MUTATOR name, PLAYER id, BOT name or MEANBOT$/],
    ['GET / HTTP/1.1', /^"GET" is no command/],
    ['PLAYERx 1', /^"PLAYERx" is no command/],
    ['GAME', /GAME needs the game type, as in GAME ctf/],
    ['MUTATOR  ', /MUTATOR needs a name/],
    [`GAME ${'g'.repeat(65)}`, /longer than 64 characters, and no GAME is/],
    ['GAME c\u0000tf', /"c\?tf" is no plain text/],
    ['MUTATOR l\uFFFDw', /"l\?w" is no plain text/],
    ['PLAYER', /PLAYER needs an id/],
    ['PLAYER two words', /"two words" is no player id; one is a letter or digit, then/],
    ['PLAYER -x', /no player id/],
    [`PLAYER ${'x'.repeat(65)}`, /64 at most/],
    ['BOT', /BOT needs a name/],
    ['BOT Zoë', /"Zoë" is no name of a bot; one has letters, digits, blanks/],
    [`BOT ${'x'.repeat(61)}`, /60 at most/],
    ['MEANBOT please', /MEANBOT stands alone, without "please"/],
  ])('%j gets an error that names the problem', (line, error) => {
    const command = readLine(line);
    expect(command.kind).toBe('flaw');
    expect('error' in command && command.error).toMatch(error);
  });

  it('accepts every text: it is parsed or gets a short error', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 600 }),
          fc
            .tuple(
              fc.constantFrom('GAME', 'MUTATOR', 'PLAYER', 'BOT', 'MEANBOT'),
              fc.string({ unit: 'binary' }),
            )
            .map(([word, rest]) => `${word} ${rest}`),
        ),
        (line) => {
          const command = readLine(line);
          if (command.kind !== 'flaw') return;
          expect(command.error.length).toBeLessThan(250);
          expect(command.error).not.toMatch(/\p{Cc}/u);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('is quoted without control characters', () => {
    expect(quoted('a\u001b[31mb\u202Ec\n')).toBe('"a?[31mb?c?"');
    expect(quoted('x'.repeat(50))).toBe(`"${'x'.repeat(40)}…"`);
    expect(quoted('ünï 😀')).toBe('"ünï 😀"');
  });
});
