/** Libraries by layer, outermost first; others are pure. Apps precede them. */
const libraries = {
  adapter: ['embedded', 'platform', 'db', 'redis', 'sdk', 'testing'],
  contracts: ['contracts'],
  pure: [],
  domain: ['domain'],
};

/** The layers, outermost first: a package depends on its own layer and on later ones. */
export const layers = ['host', 'app', ...Object.keys(libraries)];

/** @param folder of a package, such as `libs/solver` */
export function layerOf(folder) {
  const [kind, name] = folder.split('/');
  // It runs other apps in its process.
  if (folder === 'apps/single') return 'host';
  if (kind === 'apps') return 'app';
  return Object.keys(libraries).find((layer) => libraries[layer].includes(name)) ?? 'pure';
}
