import { aspectsOption } from '@muster/command-line/options/aspects';
import { setting } from '@muster/command-line/options/settings';

/** How the rules of a pool are given on the command line. */
export const ruleTakes = {
  names: { parameters: 'set', staleAfterDays: 'stale-after' },
  parse: { parameters: (text: string) => setting(text), aspects: aspectsOption },
} as const;

/** The help text of the rules. */
export const ruleHelp = `--set name=default takes the model's own again. Rules with parts are written with commas; a part of a name will do:
  --divisions      "Bronze, Silver=20, Gold=30", from the lowest, each with the rating that it begins at
  --inactivity     "after=30, forgotten=365, decay=Diamond:0.02": after 30 days the uncertainty grows, to a newcomer's in 365
                   more, and ratings in Diamond and above fall by 0.02 start uncertainties a day
  --season         "keep=0.75, uncertainty=0.5, placement=10"
  --boosters       "matches=5, factor=2, divisions=1"
  --integrity      "watch" opens cases; "uncertainty=0.5, every=30" also raises the uncertainty of the players
  --aspects        "side=0.3, map=0.2": the standard deviation of what each adds to a team's log-odds
  --placement      "on", or "least=0.1, matches=200, window=10"
  --results        "scores=lower, kills=0:200": which score wins (higher, lower or any), and the bounds of players' stats
  --short-handed   "odds=5, leavers=full, mates=0.75"`;
