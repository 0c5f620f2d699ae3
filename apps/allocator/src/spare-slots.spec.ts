import { describe, expect, it } from 'vitest';
import { readSpareSlots } from './spare-slots.js';

describe('spare slots as a setting', () => {
  it('are a number for each region, and one for the others', () => {
    expect(readSpareSlots(' eu=8, us = 0 ,*=2')).toEqual({
      byRegion: new Map([
        ['eu', 8],
        ['us', 0],
      ]),
      elsewhere: 2,
    });
    expect(readSpareSlots('eu=1')).toEqual({ byRegion: new Map([['eu', 1]]), elsewhere: 0 });
  });

  it.each([
    ['8', '"8" is not a region with a number of slots'],
    ['', '"" is not a region with a number of slots'],
    ['eu=', '"eu=" is not a region with a number of slots'],
    ['eu=1=2', '"eu=1=2" is not a region with a number of slots'],
    ['EU=1', '"EU=1" does not begin with the name of a region'],
    ['=1', '"=1" does not begin with the name of a region'],
    ['eu=-1', '"eu=-1" does not give a whole number from 0 to 100000'],
    ['eu=1.5', '"eu=1.5" does not give a whole number from 0 to 100000'],
    ['eu=999999', '"eu=999999" does not give a whole number from 0 to 100000'],
    ['eu=1,us=2,eu=3', '"eu=3" names a region for the second time'],
    ['*=1,*=2', '"*=2" names a region for the second time'],
  ])('are refused when they are %s', (text, message) => {
    expect(readSpareSlots(text)).toBe(
      `${message}; write a region and a number of slots, such as eu=8, or *=2 for every other region`,
    );
  });
});
