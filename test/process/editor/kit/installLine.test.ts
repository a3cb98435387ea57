import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { installers, installLine } from '../../../../src/editor/kit/installLine.ts';
import { tunnelPrograms } from '../../../../src/deliveries/listenerProtocol.ts';

const on = (platform: string, ...has: string[]) => ({ platform, arch: 'arm64', has: new Set(has) });

describe('the line that installs a program of tunnels', () => {
  it('asks what the machine has to install programs with', () => {
    assert.equal(installLine('cloudflared', on('darwin', 'brew')), 'brew install cloudflared');
    assert.equal(installLine('ngrok', on('linux', 'brew', 'apt-get')), 'brew install ngrok');
    assert.equal(installLine('ngrok', on('win32')), 'winget install ngrok -s msstore');
    assert.match(installLine('cloudflared', on('linux', 'apt-get')), /sudo apt-get install cloudflared$/);
  });

  it('takes the file of the machine where it has nothing of the kind', () => {
    assert.match(installLine('cloudflared', on('linux')), /cloudflared-linux-arm64 -o \/usr\/local\/bin/);
    assert.match(installLine('cloudflared', on('darwin')), /cloudflared-darwin-arm64\.tgz \| sudo tar/);
    assert.match(
      installLine('ngrok', { ...on('linux'), arch: 'x64' }),
      /stable-linux-amd64\.tgz \| sudo tar/,
    );
  });

  it('is one line that a shell can read, whatever the machine', () => {
    for (const program of tunnelPrograms) {
      for (const platform of ['linux', 'darwin', 'win32']) {
        for (const has of [[], [...installers]]) {
          const line = installLine(program, on(platform, ...has));
          assert.doesNotMatch(line, /\n/);
          // Nothing is run: the shell only reads it.
          if (process.platform !== 'win32') execFileSync('/bin/sh', ['-n', '-c', line]);
        }
      }
    }
  });
});
