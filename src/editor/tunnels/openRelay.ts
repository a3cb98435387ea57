import { relayAddress } from '../../deliveries/relayProtocol.ts';
import { t } from '../../shared/text/l10n.ts';
import { config } from '../kit/config.ts';
import { DeclinedError } from '../kit/prompts.ts';
import type { Services } from '../kit/services.ts';
import { networkOptions } from '../kit/transport.ts';
import { RelayStorage } from './relayStorage.ts';

type RelayServices = Pick<Services, 'context' | 'listener' | 'prompts'>;

/**
 * Has the listener read from the relay in the settings, from now on whenever it runs. Asks for the token of the team
 * where the relay does.
 * @returns its public address
 * @throws UserError if the relay cannot be used, DeclinedError if the user declines
 */
export async function openRelay({ context, listener, prompts }: RelayServices): Promise<string> {
  const url = relayAddress(config.relayUrl()).href;
  const storage = new RelayStorage(context);
  for (;;) {
    const access = await storage.access(url);
    const opened = await listener.tunnel.openRelay({
      ...access,
      network: networkOptions(),
      keepsTrying: false,
    });
    if ('publicUrl' in opened) {
      await storage.setWanted(true);
      return opened.publicUrl;
    }
    const token = await prompts.input({
      title: t('Token of the Team'),
      prompt: t('The relay {0} is for members of a team. Whoever runs it has the token.', new URL(url).host),
      password: true,
    });
    if (token === undefined) throw new DeclinedError(t('No tunnel was opened.'));
    await storage.setJoinToken(url, token);
  }
}

/**
 * Reads from the relay again that was read when the listener last ran, and keeps trying where it is away.
 * @throws UserError if it refuses
 */
export async function resumeRelay({ context, listener }: Omit<RelayServices, 'prompts'>): Promise<void> {
  const storage = new RelayStorage(context);
  const url = storage.wanted;
  // The user may have set another one since, or none.
  if (url === undefined || config.relayUrl() === '' || relayAddress(config.relayUrl()).href !== url) return;
  const access = await storage.access(url);
  await listener.tunnel.openRelay({ ...access, network: networkOptions(), keepsTrying: true });
}
