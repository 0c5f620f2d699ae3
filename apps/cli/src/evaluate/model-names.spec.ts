import { modelKinds } from '@muster/skill';
import { describe, expect, it } from 'vitest';
import { kindsNamed } from './model-names.js';

const [first, second] = modelKinds.map(({ name }) => name);

describe('kindsNamed', () => {
  it('takes all, or those that are named, each once and in their order', () => {
    expect(kindsNamed('all', modelKinds)).toEqual(modelKinds);
    expect(kindsNamed(`${second}, ${first},${second}`, modelKinds).map(({ name }) => name)).toEqual([
      second,
      first,
    ]);
  });

  it.each(['', 'nope', `${first},`, 'ALL'])('says of %j which names there are', (list) => {
    expect(() => kindsNamed(list, modelKinds)).toThrow(`; there is ${first}, `);
  });
});
