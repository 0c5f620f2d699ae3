import { catalogue, message, verbatim, type Message, type MessageCode } from '@muster/domain';
import { describe, expect, it } from 'vitest';
import { readMessages, sentenceOf, textOf, viewsOf } from './message-views.js';
import { namesIn, parseTemplate, render, type Values } from './template.js';

const rendered = (text: string, values: Values): string =>
  render(parseTemplate(text), values, (nested) => sentenceOf(nested as Message));

describe('the catalogue of messages', () => {
  it.each(Object.keys(catalogue) as MessageCode[])(
    'renders %s with the parameters of its code, and needs no others',
    (code) => {
      const { text, example } = catalogue[code];
      const given = Object.keys(example);
      expect(given).toEqual(expect.arrayContaining(namesIn(parseTemplate(text))));
      const words = sentenceOf({ code, params: { ...example } } as Message);
      expect(words).not.toMatch(/[{}]|undefined|null|NaN|\[object/);
      expect(words.trim()).toBe(words);
    },
  );
});

describe('a template', () => {
  it.each([
    ['{x} and {x}', { x: 'a' }, 'a and a'],
    ['{x}', { x: ['a', 'b'] }, 'a, b'],
    ['{x, list, against}', { x: [5, 4] }, '5 against 4'],
    ['{x, list, ;}', { x: ['a', 'b'] }, 'a; b'],
    ['{x, list, to, ::.0}', { x: [5, 4.25] }, '5.0 to 4.3'],
    ['{x, team}', { x: 1 }, 'Team 2'],
    ['{x, team}', { x: 'Red' }, 'Red'],
    ['{x, team, number}', { x: 1 }, '2'],
    ['{x, number}', { x: 12_345 }, '12,345'],
    ['{x, number, ::.00}', { x: 1.5 }, '1.50'],
    ['{x, number, ::.00}', { x: 0.0001 }, '0.0001'],
    ['{x, number, ::@@}', { x: 1.26e30 }, '1.3e+30'],
    ['{x, plural, one {# player} other {# players}}', { x: 1 }, '1 player'],
    ['{x, plural, one {# player} other {# players}}', { x: 0 }, '0 players'],
    ['{x, plural, =0 {none} other {#{y, select, true { or more} other {}}}}', { x: 2, y: true }, '2 or more'],
    ['{x, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { x: 22 }, '22nd'],
    ['{x, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', { x: 11 }, '11th'],
    ['{x, select, null {never} other {in {x} s}}', { x: null }, 'never'],
    ['{x, select, null {never} other {in {x} s}}', { x: 3 }, 'in 3 s'],
    ['{x, select, null {this queue} other {{x}}}', { x: 'null' }, 'null'],
  ] satisfies [string, Values, string][])('%s of %j is "%s"', (text, values, words) => {
    expect(rendered(text, values)).toBe(words);
  });

  it.each(['{x', '{x, plural, one {a}}', '{x, mood}', 'a } b', '{}', '{x, select, other {a}'])(
    'is not "%s"',
    (text) => {
      expect(() => parseTemplate(text)).toThrow(text);
    },
  );

  it('lists the parameters it needs, also inside choices', () => {
    expect(namesIn(parseTemplate('{a} {b, select, x {{c}} other {{a}}}'))).toEqual(['a', 'b', 'c']);
  });
});

describe('messages on the wire', () => {
  const way = (players: number, to: number): Message => message('balance.moving-to', { players, to });
  const nested = message('balance.moving', { ways: [way(1, 0), way(2, 1)] });

  it('have code, parameters and text, also nested ones', () => {
    expect(viewsOf([nested])).toEqual([
      {
        code: 'balance.moving',
        params: {
          ways: [
            { code: 'balance.moving-to', params: { players: 1, to: 0 }, text: '1 player to Team 1' },
            { code: 'balance.moving-to', params: { players: 2, to: 1 }, text: '2 players to Team 2' },
          ],
        },
        text: 'Moving: 1 player to Team 1, 2 players to Team 2.',
      },
    ]);
  });

  it('are one text, with a space between two sentences', () => {
    expect(textOf([verbatim('It fell apart.'), message('ticket.back-in-queue')])).toBe(
      'It fell apart. You are back at your old place in the queue.',
    );
  });

  it('are omitted for a literal text', () => {
    expect(viewsOf([verbatim('It fell apart.')])).toBeUndefined();
    expect(viewsOf(undefined)).toBeUndefined();
    expect(viewsOf([verbatim('A.'), message('ticket.queued')])).toHaveLength(2);
  });

  it('are read as they were stored', () => {
    expect(readMessages(JSON.parse(JSON.stringify([nested])), 'text')).toEqual([nested]);
  });

  it.each([
    ['nothing', null],
    ['something else', 'a text'],
    ['none', []],
    ['a code of a newer release', [{ code: 'ticket.lost-in-space', params: {} }]],
    [
      'one nested in another',
      [{ code: 'balance.moving', params: { ways: [{ code: 'no.such', params: {} }] } }],
    ],
  ])('are their text where %s was stored', (_, stored) => {
    expect(readMessages(stored, 'You are in the queue.')).toEqual([verbatim('You are in the queue.')]);
  });
});
