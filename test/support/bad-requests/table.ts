import type { BadRequest } from './actors.js';
import { balance } from './balance.js';
import { matches } from './matches.js';
import { parties } from './parties.js';
import { paths } from './paths.js';
import { rounds } from './rounds.js';
import { servers } from './servers.js';
import { shapes } from './shapes.js';
import { strangers } from './strangers.js';
import { teams } from './teams.js';
import { tickets } from './tickets.js';

/** Every way to be wrong that we could think of. `:ticket`, `:session` and `:seq` in a path are filled in from the actors. */
export const badRequests: BadRequest[] = [
  ...strangers,
  ...shapes,
  ...tickets,
  ...parties,
  ...paths,
  ...matches,
  ...servers,
  ...rounds,
  ...balance,
  ...teams,
];
