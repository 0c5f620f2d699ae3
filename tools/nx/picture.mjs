#!/usr/bin/env node
// Draws docs/packages.svg from `nx graph`: every package in its layer, and the dependencies. A line is omitted where a
// longer path leads to the same package, as in `cli → solver → domain`.
//
//   node tools/nx/picture.mjs           draws it
//   node tools/nx/picture.mjs --check   fails if the file is out of date
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkout } from '../prepare/checkout.mjs';
import { layers } from './layers.mjs';

/**
 * @typedef {ReadonlyMap<string, readonly string[]>} Dependencies packages by name, and the packages that each depends
 * on
 */

/** Nx's graph: packages with their layers, and their dependencies. */
function readGraph() {
  const folder = mkdtempSync(join(tmpdir(), 'muster-graph-'));
  const file = join(folder, 'graph.json');
  try {
    const nx = join(checkout, 'node_modules/nx/dist/bin/nx.js');
    const { status, stderr } = spawnSync(process.execPath, [nx, 'graph', `--file=${file}`], {
      cwd: checkout,
      env: { ...process.env, NX_DAEMON: 'false' },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`nx graph failed: ${stderr}`);
    return JSON.parse(readFileSync(file, 'utf8')).graph;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const short = (name) => name.replace('@muster/', '');

/** Packages of the known layers, by name, with their dependencies. */
export function packagesOf({ nodes, dependencies }) {
  const layer = new Map(
    Object.values(nodes).flatMap(({ name, data }) => {
      const found = (data.tags ?? []).find((tag) => tag.startsWith('layer:'))?.slice('layer:'.length);
      return layers.includes(found) ? [[short(name), found]] : [];
    }),
  );
  const needs = new Map(
    [...layer.keys()].toSorted().map((name) => [
      name,
      (dependencies[`@muster/${name}`] ?? [])
        .map(({ target }) => short(target))
        .filter((target) => layer.has(target) && target !== 'testing')
        // Specs of a pure library may compare it with the laboratory.
        .filter((target) => layer.get(target) !== 'lab' || layer.get(name) !== 'pure')
        .toSorted(),
    ]),
  );
  return { layer, needs };
}

function reaches(needs, from, to) {
  return needs.get(from).some((next) => next === to || reaches(needs, next, to));
}

/** The transitive reduction of the dependencies. */
export function reduced(needs) {
  return new Map(
    [...needs].map(([name, all]) => [
      name,
      all.filter((target) => !all.some((other) => other !== target && reaches(needs, other, target))),
    ]),
  );
}

/** The length of the longest path within a layer to a package without dependencies in it. */
function depthIn(layer, needs, name) {
  const own = needs.get(name).filter((target) => layer.get(target) === layer.get(name));
  return own.length === 0 ? 0 : 1 + Math.max(...own.map((target) => depthIn(layer, needs, target)));
}

/** Rows from the outermost to the innermost; within a layer, packages are above their dependencies. */
export function rowsOf({ layer, needs }) {
  return layers.flatMap((each) => {
    const names = [...needs.keys()].filter((name) => layer.get(name) === each);
    if (names.length === 0) return [];
    const depths = names.map((name) => depthIn(layer, needs, name));
    const deepest = Math.max(...depths);
    return Array.from({ length: deepest + 1 }, (_, i) => ({
      layer: each,
      names: names.filter((_name, n) => depths[n] === deepest - i),
    }));
  });
}

const size = { width: 960, left: 96, rowHeight: 84, boxHeight: 30, top: 20 };
const colours = {
  host: '#fee2e2',
  app: '#dbeafe',
  lab: '#f3f4f6',
  adapter: '#fef3c7',
  contracts: '#ede9fe',
  pure: '#dcfce7',
  domain: '#bbf7d0',
};

/** The SVG picture. */
export function picture(packages) {
  const rows = rowsOf(packages);
  const place = new Map();
  rows.forEach(({ names }, r) => {
    const step = (size.width - size.left) / names.length;
    names.forEach((name, i) => {
      place.set(name, {
        x: size.left + step * (i + 0.5),
        y: size.top + r * size.rowHeight,
        width: 20 + name.length * 8,
      });
    });
  });
  const lines = [...reduced(packages.needs)].flatMap(([name, targets]) =>
    targets.map((target) => {
      const [from, to] = [place.get(name), place.get(target)];
      const [y1, y2] = [from.y + size.boxHeight, to.y];
      const bend = (y2 - y1) / 2;
      return `<path d="M${n(from.x)} ${n(y1)}C${n(from.x)} ${n(y1 + bend)} ${n(to.x)} ${n(y2 - bend)} ${n(to.x)} ${n(y2)}"/>`;
    }),
  );
  const boxes = [...place].map(([name, { x, y, width }]) => {
    const fill = colours[packages.layer.get(name)];
    return (
      `<rect x="${n(x - width / 2)}" y="${n(y)}" width="${n(width)}" height="${size.boxHeight}" rx="6" fill="${fill}"/>` +
      `<text x="${n(x)}" y="${n(y + 20)}" text-anchor="middle">${name}</text>`
    );
  });
  const heads = rows.flatMap(({ layer }, r) =>
    rows.findIndex((row) => row.layer === layer) === r
      ? [`<text class="layer" x="12" y="${n(size.top + r * size.rowHeight + 20)}">${layer}</text>`]
      : [],
  );
  const height = size.top * 2 + (rows.length - 1) * size.rowHeight + size.boxHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${height}" role="img" aria-label="Packages by layer, and what each depends on">`,
    '<style>text{font:14px system-ui,sans-serif;fill:#1f2937}.layer{fill:#6b7280;font-style:italic}path{fill:none;stroke:#9ca3af}rect{stroke:#9ca3af}</style>',
    `<rect width="${size.width}" height="${height}" fill="#fff" stroke="none"/>`,
    ...heads,
    ...lines,
    ...boxes,
    '</svg>',
    '',
  ].join('\n');
}

const n = (value) => String(Math.round(value * 10) / 10);

const calledDirectly = process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url);
if (calledDirectly) {
  const path = join(checkout, 'docs/packages.svg');
  const svg = picture(packagesOf(readGraph()));
  if (!process.argv.includes('--check')) writeFileSync(path, svg);
  else if (readFileSync(path, 'utf8') !== svg) {
    process.stderr.write('docs/packages.svg is out of date: run `node tools/nx/picture.mjs`.\n');
    process.exitCode = 1;
  }
}
