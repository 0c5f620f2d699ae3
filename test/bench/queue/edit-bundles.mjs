// Loaded into each process by `--import`: has the bundles edited as they load, by the module that BUNDLES_EDITED_BY names.
import { register } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const by = process.env.BUNDLES_EDITED_BY;
// Worker threads have the hooks of their process.
if (by && isMainThread) register(by, import.meta.url);
