import { openWorkbench } from '../support/openWorkbench.ts';
import { SandboxGate } from '../support/sandboxGate.ts';
import type { Session } from '../support/session.ts';
import { waitFor } from '../support/waitFor.ts';
import type { Workbench } from '../support/workbench.ts';

/** How long it took to show a list, from the moment that the service sent it, in milliseconds. */
export interface TreeOpening {
  /** Until the host tells the window that the account has changed: the answer is received and read. */
  read: number;
  /** Until the window has the lines of the account. */
  sent: number;
  /** Until the first key is in the page. */
  drawn: number;
}

export interface TreeTimes {
  /** The account is unfolded for the first time: nothing is warm. */
  first: TreeOpening;
  /** Refresh Projects, again and again. */
  refreshed: TreeOpening[];
  /** How long the palette takes to open while the last list is being read and drawn. */
  paletteMs: number;
}

/** Tells when the first line of each list is in the page. Runs in the page. */
const watchLines = `(() => {
  let last = '';
  new MutationObserver(() => {
    for (const { textContent } of document.querySelectorAll('.label-name')) {
      if (!/^round \\d+ key 0$/.test(textContent) || textContent === last) continue;
      last = textContent;
      window.lineDrawn(last, performance.timeOrigin + performance.now());
    }
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
})()`;

/** The host's word that one element of the view has changed, not all of it. */
const accountChanged = /\$refresh[^[]*\[+"runhook\.projects",\{/;

const token = 'a-token-for-many-keys';

/** Milliseconds since 1970, with their fractions: the clock that the page has too. */
const now = () => performance.timeOrigin + performance.now();

/**
 * How soon the Projects view shows a list of `count` keys: a real workbench, the sandbox with a list put into its answers.
 * @param rounds how often it is refreshed
 */
export async function measureTree(session: Session, count: number, rounds: number): Promise<TreeTimes> {
  const service = new SandboxGate();
  const { baseUrl } = await service.start();
  service.tokens.add(token);
  const workbench = await openWorkbench(session, {
    isPainted: true,
    settings: {
      'runhook.baseUrl': baseUrl,
      'runhook.projects': [{ id: 'p-sandbox', name: 'Acme', serviceAccounts: [{ id: 'sa-ci', name: 'ci' }] }],
    },
  });
  try {
    const tree = workbench.tree('Projects');
    const refresh = async () => {
      const before = service.requests.length;
      await tree.clickTitleAction('Refresh Projects', () => service.requests.length > before);
    };
    await (await tree.row('ci')).waitFor();
    await tree.pickFromContextMenu('ci', 'Set Token…', workbench.quickInput());
    await workbench.answer(token);
    await waitFor('the token', async () =>
      (await tree.rows()).some(({ description }) => description.includes('token stored')),
    );
    // The check of the token has asked for a list too: it does not count.
    const watched = await watch(workbench, service, count);
    await tree.expand('ci');
    const first = await watched(1);
    const refreshed: TreeOpening[] = [];
    for (let round = 2; round <= rounds + 1; round += 1) {
      await refresh();
      refreshed.push(await watched(round));
    }
    await refresh();
    const asked = now();
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput().waitFor();
    return { first, refreshed, paletteMs: now() - asked };
  } finally {
    await workbench.close();
    await service.stop();
  }
}

/** Answers with one list after the other; gives the times of each, once its first key is in the page. */
async function watch(workbench: Workbench, service: SandboxGate, count: number) {
  const answered: number[] = [];
  const changed: number[] = [];
  const arrived: number[] = [];
  const drawn: number[] = [];
  let round = 0;
  const { page } = workbench;
  await page.exposeFunction('lineDrawn', (label: string, at: number) => {
    drawn[Number(/\d+/.exec(label)?.[0])] = at;
  });
  await page.evaluate(watchLines);
  service.change = (answer) => {
    round += 1;
    const body = JSON.stringify({ keys: keysOf(round, count) });
    answered[round] = now();
    return { ...answer, body };
  };
  await followFrames(workbench, (text) => {
    if (answered[round] === undefined) return;
    if (accountChanged.test(text)) changed[round] ??= now();
    if (text.includes(`round ${round} key 0`)) arrived[round] ??= now();
  });
  return async (of: number): Promise<TreeOpening> => {
    const end = await waitFor(`list ${of} to be drawn`, () => drawn[of]);
    const start = answered[of] ?? NaN;
    const sent = (arrived[of] ?? end) - start;
    return { read: Math.min((changed[of] ?? Infinity) - start, sent), sent, drawn: end - start };
  };
}

/** What the extension host sends to the window: their protocol names its calls in plain text. */
async function followFrames(workbench: Workbench, follow: (text: string) => void): Promise<void> {
  const devTools = await workbench.page.context().newCDPSession(workbench.page);
  devTools.on('Network.webSocketFrameReceived', ({ response }) =>
    follow(Buffer.from(response.payloadData, response.opcode === 2 ? 'base64' : 'utf8').toString('latin1')),
  );
  await devTools.send('Network.enable');
}

/** A list as a service might send it. */
export function keysOf(round: number, count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `k-${index}`,
    name: `round ${round} key ${index}`,
    created_at: '2026-01-02T03:04:05Z',
    expires_at: '2027-03-02T10:00:00Z',
    scopes: ['run', 'read'],
  }));
}
