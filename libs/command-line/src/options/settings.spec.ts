import { describe, expect, it } from 'vitest';
import { parametersWith, setting, settingsText } from './settings.js';

describe('setting', () => {
  it('parses numbers and words', () => {
    expect(setting('curve = normal', setting('k=-1.5e2'))).toEqual({ k: -150, curve: 'normal' });
    expect(setting('k=2', { k: 1 })).toEqual({ k: 2 });
  });

  it.each(['k', '=3', 'k=', ' '])('explains the expected form of %j', (text) => {
    expect(() => setting(text)).toThrow('Give a name and a value, such as beta=4.2');
  });
});

describe('parametersWith', () => {
  it('keeps unset parameters, and removes those set to default', () => {
    expect(parametersWith({ k: 24, curve: 'normal' }, { k: 'default', team: 'sum' })).toEqual({
      curve: 'normal',
      team: 'sum',
    });
  });
});

describe('settingsText', () => {
  it('is short', () => {
    expect(settingsText({ k: 24, curve: 'normal' })).toBe('k=24 curve=normal');
    expect(settingsText({})).toBe('all by default');
  });
});
