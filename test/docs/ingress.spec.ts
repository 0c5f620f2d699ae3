import { endpointOf, endpoints, mayRepeat, paceOf, repeatsOf, type EndpointName } from '@muster/contracts';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const names = Object.keys(endpoints) as EndpointName[];

/** A pattern of calls by method and path; a path without parameters comes first, so that it is found first. */
const patternOf = (name: EndpointName): string => {
  const { method, path } = endpointOf(name);
  return `^${method}:${path.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}/?$`;
};
const parametersOf = (name: EndpointName): number => endpointOf(name).path.split('/:').length;
const kindOf = (name: EndpointName): string =>
  [endpointOf(name).service, paceOf(name, { waitSeconds: 30 }), repeatsOf(name)].join(':');

const lines = names
  .toSorted((a, b) => parametersOf(a) - parametersOf(b) || patternOf(a).localeCompare(patternOf(b)))
  .map((name) => `${patternOf(name)} ${kindOf(name)}`);

describe('docker/haproxy/calls.map', () => {
  it('has every call: its service, its pace and whether it may be repeated', async () => {
    const text = `# Calls by method and path: service:pace:repeats. Made from the endpoints by \`npx vitest run --project unit test/docs/ingress.spec.ts -u\`.\n${lines.join('\n')}\n`;
    await expect(text).toMatchFileSnapshot('../../docker/haproxy/calls.map');
  });

  it('sends each path to its service, as a proxy reads the file', () => {
    const map = readFileSync('docker/haproxy/calls.map', 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(' '));
    for (const name of names) {
      const { method, path } = endpointOf(name);
      const call = `${method}:${path.replaceAll(/:\w+/g, 'some-id')}`;
      const [, kind] = map.find(([pattern = '']) => new RegExp(pattern).test(call)) ?? [];
      expect(`${name} ${kind}`).toBe(`${name} ${kindOf(name)}`);
    }
  });

  it('may not repeat what is not safe to repeat', () => {
    const safe = names.filter((name) => kindOf(name).endsWith(':safe'));
    expect(safe.filter((name) => !mayRepeat(name, { key: false, eventId: false }))).toEqual([]);
  });
});
