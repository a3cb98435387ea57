import { openWorkbench } from '../support/workbench/openWorkbench.ts';
import { type GateAnswer, SandboxGate } from '../support/service/sandboxGate.ts';
import type { Session } from '../support/workbench/session.ts';
import { waitFor } from '../support/time/waitFor.ts';
import type { Workbench } from '../support/workbench/workbench.ts';

/** The times from the service's answer to several stages of showing it, in milliseconds. */
export interface TreeOpening {
  /** Until the extension host has read the answer and tells the window that the account has changed. */
  read: number;
  /** Until the window has received the rows. */
  sent: number;
  /** Until the first row is in the DOM. */
  drawn: number;
}

interface TreeTimes {
  /** Expanding the account for the first time, without any caches. */
  first: TreeOpening;
  /** Each call of Refresh Projects. */
  refreshed: TreeOpening[];
  /** The time to open the palette while a list is read and drawn. */
  paletteMs: number;
}

/** Reports when the first row of each list is in the DOM. Runs in the page. */
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

/** The extension host's message that a single element of the view has changed. */
const accountRefreshMessage = /\$refresh[^[]*\[+"runhook\.projects",\{/;

const token = 'a-token-for-many-keys';

/** A high-resolution Unix time, comparable with that of the page. */
const now = () => performance.timeOrigin + performance.now();

/**
 * Measures how soon the Projects view of a real workbench shows a list of `count` keys.
 * @param rounds how often to refresh
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
    const { watched, release } = await watch(workbench, service, count);
    await tree.pickFromContextMenu('ci', 'Set Token…', workbench.quickInput());
    await workbench.answer(token);
    await waitFor('the token', async () =>
      (await tree.rows()).some(({ description }) => description.includes('token stored')),
    );
    await tree.expand('ci');
    release();
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

/**
 * Answers each request with a new list, but the check of the token, which comes first. The view requests the keys of a
 * folded account unasked: that answer is held back until `release` is called, so that it finds the account unfolded.
 * @returns also `watched`, which waits for a list and returns its times
 */
async function watch(workbench: Workbench, service: SandboxGate, count: number) {
  const answered: number[] = [];
  const changed: number[] = [];
  const arrived: number[] = [];
  const drawn: number[] = [];
  let round = 0;
  let isChecked = false;
  let isReleased = false;
  let answerHeld = (): void => undefined;
  const { page } = workbench;
  await page.exposeFunction('lineDrawn', (label: string, at: number) => {
    drawn[Number(/\d+/.exec(label)?.[0])] = at;
  });
  await page.evaluate(watchLines);
  const withList = (answer: GateAnswer): GateAnswer => {
    round += 1;
    const body = JSON.stringify({ keys: keysOf(round, count) });
    answered[round] = now();
    return { ...answer, body };
  };
  service.change = (answer) => {
    if (!isChecked) {
      isChecked = true;
      return answer;
    }
    if (isReleased) return withList(answer);
    // The request before was given up, if there was one.
    return new Promise((resolve) => {
      answerHeld = () => resolve(withList(answer));
    });
  };
  await onWebSocketFrame(workbench, (text) => {
    if (answered[round] === undefined) return;
    if (accountRefreshMessage.test(text)) changed[round] ??= now();
    if (text.includes(`round ${round} key 0`)) arrived[round] ??= now();
  });
  const release = (): void => {
    isReleased = true;
    answerHeld();
  };
  const watched = async (of: number): Promise<TreeOpening> => {
    const end = await waitFor(`list ${of} to be drawn`, () => drawn[of]);
    const start = answered[of] ?? NaN;
    const sent = (arrived[of] ?? end) - start;
    return { read: Math.min((changed[of] ?? Infinity) - start, sent), sent, drawn: end - start };
  };
  return { watched, release };
}

/** Follows the messages from the extension host to the window. They contain the names of the calls in plain text. */
async function onWebSocketFrame(workbench: Workbench, follow: (text: string) => void): Promise<void> {
  const devTools = await workbench.page.context().newCDPSession(workbench.page);
  devTools.on('Network.webSocketFrameReceived', ({ response }) =>
    follow(Buffer.from(response.payloadData, response.opcode === 2 ? 'base64' : 'utf8').toString('latin1')),
  );
  await devTools.send('Network.enable');
}

/** A key list as the service might send it. */
export function keysOf(round: number, count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `k-${index}`,
    name: `round ${round} key ${index}`,
    created_at: '2026-01-02T03:04:05Z',
    expires_at: '2027-03-02T10:00:00Z',
    scopes: ['run', 'read'],
  }));
}
