import { plainText } from '../text/plainText.ts';
import { t } from '../text/l10n.ts';
import { mostSharedRoutes, type SetAddress, type Unheeded } from './routePlaces.ts';

/** The message about a folder's address that has no effect. */
export function unheededText(what: Unheeded): string {
  switch (what.kind) {
    case 'conflict':
      return t(
        'Two folders forward {0} to different addresses: that of {1} counts ({2}), that of {3} does not ({4}).',
        plainText(what.appName, 60),
        ...placeAndAddress(what.heeded),
        ...placeAndAddress(what.unheeded),
      );
    case 'noApps':
      return t(
        'Where the folder {0} has deliveries forwarded counts for none: its projects name no app. Name its apps in "runhook.listener.routes".',
        plainText(what.folder, 60),
      );
    case 'tooMany':
      return t(
        'The workspace has too many routes in "runhook.listener.routes": the first {0} count, {1} do not.',
        mostSharedRoutes,
        what.leftOut,
      );
  }
}

function placeAndAddress({ place, address }: SetAddress): [folder: string, address: string] {
  return [plainText(place.folder?.name ?? '', 60), address === '' ? t('off') : plainText(address, 100)];
}
