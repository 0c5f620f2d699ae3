import { Unsolvable } from '@muster/domain';
import {
  SolveTeams,
  timeOfThreads,
  type Problem,
  type Solver,
  type TeamsReply,
  type TeamsTask,
} from './solve-teams.js';
import { warmUp } from './warm-up.js';

const teams: Solver = new SolveTeams({ now: timeOfThreads });
warmUp(teams);

/** Answers one call in a thread. An error's class and facts would not survive serialisation, so a refusal is a value. */
export default function solve<P extends Problem>({ problem, body, arrivedAt }: TeamsTask<P>): TeamsReply<P> {
  try {
    return { answer: teams[problem](body, arrivedAt) };
  } catch (error) {
    if (!(error instanceof Unsolvable)) throw error;
    return { refusal: { message: error.message, facts: error.facts } };
  }
}
