import { describe, expect, it } from 'vitest';
import { flawOfXml } from './xml-flaw.js';

describe('flawOfXml', () => {
  it('accepts well-formed text', () => {
    expect(flawOfXml('<a b="1"><c />x &amp; y<d>z</d></a>\n')).toBeNull();
  });

  it.each([
    '<a>',
    '<a></b>',
    '</a>',
    '<a/><b/>',
    'x<a/>',
    '<a b=1/>',
    '<a b="1" b="2"/>',
    '<a b="<"/>',
    '<a>&</a>',
    '<a>&nope;</a>',
    '<a>\u0000</a>',
    '<a><</a>',
    '',
  ])('reports what is wrong with %j', (xml) => {
    expect(flawOfXml(xml)).not.toBeNull();
  });
});
