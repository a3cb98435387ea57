import assert from 'node:assert/strict';
import { answerPrompts, command, setSetting } from '../../support/editor/inEditor.ts';
import { SandboxGate } from '../../support/service/sandboxGate.ts';

describe('a token that is asked for while another address is set', () => {
  const service = new SandboxGate();
  const other = 'http://127.0.0.1:9';
  const account = { projectId: 'p-sandbox', serviceAccountId: 'sa-ci' };

  before(() => service.start());
  after(async () => {
    await service.stop();
    await setSetting('baseUrl', undefined);
    await setSetting('projects', undefined);
  });
  beforeEach(async () => {
    await setSetting('baseUrl', service.address.baseUrl);
    await setSetting('projects', [{ id: 'p-sandbox', serviceAccounts: [{ id: 'sa-ci' }] }]);
  });
  afterEach(() => command('deleteToken', account));

  /** Answers the question for the token once another address is set. */
  const setMeanwhile = () =>
    answerPrompts(async () => {
      await setSetting('baseUrl', other);
      return service.address.token;
    });

  async function isOfTheFirst(): Promise<void> {
    await assert.rejects(
      command('listKeys', account),
      /The token of \S+ was set for http\S+, and is sent only there\./,
    );
    await setSetting('baseUrl', service.address.baseUrl);
    assert.ok((await command<object[]>('listKeys', account)).length > 0);
  }

  for (const [how, argument] of [
    ['setToken', account],
    ['setToken', { projectId: 'p-sandbox' }],
  ] as const) {
    it(`stays with the address before: ${how}, ${JSON.stringify(argument)}`, async () => {
      await setMeanwhile();
      await command(how, argument);
      await isOfTheFirst();
    });
  }

  it('is deleted with those of other addresses, which nobody would look for', async () => {
    await command('setToken', { ...account, token: service.address.token });
    await setSetting('baseUrl', other);
    await command('setToken', { ...account, token: service.address.token });
    await command('deleteToken', account);
    await assert.rejects(command('listKeys', account), /No token is stored/);
    await setSetting('baseUrl', service.address.baseUrl);
    await assert.rejects(command('listKeys', account), /No token is stored/);
  });

  it('stays with the address before: of a new service account', async () => {
    await setSetting('projects', [{ id: 'p-sandbox' }]);
    await answerPrompts('sa-ci', 'ci', 'dev', async () => {
      await setSetting('baseUrl', other);
      return service.address.token;
    });
    await command('addServiceAccount', { projectId: 'p-sandbox' });
    await isOfTheFirst();
  });
});
