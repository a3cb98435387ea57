import { schemes } from '../kit/ids.ts';
import { addresses } from '../kit/documents.ts';

/** The documents of applied settings. Their addresses contain their text, so they survive a reload. */
export const settingsAddresses = addresses<{ title: string; text: string }>(
  schemes.settings,
  '/{title}.json?{text}',
);
