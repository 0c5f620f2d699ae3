import { Unsolvable } from '@muster/domain';
import type { RatingModel } from './model.js';
import { openskillPlackettLuce } from './openskill-plackett-luce.js';

const models: readonly RatingModel[] = [openskillPlackettLuce];

/** @throws Unsolvable when there is no such model; it names those that there are */
export function modelNamed(name: string): RatingModel {
  const model = models.find((candidate) => candidate.name === name);
  if (!model)
    throw new Unsolvable(
      `There is no rating model "${name}"; there is ${models.map((m) => m.name).join(', ')}.`,
    );
  return model;
}
