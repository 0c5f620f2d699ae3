import type { PoolView } from '@muster/contracts';
import { modelKinds } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { inkFor } from '@muster/command-line/terminal/ink';
import { createdText, differencesOf } from './create.js';
import { modelText, type Model } from './models.js';
import { calibrationText, rulesText } from './show.js';

const plainInk = inkFor({}, {});

const pool: PoolView = {
  name: 'season',
  gameMode: 'ctf',
  modifiers: ['low-gravity'],
  rules: {
    model: 'elo',
    parameters: { k: 24 },
    aggregation: 'learned',
    circumstances: ['side', 'venue'],
    partyBonus: 'fixed',
    shadowMatches: 10,
    shadowCap: 1800,
    divisions: [],
    divisionMargin: null,
    staleAfterDays: 30,
    convergedBelow: 0.5,
  },
  calibration: {
    scale: { mean: 0.8, sd: 0.05 },
    offsets: {
      'side:away': { mean: -0.1, sd: 0.2 },
      'side:home': { mean: 0.1, sd: 0.2 },
      'side:home@venue:Oval': { mean: 0.02, sd: 0.1 },
      size: { mean: 0.7, sd: 0.3 },
    },
    drawRate: 0.05,
    matches: 1_200,
  },
  version: 3,
  generation: 2,
};
const untaught: PoolView = {
  ...pool,
  name: 'new',
  gameMode: null,
  modifiers: [],
  calibration: { scale: { mean: 1, sd: 1 }, offsets: {}, drawRate: 0, matches: 0 },
};
const elo: Model | undefined = modelKinds
  .map(({ name, title, about, needs, parameters }) => ({
    name,
    title,
    about,
    needs: [...needs],
    parameters: { ...parameters },
  }))
  .find(({ name }) => name === 'elo');

describe('rulesText', () => {
  it('shows settings, defaults and descriptions of parameters', () => {
    const text = rulesText(pool, elo, plainInk).join('\n');
    expect(text).toContain('Rating pool season, ctf + low-gravity, version 3, generation 2');
    expect(text).toMatch(/^ {2}k +24 +set \(default 32\) +0 to 100000 +logistic: most points/m);
    expect(text).toMatch(/^ {2}start +1500 +default +/m);
    expect(text).toMatch(/^circumstances +side, venue +Features beside skill/m);
    expect(text).toMatch(/^shadow-matches +10 .*hidden from its player/m);
    expect(text).toMatch(/^shadow-cap +1,800 /m);
    expect(text).toMatch(/^divisions +Bronze, Silver from 1063, .* Platinum from 1500.*\(the defaults\)/m);
  });

  it('shows a pool of an unknown model', () => {
    const strange = { ...pool, rules: { ...pool.rules, model: 'tomorrow', parameters: { q: 'x' } } };
    const text = rulesText(strange, undefined, plainInk).join('\n');
    expect(text).toMatch(/Rated by tomorrow\n/);
    expect(text).toMatch(/^ {2}q +x +set/m);
    expect(text).toContain('seven around the start value (the defaults)');
  });
});

describe('calibrationText', () => {
  it('lists the strongest offsets first, with their uncertainty', () => {
    expect(calibrationText(pool, 3, plainInk)).toEqual([
      'Calibration, learned from 1,200 matches',
      '  scale:      0.800 ± 0.050, so the model is overconfident',
      '  draw rate:  5.0 %',
      '  offset     log-odds           even teams',
      '  size         +0.700  ± 0.300',
      // Home is the opponent of away, so the chance depends on both.
      '  side:away    −0.100  ± 0.200      45.0 %',
      '  side:home    +0.100  ± 0.200      55.0 %',
      '  Only the difference of two sides is observed, so it is more certain than each offset alone.',
      '  and 1 weaker one: --offsets 4 shows all',
    ]);
  });

  it('says that nothing is learned of a scale that no result has changed', () => {
    const calibration = { ...pool.calibration, scale: { mean: 1, sd: 1 } };
    expect(calibrationText({ ...pool, calibration }, 3, plainInk)[1]).toBe(
      '  scale:      1.000 ± 1.000, as before the first result: nothing is learned of it yet',
    );
  });

  it('reports a pool without a calibration', () => {
    expect(calibrationText(untaught, 12, plainInk)).toEqual([
      expect.stringMatching(/^Calibration: none yet/),
    ]);
  });
});

describe('modelText', () => {
  it('shows the default, range and description of a parameter', () => {
    const text = elo ? modelText(elo, plainInk).join('\n') : '';
    expect(text).toMatch(/^elo {2}Elo\n/);
    expect(text).toMatch(/^ {4}curve +logistic +logistic, normal +what turns a difference into a chance$/m);
  });

  it('lists required facts, and tolerates an unreadable description', () => {
    const model: Model = {
      name: 'm',
      title: 'M',
      about: '',
      needs: ['places', 'luck'],
      parameters: { q: null },
    };
    expect(modelText(model, plainInk)).toEqual([
      'm  M',
      '  It requires every player’s place on the scoreboard, luck.',
      '    parameter  default  among  what it is',
      '    q',
    ]);
  });
});

describe('createdText', () => {
  it('distinguishes a new pool from an existing one', () => {
    expect(createdText({ ...untaught, created: true, differences: [] })).toEqual([
      'Created the rating pool "new" (–), rated by elo (k=24).',
    ]);
    expect(createdText({ ...pool, differences: [] })).toEqual([
      expect.stringContaining('already exists, at version 3'),
    ]);
  });

  it('lists the differences and the next step', () => {
    const asked = { model: 'glicko2', modifiers: ['low-gravity'], parameters: { k: 24 } };
    const told = (differences: readonly string[]) => createdText({ ...pool, differences })[1];
    expect(differencesOf(asked, pool)).toEqual(['model']);
    expect(told(['model'])).toContain('"muster pools rebuild season --model …"');
    expect(told(differencesOf({ parameters: {} }, pool))).toContain('"muster pools change season …"');
    expect(told(['gameMode', 'model'])).toContain('so give another name');
  });
});
