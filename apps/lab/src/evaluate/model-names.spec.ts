import { modelKinds } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { kindsNamed } from './model-names.js';

const [first, second] = modelKinds.map(({ name }) => name);

describe('kindsNamed', () => {
  it('selects all models, or the named ones, each once and in order', () => {
    expect(kindsNamed('all', modelKinds)).toEqual(modelKinds);
    expect(kindsNamed(`${second}, ${first},${second}`, modelKinds).map(({ name }) => name)).toEqual([
      second,
      first,
    ]);
  });

  it.each(['', 'nope', `${first},`, 'ALL'])('lists the existing names for %j', (list) => {
    expect(() => kindsNamed(list, modelKinds)).toThrow(`; there is ${first}, `);
  });
});
