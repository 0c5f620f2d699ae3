import { studyRules, type Trial } from '@muster/matchmaking';
import { shownStudy, type ShownStudy } from './shown-study.js';

/** What the page asks. */
export type TrialRequest = Omit<Trial, 'progress'>;
/** What it is told, in order: progress from 0 to 1, then the study. */
export type TrialReply = { readonly progress: number } | { readonly study: ShownStudy };

// A replay of an hour takes seconds in which a page would stand still.
addEventListener('message', ({ data }: MessageEvent<TrialRequest>) => {
  const tell = (reply: TrialReply): void => postMessage(reply);
  tell({ study: shownStudy(data, studyRules({ ...data, progress: (progress) => tell({ progress }) })) });
});
