import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { agentClients } from '../../../src/commandLine/mcp/agentClients.ts';
import { commandLineEntry } from '../../support/processes/entryPoints.ts';

describe('runhook agent setup', () => {
  let root: string;
  let folder: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'runhook-'));
    folder = join(root, 'project');
    mkdirSync(folder);
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  function agent(...args: string[]) {
    const env = { ...process.env, CODEX_HOME: join(root, 'codex') };
    const run = spawnSync(process.execPath, [commandLineEntry, 'agent', ...args], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    return { code: run.status, out: run.stdout, err: run.stderr };
  }
  const configs: Record<string, string> = {
    claude: '.mcp.json',
    cursor: '.cursor/mcp.json',
    vscode: '.vscode/mcp.json',
    codex: '../codex/config.toml',
  };
  const skills: Record<string, string> = {
    claude: '.claude/skills',
    cursor: '.cursor/skills',
    vscode: '.github/skills',
    codex: '.agents/skills',
  };

  it('writes the configuration of each client and the skill, says so, and takes both back', () => {
    const others: Record<string, string> = {
      '.mcp.json': '{\n  // ours\n  "mcpServers": { "other": { "command": "x" } },\n}\n',
      '../codex/config.toml': 'model = "m"\n\n[mcp_servers.other]\ncommand = "x"\n\n[profiles]\na = 1\n',
    };
    for (const [file, text] of Object.entries(others)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    const names = Object.keys(agentClients);
    const unasked = agent('setup', ...names);
    assert.deepEqual([unasked.code, existsSync(join(folder, '.cursor'))], [2, false]);
    assert.match(unasked.err, /There is no terminal to ask in/);
    assert.match(agent('setup', '--status').out, /^claude {2}– not set up {2}/);
    const { code, out, err } = agent('setup', ...names, '--allow-write', '--yes');
    assert.deepEqual([code, err], [0, '']);
    for (const name of names) {
      const text = readFileSync(join(folder, configs[name]!), 'utf8');
      assert.match(text, /"mcp",\s*"--allow-write"/, name);
      assert.match(out, new RegExp(`${configs[name]!.replace('../', '').replaceAll('.', '\\.')}:\n`));
      assert.match(agent('setup', name, '--status').out, /✓ set up, with the skill/);
      const skill = readFileSync(join(folder, skills[name]!, 'runhook', 'SKILL.md'), 'utf8');
      assert.match(skill, /^---\nname: runhook\ndescription: .+\n---\n/);
    }
    assert.match(out, /^Cursor now starts runhook mcp in this project\.$/m);
    assert.match(out, /^Codex now starts runhook mcp, in every project\.$/m);
    assert.match(readFileSync(join(folder, '.mcp.json'), 'utf8'), /\/\/ ours/);
    // What a client starts is there.
    const { mcpServers } = JSON.parse(readFileSync(join(folder, '.cursor/mcp.json'), 'utf8')) as {
      mcpServers: { runhook: { command: string; args: string[] } };
    };
    const { command, args } = mcpServers.runhook;
    assert.match(spawnSync(command, [...args, '--help'], { encoding: 'utf8' }).stdout, /^Usage: runhook mcp/);
    // Once more changes nothing, and the option is taken back.
    agent('setup', 'codex', '--yes');
    const toml = readFileSync(join(folder, '../codex/config.toml'), 'utf8');
    assert.equal(toml.match(/\[mcp_servers\.runhook\]/g)?.length, 1);
    assert.doesNotMatch(toml, /allow-write/);

    writeFileSync(join(folder, skills['cursor']!, 'runhook', 'SKILL.md'), 'mine');
    assert.equal(agent('setup', ...names, '--remove', '--yes').code, 0);
    for (const [file, text] of Object.entries(others)) {
      const after = readFileSync(join(folder, file), 'utf8');
      assert.equal(after.replace(/\s+/g, ''), text.replace(/\s+/g, ''), file);
    }
    for (const name of names) {
      assert.doesNotMatch(agent('setup', name, '--status').out, /✓/);
      assert.equal(existsSync(join(folder, skills[name]!, 'runhook', 'SKILL.md')), name === 'cursor', name);
    }
  });

  it('says where there is nothing to take back, and takes back a skill that is there alone', () => {
    const remove = (name: string) => agent('setup', name, '--remove', '--yes');
    const texts = [undefined, '', '{}\n'];
    for (const text of texts) {
      if (text !== undefined) writeFileSync(join(folder, '.mcp.json'), text);
      const said = 'Claude Code is not set up in this project.\n';
      assert.deepEqual(remove('claude'), { code: 0, out: said, err: '' });
      assert.equal(existsSync(join(folder, '.mcp.json')), text !== undefined);
    }
    assert.deepEqual(remove('codex'), { code: 0, out: 'Codex is not set up.\n', err: '' });

    agent('setup', 'cursor', '--yes');
    rmSync(join(folder, configs['cursor']!));
    const skill = join(folder, skills['cursor']!, 'runhook', 'SKILL.md');
    const { code, out } = remove('cursor');
    assert.equal(code, 0);
    assert.equal(out, `- ${skill}\nCursor was not set up in this project: only the skill was removed.\n`);
    assert.equal(existsSync(skill), false);
  });

  it('writes nothing outside of the project, wherever links of a repository lead', () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'runhook-elsewhere-'));
    const mine = join(elsewhere, 'mine');
    writeFileSync(mine, 'mine');
    symlinkSync(mine, join(folder, '.mcp.json.new'));
    for (const name of ['.cursor', '.claude', '.vscode'])
      symlinkSync(elsewhere, join(folder, name), 'junction');
    for (const name of ['claude', 'cursor', 'vscode']) {
      const { code, err } = agent('setup', name, '--yes');
      assert.deepEqual([code, /leads out of/.test(err)], [1, true], err);
    }
    assert.deepEqual([readdirSync(elsewhere), readFileSync(mine, 'utf8')], [['mine'], 'mine']);
    // Claude's own file is beside the links.
    rmSync(join(folder, '.claude'));
    assert.equal(agent('setup', 'claude', '--yes').code, 0);
    assert.match(readFileSync(join(folder, '.mcp.json'), 'utf8'), /"runhook"/);
    assert.equal(readFileSync(mine, 'utf8'), 'mine');
    rmSync(elsewhere, { recursive: true });
  });

  it('leaves a file alone that it cannot read, and knows its own words', () => {
    writeFileSync(join(folder, '.mcp.json'), '[1]');
    const { code, err } = agent('setup', 'claude', '--yes');
    assert.deepEqual([code, readFileSync(join(folder, '.mcp.json'), 'utf8')], [1, '[1]']);
    assert.match(err, /stays as it is: It is not a JSON object/);
    assert.equal(agent('setup').code, 2);
    assert.equal(agent('set').code, 2);
    assert.match(agent('setup', 'emacs').err, /The clients are claude, cursor, vscode, codex/);
  });
});
