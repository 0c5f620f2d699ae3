/** Libraries by layer, from the outermost to the innermost; what is not named is pure. `apps` come before them. */
const libraries = {
  adapter: ['embedded', 'platform', 'db', 'redis', 'sdk', 'testing'],
  contracts: ['contracts'],
  pure: [],
  domain: ['domain'],
};

/** The layers of the house, the outermost first: a package depends on its own layer and on those after it. */
export const layers = ['app', ...Object.keys(libraries)];

/** @param folder of a package, such as `libs/solver` */
export function layerOf(folder) {
  const [kind, name] = folder.split('/');
  if (kind === 'apps') return 'app';
  return Object.keys(libraries).find((layer) => libraries[layer].includes(name)) ?? 'pure';
}
