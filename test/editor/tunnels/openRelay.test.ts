import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { RelayAccess } from '../../../src/deliveries/listenerProtocol.ts';
import { openRelay } from '../../../src/editor/tunnels/openRelay.ts';
import { RelayStorage } from '../../../src/editor/tunnels/relayStorage.ts';
import type { InputOptions } from '../../../src/editor/kit/prompts.ts';
import type { Listener } from '../../../src/editor/listener/feature.ts';
import { AnsweredPrompts } from '../../support/editor/answeredPrompts.ts';
import { withSettings } from '../../support/editor/inEditor.ts';
import { MemoryMemento } from '../../support/editor/memoryMemento.ts';
import { MemorySecrets } from '../../support/editor/memorySecrets.ts';

describe('the token of a team for its relay', () => {
  const url = 'https://relay.example/';
  const publicUrl = 'https://relay.example/in/abc/';

  /** Opens the relay of a team, whose token is "right". @param typed what is entered, `undefined` for Escape */
  async function open(...typed: (string | undefined)[]) {
    const context = {
      secrets: new MemorySecrets(),
      workspaceState: new MemoryMemento(),
    } as unknown as vscode.ExtensionContext;
    const asked: string[] = [];
    const prompts = Object.assign(new AnsweredPrompts(), {
      input: ({ prompt }: InputOptions) => {
        asked.push(prompt);
        return Promise.resolve(typed.shift());
      },
    });
    const tunnel = {
      openRelay: ({ joinToken }: RelayAccess) =>
        Promise.resolve(
          joinToken === 'right' ? { publicUrl } : { needsToken: `It got ${joinToken ?? 'no'} token.` },
        ),
    };
    const listener = { tunnel } as unknown as Listener;
    const opened = await withSettings({ 'relay.url': url }, () =>
      openRelay({ context, listener, prompts }).catch((error: unknown) => String(error)),
    );
    const { joinToken } = await new RelayStorage(context).access(url);
    return { opened, asked, joinToken };
  }

  it('is asked for, and kept once the relay has accepted it', async () => {
    const { opened, asked, joinToken } = await open('right');
    assert.equal(opened, publicUrl);
    assert.deepEqual(asked, ['It got no token.']);
    assert.equal(joinToken, 'right');
  });

  it('is asked for in the words of the relay where it is a wrong one, which is not kept', async () => {
    const { opened, asked, joinToken } = await open('wrong', undefined);
    assert.match(opened, /No tunnel was opened/);
    assert.equal(asked[1], 'It got wrong token.');
    assert.equal(joinToken, undefined);
  });
});
