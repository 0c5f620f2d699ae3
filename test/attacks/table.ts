import type { Topic } from './attack.js';
import { bombs } from './topics/bombs.js';
import { fleetKeys } from './topics/fleet-keys.js';
import { grpc } from './topics/grpc.js';
import { floods, hoards } from './topics/hoards.js';
import { injection } from './topics/injection.js';
import { limits } from './topics/limits.js';
import { logins } from './topics/logins.js';
import { outward } from './topics/outward.js';
import { capacity, epochs, results } from './topics/servers.js';
import { smuggling } from './topics/smuggling.js';
import { strangers } from './topics/strangers.js';
import { tokens } from './topics/tokens.js';

/** The attack table, by topic. The last ones make others wait. */
export const topics: readonly Topic[] = [
  tokens,
  logins,
  strangers,
  smuggling,
  injection,
  outward,
  results,
  capacity,
  epochs,
  fleetKeys,
  grpc,
  bombs,
  hoards,
  floods,
  limits,
];
