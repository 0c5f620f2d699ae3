import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLine } from './command.js';
import { answerLine, errorLine, newSession, step, type Question, type Session } from './session.js';

/** A session after these lines, with its replies and questions. */
function told(...lines: string[]): { session: Session; said: string[]; asked: Question[] } {
  const said: string[] = [];
  const asked: Question[] = [];
  let session = newSession;
  for (const line of lines) {
    const { session: after, reply, question } = step(session, readLine(line));
    session = after;
    if (reply !== undefined) said.push(reply);
    if (question) asked.push(question);
  }
  return { session, said, asked };
}

const ctf = { type: 'ctf', mutators: [] };

describe('a session', () => {
  it('does not reply to GAME and MUTATOR, and asks within their game', () => {
    const { said, asked } = told(
      'GAME ctf',
      'MUTATOR instagib',
      'MUTATOR antitcc',
      '',
      'PLAYER ann',
      'BOT Loque',
    );
    const game = { type: 'ctf', mutators: ['instagib', 'antitcc'] };
    expect(said).toEqual([]);
    expect(asked).toEqual([
      { kind: 'player', game, id: 'ann' },
      { kind: 'bot', game, name: 'Loque', id: 'bot:Loque' },
    ]);
  });

  it('resets the mutators with a new game, and ignores duplicates', () => {
    expect(told('GAME ctf', 'MUTATOR instagib', 'GAME dm', 'MEANBOT').asked).toEqual([
      { kind: 'meanbot', game: { type: 'dm', mutators: [] } },
    ]);
    expect(told('GAME ctf', 'MUTATOR a', 'MUTATOR a').session.game?.mutators).toEqual(['a']);
  });

  it.each([
    [['PLAYER ann'], 'ERROR no game yet: the game type chooses the weights; send GAME type first\n'],
    [['MEANBOT'], 'ERROR no game yet: the game type chooses the weights; send GAME type first\n'],
    [['MUTATOR a'], 'ERROR MUTATOR "a" came before GAME; send GAME type first\n'],
    [
      ['GAME ctf', ...Array.from({ length: 65 }, (_, i) => `MUTATOR m${i}`)],
      'ERROR there are at most 64 mutators; "m64" is ignored\n',
    ],
  ])('%j gets %j', (lines, error) => {
    expect(told(...lines).said).toEqual([error]);
  });

  it('is not changed by a bad line', () => {
    const good = told('GAME ctf', 'MUTATOR instagib');
    const bad = told('GAME ctf', 'NONSENSE', 'MUTATOR instagib', 'GAME', 'MEANBOT 3');
    expect(bad.session).toEqual(good.session);
    expect(bad.said).toHaveLength(3);
  });

  it.each<[Question, Parameters<typeof answerLine>[1], string]>([
    [{ kind: 'player', game: ctf, id: 'ann' }, { weight: 63.456 }, 'PLAYER ann 63.46\n'],
    [{ kind: 'player', game: ctf, id: 'ann' }, { weight: null }, 'PLAYER ann\n'],
    [{ kind: 'bot', game: ctf, name: 'Lord X', id: 'bot:Lord_X' }, { weight: 0 }, 'BOT Lord X 0.00\n'],
    [{ kind: 'meanbot', game: ctf }, { weight: 100.0001, count: 12 }, 'MEANBOT 100.00 12\n'],
    [{ kind: 'meanbot', game: ctf }, { refused: 'no pool\nis\rfor it' }, 'ERROR no pool is for it\n'],
  ])('%j, %j: %j', (question, answer, line) => {
    expect(answerLine(question, answer)).toBe(line);
  });

  it('replies with at most one line to a line, and one to every question', () => {
    const line = fc.oneof(
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
      {
        weight: 4,
        arbitrary: fc.constantFrom('GAME a', 'MUTATOR b', 'PLAYER c', 'BOT d e', 'MEANBOT', 'PLAYER', ''),
      },
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        let session = newSession;
        for (const each of lines) {
          const command = readLine(each);
          const { session: after, reply, question } = step(session, command);
          expect(reply !== undefined && question !== undefined).toBe(false);
          if (reply !== undefined) expect(reply).toMatch(/^ERROR [^\n\r]+\n$/);
          if (['player', 'bot', 'meanbot', 'flaw'].includes(command.kind))
            expect(reply !== undefined || question !== undefined).toBe(true);
          if (question) expect(question.game).toBe(after.game);
          if (reply !== undefined || question) expect(after).toBe(session);
          session = after;
        }
      }),
    );
  });

  it('keeps every ERROR on one line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (says) => {
        expect(errorLine(says)).toMatch(/^ERROR [^\n\r\u2028\u2029]*\n$/u);
      }),
    );
  });
});
