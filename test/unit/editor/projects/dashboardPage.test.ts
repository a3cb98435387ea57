import assert from 'node:assert/strict';
import { dashboardPage } from '../../../../src/editor/projects/dashboardPage.ts';
import { UserError } from '../../../../src/shared/text/userError.ts';

describe('the API keys page', () => {
  for (const [text, href] of [
    ['https://dashboard.example/keys?tab=1#top', 'https://dashboard.example/keys?tab=1#top'],
    ['http://localhost:3000', 'http://localhost:3000/'],
    ['HTTPS://Dashboard.Example\\keys', 'https://dashboard.example/keys'],
    ['https:dashboard.example', 'https://dashboard.example/'],
  ] as const) {
    it(`is opened as it is read: ${text}`, () => assert.equal(dashboardPage(text).href, href));
  }

  for (const text of [
    '',
    'dashboard.example',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'vscode://runhook.runhook',
    'command:runhook.reset',
    'data:text/html,x',
    'https://user@dashboard.example',
    'https://dashboard.example:443@elsewhere.example',
    'https://:secret@dashboard.example',
  ]) {
    it(`is refused: ${text}`, () => assert.throws(() => dashboardPage(text), UserError));
  }

  it('tells no password that stands in its address', () => {
    assert.throws(
      () => dashboardPage('https://me:hunter2@dashboard.example'),
      (error: Error) =>
        /dashboard\.example contains/.test(error.message) && !error.message.includes('hunter2'),
    );
  });
});
