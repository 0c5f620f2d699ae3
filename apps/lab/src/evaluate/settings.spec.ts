import { modelKinds } from '@muster/skill';
import { expect, it } from 'vitest';
import { kindsNamed } from './model-names.js';
import { checkSettings } from './settings.js';

const kinds = kindsNamed('elo,glicko2', modelKinds);

it('parameters are checked for each model that has them', () => {
  expect(() => checkSettings(kinds, { k: 24, tau: 0.7 })).not.toThrow();
  expect(() => checkSettings(kinds, { speed: 1 })).toThrow(
    /^None of these models has a parameter "speed"; they have start, curve/,
  );
  expect(() => checkSettings(kinds, { k: -1 })).toThrow(/^elo: Parameter "k" is -1; it must be a number/);
});
