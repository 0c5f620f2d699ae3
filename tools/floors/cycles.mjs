import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** A relative import or export, of types too, and `import('…')` of a value or a type. Prettier leaves one kind of quote. */
const imported = /\b(?:from|import) ?\(?\s*'(\.[^']+)'/g;

/** @typedef {{ file: string, from: string, target: string, to: string }} Import of `target` in the room `to` by `file` in `from` */

/** The vocabulary: the words for tickets, matches and ratings explain one another. */
const ofOneFloor = 'libs/domain';

/**
 * The cycles through the folders of an app or a library. Each folder of `src` is a room, and so is each file of `src` itself: a file
 * that composes features is imported by none of them, and one that features share imports none of those.
 *
 * 1. Collect the relative imports between rooms, without specs.
 * 2. Take the shortest cycle through each folder, each cycle once.
 *
 * @param {string} root the folder of the repository
 * @returns {string[]} a text for each cycle, with the files
 */
export function cyclesOfFeatures(root) {
  return ['apps', 'libs', 'libs/lab']
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((name) => name !== ofOneFloor && existsSync(join(root, name, 'src')))
    .flatMap((name) => cyclesIn(importsOf(join(root, name, 'src'))).map((text) => `${name}/src: ${text}`));
}

/** @param {string} src @returns {Import[]} those that leave their room */
function importsOf(src) {
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[cm]?tsx?$/.test(path) && !/\.spec\.[cm]?tsx?$/.test(path))
    .toSorted()
    .flatMap((path) =>
      Array.from(readFileSync(join(src, path), 'utf8').matchAll(imported), ([, name = '']) => {
        const [file, target] = [path, join(dirname(path), name).replace(/js(x?)$/, 'ts$1')];
        return { file, from: roomOf(file), target, to: roomOf(target) };
      }),
    )
    .filter(({ from, to }) => from !== to && to !== '..');
}

/** @param {string} path relative to `src` @returns {string} */
const roomOf = (path) => path.split(sep)[0] ?? path;

/** @param {readonly Import[]} imports @returns {string[]} */
function cyclesIn(imports) {
  const found = new Map();
  for (const room of new Set(imports.map(({ from }) => from).filter((name) => !name.includes('.')))) {
    const cycle = shortestCycle(room, imports);
    const rooms = cycle
      .map(({ from }) => from)
      .toSorted()
      .join();
    if (cycle.length > 0 && !found.has(rooms)) found.set(rooms, textOf(cycle, imports));
  }
  return [...found.values()];
}

/** @param {string} start @param {readonly Import[]} imports @returns {Import[]} none where the room is in no cycle */
function shortestCycle(start, imports) {
  const seen = new Set();
  /** @type {{ room: string, way: Import[] }[]} */
  const open = [{ room: start, way: [] }];
  for (const { room, way } of open)
    for (const each of imports.filter(({ from, to }) => from === room && !seen.has(to))) {
      if (each.to === start) return [...way, each];
      seen.add(each.to);
      open.push({ room: each.to, way: [...way, each] });
    }
  return [];
}

/** @param {readonly Import[]} cycle @param {readonly Import[]} imports @returns {string} */
function textOf(cycle, imports) {
  const steps = cycle.flatMap(({ from, to }) =>
    imports.filter((each) => each.from === from && each.to === to),
  );
  return [
    [...cycle.map(({ from }) => from), cycle[0]?.from].join(' → '),
    ...new Set(steps.map(({ file, target }) => `  ${file} imports ${target}`)),
  ].join('\n');
}
