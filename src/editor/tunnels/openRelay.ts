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
  const stored = await storage.access(url);
  let { joinToken } = stored;
  for (;;) {
    const access = { ...stored, joinToken, network: networkOptions(), keepsTrying: false };
    const opened = await listener.tunnel.openRelay(access);
    if ('publicUrl' in opened) {
      if (joinToken !== undefined) await storage.setJoinToken(url, joinToken);
      await storage.setWanted(true);
      return opened.publicUrl;
    }
    joinToken = await prompts.input({
      title: t('Token of the Team'),
      prompt: opened.needsToken,
      password: true,
    });
    if (joinToken === undefined) throw new DeclinedError(t('No tunnel was opened.'));
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
