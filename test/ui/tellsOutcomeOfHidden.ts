import assert from 'node:assert/strict';
import type { SandboxGate } from '../support/service/sandboxGate.ts';
import type { SettingsForm } from '../support/workbench/settingsForm.ts';
import { waitFor } from '../support/time/waitFor.ts';

interface OpenForm {
  /** In a tab of its own beside `notes.txt`. */
  form: SettingsForm;
  service: SandboxGate;
}

/** The page of a form is destroyed while its tab is hidden, also while it waits for an apply. */
export function itTellsOutcomeOfHidden(open: () => OpenForm): void {
  it('says how an apply went that ended while the tab was hidden, and sends no second one meanwhile', async () => {
    const { form, service } = open();
    const patches = () => service.requests.filter(({ method }) => method === 'PATCH').length;
    const typed = () => form.inner('replicaConcurrency').inputValue();
    const { promise: held, resolve: letGo } = Promise.withResolvers<undefined>();
    const { change } = service;
    const before = patches();
    service.change = async (answer) => {
      await held;
      return { ...answer, status: 503, body: '{"message": "not now"}' };
    };
    await form.enter('replicaConcurrency', '7');
    await form.clickApply();
    await waitFor('the PATCH', () => patches() === before + 1);
    await form.hide();
    await form.show();
    await waitFor('the apply that goes on', async () => (await form.status()) === 'Applying');
    assert.equal(await form.canApply(), false);
    await form.hide();
    letGo(undefined);
    await form.show();
    await waitFor('the failure', async () => (await form.status()).includes('503: not now'));
    assert.equal(await typed(), '7');
    service.change = change;
    await form.clickApply();
    await waitFor('the apply', async () => (await form.status()) === 'Applied 1 setting.');
    await form.hide();
    await form.show();
    await waitFor('the apply, again', async () => (await form.status()) === 'Applied 1 setting.');
    assert.equal(await typed(), '7');
  });
}
