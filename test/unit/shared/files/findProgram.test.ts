import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../../../src/shared/files/findProgram.ts';
import { fakeTunnelProgram, type FakeTunnelProgram } from '../../../support/tunnels/fakeTunnelProgram.ts';

const fixtures = fileURLToPath(new URL('../../../fixtures/tunnels', import.meta.url));

describe('findProgram', () => {
  let standIn: FakeTunnelProgram;
  before(() => {
    standIn = fakeTunnelProgram(fixtures, 'ngrok', 'opens');
  });
  after(() => standIn.remove());

  it('looks through the PATH', async () => {
    const found = await findProgram('ngrok', { PATH: `/nowhere:${standIn.folder}` }, 'linux');
    assert.equal(found, standIn.command);
  });

  it('finds none where there is none', async () => {
    assert.equal(await findProgram('cloudflared', { PATH: standIn.folder }, 'linux'), undefined);
    assert.equal(await findProgram('ngrok', {}, 'linux'), undefined);
  });

  it('passes over what is not executable', async () => {
    assert.equal(await findProgram('starts', { PATH: fixtures }, 'linux'), undefined);
    assert.equal(await findProgram('ngrok.mjs', { PATH: fixtures }, 'linux'), undefined);
  });

  it('passes over a folder of that name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runhook-path-'));
    mkdirSync(join(folder, 'ngrok'));
    try {
      const found = await findProgram('ngrok', { PATH: `${folder}:${standIn.folder}` }, 'linux');
      assert.equal(found, standIn.command);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('never looks in the current folder', async () => {
    const before = process.cwd();
    process.chdir(standIn.folder);
    try {
      assert.equal(await findProgram('ngrok', { PATH: '.::bin' }, 'linux'), undefined);
    } finally {
      process.chdir(before);
    }
  });
});
