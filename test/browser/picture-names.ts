/** Pictures of the documents, which `npm run test:browser -- --pictures` takes anew. */
export const pictures = ['overview', 'overview-dark', 'queue', 'match', 'player', 'fleet', 'rules'] as const;
export const picturesFolder = 'docs/images';
export const pictureWidth = 1_440;
export const pictureHeight = 720;
export const mostPictureBytes = 150_000;
