import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { element, escapeXml, label } from './xml.js';

describe('escapeXml', () => {
  it('escapes every character of markup', () => {
    expect(escapeXml(`<a b="c" d='e'>&</a>`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;&lt;/a&gt;');
  });

  it.each(['\u0000', '\u001B', '\uFFFE', '\uD800', '\uDC00x'])(
    'replaces %j, which XML cannot hold',
    (text) => {
      expect(escapeXml(text)).toMatch(/^\uFFFDx?$/);
    },
  );

  it('leaves other characters unchanged', () => {
    const text = 'Zoë 日本 🏎️\tx\n';
    expect(escapeXml(text)).toBe(text);
  });

  it('leaves no markup in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeXml(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
      }),
    );
  });
});

describe('element', () => {
  it('rounds numbers, omits absent attributes, and escapes', () => {
    expect(element('a', { x: 1.26, y: -0.01, z: undefined, t: '<' })).toBe('<a x="1.3" y="0" t="&lt;" />');
    expect(element('g', {}, label('a<b', { x: 2 }))).toBe('<g><text x="2">a&lt;b</text></g>');
  });

  it.each([NaN, Infinity])('refuses %d', (x) => {
    expect(() => element('a', { x })).toThrow(RangeError);
  });
});
