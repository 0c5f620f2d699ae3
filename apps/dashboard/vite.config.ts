import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8')) as { version: string };

/** Before all modules: Zod would try whether text may be evaluated, which the policy of the page refuses and browsers report. */
const banner = 'globalThis.__zod_globalConfig ??= { jitless: true };';

/** What parts of requests and answers mean stands in the reference of the API; a first visit does without. */
const withoutDescriptions: Plugin = {
  name: 'without-descriptions',
  enforce: 'pre',
  transform: {
    filter: { id: /\/libs\/contracts\/src\/http\// },
    handler: (code) => ({
      code: code.replaceAll(/\.meta\(\{\s*description:\s*(?:'(?:[^'\\]|\\.)*'|`[^`$]*`),?\s*\}\)/g, ''),
      map: null,
    }),
  },
};

/** The edge serves the result below /dashboard. `npx vite apps/dashboard` serves it while it is written, with calls of a local system. */
export default defineConfig({
  root: at('.'),
  base: '/dashboard/',
  // The edge puts the nonce of each answer in its place (apps/edge/src/pages/dashboard.ts).
  html: { cspNonce: '__NONCE__' },
  define: { MUSTER_VERSION: JSON.stringify(version) },
  plugins: [withoutDescriptions],
  resolve: { conditions: ['@muster/source', 'browser', 'module', 'import', 'default'] },
  build: {
    outDir: at('../../dist/dashboard'),
    emptyOutDir: true,
    target: 'es2023',
    // These know light-dark(): without, it would be replaced by variables that Mantine does not set.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    // The policy of the page allows files of its origin alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // In kilobytes; what counts is the compressed size of a first visit, which a test limits.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      // Modules of our libraries do nothing when they are loaded: what no page uses of them is left out.
      treeshake: { moduleSideEffects: [{ test: /\/libs\/[a-z-]+\/src\//, sideEffects: false }] },
      output: { banner },
      // A directive for servers that render React: there is none here.
      onLog: (level, log, print) => void (log.code === 'MODULE_LEVEL_DIRECTIVE' || print(level, log)),
    },
  },
  worker: { rolldownOptions: { output: { banner } } },
  server: {
    proxy: {
      '/v1': process.env['MUSTER_URL'] ?? 'http://127.0.0.1:8080',
      '/health': process.env['MUSTER_URL'] ?? 'http://127.0.0.1:8080',
    },
  },
});
