import { inkOf } from './inks.js';
import { element, label } from './xml.js';

/** The height of each row of a legend. */
export const legendRow = 22;
const swatch = 30;

export interface Legend {
  readonly height: number;
  /** Its elements, with their top left corner. */
  draw(left: number, top: number): string[];
}

/** Names with their inks, in as many columns as fit; empty for a single name. */
export function legendOf(names: readonly string[], width: number): Legend {
  if (names.length < 2) return { height: 0, draw: () => [] };
  const longest = Math.max(...names.map((name) => name.length));
  const cell = swatch + 32 + 7 * longest;
  const columns = Math.max(1, Math.floor(width / cell));
  return {
    height: legendRow * Math.ceil(names.length / columns),
    draw: (left, top) =>
      names.flatMap((name, i) => {
        const x = left + (i % columns) * cell;
        const y = top + legendRow * (Math.floor(i / columns) + 0.5);
        const { group, line } = inkOf(i);
        return [
          element(
            'g',
            { class: group },
            element('line', { class: line, x1: x, x2: x + swatch, y1: y, y2: y }),
            element('circle', { class: 'dot', cx: x + swatch / 2, cy: y, r: 4 }),
          ),
          label(name, { class: 'word', x: x + swatch + 8, y: y + 4 }),
        ];
      }),
  };
}
