/** Libraries by layer, outermost first; those of `libs/lab` are the laboratory's, and others are pure. Apps precede them. */
const libraries = {
  lab: [],
  adapter: ['command-line', 'embedded', 'platform', 'db', 'redis', 'sdk', 'testing'],
  contracts: ['contracts'],
  pure: [],
  domain: ['domain'],
};

/** The layers, outermost first: a package depends on its own layer and on later ones. */
export const layers = ['host', 'app', ...Object.keys(libraries)];

/** @param folder of a package, such as `libs/solver` */
export function layerOf(folder) {
  const [kind, name] = folder.split('/');
  // They run other apps in their process: the services, and the laboratory's commands.
  if (folder === 'apps/single' || folder === 'apps/cli') return 'host';
  if (kind === 'apps') return 'app';
  if (name === 'lab') return 'lab';
  return Object.keys(libraries).find((layer) => libraries[layer].includes(name)) ?? 'pure';
}
