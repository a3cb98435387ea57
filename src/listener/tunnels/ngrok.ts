import * as v from 'valibot';
import { maskSecrets } from '../../model/masking/masking.ts';
import { t } from '../../model/text/l10n.ts';
import type { TunnelAdapter, TunnelEvent } from './tunnelAdapter.ts';

const recordText = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    lvl: v.optional(v.string()),
    msg: v.optional(v.string()),
    err: v.optional(v.unknown()),
    url: v.optional(v.string()),
  }),
);

/** ngrok's agent: needs the user's account. https://ngrok.com/docs/agent/cli/ */
export const ngrok: TunnelAdapter = {
  program: 'ngrok',
  // "localhost" may be [::1], where the listener is not.
  arguments: (port) => ['http', `127.0.0.1:${port}`, '--log', 'stdout', '--log-format', 'json'],
  read(line) {
    // ngrok also writes the reason why it ends to standard error, in plain text.
    const [, plain] = /^ERROR:\s+(\S.*)$/.exec(line) ?? [];
    if (plain !== undefined) return [problem(plain)];
    const read = v.safeParse(recordText, line);
    if (!read.success) return [];
    const { lvl, msg, err, url } = read.output;
    if (msg === 'started tunnel' && url !== undefined && URL.canParse(url)) {
      return [{ kind: 'url', url: new URL(url).href }, { kind: 'connected' }];
    }
    const failed = (lvl === 'eror' || lvl === 'crit') && typeof err === 'string' && err !== '<nil>';
    return failed ? [problem(err)] : [];
  },
};

/** The codes are listed at https://ngrok.com/docs/errors/ */
function problem(text: string): TunnelEvent {
  const [code = ''] = /ERR_NGROK_\d+/.exec(text) ?? [];
  switch (code) {
    case 'ERR_NGROK_105':
    case 'ERR_NGROK_107':
    case 'ERR_NGROK_4018':
      return final(t('ngrok does not know your account ({0}). Run: ngrok config add-authtoken', code));
    case 'ERR_NGROK_108':
    case 'ERR_NGROK_334':
      return final(t('Your ngrok account already has a tunnel open ({0}). Close it first.', code));
    case 'ERR_NGROK_702':
      return final(t('ngrok refuses more connections of your account for now ({0}). Wait a minute.', code));
    default:
      // The message repeats an authtoken that was refused, so it is masked.
      return {
        kind: 'problem',
        reason: `ngrok: ${maskSecrets(text.trim().split(/\r?\n/)[0] ?? '')}`,
        final: false,
      };
  }
}

function final(reason: string): TunnelEvent {
  return { kind: 'problem', reason, final: true };
}
