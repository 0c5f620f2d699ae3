import type { BadRequest } from './actors.js';
import { balance } from './balance.js';
import { boosters } from './boosters.js';
import { matches } from './matches.js';
import { parties } from './parties.js';
import { paths } from './paths.js';
import { placement } from './placement.js';
import { rounds } from './rounds.js';
import { events } from './events.js';
import { integrity } from './integrity.js';
import { seasons } from './seasons.js';
import { servers } from './servers.js';
import { shapes } from './shapes.js';
import { unauthorised } from './unauthorised.js';
import { teams } from './teams.js';
import { tickets } from './tickets.js';

/** All bad requests. `:ticket`, `:session` and `:seq` in a path are filled in from the actors. */
export const badRequests: BadRequest[] = [
  ...unauthorised,
  ...shapes,
  ...tickets,
  ...parties,
  ...paths,
  ...matches,
  ...servers,
  ...rounds,
  ...seasons,
  ...boosters,
  ...integrity,
  ...events,
  ...placement,
  ...balance,
  ...teams,
];
